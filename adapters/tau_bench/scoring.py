"""The benchmark's own verdict on a submission, and a check of the faster way to it."""

from __future__ import annotations

from typing import Any

from benchaudit.families.trajectory import Steps
from benchaudit.hooks import Score, Submission, Task

from . import shared
from .registry import Entry, entries
from .running import converse

ONE_IN = 32
"""Of so many submissions one is also scored on upstream's own environment."""


class FastPathError(Exception):
    """The faster environment and upstream's own lead to different verdicts: the audit's fault."""


def score(task: Task, submission: Submission, scorer: str) -> Score:
    """The reward, 0 or 1, with upstream's parts; ``scorer`` only names the column.

    A conversation that is left open has no reward but the 0 that every step has.

    Raises:
        FastPathError: when a sampled check of the faster environment fails.
    """
    del scorer
    entry, payload = entries()[task.id], submission.payload
    place = (entry.domain.name, entry.split, entry.index)
    if "after" in payload:
        _reward(entry, shared.environment(*place), {"steps": payload["after"]})
    found = _reward(entry, shared.environment(*place), payload)
    if int(submission.digest[:8], 16) % ONE_IN == 0:
        check(entry, found, payload)
    return found


def check(entry: Entry, found: Score, payload: Any) -> None:
    """Score a submission on upstream's own environment and compare.

    Raises:
        FastPathError: when it says something else, or the shared records were changed.
    """
    place = (entry.domain.name, entry.split, entry.index)
    own = _reward(entry, shared.own_environment(*place), payload)
    if own != found:
        raise FastPathError(
            f"{entry.id}: {found} on the faster environment, {own} on upstream's own; the fault "
            "is the audit's, not the benchmark's"
        )
    if not shared.is_intact(entry.domain.name):
        raise FastPathError(f"{entry.id}: shared records were changed; the fault is the audit's")


def _reward(entry: Entry, environment: Any, payload: Any) -> Score:
    steps: Steps = payload["steps"]
    last = converse(environment, entry.index, steps, open_=payload.get("open", False))
    if last is None or not last.done:
        return Score(0.0, passed=False)
    result = last.info.reward_info
    parts = {
        name: float(part)
        for name, part in result.info.model_dump().items()
        if name in ("r_actions", "r_outputs")
    }
    return Score(float(result.reward), passed=result.reward == 1.0, breakdown=parts)
