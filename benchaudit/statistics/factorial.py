"""How much of the variance of a score goes with a factor: task, model, scaffold, scorer."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from benchaudit.statistics._checks import finite, labels
from benchaudit.statistics._types import FloatArray, IntArray


@dataclass(frozen=True, slots=True)
class VarianceShares:
    """Shares of the variance in a balanced two-factor design.

    Attributes:
        eta_first, eta_second: eta squared, the factor's sum of squares over the total; 0 to 1.
        eta_interaction: the same for the interaction, or None with one value a combination,
            where it cannot be told from error.
        eta_residual: what is left. The shares sum to 1.
        omega_first, omega_second: omega squared, (SS - df MS_error) / (SS_total + MS_error):
            the share without the part that error alone would show; negative for less than that.
    """

    eta_first: float
    eta_second: float
    eta_interaction: float | None
    eta_residual: float
    omega_first: float
    omega_second: float


def eta_squared(values: ArrayLike, factor: Sequence[object]) -> float:
    """Share of the total sum of squares that lies between the levels of one factor, 0 to 1.

    Args:
        values: one score an observation.
        factor: the level of each observation, by any hashable label. For a two-factor design
            call once a factor; in a balanced design the shares add up.

    Raises:
        ValueError: also for values that are all equal: there is no variance to share.
    """
    array = finite("values", values)
    codes = labels("factor", factor, len(array))
    deviations = _deviations(array)
    return min(1.0, _between(deviations, codes) / math.fsum(deviations**2))


def variance_shares(
    values: ArrayLike, first: Sequence[object], second: Sequence[object]
) -> VarianceShares:
    """Eta and omega squared of two crossed factors, by the balanced two-way analysis of variance.

    Args:
        values: one score an observation.
        first, second: the levels of each observation, by any hashable label.

    Raises:
        ValueError: also when the combinations of levels do not all hold the same number of
            values (take cell means first, or `eta_squared` one factor at a time), when no
            degrees of freedom are left for error, and for values that are all equal.
    """
    array = finite("values", values)
    rows, columns = labels("first", first, len(array)), labels("second", second, len(array))
    deviations = _deviations(array)
    cells = rows * (columns.max() + 1) + columns
    repeats = _repeats(cells, int(rows.max() + 1) * int(columns.max() + 1))

    total = math.fsum(deviations**2)
    of_first, of_second = _between(deviations, rows), _between(deviations, columns)
    interaction = max(0.0, _between(deviations, cells) - of_first - of_second)
    if repeats == 1:
        interaction = 0.0
    residual = max(0.0, total - of_first - of_second - interaction)

    df_first, df_second = int(rows.max()), int(columns.max())
    df_error = df_first * df_second if repeats == 1 else len(array) - (cells.max() + 1)
    if df_error == 0:
        raise ValueError("values: no degrees of freedom are left for error")
    error = residual / float(df_error)
    return VarianceShares(
        eta_first=of_first / total,
        eta_second=of_second / total,
        eta_interaction=None if repeats == 1 else interaction / total,
        eta_residual=residual / total,
        omega_first=(of_first - df_first * error) / (total + error),
        omega_second=(of_second - df_second * error) / (total + error),
    )


def intraclass_correlation(values: ArrayLike, clusters: Sequence[object]) -> float:
    """ICC(1): the share of variance between clusters (tasks), by one-way random effects.

    (MSB - MSW) / (MSB + (n0 - 1) MSW) with n0 = (N - sum n_i^2 / N) / (k - 1) for clusters of
    uneven size (Donner 1986). At most 1; negative where clusters differ less than chance makes
    them, and not clipped.

    Args:
        values: one score an observation.
        clusters: the cluster of each value, by any hashable label.

    Raises:
        ValueError: also with fewer than two clusters, no cluster of two values, or values that
            are all equal.
    """
    array = finite("values", values)
    codes = labels("clusters", clusters, len(array))
    sizes = np.bincount(codes)
    k, n = len(sizes), len(array)
    if k < 2 or n == k:
        raise ValueError("clusters: expected two clusters or more, one of them with two values")
    deviations = _deviations(array)
    between = _between(deviations, codes)
    within = max(0.0, math.fsum(deviations**2) - between) / (n - k)
    between /= k - 1
    typical = (n - float((sizes**2).sum()) / n) / (k - 1)
    return (between - within) / (between + (typical - 1) * within)


def _deviations(array: FloatArray) -> FloatArray:
    if array.min() == array.max():
        raise ValueError("values: all are equal, there is no variance to share")
    return array - math.fsum(array) / len(array)


def _between(deviations: FloatArray, codes: IntArray) -> float:
    """Sum of squares between levels, of deviations from the grand mean."""
    sums = np.bincount(codes, weights=deviations)
    return math.fsum(sums**2 / np.bincount(codes))


def _repeats(cells: IntArray, combinations: int) -> int:
    sizes = np.bincount(cells, minlength=combinations)
    if sizes.min() != sizes.max():
        raise ValueError(
            f"values: unbalanced, {sizes.min()} to {sizes.max()} values a combination of levels; "
            "take cell means first, or eta_squared one factor at a time"
        )
    return int(sizes[0])
