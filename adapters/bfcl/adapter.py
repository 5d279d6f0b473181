"""BFCL v4: the four hooks on the benchmark's own package."""

from __future__ import annotations

from functools import lru_cache, partial
from typing import Any

from benchaudit.hooks import Adapter, Oracle, Ownership, Submission, Task

from .agents import AGENTS
from .answering import REFUSAL, answer_quality, answer_text, fitting_calls, fitting_quality
from .answers import first_calls, winning_calls
from .entry import FAMILIES, IRRELEVANCE
from .episodes import episode
from .meaning import quality as calls_quality
from .reading import read_calls
from .registry import entries, tasks
from .scoring import passes, score
from .trajectories import answer_turns
from .trajectories import quality as turns_quality


def work(task: Task) -> Any:
    """Calls, turns of steps of calls, or an answer; see `benchaudit.families.calls`.

    In the AST categories the first allowed value of each parameter, or where that does not pass
    the first that does; the first again where none does.
    """
    return _work(task.id)


@lru_cache(maxsize=16)
def _work(task_id: str) -> Any:
    entry = entries()[task_id]
    family = FAMILIES[entry.category]
    if family == "calls":
        return winning_calls(entry, passes) or first_calls(entry)
    if family == "turns":
        return answer_turns(entry)
    if family == "abstention":
        return fitting_calls(entry)
    return entry.answer[0]


def compose(task: Task, done: Any) -> Submission:
    """Work as a payload; who abstains says so."""
    if task.family == "turns":
        return Submission({"turns": done})
    if task.family == "agentic":
        return Submission({"text": answer_text(done)})
    if task.category in IRRELEVANCE and not done:
        return Submission({"text": REFUSAL})
    return Submission({"calls": done})


def quality(task: Task, submission: Submission) -> float:
    """Ground truth by our own reading of the key, never by the evaluator's."""
    entry, payload = entries()[task.id], submission.payload
    if task.family == "turns":
        return turns_quality(entry, payload["turns"])
    if task.family == "abstention":
        return fitting_quality(entry, payload)
    if task.family == "agentic":
        return answer_quality(entry, payload["text"])
    calls = payload["calls"] if "calls" in payload else read_calls(payload["text"])
    return calls_quality(entry, calls or [])


ADAPTER: Adapter = Adapter(
    tasks=tasks,
    score=score,
    oracle=Oracle(work=work, compose=compose, quality=quality),
    ownership=Ownership(episode=partial(episode, work), agents=tuple(AGENTS)),
)
