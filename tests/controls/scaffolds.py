"""Scaffolds of ours around one decision, whether to retry a page that failed: each kind once."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from benchaudit.hooks import (
    Adapter,
    Agent,
    Episode,
    Oracle,
    Ownership,
    Score,
    Step,
    Submission,
    Task,
    Unsupported,
)
from tests.controls.scorers import Records, compose, counts_shape, record_f1, truth

Answer = Callable[[str, int], tuple[str, str]]
"""What becomes of the agent's answer to the nth fault: the action taken, and who took it."""

PAGE = 4
TASKS = ("south", "west")
POLICIES = {"careful": "retry", "hasty": "skip", "first-page": "retry"}
"""What each agent answers; the last one stops after the first page."""


def pages(work: Records) -> Iterator[Records]:
    for start in range(0, len(work), PAGE):
        yield work[start : start + PAGE]


def model(answer: str, _fault: int) -> tuple[str, str]:
    return answer, "model"


def harness(_answer: str, _fault: int) -> tuple[str, str]:
    return "retry", "harness"


def shared(answer: str, fault: int) -> tuple[str, str]:
    """The harness retries the first fault by itself."""
    return ("retry", "harness") if fault == 0 else (answer, "model")


def harness_that_says_model(_answer: str, _fault: int) -> tuple[str, str]:
    return "retry", "model"


def at_random(answer: str, fault: int) -> tuple[str, str]:
    """Carries the answer out when it feels like it: no function of task and seed."""
    return (answer if _CHANCE.random() < 0.5 or fault else "skip"), "model"


_CHANCE = random.Random(7)


def unsupported(_answer: str, _fault: int) -> tuple[str, str]:
    raise Unsupported("the service cannot be had")


def raising(_answer: str, _fault: int) -> tuple[str, str]:
    raise ConnectionError("the service went away")


def play(task: Task, agent: Agent, budget: int | None, decide: Answer) -> Episode:
    """Fetch every page; every second one fails once. A budget is spent at ten tokens a row."""
    answer = agent.forced.get("retry", POLICIES[agent.name])
    kept: Records = []
    steps: list[Step] = []
    for number, page in enumerate(pages(truth(task))):
        if agent.name == "first-page" and number:
            break
        if number % 2 == 0:
            action, owner = decide(answer, len(steps))
            steps.append(Step("retry", action, owner))
            if action == "skip":
                continue
        kept += page
    if not kept:
        return Episode(None, steps)
    return Episode(compose(task, kept if budget is None else kept[: budget // 10]), steps)


def adapter(levels: dict[str, Answer], agents: Sequence[str] = ("careful", "hasty")) -> Adapter:
    """A benchmark with these scaffolds; its scorers are the F1 and the shape."""

    def episode(task: Task, scaffold: str, agent: Agent, budget: int | None) -> Episode:
        return play(task, agent, budget, levels[scaffold])

    def score(task: Task, submission: Submission, scorer: str) -> Score:
        if scorer == "shape":
            return counts_shape(task, submission)
        return Score(record_f1(task, submission))

    return Adapter(
        tasks=lambda seed: [Task(name, "records", seed=seed) for name in TASKS],
        score=score,
        oracle=Oracle(work=truth, compose=compose, quality=record_f1),
        ownership=Ownership(episode=episode, agents=agents),
    )


def plans(*levels: str, tokens: tuple[int, ...] = (1000,), **changes: Any) -> dict[str, Any]:
    """The entries of an adapter.toml with a column for every level, scored by the F1."""
    held = {level: {"owner": "model", "seen": "scaffolds.py"} for level in levels}
    return {
        "scaffolds": dict.fromkeys(levels, "one of ours"),
        "decisions": {
            "retry": {
                "title": "whether a failed page is asked for again",
                "actions": ["retry", "skip"],
                "claimed": "this module says so",
                "levels": held,
            }
        },
        "columns": [
            {
                "id": level.replace(" ", "-"),
                "title": level,
                "summary": "One level.",
                "scaffold": level,
                "scorer": "ours",
            }
            for level in levels
        ],
        "ownership": {"tasks": list(TASKS), "seeds": 2},
        "reliability": {"tasks": ["south"]},
        "interface": [
            {"scaffold": level, "task": "south", "tokens": list(tokens), "cited": "this module"}
            for level in levels
        ],
        **changes,
    }
