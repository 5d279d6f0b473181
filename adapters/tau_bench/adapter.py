"""τ-bench: the four hooks on a checkout of the benchmark."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from benchaudit.families import trajectory
from benchaudit.families.trajectory import Steps
from benchaudit.hooks import Adapter, Oracle, Ownership, Submission, Task

from . import truth
from .agents import AGENTS
from .registry import as_task, entries
from .scaffolds import episode
from .scoring import score


def tasks(seed: int | None) -> Sequence[Task]:
    """The test tasks of retail and airline; nothing in them is drawn."""
    return [as_task(entry, seed, truth.World(entry)) for entry in entries().values()]


def work(task: Task) -> Steps:
    """The gold actions, and the required outputs."""
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
    ownership=Ownership(episode=episode, agents=tuple(AGENTS)),
)
