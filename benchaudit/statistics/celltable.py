"""The statistics of many cells at once: one row a (model, task), its repeats along the row."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from benchaudit.statistics._checks import finite, whole
from benchaudit.statistics._draws import stream
from benchaudit.statistics._types import FloatArray, IntArray, Interval, Method
from benchaudit.statistics.bootstrap import mean_intervals
from benchaudit.statistics.spread import tail_size

_FLOAT_COLUMNS = ("mean", "deviation", "worst", "cvar", "reliability", "low", "high")


@dataclass(frozen=True, slots=True)
class CellSummary:
    """Statistics of every cell: arrays with one entry a cell, in the order given.

    Attributes:
        runs: number of scores.
        mean, deviation, worst: mean, population deviation and lowest score.
        cvar: mean of the worst max(1, floor(alpha n)) scores.
        reliability: share of scores at or above the threshold.
        low, high: bootstrap interval of the mean.
    """

    runs: IntArray
    mean: FloatArray
    deviation: FloatArray
    worst: FloatArray
    cvar: FloatArray
    reliability: FloatArray
    low: FloatArray
    high: FloatArray

    @property
    def gap(self) -> FloatArray:
        """Reliability gap: mean minus worst case."""
        return self.mean - self.worst


def summarise_cells(
    scores: ArrayLike,
    offsets: ArrayLike | None = None,
    *,
    seed: int,
    alpha: float = 0.2,
    threshold: float = 0.5,
    resamples: int = 2000,
    level: float = 0.95,
    method: Method = "percentile",
    independent: bool = False,
) -> CellSummary:
    """Summarise a table of cells with an interval for every mean.

    **Shared draws.** Cells with the same number of runs are resampled with the same indices,
    those of `bootstrap_mean_interval` under ``seed``, and each cell's bounds are the ones that it
    would give. Every interval is a valid one of its own, but errors of simulation go together
    over cells: to combine bounds of several cells, ask for ``independent`` draws, which cost
    about ten times as much. A million scores in cells of ten take seconds and about 100 MB.

    Args:
        scores: cells x repeats; or, with ``offsets``, all cells' scores end to end.
        offsets: where each cell starts in ``scores``, and at the end their number (cells + 1
            whole numbers from 0, rising), for cells of uneven size.
        seed: of the draws; a whole number >= 0.
        alpha: share of the worst scores that `cvar` averages.
        threshold: what ``reliability`` counts from, in the score's unit.
        resamples, level, method: as for `bootstrap_mean_interval`.
        independent: draw anew for every cell, in the order of size and then of the table.

    Raises:
        ValueError: also for a cell without scores.
    """
    table = _by_size(scores, offsets)
    cells = sum(len(rows) for rows, _ in table)
    runs = np.empty(cells, dtype=np.int64)
    columns = {name: np.empty(cells) for name in _FLOAT_COLUMNS}
    limit = float(finite("threshold", threshold, ndim=0))
    bits = stream(seed)
    for rows, group in table:
        runs[rows] = group.shape[1]
        for name, column in _point_statistics(group, alpha, limit).items():
            columns[name][rows] = column
        if independent:
            parts = [mean_intervals(cell[None], bits, resamples, level, method) for cell in group]
            bounds = Interval(*(np.concatenate(side) for side in zip(*parts)))
        else:
            bounds = mean_intervals(group, stream(seed), resamples, level, method)
        columns["low"][rows], columns["high"][rows] = bounds
    return CellSummary(runs=runs, **columns)


def _by_size(scores: ArrayLike, offsets: ArrayLike | None) -> list[tuple[IntArray, FloatArray]]:
    """Cells of one size at a time: their numbers in the table, and their scores (cells x size)."""
    if offsets is None:
        table = finite("scores", scores, ndim=2)
        return [(np.arange(len(table)), table)]
    flat = finite("scores", scores)
    starts = whole("offsets", offsets)
    sizes = np.diff(starts)
    if len(starts) < 2 or starts[0] != 0 or starts[-1] != len(flat) or sizes.min() < 1:
        raise ValueError(
            f"offsets: expected rising numbers from 0 to the number of scores ({len(flat)}), "
            "one more than there are cells; no cell may be empty"
        )
    return list(_groups(flat, starts, sizes))


def _groups(
    flat: FloatArray, starts: IntArray, sizes: IntArray
) -> Iterator[tuple[IntArray, FloatArray]]:
    for size in np.unique(sizes):
        rows = np.flatnonzero(sizes == size)
        yield rows, flat[starts[rows][:, None] + np.arange(size)]


def _point_statistics(group: FloatArray, alpha: float, threshold: float) -> dict[str, FloatArray]:
    ordered = np.sort(group, axis=1)
    n = ordered.shape[1]
    mean = _row_mean(ordered)
    tail = max(1, math.floor(tail_size(alpha, n)))
    return {
        "mean": mean,
        "deviation": np.sqrt(_row_mean((ordered - mean[:, None]) ** 2)),
        "worst": ordered[:, 0],
        "cvar": _row_mean(ordered[:, :tail]),
        "reliability": (ordered >= threshold).sum(axis=1) / n,
    }


def _row_mean(table: FloatArray) -> FloatArray:
    """Mean of each row, adding column by column: the same bits wherever the code runs.

    Kept between the extremes, so that equal scores have themselves as mean.
    """
    sums: FloatArray = np.add.reduce(np.ascontiguousarray(table.T), axis=0)
    means: FloatArray = np.clip(sums / table.shape[1], table.min(axis=1), table.max(axis=1))
    return means
