"""The evaluator's own verdict on a submission, and a check of the faster way to it."""

from __future__ import annotations

from typing import Any

from benchaudit.families.trajectory import Steps
from benchaudit.hooks import Score, Submission, Task

from . import package, shared
from .registry import Entry, entries
from .running import recorded, respond, start

ONE_IN = 32
"""Of so many submissions one is also scored on upstream's own environment."""


class FastPathError(Exception):
    """The faster environment and upstream's own lead to different verdicts: the audit's fault."""


def score(task: Task, submission: Submission, scorer: str) -> Score:
    """The reward, 0 to 1, with the parts it is made of; ``scorer`` only names the column.

    Raises:
        FastPathError: when a sampled check of the faster environment fails.
    """
    del scorer
    entry, payload = entries()[task.id], submission.payload
    if "after" in payload:
        reward(entry, payload["after"], shared.name_of(entry.domain.name))
    found = reward(entry, payload["steps"], shared.name_of(entry.domain.name))
    if int(submission.digest[:8], 16) % ONE_IN == 0:
        check(entry, payload["steps"], found)
    parts = {kind.value: part for kind, part in (found.reward_breakdown or {}).items()}
    return Score(found.reward, passed=found.reward == 1.0, breakdown=parts)


def check(entry: Entry, steps: Steps, found: Any) -> None:
    """Score the steps on upstream's own environment and compare.

    Raises:
        FastPathError: when it says something else, or the shared records were changed.
    """
    name = entry.domain.name
    if shared.name_of(name) == name:
        return
    own = reward(entry, steps, name)
    if own.reward != found.reward or own.reward_breakdown != found.reward_breakdown:
        raise FastPathError(
            f"{entry.id}: reward {found.reward} on the faster environment, {own.reward} on "
            "upstream's own; the fault is the audit's, not the benchmark's"
        )
    if not shared.is_intact(name):
        raise FastPathError(f"{entry.id}: shared records were changed; the fault is the audit's")


def reward(entry: Entry, steps: Steps, name: str) -> Any:
    """What the evaluator says of a conversation, on the environment registered under a name.

    Raises:
        ValueError: by the evaluator, when a recorded tool result is not what the tool answers.
    """
    conversation = recorded(steps, respond(start(name, entry.task), steps))
    run = package.simulation.SimulationRun(
        id="audit",
        task_id=entry.task.id,
        start_time="2026-01-01T00:00:00",
        end_time="2026-01-01T00:00:00",
        duration=0.0,
        termination_reason=package.simulation.TerminationReason.USER_STOP,
        messages=conversation,
    )
    return package.evaluator.evaluate_simulation(
        run, entry.task, package.evaluator.EvaluationType.ALL, solo_mode=False, domain=name
    )
