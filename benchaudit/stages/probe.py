"""Forge submissions with every probe of a task's family, and score them."""

from __future__ import annotations

from collections.abc import Iterator

from benchaudit.cells import CANONICAL, Cell
from benchaudit.stages import Target


def plan(target: Target) -> Iterator[Cell]:
    """The canonical submission and every probe, on every task as the release draws it."""
    for task in target.tasks:
        scorers = target.scorers(task)
        if not scorers:
            continue
        yield Cell(task=task.id, probe=CANONICAL, kind=CANONICAL, scorers=scorers)
        for name, probe in target.probes.items():
            if probe.family == task.family:
                yield Cell(task=task.id, probe=name, kind=probe.kind, scorers=scorers)
