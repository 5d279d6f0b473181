"""Power of a paired design by simulation, under a stated model of the outcomes."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from benchaudit.statistics._checks import at_least, finite, fraction, positive
from benchaudit.statistics._draws import stream, uniforms
from benchaudit.statistics._types import FloatArray
from benchaudit.statistics.bootstrap import mean_intervals

OutcomeModel = Callable[[FloatArray, FloatArray, float], FloatArray]
"""What a pair of runs is assumed to score: (u, v, effect) to second minus first.

``u`` and ``v`` are independent uniform numbers in (0, 1), of one shape, for the first and the
second run; the result has that shape, and the mean difference is meant to be ``effect``.
"""


@dataclass(frozen=True, slots=True)
class PowerStudy:
    """Share of simulated experiments that found a difference.

    Attributes:
        effects: the true mean differences, one a row; 0 makes the row the size of the test.
        sizes: pairs an experiment, one a column.
        power: effects x sizes, shares 0 to 1.
        replications: experiments behind each share; its standard error is
            sqrt(power (1 - power) / replications).
    """

    effects: tuple[float, ...]
    sizes: tuple[int, ...]
    power: FloatArray
    replications: int


def normal_differences(deviation: float) -> OutcomeModel:
    """Model: differences are normal with this standard deviation about the effect."""
    positive("deviation", deviation)

    def model(u: FloatArray, _v: FloatArray, effect: float) -> FloatArray:
        from scipy.special import ndtri

        return effect + deviation * np.asarray(ndtri(u), dtype=np.float64)

    return model


def clipped_scores(baseline: float, deviation: float) -> OutcomeModel:
    """Model: both scores are normal with this deviation, about ``baseline`` and that plus the
    effect, and are then clipped to [0, 1], which makes ties at the ceiling and shrinks effects.
    """
    positive("deviation", deviation)

    def model(u: FloatArray, v: FloatArray, effect: float) -> FloatArray:
        from scipy.special import ndtri

        first = np.clip(baseline + deviation * ndtri(u), 0, 1)
        second = np.clip(baseline + effect + deviation * ndtri(v), 0, 1)
        return np.asarray(second - first, dtype=np.float64)

    return model


def pass_fail(baseline: float) -> OutcomeModel:
    """Model: runs pass or fail on their own, at rate ``baseline`` and that plus the effect."""
    fraction("baseline", baseline)

    def model(u: FloatArray, v: FloatArray, effect: float) -> FloatArray:
        if not 0 <= baseline + effect <= 1:
            raise ValueError(f"effects: {effect} takes the rate {baseline} out of 0 to 1")
        return (v < baseline + effect).astype(np.float64) - (u < baseline)

    return model


def pilot_differences(differences: ArrayLike) -> OutcomeModel:
    """Model: differences are drawn from a pilot's, moved to the effect."""
    pilot = np.sort(finite("differences", differences))
    centred = pilot - math.fsum(pilot) / len(pilot)

    def model(u: FloatArray, _v: FloatArray, effect: float) -> FloatArray:
        return effect + centred[(u * len(centred)).astype(np.int64)]

    return model


def power_study(
    effects: Sequence[float],
    sizes: Sequence[int],
    model: OutcomeModel,
    *,
    seed: int,
    replications: int = 400,
    resamples: int = 2000,
    level: float = 0.95,
) -> PowerStudy:
    """Power by simulation of paired experiments, in the design of the paper's Table A18.

    An experiment draws as many differences as its size from the model and finds a difference
    when the percentile bootstrap interval of their mean excludes 0. All experiments of one size
    share their resample indices and, over effects, their uniform numbers.

    Args:
        effects: true mean differences, in the score's unit.
        sizes: pairs an experiment, each at least 2.
        model: what is assumed of the outcomes; the power is only as true as it is.
        seed: of all draws; a whole number >= 0.
        replications: experiments for each effect and size.
        resamples, level: of the interval, as for `bootstrap_mean_interval`.
    """
    finite("effects", effects)
    for size in sizes:
        at_least("sizes", size, 2)
    at_least("replications", replications, 1)
    power = np.empty((len(effects), len(sizes)))
    bits = stream(seed)
    for column, size in enumerate(sizes):
        u, v = uniforms(bits, (2, replications, size))
        for row, effect in enumerate(effects):
            outcomes = model(u, v, effect)
            low, high = mean_intervals(outcomes, stream(seed), resamples, level, "percentile")
            power[row, column] = np.mean((low > 0) | (high < 0))
    return PowerStudy(tuple(effects), tuple(sizes), power, replications)
