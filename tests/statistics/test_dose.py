"""Degradation curves."""

from __future__ import annotations

import numpy as np
import pytest

from benchaudit import statistics


def test_the_curve_has_the_mean_and_the_drop_at_each_dose() -> None:
    doses = [0.5, 0.0, 1.0, 0.0, 0.5]
    curve = statistics.degradation_curve(doses, [0.6, 1.0, 0.0, 0.8, 0.4])
    assert curve.dose.tolist() == [0.0, 0.5, 1.0]
    assert curve.runs.tolist() == [2, 2, 1]
    assert curve.mean.tolist() == pytest.approx([0.9, 0.5, 0.0])
    assert curve.drop.tolist() == pytest.approx([0.0, 0.4, 0.9])
    assert curve.mean_drop == pytest.approx(0.5 * (0.4 / 2 + (0.4 + 0.9) / 2))


def test_the_mean_drop_of_a_straight_line_is_half_of_its_last() -> None:
    doses = np.linspace(0, 1, 11)
    curve = statistics.degradation_curve(doses, 1 - 0.6 * doses)
    assert curve.mean_drop == pytest.approx(0.3)
    scaled = statistics.degradation_curve(doses * 8, 1 - 0.6 * doses)
    assert scaled.mean_drop == pytest.approx(0.3)


def test_one_dose_has_no_drop() -> None:
    assert statistics.degradation_curve([2, 2], [0.0, 1.0]).mean_drop == 0


def test_doses_and_scores_must_pair_up() -> None:
    with pytest.raises(ValueError, match=r"^doses and scores must pair up: 2 and 1 values"):
        statistics.degradation_curve([0, 1], [1])
