"""Run the ideal agent under each stated budget, beside a control without one."""

from __future__ import annotations

from collections.abc import Iterator

from benchaudit.cells import Cell
from benchaudit.stages import Target


def plan(target: Target) -> Iterator[Cell]:
    for column in target.runnable():
        for budget in target.manifest.interface:
            if budget.scaffold != column.scaffold:
                continue
            for task in target.chosen((budget.task,), column):
                for tokens in (None, *budget.tokens):
                    yield Cell(
                        task=task.id,
                        scaffold=column.scaffold,
                        agent=target.agents[0],
                        budget=tokens,
                        scorers=(column.scorer,),
                    )
