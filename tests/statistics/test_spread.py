"""Centre, spread and tail."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchaudit import statistics
from benchaudit.statistics.spread import TailConvention

scores = st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=30)
alphas = st.floats(0.01, 0.99)
same = settings(deadline=None, derandomize=True)

FUNCTIONS: dict[str, Callable[[Any], Any]] = {
    "mean": statistics.mean,
    "population_deviation": statistics.population_deviation,
    "sample_deviation": statistics.sample_deviation,
    "worst_case": statistics.worst_case,
    "reliability_gap": statistics.reliability_gap,
    "cvar": lambda values: statistics.cvar(values, 0.2),
    "quantile": lambda values: statistics.quantile(values, 0.5),
    "reliability_at": lambda values: statistics.reliability_at(values, 0.5),
}


@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf, None])
def test_a_value_that_is_not_finite_is_refused_with_its_place(name: str, bad: object) -> None:
    with pytest.raises(ValueError, match=r"^values\[2\] is (nan|-?inf): every value must be fin"):
        FUNCTIONS[name]([0.5, 1.0, bad, 0.0])


@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize("bad", [[], [[1.0, 2.0]], ["high"], 0.5])
def test_what_is_no_list_of_numbers_is_refused_by_name(name: str, bad: object) -> None:
    with pytest.raises(ValueError, match=r"^values: expected"):
        FUNCTIONS[name](bad)


@pytest.mark.parametrize("name", FUNCTIONS)
@same
@given(values=scores.filter(lambda v: len(v) > 1), seed=st.integers(0, 100))
def test_the_order_of_values_does_not_matter(name: str, values: list[float], seed: int) -> None:
    shuffled = np.random.default_rng(seed).permutation(values)
    assert FUNCTIONS[name](values) == FUNCTIONS[name](shuffled)


@same
@given(scores)
def test_statistics_agree_with_numpy(values: list[float]) -> None:
    scale = max(1.0, float(np.abs(values).max()))
    assert statistics.mean(values) == pytest.approx(np.mean(values), abs=1e-12 * scale)
    deviation = statistics.population_deviation(values)
    assert deviation == pytest.approx(np.std(values), abs=1e-9 * scale)
    if len(values) > 1:
        deviation = statistics.sample_deviation(values)
        assert deviation == pytest.approx(np.std(values, ddof=1), abs=1e-9 * scale)
    assert statistics.worst_case(values) == min(values)


@same
@given(scores, st.integers(1, 4))
def test_repeating_every_value_changes_no_population_figure(values: list[float], k: int) -> None:
    for function in (statistics.mean, statistics.population_deviation, statistics.worst_case):
        assert function(values * k) == pytest.approx(function(values), rel=1e-9, abs=1e-6)
    assert statistics.reliability_at(values * k, 0.5) == statistics.reliability_at(values, 0.5)


def test_sample_deviation_of_one_value_is_refused() -> None:
    with pytest.raises(ValueError, match="at least 2"):
        statistics.sample_deviation([1.0])


@same
@given(scores, alphas)
def test_the_tail_lies_between_worst_case_and_mean(values: list[float], alpha: float) -> None:
    slack = 1e-9 * max(1.0, float(np.abs(values).max()))
    conventions: tuple[TailConvention, ...] = ("floor", "fractional")
    for convention in conventions:
        tail = statistics.cvar(values, alpha, convention=convention)
        assert min(values) - slack <= tail <= statistics.mean(values) + slack


@same
@given(scores, alphas, alphas)
def test_a_wider_tail_is_no_worse(values: list[float], one: float, other: float) -> None:
    slack = 1e-9 * max(1.0, float(np.abs(values).max()))
    narrow, wide = min(one, other), max(one, other)
    assert statistics.cvar(values, narrow) <= statistics.cvar(values, wide) + slack


@pytest.mark.parametrize(
    ("alpha", "convention", "expected"),
    [
        (0.2, "floor", 1.0),
        (0.5, "floor", 1.5),  # floor(2.5) = 2 values
        (0.5, "fractional", (1 + 2 + 0.5 * 3) / 2.5),
        (0.1, "floor", 1.0),
        (0.1, "fractional", 1.0),
        (0.6, "fractional", 2.0),
    ],
)
def test_the_two_conventions_for_a_tail_of_five(
    alpha: float, convention: TailConvention, expected: float
) -> None:
    values = [5.0, 3.0, 1.0, 4.0, 2.0]
    assert statistics.cvar(values, alpha, convention=convention) == expected


def test_a_tail_is_counted_in_decimals_not_in_binary() -> None:
    assert 0.29 * 100 < 29  # what a float would make of it
    assert statistics.cvar(range(1, 101), 0.29) == sum(range(1, 30)) / 29


@pytest.mark.parametrize("alpha", [0.0, 1.0, -0.1, math.nan])
def test_a_tail_share_outside_0_to_1_is_refused(alpha: float) -> None:
    with pytest.raises(ValueError, match=r"^alpha: expected a number between 0 and 1"):
        statistics.cvar([1.0], alpha)


@same
@given(scores, st.floats(-1e6, 1e6), st.floats(0, 1e6))
def test_reliability_falls_as_the_threshold_rises(
    values: list[float], threshold: float, more: float
) -> None:
    low = statistics.reliability_at(values, threshold)
    assert 0 <= statistics.reliability_at(values, threshold + more) <= low <= 1


def test_a_value_at_the_threshold_counts() -> None:
    assert statistics.reliability_at([0.5, 0.49, 0.9, 0.1], 0.5) == 0.5


def test_the_reliability_gap_is_mean_minus_worst_and_never_negative() -> None:
    assert statistics.reliability_gap([1.0, 0.5, 0.0]) == 0.5
    assert statistics.reliability_gap([0.1] * 3) == 0.0


def test_quantiles_are_linear_between_order_statistics() -> None:
    got = statistics.quantile([4.0, 1.0, 2.0], [0.0, 0.25, 0.5, 1.0])
    assert got.tolist() == [1.0, 1.5, 2.0, 4.0]
    with pytest.raises(ValueError, match=r"^q: expected shares between 0 and 1"):
        statistics.quantile([1.0], 1.5)
