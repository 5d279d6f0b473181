"""The report on repeated runs: from a pool of runs to figures, and their JSON."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, is_dataclass
from pathlib import Path
from typing import Any

import numpy as np

from benchaudit import statistics
from benchaudit.logs.findings import (
    Contrast,
    Finding,
    block_findings,
    contrasts,
    group_findings,
    twin_files,
)
from benchaudit.logs.pool import OUTCOMES, Block, Pool, by_group
from benchaudit.logs.reading import LogFile, Logs
from benchaudit.logs.readings import Cells, Reading, Settings, cells, readings
from benchaudit.logs.runs import Serving

_DIGITS = 6


@dataclass(frozen=True, slots=True)
class System:
    """One model under one scaffold, within a group.

    Attributes:
        model, scaffold: as in `Run`.
        runs, scored: all runs, and the ones with a score.
        outcomes: number of runs by how they ended.
        servings: what served them, most used first, with the number of runs.
        batches: number of executions of the suite.
        readings: figures, one or two; empty when no run counts.
        contrasts: where more than one way of serving is pooled.
        block: the runs.
    """

    model: str
    scaffold: str
    runs: int
    scored: int
    outcomes: dict[str, int]
    servings: tuple[tuple[Serving, int], ...]
    batches: int
    readings: tuple[Reading, ...]
    contrasts: tuple[Contrast, ...]
    block: Block

    @property
    def name(self) -> str:
        """Model and scaffold, for a person."""
        return self.block.name


@dataclass(frozen=True, slots=True)
class Group:
    """The systems that ran one suite under one metric."""

    suite: str
    metric: str
    systems: tuple[System, ...]


@dataclass(frozen=True, slots=True)
class Report:
    """What the runs of some logs show.

    Attributes:
        settings: what the figures depend on.
        files: every file that was looked at.
        groups: suites and metrics, in order of names, each on its own: never averaged together.
        findings: what a reader must know, in the same order.
        pool: the names behind the numbers of the blocks.
    """

    settings: Settings
    files: tuple[LogFile, ...]
    groups: tuple[Group, ...]
    findings: tuple[Finding, ...]
    pool: Pool

    @property
    def runs(self) -> int:
        """Number of runs read; a run under several metrics counts under each."""
        return len(self.pool)


def reliability(
    logs: Logs,
    settings: Settings = Settings(),  # noqa: B008 - immutable
    *,
    metrics: Sequence[str] = (),
) -> Report:
    """Read logs to their end and report on them.

    Args:
        logs: what `read_logs` gives.
        settings: see `Settings`.
        metrics: names of the metrics to report on; all by default.

    Raises:
        LogError: for a log that cannot be read.
    """
    pool = Pool(logs)
    every = pool.blocks()
    blocks = [block for block in every if not metrics or block.metric in metrics]
    twins = twin_files([str(file.path) for file in logs.files if file.runs])
    groups, findings = [], _metric_findings(every, metrics)
    for (suite, metric), members in by_group(blocks):
        figures = readings(members, settings)
        systems = tuple(
            _system(pool, block, of_block, settings) for block, of_block in zip(members, figures)
        )
        groups.append(Group(suite, metric, systems))
        findings += group_findings(members)
        for block in members:
            findings += block_findings(pool, block, settings, twins)
    return Report(settings, tuple(logs.files), tuple(groups), tuple(findings), pool)


def _system(pool: Pool, block: Block, figures: tuple[Reading, ...], settings: Settings) -> System:
    servings = pool.servings
    numbers, counts = np.unique(block.serving, return_counts=True)
    order = np.lexsort((numbers, -counts))
    return System(
        model=block.model,
        scaffold=block.scaffold,
        runs=len(block.score),
        scored=int(block.scored.sum()),
        outcomes={outcome.value: block.count(outcome) for outcome in OUTCOMES},
        servings=tuple((servings[numbers[i]], int(counts[i])) for i in order),
        batches=len({repeat.batch for repeat in pool.repeats_of(block)}),
        readings=figures,
        contrasts=tuple(contrasts(pool, block, settings)),
        block=block,
    )


def _metric_findings(blocks: Sequence[Block], chosen: Sequence[str]) -> list[Finding]:
    """Suites with several metrics: each stands alone, and what was not chosen is named."""
    found = []
    for suite in dict.fromkeys(block.suite for block in blocks):
        metrics = list(dict.fromkeys(block.metric for block in blocks if block.suite == suite))
        left = [metric for metric in metrics if chosen and metric not in chosen]
        if left:
            text = f"left out by --metric: {', '.join(left)}"
            found.append(Finding("metrics", suite, text, len(left)))
        elif len(metrics) > 1:
            text = f"{len(metrics)} metrics, each reported on its own: {', '.join(metrics)}"
            found.append(Finding("metrics", suite, text, len(metrics)))
    return found


def cell_rows(report: Report, system: System) -> list[dict[str, Any]]:
    """The tasks of a system: counts, mean, worst case, and the exact interval of the pass rate.

    Runs without a score are counted and left out of the figures, which are rounded.
    """
    every = cells(system.block, "zero", report.settings.pass_at)
    table = cells(system.block, "exclude", report.settings.pass_at)
    figures = _cell_figures(table, report.settings.level)
    names = report.pool.tasks
    return [
        {"task": names[task], "runs": runs, **figures.get(task, {"scored": 0})}
        for task, runs in zip(every.task.tolist(), every.runs.tolist())
    ]


def _cell_figures(table: Cells, level: float) -> dict[int, dict[str, Any]]:
    """The figures of each task that has a score, by its number; column by column, to be fast."""
    if not len(table.task):
        return {}
    bounds = statistics.clopper_pearson(table.passes, table.runs, level=level)
    low, high, mean, worst = (
        column.round(_DIGITS).tolist() for column in (*bounds, table.mean, table.worst)
    )
    counts = (table.task.tolist(), table.runs.tolist(), table.passes.tolist())
    return {
        task: {
            "scored": runs,
            "passes": passes,
            "pass_rate_interval": [lowest, highest],
            "mean": average,
            "worst": least,
        }
        for task, runs, passes, lowest, highest, average, least in zip(
            *counts, low, high, mean, worst
        )
    }


def to_json(report: Report) -> dict[str, Any]:
    """The report as JSON values, figures rounded to 6 decimals, in a fixed order."""
    return {
        "settings": plain(report.settings),
        "runs": report.runs,
        "files": [
            {
                "path": Path(file.path).as_posix(),
                "format": file.format,
                "runs": file.runs,
                "notes": [plain(note._asdict()) for note in file.notes],
            }
            for file in report.files
        ],
        "findings": [plain(finding) for finding in report.findings],
        "groups": [
            {
                "suite": group.suite,
                "metric": group.metric,
                "systems": [_system_json(report, system) for system in group.systems],
            }
            for group in report.groups
        ],
    }


def _system_json(report: Report, system: System) -> dict[str, Any]:
    return {
        "model": system.model,
        "scaffold": system.scaffold,
        "runs": system.runs,
        "scored": system.scored,
        "outcomes": system.outcomes,
        "batches": system.batches,
        "servings": [{**s._asdict(), "runs": runs} for s, runs in system.servings],
        "contrasts": [plain(contrast) for contrast in system.contrasts],
        "readings": [plain(reading) for reading in system.readings],
        "cells": cell_rows(report, system),
    }


def plain(value: Any) -> Any:
    """A value of dataclasses, tuples and numbers as JSON, with figures rounded."""
    if is_dataclass(value) and not isinstance(value, type):
        value = asdict(value)
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    return round(value, _DIGITS) if isinstance(value, float) else value
