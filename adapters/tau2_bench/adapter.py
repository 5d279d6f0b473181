"""τ²-bench: task registry, oracle and scorer on the package that NVIDIA publishes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from benchaudit.families import trajectory
from benchaudit.families.trajectory import Steps
from benchaudit.hooks import Adapter, Oracle, Submission, Task

from . import truth
from .registry import as_task, entries
from .scoring import score


def tasks(seed: int | None) -> Sequence[Task]:
    """The base split of retail, airline and telecom; nothing in it is drawn."""
    return [as_task(entry, seed, truth.World(entry)) for entry in entries().values()]


def work(task: Task) -> Steps:
    """The gold actions, and the required answers."""
    return entries()[task.id].gold()


def compose(task: Task, steps: Steps) -> Submission:
    del task
    return trajectory.submission(steps)


def quality(task: Task, submission: Submission) -> float:
    payload: Any = submission.payload
    return truth.quality(entries()[task.id], payload["steps"])


ADAPTER: Adapter = Adapter(
    tasks=tasks,
    score=score,
    oracle=Oracle(work=work, compose=compose, quality=quality),
)
