"""Force every decision both ways through the agent's own hook, at every level."""

from __future__ import annotations

from collections.abc import Iterator

from benchaudit.cells import Cell
from benchaudit.hooks import Agent
from benchaudit.stages import Target


def plan(target: Target) -> Iterator[Cell]:
    """Every scripted agent as it is, and the first one with each decision forced either way."""
    plan = target.manifest.ownership
    if plan is None:
        return
    for column in target.runnable():
        agents = [Agent(name) for name in target.agents]
        agents += [
            Agent(target.agents[0], {name: action})
            for name, decision in target.manifest.decisions.items()
            for action in decision.actions
        ]
        for task in target.chosen(plan.tasks, column):
            for seed in range(plan.seeds):
                for agent in agents:
                    yield Cell(
                        task=task.id,
                        seed=seed,
                        scaffold=column.scaffold,
                        agent=str(agent),
                        scorers=(column.scorer,),
                    )
