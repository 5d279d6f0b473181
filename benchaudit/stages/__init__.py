"""Stages: each plans the cells whose evidence an item needs. No stage knows a benchmark.

A stage is a module with ``plan(target) -> Iterator[Cell]``. Stages overlap (a reliability episode
may be one of the 2×2's): `plan_cells` runs every cell once, under the union of the scorers asked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from benchaudit.cells import Cell
from benchaudit.hooks import Task
from benchaudit.manifest import AdapterManifest, Column, ProbeManifest

BATCH = 8
"""Cells a batch: small enough to share a large task between workers, large enough to be cheap."""


@dataclass(frozen=True, slots=True)
class Target:
    """What a stage plans from.

    Attributes:
        manifest: the adapter's facts.
        tasks: the tasks of this run.
        probes: the probes that apply, by name.
        agents: names of the scripted agents; empty where no episode can be run.
        seeds: how many seeds the repeated stages use: 0 .. seeds - 1.
    """

    manifest: AdapterManifest
    tasks: Sequence[Task]
    probes: Mapping[str, ProbeManifest]
    agents: Sequence[str]
    seeds: int

    def scorers(self, task: Task) -> tuple[str, ...]:
        """The scorers of the columns that hold a task."""
        names = (c.scorer for c in self.manifest.columns if c.holds(task.id, task.category))
        return tuple(sorted(set(names)))

    def runnable(self) -> Iterator[Column]:
        """The columns whose episodes can be run."""
        if self.agents:
            yield from (column for column in self.manifest.columns if column.scaffold)

    def chosen(self, ids: Sequence[str], column: Column | None = None) -> list[Task]:
        """The tasks of this run among ``ids``, and in the column when one is given."""
        return [
            task
            for task in self.tasks
            if task.id in ids and (column is None or column.holds(task.id, task.category))
        ]


Stage = Callable[[Target], Iterator[Cell]]


def plan_cells(target: Target, stages: Sequence[Stage]) -> list[list[Cell]]:
    """The batches of a run, in the order in which their evidence is written.

    Cells of one task and seed stay together. Further runs of a cell come last and in reverse
    order, so that what a first run leaves behind in a process can show.
    """
    merged: dict[tuple[object, ...], Cell] = {}
    for stage in stages:
        for cell in stage(target):
            known = merged.get(cell.key)
            scorers = {*cell.scorers, *(known.scorers if known else ())}
            merged[cell.key] = replace(known or cell, scorers=tuple(sorted(scorers)))
    order = {task.id: number for number, task in enumerate(target.tasks)}
    cells = sorted(merged.values(), key=lambda c: (order[c.task], c.key))
    first = [cell for cell in cells if not cell.repeat]
    again = [cell for cell in reversed(cells) if cell.repeat]
    return [*_batches(first), *_batches(again)]


def _batches(cells: Sequence[Cell]) -> Iterator[list[Cell]]:
    for _, group in groupby(cells, key=lambda c: (c.task, c.seed)):
        same = list(group)
        for start in range(0, len(same), BATCH):
            yield same[start : start + BATCH]
