"""Repeat every agent's episodes over seeds, at every level."""

from __future__ import annotations

from collections.abc import Iterator

from benchaudit.cells import Cell
from benchaudit.stages import Target


def plan(target: Target) -> Iterator[Cell]:
    plan = target.manifest.reliability
    if plan is None:
        return
    for column in target.runnable():
        for task in target.chosen(plan.tasks, column):
            for seed in range(target.seeds):
                for agent in target.agents:
                    yield Cell(
                        task=task.id,
                        seed=seed,
                        scaffold=column.scaffold,
                        agent=agent,
                        scorers=(column.scorer,),
                    )
