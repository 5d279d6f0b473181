"""Power by simulation."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from benchaudit import statistics

PAPER = Path(__file__).parents[2] / "oracles" / "paper"
A18_DEVIATION = 0.16  # our assumption: the paper does not publish its noise model


def uniform_grid(n: int) -> tuple[np.ndarray, np.ndarray]:
    """A product grid of uniform numbers: means over it are exact up to the grid."""
    points = (np.arange(n) + 0.5) / n
    u, v = np.meshgrid(points, points)
    return u.ravel(), v.ravel()


@pytest.mark.parametrize(
    ("model", "deviation"),
    [
        (statistics.normal_differences(0.3), 0.3),
        (statistics.pass_fail(0.5), (0.5 * 0.5 + 0.6 * 0.4) ** 0.5),
        (statistics.pilot_differences([0.0, 1.0, 1.0, 0.0]), 0.5),
        (statistics.clipped_scores(0.5, 0.02), 0.02 * 2**0.5),
    ],
)
def test_a_model_has_the_effect_for_mean_and_the_deviation_it_states(
    model: statistics.OutcomeModel, deviation: float
) -> None:
    differences = model(*uniform_grid(1000), 0.1)
    assert differences.mean() == pytest.approx(0.1, abs=1e-3)
    assert differences.std() == pytest.approx(deviation, rel=0.01)


def test_clipping_at_the_ceiling_ties_runs_and_shrinks_the_effect() -> None:
    differences = statistics.clipped_scores(0.95, 0.2)(*uniform_grid(500), -0.1)
    assert -0.1 < differences.mean() < -0.03
    assert (differences == 0).mean() > 0.05


def test_the_study_has_the_design_of_table_a18_and_is_near_it_where_pairs_are_many() -> None:
    """Equality is not to be had without the paper's noise model: this one is stated."""
    published = json.loads((PAPER / "other_tables.json").read_text())["table_a18_power"]
    rows = {
        0.0: "null",
        0.032: "small +0.032",
        0.058: "medium +0.058",
        0.209: "large +0.209",
    }
    study = statistics.power_study(
        list(rows),
        published["n"],
        statistics.normal_differences(A18_DEVIATION),
        seed=0,
        replications=published["replications"],
    )
    assert study.power.shape == (4, 7)
    assert study.sizes == tuple(published["n"])
    table = np.array([published[name] for name in rows.values()])
    assert study.power[:, 3:] == pytest.approx(table[:, 3:], abs=0.08)
    assert (np.diff(study.power, axis=0) >= 0).all()  # power rises with the effect
    assert (np.diff(study.power[3]) >= 0).all()  # and for a large one with the pairs


def test_a_few_pairs_make_the_percentile_interval_too_narrow() -> None:
    study = statistics.power_study(
        [0.0], [3, 50], statistics.normal_differences(1.0), seed=1, replications=1000
    )
    assert study.power[0, 0] > 0.2
    assert study.power[0, 1] < 0.09


def test_a_study_is_the_same_for_the_same_seed() -> None:
    model = statistics.pass_fail(0.5)
    one, other, changed = (
        statistics.power_study([0.2], [10], model, seed=seed, replications=100)
        for seed in (0, 0, 1)
    )
    assert one.power.tolist() == other.power.tolist()
    assert one.power.tolist() != changed.power.tolist()


def test_arguments_that_will_not_do_are_named() -> None:
    model = statistics.pass_fail(0.5)
    with pytest.raises(ValueError, match=r"^sizes: expected a whole number >= 2"):
        statistics.power_study([0.1], [1], model, seed=0)
    with pytest.raises(ValueError, match=r"^effects: 0.6 takes the rate 0.5 out of 0 to 1"):
        statistics.power_study([0.6], [5], model, seed=0)
    with pytest.raises(ValueError, match=r"^deviation: expected a number > 0"):
        statistics.normal_differences(0.0)
