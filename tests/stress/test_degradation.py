from __future__ import annotations

from dataclasses import replace

import pytest

from benchaudit.stress.degradation import DOSES, degrade
from benchaudit.stress.environment import Target
from benchaudit.stress.errors import InputError
from benchaudit.stress.pairing import Design


def test_a_curve_starts_at_its_dose_zero_and_runs_through_ten_doses(
    queue: Target, design: Design
) -> None:
    (curve,) = degrade(queue, design.constant.pressures, ["always-again"], range(20), "resolved")
    assert [point.dose for point in curve.doses] == list(DOSES)
    assert curve.doses[0].drop == 0
    assert all(point.runs == 20 for point in curve.doses)
    assert all(point.interval[0] <= point.mean <= point.interval[1] for point in curve.doses)
    assert curve.doses[-1].mean < curve.doses[0].mean
    assert curve.mean_drop > 0


def test_each_agent_has_its_own_curve(queue: Target, design: Design) -> None:
    curves = degrade(
        queue,
        design.constant.pressures,
        ["always-again", "always-defer"],
        range(8),
        "handled",
        doses=(0.0, 1.0),
    )
    assert [curve.agent for curve in curves] == ["always-again", "always-defer"]
    patient, impatient = (curve.doses[-1] for curve in curves)
    assert patient.mean == 1.0 > impatient.mean


def test_a_curve_has_no_holes(queue: Target, design: Design) -> None:
    failing = replace(queue, scorers={"resolved": lambda _: 1 / 0})
    with pytest.raises(InputError, match=r"dose 0\.0, seed 0: ZeroDivisionError"):
        degrade(failing, design.constant.pressures, ["always-again"], [0], "resolved")
