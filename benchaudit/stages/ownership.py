"""Force every decision both ways through the agent's own hook, at every level."""

from __future__ import annotations

from collections.abc import Iterator

from benchaudit.cells import Cell
from benchaudit.hooks import Agent, Task
from benchaudit.stages import Target


def plan(target: Target) -> Iterator[Cell]:
    """Every scripted agent as it is, and the first one with each decision forced either way.

    Scaffolds that no column uses get the forced episodes only: for the table of decisions.
    """
    plan = target.manifest.ownership
    if plan is None or not target.agents:
        return
    used = {column.scaffold for column in target.runnable()}
    for column in target.runnable():
        for task in target.chosen(plan.tasks, column):
            agents = [Agent(name) for name in target.agents] + forced(target, column.scaffold)
            yield from _cells(task, plan.seeds, column.scaffold, agents, (column.scorer,))
    for scaffold in target.manifest.scaffolds:
        if scaffold not in used:
            for task in target.chosen(plan.tasks):
                agents = forced(target, scaffold)
                yield from _cells(task, 1, scaffold, agents, target.scorers(task)[:1])


def forced(target: Target, scaffold: str) -> list[Agent]:
    """The first agent with each decision that arises at a scaffold forced either way."""
    return [
        Agent(target.agents[0], {name: action})
        for name, decision in target.manifest.decisions.items()
        if decision.arises_at(scaffold)
        for action in decision.actions
    ]


def _cells(
    task: Task, seeds: int, scaffold: str, agents: list[Agent], scorers: tuple[str, ...]
) -> Iterator[Cell]:
    for seed in range(seeds):
        for agent in agents:
            yield Cell(
                task=task.id, seed=seed, scaffold=scaffold, agent=str(agent), scorers=scorers
            )
