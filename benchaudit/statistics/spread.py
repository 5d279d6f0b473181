"""Centre, spread and tail of one cell's scores: higher is better throughout.

Arguments named ``values`` are one-dimensional, in the score's own unit; so are the results. All
functions refuse an empty argument, NaN and infinities with a ValueError that names the place, and
none depends on the order of its values.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from benchaudit.statistics._checks import at_least, finite, fraction
from benchaudit.statistics._types import FloatArray

TailConvention = Literal["floor", "fractional"]


def mean(values: ArrayLike) -> float:
    """Arithmetic mean, from an exactly rounded sum: the same bits in any order of the values."""
    return _mean(finite("values", values))


def population_deviation(values: ArrayLike) -> float:
    """Standard deviation with divisor n, the one the BenchAudit paper reports; 0 for n = 1."""
    array = finite("values", values)
    return math.sqrt(_squares_about_mean(array) / len(array))


def sample_deviation(values: ArrayLike) -> float:
    """Standard deviation with divisor n - 1; a ValueError below two values."""
    array = finite("values", values, least=2)
    return math.sqrt(_squares_about_mean(array) / (len(array) - 1))


def quantile(values: ArrayLike, q: ArrayLike) -> FloatArray:
    """Quantiles at ``q`` (each in [0, 1], any shape), linear between order statistics.

    The convention of numpy's and R's default (Hyndman and Fan 1996, type 7): position q (n - 1).
    """
    array, shares = finite("values", values), finite("q", q, ndim=None)
    if shares.min() < 0 or shares.max() > 1:
        raise ValueError("q: expected shares between 0 and 1")
    return np.asarray(np.quantile(array, shares), dtype=np.float64)


def worst_case(values: ArrayLike) -> float:
    """The lowest value."""
    return float(finite("values", values).min())


def cvar(values: ArrayLike, alpha: float, *, convention: TailConvention = "floor") -> float:
    """Conditional value at risk: the mean of the worst share ``alpha`` (0 to 1) of the values.

    Two conventions differ where alpha n is not whole:

    - ``floor``, the BenchAudit paper's: the mean of the worst max(1, floor(alpha n)) values.
    - ``fractional`` (Rockafellar and Uryasev 2000): the next value enters with the weight that
      is left, so that exactly alpha n values are averaged; the worst value when alpha n < 1.

    Alpha is taken as the decimal it is written as: .29 of 100 values is 29 of them.
    """
    array = np.sort(finite("values", values))
    share = tail_size(alpha, len(array))
    whole = max(1, math.floor(share))
    if convention == "floor" or share <= 1:
        return _mean(array[:whole])
    total, rest = math.fsum(array[:whole]), float(share - whole)
    return (total + (rest * float(array[whole]) if rest else 0.0)) / float(share)


def tail_size(alpha: float, n: int) -> Fraction:
    """alpha n, exactly, with ``alpha`` read as the shortest decimal that stands for the float."""
    return Fraction(repr(fraction("alpha", alpha))) * at_least("n", n, 1)


def reliability_at(values: ArrayLike, threshold: float) -> float:
    """Reliability@threshold: the share of values at or above ``threshold`` (the score's unit)."""
    array = finite("values", values)
    return int(np.count_nonzero(array >= finite("threshold", threshold, ndim=0))) / len(array)


def reliability_gap(values: ArrayLike) -> float:
    """Mean minus worst case: what a mean alone hides. At least 0."""
    return mean(values) - worst_case(values)


def _mean(array: FloatArray) -> float:
    """Kept between the extremes, so that equal values have themselves as mean, to the bit."""
    return float(np.clip(math.fsum(array) / len(array), array.min(), array.max()))


def _squares_about_mean(array: FloatArray) -> float:
    return math.fsum((array - _mean(array)) ** 2)
