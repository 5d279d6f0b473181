"""Intervals and bounds for a rate, from how often something happened in how many runs.

Vectorised: ``hits`` and ``runs`` are whole numbers or arrays of them that broadcast together
(0 <= hits <= runs, runs >= 1), and bounds have their common shape; plain numbers give a
zero-dimensional array. Rates lie in [0, 1].
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from benchaudit.statistics._checks import fraction, refuse, tallies, whole
from benchaudit.statistics._types import BoolArray, FloatArray, Interval


def wilson(hits: ArrayLike, runs: ArrayLike, *, level: float = 0.95) -> Interval[FloatArray]:
    """Wilson's score interval (1927), without continuity correction."""
    from scipy.special import ndtri

    x, n = tallies("hits", hits, "runs", runs)
    z2 = float(ndtri((1 + fraction("level", level)) / 2)) ** 2
    centre = (x + z2 / 2) / (n + z2)
    half = np.sqrt(z2 * (x * ((n - x) / n) + z2 / 4)) / (n + z2)
    return Interval(np.where(x == 0, 0.0, centre - half), np.where(x == n, 1.0, centre + half))


def clopper_pearson(
    hits: ArrayLike, runs: ArrayLike, *, level: float = 0.95
) -> Interval[FloatArray]:
    """Clopper and Pearson's exact interval (1934): quantiles of the beta distribution.

    Coverage is at least ``level``. Exactly 0 at no hit, exactly 1 at no miss. Stable to runs of
    10^7 and beyond.
    """
    from scipy.special import betaincinv

    x, n = tallies("hits", hits, "runs", runs)
    tail = (1 - fraction("level", level)) / 2
    low = betaincinv(np.maximum(x, 1), n - x + 1, tail)
    high = betaincinv(x + 1, np.maximum(n - x, 1), 1 - tail)
    return Interval(np.where(x == 0, 0.0, low), np.where(x == n, 1.0, high))


def zero_failure_upper(runs: ArrayLike, *, level: float = 0.95) -> FloatArray:
    """One-sided upper bound on a failure rate after ``runs`` runs without a failure.

    1 - (1 - level)^(1 / runs), the exact bound behind the rule of three.
    """
    n = whole("runs", runs, ndim=None)
    refuse("runs", n, n < 1, "expected at least one run")
    return np.asarray(-np.expm1(math.log1p(-fraction("level", level)) / n), dtype=np.float64)


def demonstrably_stochastic(
    failures: ArrayLike, runs: ArrayLike, *, margin: float = 0.05, level: float = 0.95
) -> BoolArray:
    """Cells that provably neither always fail nor never fail.

    True where the Clopper-Pearson interval lies strictly inside (margin, 1 - margin); ``margin``
    is a rate in (0, 1/2). With the defaults that takes 3 to 5 failures of 8, 4 to 12 of 16.
    """
    if not 0 < margin < 0.5:
        raise ValueError(f"margin: expected a rate between 0 and 1/2, got {margin}")
    low, high = clopper_pearson(failures, runs, level=level)
    return (low > margin) & (high < 1 - margin)
