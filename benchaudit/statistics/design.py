"""How many tasks and seeds: what a design can detect, and what it takes to tell models apart."""

from __future__ import annotations

import math

from numpy.typing import ArrayLike

from benchaudit.statistics._checks import at_least, finite, fraction, positive


def minimum_detectable_difference(
    tasks: int,
    seeds: int,
    *,
    within: float,
    between: float = 0.0,
    level: float = 0.95,
    power: float = 0.8,
) -> float:
    """Smallest true mean difference that a paired design finds with ``power``.

    (z_level + z_power) sqrt(between^2 / tasks + within^2 / (tasks seeds)), by the normal
    approximation.

    Args:
        tasks, seeds: of the design, both models run on all of them.
        within: deviation of a seed's difference about its task's mean difference. For two models
            with within-cell deviations a and b, seeds unrelated, sqrt(a^2 + b^2).
        between: deviation of the tasks' mean differences, for claims about tasks like these;
            0 for claims about these very tasks.
        level, power: confidence of the two-sided test and chance of success, each in (0, 1).
    """
    at_least("tasks", tasks, 1)
    at_least("seeds", seeds, 1)
    positive("within", within, zero=True)
    positive("between", between, zero=True)
    return _z_sum(level, power) * math.sqrt(between**2 / tasks + within**2 / (tasks * seeds))


def runs_to_separate(
    first: ArrayLike, second: ArrayLike, *, level: float = 0.95, power: float = 0.8
) -> float:
    """Runs a task that it takes to tell two models apart on these tasks, if what is seen is true.

    With mean difference d and within-cell sample variances v and w, averaged over the T tasks:
    (z_level + z_power)^2 (v + w) / (T d^2), rounded up, at least 2; infinite where d is 0.

    Args:
        first, second: scores, tasks x runs, each model with its own number of runs (2 or more).
        level, power: as for `minimum_detectable_difference`.
    """
    a, b = finite("first", first, ndim=2), finite("second", second, ndim=2)
    if len(a) != len(b):
        raise ValueError(f"first and second must have the same tasks: {len(a)} and {len(b)}")
    for name, table in (("first", a), ("second", b)):
        if table.shape[1] < 2:
            raise ValueError(f"{name}: expected two runs a task or more, to see them vary")
    difference = float((b.mean(axis=1) - a.mean(axis=1)).mean())
    if difference == 0:
        return math.inf
    variance = float(a.var(axis=1, ddof=1).mean() + b.var(axis=1, ddof=1).mean())
    needed = _z_sum(level, power) ** 2 * variance / (len(a) * difference**2)
    return max(2.0, float(math.ceil(needed)))


def runs_for_mean(half_width: float, *, deviation: float, level: float = 0.95) -> int:
    """Fewest runs for a mean to within ``half_width``, at this standard deviation of a run.

    (z deviation / half_width)^2 rounded up, at least 1; both in the score's unit.
    """
    positive("half_width", half_width)
    positive("deviation", deviation, zero=True)
    return max(1, math.ceil((_z(level) * deviation / half_width) ** 2))


def runs_for_rate(half_width: float, *, rate: float, level: float = 0.95) -> int:
    """Fewest runs for a rate to within ``half_width`` (0 to 1), if the rate is ``rate``.

    The smallest n at which Wilson's interval about ``rate`` is at most twice that wide, by
    bisection: the width, as a formula in the rate, falls with n.
    """
    fraction("half_width", half_width)
    if not 0 <= rate <= 1:
        raise ValueError(f"rate: expected a number from 0 to 1, got {rate}")
    z2 = _z(level) ** 2

    def half(n: int) -> float:
        return math.sqrt(z2 * (n * rate * (1 - rate) + z2 / 4)) / (n + z2)

    enough = 1
    while half(enough) > half_width:
        enough *= 2
    short = enough // 2
    while enough - short > 1:
        middle = (short + enough) // 2
        short, enough = (short, middle) if half(middle) <= half_width else (middle, enough)
    return enough


def _z(level: float) -> float:
    from scipy.special import ndtri

    return float(ndtri((1 + fraction("level", level)) / 2))


def _z_sum(level: float, power: float) -> float:
    from scipy.special import ndtri

    return _z(level) + float(ndtri(fraction("power", power)))
