"""How many tasks and runs a wanted precision takes, from a pilot's runs or from assumed rates."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from benchaudit import statistics
from benchaudit.logs.pool import Block
from benchaudit.logs.readings import Cells, cells

REPEATS = (1, 2, 3, 4, 5, 8, 10, 16, 32)
"""Runs a task for which a plan has a row."""


@dataclass(frozen=True, slots=True)
class Aims:
    """What is wanted.

    Attributes:
        half_width: of the mean's interval, in the score's unit.
        difference: between two systems, to be found with 80 % power, in the score's unit.
        failure_rate: of a task, whose failure is to be seen at least once.
        level: confidence of all of them.
    """

    half_width: float = 0.05
    difference: float = 0.05
    failure_rate: float = 0.05
    level: float = 0.95


@dataclass(frozen=True, slots=True)
class Basis:
    """What a plan rests on.

    Attributes:
        text: where it is from, for a person.
        mean: mean score.
        within: standard deviation of a run about its task's own mean.
        between: standard deviation of the tasks' own means.
        tasks: tasks of the benchmark.
    """

    text: str
    mean: float
    within: float
    between: float
    tasks: int


@dataclass(frozen=True, slots=True)
class PlanRow:
    """What so many runs a task give.

    Attributes:
        repeats: runs a task.
        tasks_for_width: tasks for the wanted half-width of the mean over tasks like these.
        runs_for_width: these tasks times the repeats.
        detectable: smallest difference found with 80 % power on the benchmark's own tasks.
    """

    repeats: int
    tasks_for_width: int
    runs_for_width: int
    detectable: float


@dataclass(frozen=True, slots=True)
class Plan:
    """Runs for the aims, under the basis.

    Attributes:
        basis, aims: what the plan was made from.
        rows: one for each of `REPEATS`.
        repeats_for_width: runs of each of the benchmark's tasks for the wanted half-width, of the
            mean over these very tasks.
        repeats_for_difference: likewise for the wanted difference.
        runs_to_see: runs of one task that show a failure of the given rate.
    """

    basis: Basis
    aims: Aims
    rows: tuple[PlanRow, ...]
    repeats_for_width: int
    repeats_for_difference: int
    runs_to_see: int


def plan(basis: Basis, aims: Aims) -> Plan:
    """Plan for the aims, by the normal approximation.

    A claim about tasks like these has the variance between^2 / tasks + within^2 / (tasks
    repeats); a claim about these very tasks the second part alone. Two systems are taken to vary
    alike, and on their own.
    """
    of_difference = math.sqrt(2) * basis.within
    rows = []
    for repeats in REPEATS:
        of_task = math.hypot(basis.between, basis.within / math.sqrt(repeats))
        tasks = statistics.runs_for_mean(aims.half_width, deviation=of_task, level=aims.level)
        detectable = statistics.minimum_detectable_difference(
            basis.tasks, repeats, within=of_difference, level=aims.level
        )
        rows.append(PlanRow(repeats, tasks, tasks * repeats, detectable))
    share = basis.within / math.sqrt(basis.tasks)
    once = rows[0].detectable
    return Plan(
        basis=basis,
        aims=aims,
        rows=tuple(rows),
        repeats_for_width=statistics.runs_for_mean(
            aims.half_width, deviation=share, level=aims.level
        ),
        repeats_for_difference=max(1, math.ceil((once / aims.difference) ** 2)),
        runs_to_see=int(statistics.runs_to_observe(aims.failure_rate, confidence=aims.level)),
    )


def from_pilot(block: Block, pass_at: float) -> Basis:
    """The basis that a pilot's scored runs give: variances within and between its tasks.

    The variance within is the mean of the tasks' sample variances, weighted by their degrees of
    freedom; the one between is that of the task means less what runs alone would make of it.

    Raises:
        ValueError: when no task has two scored runs, or there is only one task.
    """
    table = cells(block, "exclude", pass_at)
    if not len(table.task) or table.runs.max() < 2:
        raise ValueError("no task has two scored runs, so that nothing shows how runs vary")
    if len(table.task) < 2:
        raise ValueError("a single task does not show how tasks differ")
    within = _variance_within(table)
    of_means = float(table.mean.var(ddof=1))
    between = max(0.0, of_means - within * float(np.mean(1 / table.runs)))
    fewest, most = int(table.runs.min()), int(table.runs.max())
    runs = str(most) if fewest == most else f"{fewest} to {most}"
    design = f"{len(table.task)} tasks, {runs} scored runs a task"
    return Basis(
        text=f"pilot: {block.name}, {block.metric}, {design}",
        mean=statistics.mean(table.scores),
        within=math.sqrt(within),
        between=math.sqrt(between),
        tasks=len(table.task),
    )


def pilots(blocks: Sequence[Block], pass_at: float, metrics: Sequence[str] = ()) -> list[Basis]:
    """The basis of every block that can give one, of the chosen metrics or of all.

    Raises:
        ValueError: when none can, with the reason of each.
    """
    found, reasons = [], []
    for block in blocks:
        if metrics and block.metric not in metrics:
            continue
        try:
            found.append(from_pilot(block, pass_at))
        except ValueError as error:
            reasons.append(f"{block.name}: {error}")
    if not found:
        raise ValueError("; ".join(reasons) or "no runs")
    return found


def from_rates(rate: float, icc: float, tasks: int) -> Basis:
    """The basis of passing and failing runs with a mean pass rate.

    Args:
        rate: mean pass rate over tasks, between 0 and 1.
        icc: share of the variance that lies between tasks, 0 (all tasks alike) to 1 (each task
            always passes or always fails).
        tasks: tasks of the benchmark.

    Raises:
        ValueError: for numbers out of these ranges.
    """
    if not 0 < rate < 1 or not 0 <= icc <= 1 or tasks < 1:
        raise ValueError("expected a rate between 0 and 1, an icc from 0 to 1 and a task or more")
    variance = rate * (1 - rate)
    return Basis(
        text=f"assumed: pass rate {rate:g}, {icc:.0%} of the variance between tasks, {tasks} tasks",
        mean=rate,
        within=math.sqrt((1 - icc) * variance),
        between=math.sqrt(icc * variance),
        tasks=tasks,
    )


def _variance_within(table: Cells) -> float:
    squares = float(((table.scores - table.mean[table.owner]) ** 2).sum())
    return squares / int((table.runs - 1).sum())
