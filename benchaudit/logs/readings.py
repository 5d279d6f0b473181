"""What the runs of one block say, once errors are read one way or the other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from benchaudit import statistics
from benchaudit.logs.pool import Block, FloatArray, IntArray

Errors = Literal["exclude", "zero", "bounds"]
"""How runs without a score count: not at all, as 0, or both readings side by side."""

MOST_REPEATS = 32
"""Curves over k repeats stop here."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What the figures depend on beside the runs.

    Attributes:
        errors: see `Errors`.
        pass_at: lowest score that passes, in the score's unit.
        threshold: the tau of Reliability@tau, in the score's unit.
        alpha: share of the worst runs that CVaR averages.
        low, high: declared range of the scores; None if none was declared, which means 0 to 1.
        level: confidence of intervals and tests.
        seed: of bootstrap draws.
        resamples: bootstrap samples.
    """

    errors: Errors = "bounds"
    pass_at: float = 1.0
    threshold: float = 0.5
    alpha: float = 0.2
    low: float | None = None
    high: float | None = None
    level: float = 0.95
    seed: int = 0
    resamples: int = 2000


@dataclass(frozen=True, slots=True)
class Cells:
    """The runs of a block by task: entries of the arrays are tasks, in order of first reading.

    Attributes:
        task: number of the task's name.
        runs: number of runs counted.
        passes: how many of them pass.
        mean, worst: mean and lowest score.
        scores: all scores, task after task.
        owner: position in ``task`` of each score.
    """

    task: IntArray
    runs: IntArray
    passes: IntArray
    mean: FloatArray
    worst: FloatArray
    scores: FloatArray
    owner: IntArray


@dataclass(frozen=True, slots=True)
class AuditMiss:
    """How often an audit of a failing cell sees no failure.

    Attributes:
        cells: number of cells with a failure.
        failures: number of failures in them.
        pair, event: miss rate of one run, each failing cell once or each failure once.
        decay: pair-weighted miss rate of an audit of 1, 2, ... runs.
    """

    cells: int
    failures: int
    pair: float
    event: float
    decay: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Reading:
    """The figures of one block under one treatment of runs without a score.

    Attributes:
        errors: ``exclude`` or ``zero``.
        runs, tasks: counted runs, and tasks that have one.
        fewest, most: counted runs of a task.
        mean: mean over runs.
        interval: of the mean, by a bootstrap that draws tasks; None for a single task.
        deviation: population deviation over runs.
        worst: lowest score of a run.
        mean_worst: each task's lowest score, averaged over tasks.
        cvar, reliability: CVaR and Reliability@tau over runs.
        gap: mean minus worst.
        pass_hat: pass^k for k = 1, 2, ... up to the fewest repeats of a task.
        miss: audit miss rates; None where no run failed, or no task has a second run.
        always_fail, always_pass, mixed: numbers of tasks; with one run a task, of failures and
            passes.
        stochastic: tasks that provably neither always fail nor always pass.
    """

    errors: str
    runs: int
    tasks: int
    fewest: int
    most: int
    mean: float
    interval: tuple[float, float] | None
    deviation: float
    worst: float
    mean_worst: float
    cvar: float
    reliability: float
    gap: float
    pass_hat: tuple[float, ...]
    miss: AuditMiss | None
    always_fail: int
    always_pass: int
    mixed: int
    stochastic: int


def readings(blocks: Sequence[Block], settings: Settings) -> list[tuple[Reading, ...]]:
    """For each block the readings that the settings ask for; one where both would be the same.

    None where no run counts: where no run has a score there is nothing to read, save for a user
    who asks for zeros.
    """
    tables = [
        [(errors, cells(block, errors, settings.pass_at)) for errors in _wanted(block, settings)]
        for block in blocks
    ]
    kept = [[(errors, table) for errors, table in some if len(table.task)] for some in tables]
    bounds = iter(_intervals([table for some in kept for _, table in some], settings))
    return [
        tuple(_reading(table, errors, next(bounds), settings) for errors, table in some)
        for some in kept
    ]


def _wanted(block: Block, settings: Settings) -> tuple[str, ...]:
    if settings.errors != "bounds":
        return ("exclude",) if block.scored.all() else (settings.errors,)
    if block.scored.all():
        return ("exclude",)
    return ("exclude", "zero") if block.scored.any() else ()


def cells(block: Block, errors: str, pass_at: float) -> Cells:
    """The block's cells with runs that lack a score left out (``exclude``) or as 0 (``zero``)."""
    if errors == "exclude":
        rows = block.scored
        task, score = block.task[rows], block.score[rows]
    else:
        task, score = block.task, np.where(block.scored, block.score, 0.0)
    names, first, inverse = np.unique(task, return_index=True, return_inverse=True)
    rank = np.empty(len(names), dtype=np.int64)
    rank[np.argsort(first)] = np.arange(len(names))
    owner = rank[inverse]
    order = np.argsort(owner, kind="stable")
    owner, score = owner[order], score[order]
    runs = np.bincount(owner, minlength=len(names))
    starts = np.cumsum(runs) - runs
    return Cells(
        task=names[np.argsort(first)],
        runs=runs,
        passes=np.bincount(owner, weights=score >= pass_at, minlength=len(names)).astype(np.int64),
        mean=np.bincount(owner, weights=score, minlength=len(names)) / np.maximum(runs, 1),
        worst=np.minimum.reduceat(score, starts) if len(score) else np.empty(0),
        scores=score,
        owner=owner,
    )


def _reading(
    table: Cells, errors: str, interval: tuple[float, float] | None, settings: Settings
) -> Reading:
    failures = table.runs - table.passes
    never, always = failures == table.runs, failures == 0
    return Reading(
        errors=errors,
        runs=len(table.scores),
        tasks=len(table.task),
        fewest=int(table.runs.min()),
        most=int(table.runs.max()),
        mean=statistics.mean(table.scores),
        interval=interval,
        deviation=statistics.population_deviation(table.scores),
        worst=statistics.worst_case(table.scores),
        mean_worst=statistics.mean(table.worst),
        cvar=statistics.cvar(table.scores, settings.alpha),
        reliability=statistics.reliability_at(table.scores, settings.threshold),
        gap=statistics.reliability_gap(table.scores),
        pass_hat=tuple(
            statistics.pass_hat_k(table.passes, table.runs, k)
            for k in range(1, min(int(table.runs.min()), MOST_REPEATS) + 1)
        ),
        miss=_miss(failures, table.runs),
        always_fail=int(never.sum()),
        always_pass=int(always.sum()),
        mixed=int((~never & ~always).sum()),
        stochastic=int(
            statistics.demonstrably_stochastic(failures, table.runs, level=settings.level).sum()
        ),
    )


def _intervals(tables: Sequence[Cells], settings: Settings) -> list[tuple[float, float] | None]:
    """Interval of each mean, by a bootstrap that draws tasks; None for a single task.

    Where all tasks have as many runs, the mean over the drawn tasks' runs is the mean of their
    means: tables of equally many such tasks are then done at once, under the same draws.
    """
    found: list[tuple[float, float] | None] = [None] * len(tables)
    together: dict[int, list[int]] = {}
    for number, table in enumerate(tables):
        tasks = len(table.task)
        if tasks > 1 and (table.runs == table.runs[0]).all():
            together.setdefault(tasks, []).append(number)
        elif tasks > 1:
            low_high = statistics.cluster_bootstrap_mean_interval(
                table.scores,
                table.owner.tolist(),
                seed=settings.seed,
                resamples=settings.resamples,
                level=settings.level,
            )
            found[number] = low_high.low, low_high.high
    for numbers in together.values():
        summary = statistics.summarise_cells(
            np.stack([tables[number].mean for number in numbers]),
            seed=settings.seed,
            resamples=settings.resamples,
            level=settings.level,
        )
        for number, low, high in zip(numbers, summary.low.tolist(), summary.high.tolist()):
            found[number] = low, high
    return found


def _miss(failures: IntArray, runs: IntArray) -> AuditMiss | None:
    if not failures.any() or runs.max() < 2:
        return None
    longest = min(int(runs.max()), MOST_REPEATS)
    return AuditMiss(
        cells=int((failures > 0).sum()),
        failures=int(failures.sum()),
        pair=statistics.audit_miss_rate(failures, runs),
        event=statistics.audit_miss_rate(failures, runs, weighting="event"),
        decay=tuple(statistics.audit_miss_rate(failures, runs, k=k) for k in range(1, longest + 1)),
    )
