"""Repeated runs of the same task: what one clean run hides.

A *cell* is one (model, task) with ``runs`` runs, of which ``failures`` failed or ``successes``
passed. These are one-dimensional arrays of counts, one entry a cell, that broadcast together
(0 <= count <= runs, runs >= 1). A failing cell is one with a failure.
"""

from __future__ import annotations

import math
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from benchaudit.statistics._checks import at_least, finite, fraction, refuse, tallies
from benchaudit.statistics._types import BoolArray, FloatArray, IntArray
from benchaudit.statistics.binomial import demonstrably_stochastic

Weighting = Literal["pair", "event"]


def draw_all(hits: ArrayLike, runs: ArrayLike, k: int) -> FloatArray:
    """Each cell's chance that k of its runs, drawn without replacement, are all hits.

    C(hits, k) / C(runs, k), the unbiased estimate of the k-th power of the hit rate.

    Raises:
        ValueError: also when k is below 1 or above the runs of a cell.
    """
    x, n = tallies("hits", hits, "runs", runs)
    refuse("runs", n, n < at_least("k", k, 1), f"fewer runs than k = {k}")
    chance = np.ones(x.shape)
    for drawn in range(k):
        chance *= np.maximum(x - drawn, 0) / (n - drawn)
    return chance


def pass_at_k(successes: ArrayLike, runs: ArrayLike, k: int) -> float:
    """pass@k: chance that at least one of k runs passes, mean over cells (Chen et al. 2021)."""
    x, n = tallies("successes", successes, "runs", runs)
    return float(np.mean(1 - draw_all(n - x, n, k)))


def pass_hat_k(successes: ArrayLike, runs: ArrayLike, k: int) -> float:
    """pass^k: chance that all of k runs pass, mean over cells (Yao et al. 2024)."""
    x, n = tallies("successes", successes, "runs", runs)
    return float(np.mean(draw_all(x, n, k)))


def safe_hat_k(failures: ArrayLike, runs: ArrayLike, k: int) -> float:
    """safe^k: chance that none of k runs fails (does damage), mean over cells."""
    x, n = tallies("failures", failures, "runs", runs)
    return float(np.mean(draw_all(n - x, n, k)))


def audit_miss_rate(
    failures: ArrayLike, runs: ArrayLike, *, weighting: Weighting = "pair", k: int = 1
) -> float:
    """Chance that an audit of k runs a cell sees no failure, over the cells that do fail.

    ((runs - failures) / runs)^k is averaged over failing cells: each counts once for ``pair``,
    by its number of failures for ``event``. The plug-in power, as AgentRelBench publishes the
    decay over k; draws are with replacement, so k may exceed the runs.

    Raises:
        ValueError: also when no cell has a failure.
    """
    x, n = tallies("failures", failures, "runs", runs)
    if not x.any():
        raise ValueError("failures: no cell has a failure, there is nothing to miss")
    failing = x > 0
    missed = ((n - x) / n)[failing] ** at_least("k", k, 1)
    weights = x[failing] if weighting == "event" else np.ones(len(missed))
    return math.fsum(missed * weights) / math.fsum(weights)


def runs_to_observe(rate: ArrayLike, *, confidence: float = 0.95) -> IntArray:
    """Fewest runs that show a failure of rate ``rate`` (0 < rate <= 1) with ``confidence``.

    The smallest n with 1 - (1 - rate)^n >= confidence, of the shape of ``rate``.
    """
    p = finite("rate", rate, ndim=None)
    refuse("rate", p, (p <= 0) | (p > 1), "expected a rate above 0 and up to 1")
    with np.errstate(divide="ignore"):
        exact = math.log1p(-fraction("confidence", confidence)) / np.log1p(-p)
    return np.asarray(np.maximum(1, np.ceil(exact * (1 - 1e-12))), dtype=np.int64)


def damage_mass_share(failures: ArrayLike, runs: ArrayLike, *, margin: float = 0.1) -> float:
    """Share of all failures that lie in cells with margin < failure rate < 1 - margin.

    Strict at both ends; ``margin`` in (0, 1/2). 0 when there is no failure.
    """
    if not 0 < margin < 0.5:
        raise ValueError(f"margin: expected a rate between 0 and 1/2, got {margin}")
    x, n = tallies("failures", failures, "runs", runs)
    rate = x / n
    return _share_of_failures(x, (margin < rate) & (rate < 1 - margin))


def stochastic_share(
    failures: ArrayLike, runs: ArrayLike, *, margin: float = 0.05, level: float = 0.95
) -> float:
    """Share of all failures that lie in `demonstrably_stochastic` cells; 0 without a failure."""
    x, n = tallies("failures", failures, "runs", runs)
    return _share_of_failures(x, demonstrably_stochastic(x, n, margin=margin, level=level))


def always_fail(failures: ArrayLike, runs: ArrayLike) -> BoolArray:
    """Cells in which every run failed: traps, as far as these runs show."""
    x, n = tallies("failures", failures, "runs", runs)
    return np.asarray(x == n)


def always_pass(failures: ArrayLike, runs: ArrayLike) -> BoolArray:
    """Cells in which no run failed."""
    x, _ = tallies("failures", failures, "runs", runs)
    return np.asarray(x == 0)


def _share_of_failures(failures: IntArray, cells: BoolArray) -> float:
    total = int(failures.sum())
    return int(failures[cells].sum()) / total if total else 0.0
