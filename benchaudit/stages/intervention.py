"""The 2×2: the same agents under both scaffolds, every episode scored by both scorers."""

from __future__ import annotations

from collections.abc import Iterator

from benchaudit.cells import Cell
from benchaudit.stages import Target


def plan(target: Target) -> Iterator[Cell]:
    plan = target.manifest.intervention
    if plan is None or plan.not_licensed:
        return
    for task in target.chosen(plan.tasks):
        for scaffold in plan.scaffolds:
            for seed in range(target.seeds):
                for agent in target.agents:
                    yield Cell(
                        task=task.id,
                        seed=seed,
                        scaffold=scaffold,
                        agent=agent,
                        scorers=plan.scorers,
                    )
