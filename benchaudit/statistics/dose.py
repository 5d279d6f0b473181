"""How a score falls as a disturbance grows."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from benchaudit.statistics._checks import finite
from benchaudit.statistics._types import FloatArray, IntArray


@dataclass(frozen=True, slots=True)
class DegradationCurve:
    """Mean score at each dose, lowest dose first.

    Attributes:
        dose: the distinct doses, rising.
        runs: number of scores at each.
        mean: mean score at each.
        drop: mean at the lowest dose minus the mean at this one; positive for a loss.
        mean_drop: the drop averaged over the range of doses, by the trapezoid rule; one number
            in the score's unit, 0 for a single dose.
    """

    dose: FloatArray
    runs: IntArray
    mean: FloatArray
    drop: FloatArray
    mean_drop: float


def degradation_curve(doses: ArrayLike, scores: ArrayLike) -> DegradationCurve:
    """The degradation curve of scores, each taken at one dose (equal lengths, any order)."""
    levels, values = finite("doses", doses), finite("scores", scores)
    if len(levels) != len(values):
        raise ValueError(f"doses and scores must pair up: {len(levels)} and {len(values)} values")
    dose, codes, runs = np.unique(levels, return_inverse=True, return_counts=True)
    mean = np.bincount(codes, weights=values) / runs
    drop = mean[0] - mean
    steps = np.diff(dose)
    area = float((steps * (drop[1:] + drop[:-1]) / 2).sum())
    return DegradationCurve(
        dose=dose,
        runs=runs.astype(np.int64),
        mean=mean,
        drop=drop,
        mean_drop=area / float(dose[-1] - dose[0]) if len(dose) > 1 else 0.0,
    )
