"""Bootstrap intervals: of means, of many cells' means at once, of any statistic, over clusters.

Two methods make an interval of the bootstrap estimates, both with bounds that are linear between
order statistics (type 7 quantiles):

- ``percentile``: the (1 - level) / 2 and (1 + level) / 2 quantiles.
- ``bca``: bias-corrected and accelerated (Efron 1987), with the jackknife's acceleration. A tie
  with the observed value counts half in the bias correction.

Draws are described in `benchaudit.statistics._draws`, and sums of drawn scores are exact. So the
percentile interval of a mean is the same to the bit on any machine, numpy and BLAS.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence

import numpy as np
from numpy.random import PCG64
from numpy.typing import ArrayLike

from benchaudit.statistics._checks import at_least, finite, fraction, labels
from benchaudit.statistics._draws import CHUNK, index_chunks, stream
from benchaudit.statistics._types import FloatArray, Interval, Method

Statistic = Callable[[FloatArray], FloatArray]
"""Maps samples, stacked along the first axis (m, n, ...), to one number each (m,)."""

_BLOCK = 1 << 18  # estimates worked on at a time: 2 MB, which stays in cache

_PRODUCT = 1 << 18
"""Multiplications in one matrix product; a 32nd of it where the matrix is one row. OpenBLAS
computes larger ones in several threads, which gains little here and takes ten times as long on a
machine whose cores are busy."""


def bootstrap_mean_interval(
    values: ArrayLike,
    *,
    seed: int,
    resamples: int = 2000,
    level: float = 0.95,
    method: Method = "percentile",
) -> Interval[float]:
    """Bootstrap interval of the mean of ``values`` (one-dimensional).

    Values are sorted before they are drawn from: the interval does not depend on their order.
    One value, or values that are all equal, give an interval without width, which is no evidence
    of stability.

    Args:
        values: the sample, finite.
        seed: of the draws; a whole number >= 0.
        resamples: number of bootstrap samples.
        level: confidence, between 0 and 1.
        method: ``percentile`` or ``bca``.
    """
    cell = finite("values", values)[None, :]
    bounds = mean_intervals(cell, stream(seed), resamples, level, method)
    return Interval(float(bounds.low[0]), float(bounds.high[0]))


def bootstrap_interval(
    values: ArrayLike,
    statistic: Statistic,
    *,
    seed: int,
    resamples: int = 2000,
    level: float = 0.95,
    method: Method = "percentile",
) -> Interval[float]:
    """Bootstrap interval of any statistic of exchangeable rows.

    Args:
        values: one row a unit that is drawn as a whole; of any further shape (n, ...).
        statistic: maps m samples, an array (m, n, ...), to m numbers.
        seed, resamples, level, method: as for `bootstrap_mean_interval`.

    Raises:
        ValueError: also when the statistic of a resample is not finite.
    """
    rows = finite("values", values, ndim=None)
    estimates = np.empty((1, at_least("resamples", resamples, 1)))
    step = max(1, CHUNK // rows.size)
    for start, index in index_chunks(len(rows), stream(seed), resamples, step):
        estimates[0, start : start + len(index)] = statistic(rows[index])
    finite("statistic of a resample", estimates[0])
    if method == "percentile":
        return _scalar(_percentile_bounds(estimates, level))
    observed = finite("statistic", statistic(rows[None]))
    left_out = np.stack([np.delete(np.arange(len(rows)), i) for i in range(len(rows))])
    jackknife = finite("statistic of a jackknife sample", statistic(rows[left_out]))
    pull = _acceleration(jackknife.mean() - jackknife[None, :])
    return _scalar(_bca_bounds(estimates, observed, pull, level))


def cluster_bootstrap_mean_interval(
    values: ArrayLike,
    clusters: Sequence[object],
    *,
    seed: int,
    resamples: int = 2000,
    level: float = 0.95,
    method: Method = "percentile",
) -> Interval[float]:
    """Interval of the mean of all values when whole clusters are drawn, as of tasks with repeats.

    Args:
        values: one score an observation.
        clusters: the cluster of each value, by any hashable label.
        seed, resamples, level, method: as for `bootstrap_mean_interval`.
    """
    array = finite("values", values)
    codes = labels("clusters", clusters, len(array))
    sizes = np.bincount(codes).astype(np.float64)
    table = np.column_stack([np.bincount(codes, weights=array), sizes])
    table = table[np.lexsort(table.T)]
    return bootstrap_interval(
        table, _ratio_of_sums, seed=seed, resamples=resamples, level=level, method=method
    )


def mean_intervals(
    cells: FloatArray, bits: PCG64, resamples: int, level: float, method: Method
) -> Interval[FloatArray]:
    """Interval of the mean of every row of ``cells`` (cells x n), all under the same draws."""
    cells = np.sort(cells, axis=1)
    n = cells.shape[1]
    start = bits.state
    step = min(len(cells), max(1, _BLOCK // at_least("resamples", resamples, 1)))
    rows = max(1, _PRODUCT // (max(step, 32) * n))
    few = n * resamples <= CHUNK
    kept = list(_draw_counts(n, bits, resamples, rows)) if few else []
    low, high = np.empty(len(cells)), np.empty(len(cells))
    for first in range(0, len(cells), step):
        part = slice(first, first + step)
        if not few:
            bits.state = start
        draws = kept or _draw_counts(n, bits, resamples, rows)
        low[part], high[part] = _mean_bounds(cells[part], draws, resamples, level, method)
    worst, best = cells[:, 0], cells[:, -1]
    return Interval(np.clip(low, worst, best), np.clip(high, worst, best))


def _draw_counts(
    n: int, bits: PCG64, resamples: int, rows: int
) -> Iterator[tuple[int, FloatArray]]:
    """How often each of n items is drawn: a chunk's first row and its counts, rows x n."""
    for start, index in index_chunks(n, bits, resamples, rows):
        flat = index + np.arange(len(index))[:, None] * n
        counts = np.bincount(flat.ravel(), minlength=len(index) * n)
        yield start, counts.reshape(-1, n).astype(np.float64)


def _mean_bounds(
    cells: FloatArray,
    draws: Iterable[tuple[int, FloatArray]],
    resamples: int,
    level: float,
    method: Method,
) -> Interval[FloatArray]:
    """Bounds for some cells.

    Scores are rounded to a multiple of about n 2^-52 of the cell's largest, which makes every sum
    of n of them exact, in any order of adding: the matrix product may do as it likes.
    """
    n = cells.shape[1]
    _, exponent = np.frexp(np.abs(cells).max(axis=1))
    shift = 52 - math.ceil(math.log2(n)) - exponent
    quanta = np.rint(np.ldexp(cells, shift[:, None]))
    sums = np.empty((len(cells), resamples))
    for start, counts in draws:
        np.matmul(quanta, counts.T, out=sums[:, start : start + len(counts)])
    if method == "percentile":
        low, high = _percentile_bounds(sums, level)
    else:
        total = quanta.sum(axis=1)
        low, high = _bca_bounds(sums, total, _acceleration(quanta - total[:, None] / n), level)
    scale = np.ldexp(1.0, -shift) / n
    return Interval(low * scale, high * scale)


def _percentile_bounds(estimates: FloatArray, level: float) -> Interval[FloatArray]:
    tail = (1 - fraction("level", level)) / 2
    return Interval(_row_quantile(estimates, tail), _row_quantile(estimates, 1 - tail))


def _row_quantile(rows: FloatArray, q: float) -> FloatArray:
    """Type 7 quantile of each row; reorders the rows in place.

    One selection, and an extreme of the shorter side, take a third of the time of a selection of
    two neighbours.
    """
    last = rows.shape[1] - 1
    position: float = q * last
    k = math.floor(position)
    if 2 * k < last:
        rows.partition(k + 1, axis=1)
        below, above = rows[:, : k + 1].max(axis=1), rows[:, k + 1]
    else:
        rows.partition(k, axis=1)
        below, above = rows[:, k], rows[:, min(k + 1, last) :].min(axis=1)
    value: FloatArray = below + (position - k) * (above - below)
    return value


def _acceleration(influence: FloatArray) -> FloatArray:
    """Efron's a of each row of influence values; 0 where they are all 0."""
    squares = influence * influence
    cubes = (squares * influence).sum(axis=1)
    spread = squares.sum(axis=1)
    spread *= 6 * np.sqrt(spread)
    pull: FloatArray = np.divide(cubes, spread, out=np.zeros(len(influence)), where=spread > 0)
    return pull


def _bca_bounds(
    estimates: FloatArray, observed: FloatArray, acceleration: FloatArray, level: float
) -> Interval[FloatArray]:
    from scipy.special import ndtr, ndtri

    count = estimates.shape[1]
    below = (estimates < observed[:, None]).sum(axis=1)
    below_or_at = (estimates <= observed[:, None]).sum(axis=1)
    share = (below + below_or_at) / (2 * count)
    bias = ndtri(np.clip(share, 0.5 / count, 1 - 0.5 / count))
    ordered = np.sort(estimates, axis=1)

    def bound(q: float) -> FloatArray:
        z = bias + ndtri(q)
        position = ndtr(bias + z / (1 - acceleration * z)) * (count - 1)
        k = np.minimum(np.floor(position).astype(np.int64), max(0, count - 2))
        rows = np.arange(len(ordered))
        left, right = ordered[rows, k], ordered[rows, np.minimum(k + 1, count - 1)]
        between: FloatArray = left + (position - k) * (right - left)
        return between

    tail = (1 - fraction("level", level)) / 2
    return Interval(bound(tail), bound(1 - tail))


def _ratio_of_sums(samples: FloatArray) -> FloatArray:
    sums = samples.sum(axis=1)
    ratio: FloatArray = sums[:, 0] / sums[:, 1]
    return ratio


def _scalar(bounds: Interval[FloatArray]) -> Interval[float]:
    return Interval(float(bounds.low[0]), float(bounds.high[0]))
