"""Are two sets of results told apart: paired and unpaired tests, effect sizes, multiplicity.

All tests are two-sided. ``differences`` are one number a pair (same task, same seed), second
minus first, in the score's unit.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from benchaudit.statistics._checks import at_least, finite, fraction, positive, refuse, whole
from benchaudit.statistics._draws import CHUNK, stream, uniforms
from benchaudit.statistics._types import FloatArray, IntArray, Interval, Method
from benchaudit.statistics.bootstrap import bootstrap_mean_interval

_LATTICE_WORK = 2 * 10**8  # additions that the exact test may take: a fifth of a second
_ENUMERATED = 20  # non-zero differences whose 2^n sign patterns are all written out
_TIE = 1e-9  # sums this close, in units of the largest difference, count as tied


@dataclass(frozen=True, slots=True)
class SignFlip:
    """Result of a sign-flip test.

    Attributes:
        p: the share of sign patterns with a mean as far from 0 as the observed one, or further.
        resamples: 0 when ``p`` counts all patterns; else how many were drawn.
    """

    p: float
    resamples: int

    @property
    def exact(self) -> bool:
        """Whether all sign patterns are counted."""
        return self.resamples == 0


@dataclass(frozen=True, slots=True)
class McNemar:
    """Discordant pairs of two pass/fail columns, and the exact two-sided p for their balance."""

    only_first: int
    only_second: int
    p: float


def sign_flip_test(
    differences: ArrayLike, *, unit: float = 1.0, seed: int = 0, resamples: int = 10_000
) -> SignFlip:
    """Test that differences are symmetric about 0, by flipping their signs (Fisher 1935).

    All 2^n patterns are counted, by dynamic programming over the attainable sums, when every
    difference is a whole number of ``unit``; for other differences up to 20 that are not 0.
    Beyond, patterns are drawn, and p = (1 + as extreme) / (1 + resamples) (Davison and Hinkley
    1997). A sum tied with the observed one counts as extreme.

    Args:
        differences: one a pair, finite.
        unit: what differences are counted in; 1 / 75 for shares of 75 rows.
        seed: of the draws, where there are any.
        resamples: sign patterns to draw, where there are too many to count.
    """
    array = finite("differences", differences)
    sizes = np.sort(np.abs(array))
    observed = abs(math.fsum(array))
    steps = _whole_steps(sizes, unit)
    if steps is not None and len(steps) * int(steps.sum()) <= _LATTICE_WORK:
        return SignFlip(_lattice_p(steps, round(observed / unit)), 0)
    sizes = sizes[sizes > 0]
    tie = _TIE * float(sizes.max(initial=0.0))
    if len(sizes) <= _ENUMERATED:
        return SignFlip(_enumerated_p(sizes, observed - tie), 0)
    extreme = _drawn_extremes(sizes, observed - tie, seed, at_least("resamples", resamples, 1))
    return SignFlip((1 + extreme) / (1 + resamples), resamples)


def sign_test(wins: int, losses: int) -> float:
    """Two-sided p of a fair coin for ``wins`` against ``losses``; ties are left out beforehand."""
    from scipy.special import bdtr

    for name, count in (("wins", wins), ("losses", losses)):
        at_least(name, count, 0)
    fewer, n = min(wins, losses), wins + losses
    return 1.0 if 2 * fewer == n else min(1.0, 2 * float(bdtr(float(fewer), n, 0.5)))


def mcnemar(first: ArrayLike, second: ArrayLike) -> McNemar:
    """McNemar's test (1947), exact: do two columns of paired passes (1) and failures (0) differ?

    Raises:
        ValueError: also for values other than 0 and 1 and for columns of unequal length.
    """
    a, b = finite("first", first), finite("second", second)
    for name, column in (("first", a), ("second", b)):
        refuse(name, column, (column != 0) & (column != 1), "expected 0 or 1")
    _same_length("first", a, "second", b)
    only_first, only_second = int((a > b).sum()), int((b > a).sum())
    return McNemar(only_first, only_second, sign_test(only_first, only_second))


def fisher_exact(table: ArrayLike) -> float:
    """Fisher's exact two-sided p for a 2 x 2 table of counts, [[pass, fail], [pass, fail]]."""
    from scipy.stats import fisher_exact as test

    counts = whole("table", table, ndim=2)
    if counts.shape != (2, 2):
        raise ValueError(f"table: expected 2 x 2 counts, got {counts.shape}")
    return float(test(counts).pvalue)


def holm(p_values: ArrayLike) -> FloatArray:
    """P values adjusted for a family of tests (Holm 1979), in the order given."""
    p = finite("p_values", p_values)
    refuse("p_values", p, (p < 0) | (p > 1), "expected a p value, 0 to 1")
    order = np.argsort(p, kind="stable")
    stepped = np.maximum.accumulate(p[order] * np.arange(len(p), 0, -1))
    adjusted = np.empty_like(p)
    adjusted[order] = np.minimum(stepped, 1.0)
    return adjusted


def paired_cliffs_delta(differences: ArrayLike) -> float:
    """Share of pairs in which the second is better minus the share in which it is worse."""
    array = finite("differences", differences)
    return (int((array > 0).sum()) - int((array < 0).sum())) / len(array)


def paired_cliffs_delta_interval(
    differences: ArrayLike,
    *,
    seed: int,
    resamples: int = 2000,
    level: float = 0.95,
    method: Method = "percentile",
) -> Interval[float]:
    """Bootstrap interval of `paired_cliffs_delta`: of the mean of the signs."""
    signs = np.sign(finite("differences", differences))
    return bootstrap_mean_interval(
        signs, seed=seed, resamples=resamples, level=level, method=method
    )


def cliffs_delta(first: ArrayLike, second: ArrayLike) -> float:
    """P(second > first) - P(second < first) over all pairs of two samples (Cliff 1993).

    Positive when the second sample is the better; -1 to 1.
    """
    return _dominance(finite("first", first), finite("second", second))[0]


def cliffs_delta_interval(
    first: ArrayLike, second: ArrayLike, *, level: float = 0.95
) -> Interval[float]:
    """Asymmetric interval of `cliffs_delta` (Feng and Cliff 2004), each sample of two or more.

    Uses the unbiased variance estimate, not below (1 - delta^2) / (m n - 1). At delta = 1 or -1,
    where the variance is 0, the inner bound is that of the smaller sample, n of n:
    (n - z^2) / (n + z^2).
    """
    from scipy.special import ndtri

    a, b = finite("first", first, least=2), finite("second", second, least=2)
    z2 = float(ndtri((1 + fraction("level", level)) / 2)) ** 2
    delta, variance = _dominance(a, b)
    if abs(delta) == 1:
        n = min(len(a), len(b))
        inner = delta * (n - z2) / (n + z2)
        return Interval(min(delta, inner), max(delta, inner))
    half = math.sqrt(z2 * variance * ((1 - delta**2) ** 2 + z2 * variance))
    scale = 1 - delta**2 + z2 * variance
    return Interval((delta - delta**3 - half) / scale, (delta - delta**3 + half) / scale)


def _whole_steps(sizes: FloatArray, unit: float) -> IntArray | None:
    """Sizes in units, or None when they are not whole numbers of it, or too large to count."""
    ratios = sizes / positive("unit", unit)
    largest = float(ratios.max())
    steps = np.rint(ratios)
    if largest > _LATTICE_WORK or np.abs(ratios - steps).max() > _TIE * min(1.0, largest):
        return None
    return steps.astype(np.int64)


def _lattice_p(steps: IntArray, observed: int) -> float:
    """P(|signed sum| >= observed), from the distribution of the sum of the steps taken as plus."""
    divisor = int(np.gcd.reduce(steps)) or 1
    steps = steps // divisor
    total = int(steps.sum())
    chance = np.zeros(total + 1)
    chance[0] = 1.0
    top = 0
    for step in steps.tolist():
        without = chance[: top + 1] / 2
        chance[: top + 1] = without
        chance[top + 1 : top + step + 1] = 0.0
        chance[step : top + step + 1] += without
        top += step
    extreme = np.abs(2 * np.arange(total + 1) - total) * divisor >= observed
    return min(1.0, math.fsum(chance[extreme]))


def _enumerated_p(sizes: FloatArray, bound: float) -> float:
    sums = np.zeros(1)
    for size in sizes:
        sums = np.concatenate([sums - size, sums + size])
    return int((np.abs(sums) >= bound).sum()) / len(sums)


def _drawn_extremes(sizes: FloatArray, bound: float, seed: int, resamples: int) -> int:
    bits, extreme = stream(seed), 0
    step = max(1, CHUNK // len(sizes))
    for start in range(0, resamples, step):
        rows = min(step, resamples - start)
        signs = np.where(uniforms(bits, (rows, len(sizes))) < 0.5, 1.0, -1.0)
        extreme += int((np.abs(signs @ sizes) >= bound).sum())
    return extreme


def _dominance(first: FloatArray, second: FloatArray) -> tuple[float, float]:
    """Cliff's delta and the variance of its estimate (0 for samples of one)."""
    m, n = len(first), len(second)
    over_first = _wins(second, first)
    delta = float(over_first.sum()) / (m * n)
    if min(m, n) < 2:
        return delta, 0.0
    rows, columns = over_first / m, -_wins(first, second) / n
    untied = float(_untied(second, first).sum())
    between = m**2 * float(((rows - delta) ** 2).sum()) + n**2 * float(
        ((columns - delta) ** 2).sum()
    )
    within = untied - m * n * delta**2
    unbiased = (between - within) / (m * n * (m - 1) * (n - 1))
    return delta, max(unbiased, (1 - delta**2) / (m * n - 1))


def _wins(ours: FloatArray, theirs: FloatArray) -> FloatArray:
    """For each of ours: how many of theirs it beats less how many beat it."""
    ordered = np.sort(theirs)
    below = np.searchsorted(ordered, ours, side="left")
    above = len(ordered) - np.searchsorted(ordered, ours, side="right")
    return (below - above).astype(np.float64)


def _untied(ours: FloatArray, theirs: FloatArray) -> IntArray:
    """For each of ours: how many of theirs differ from it."""
    ordered = np.sort(theirs)
    left = np.searchsorted(ordered, ours, side="left")
    right = np.searchsorted(ordered, ours, side="right")
    return len(ordered) - (right - left)


def _same_length(name: str, a: FloatArray, other: str, b: FloatArray) -> None:
    if len(a) != len(b):
        raise ValueError(f"{name} and {other} must pair up: {len(a)} and {len(b)} values")
