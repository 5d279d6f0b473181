"""Intervals and bounds for rates."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from benchaudit import statistics

same = settings(deadline=None, derandomize=True)
tallies = st.integers(1, 200).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))
INTERVALS: list[Callable[..., Any]] = [statistics.wilson, statistics.clopper_pearson]


@same
@given(tallies, st.sampled_from([0.5, 0.8, 0.95, 0.99]))
def test_both_intervals_agree_with_scipy(tally: tuple[int, int], level: float) -> None:
    test = stats.binomtest(*tally)
    for function, method in ((statistics.wilson, "wilson"), (statistics.clopper_pearson, "exact")):
        expected = test.proportion_ci(confidence_level=level, method=method)  # type: ignore[arg-type]
        got = function(*tally, level=level)
        assert [float(bound) for bound in got] == pytest.approx(list(expected), abs=1e-12)


@pytest.mark.parametrize("function", INTERVALS)
@same
@given(tallies)
def test_the_interval_holds_the_rate_and_mirrors(
    function: Callable[..., Any], tally: tuple[int, int]
) -> None:
    x, n = tally
    low, high = function(x, n)
    assert 0 <= low <= x / n <= high <= 1
    mirrored = function(n - x, n)
    assert [1 - high, 1 - low] == pytest.approx([float(b) for b in mirrored], abs=1e-12)


@pytest.mark.parametrize("function", INTERVALS)
def test_bounds_rise_with_the_hits_and_close_in_with_the_runs(function: Callable[..., Any]) -> None:
    low, high = function(np.arange(51), 50)
    assert (np.diff(low) > 0).all()
    assert (np.diff(high) > 0).all()
    runs = np.array([10, 100, 1000, 10**6])
    low, high = function(runs // 5, runs)
    assert (np.diff(high - low) < 0).all()


@pytest.mark.parametrize("hits", [0, 1, 5, 5 * 10**6, 10**7 - 1, 10**7])
def test_the_exact_interval_is_stable_to_ten_million_runs(hits: int) -> None:
    runs = 10**7
    low, high = (float(bound) for bound in statistics.clopper_pearson(hits, runs))
    if hits == 0:
        assert low == 0
    else:
        assert stats.binom.sf(hits - 1, runs, low) == pytest.approx(0.025, rel=1e-6)
    if hits == runs:
        assert high == 1
    else:
        assert stats.binom.cdf(hits, runs, high) == pytest.approx(0.025, rel=1e-6)


def test_a_hundred_thousand_cells_take_under_a_second() -> None:
    random = np.random.default_rng(0)
    runs = random.integers(1, 100, 100_000)
    hits = random.integers(0, runs + 1)
    start = time.process_time()
    low, _ = statistics.clopper_pearson(hits, runs)
    assert time.process_time() - start < 1
    assert low.shape == (100_000,)


@same
@given(st.integers(1, 10**7), st.sampled_from([0.9, 0.95, 0.99]))
def test_the_bound_after_no_failure_is_where_that_has_chance_one_in_twenty(
    runs: int, level: float
) -> None:
    bound = float(statistics.zero_failure_upper(runs, level=level))
    assert (1 - bound) ** runs == pytest.approx(1 - level, rel=1e-6)
    assert bound <= 3.0 / runs or level > 0.95


@pytest.mark.parametrize(("runs", "band"), [(8, (3, 5)), (16, (4, 12)), (32, (5, 27))])
def test_the_stochastic_band_is_where_both_bounds_clear_the_margin(
    runs: int, band: tuple[int, int]
) -> None:
    failures = np.arange(runs + 1)
    got = statistics.demonstrably_stochastic(failures, runs)
    assert np.array_equal(got, (failures >= band[0]) & (failures <= band[1]))


def test_the_stochastic_band_is_strict_at_its_margin() -> None:
    low = float(statistics.clopper_pearson(3, 8).low)
    assert not statistics.demonstrably_stochastic(3, 8, margin=low)
    assert statistics.demonstrably_stochastic(3, 8, margin=low - 1e-9)


@pytest.mark.parametrize("function", [*INTERVALS, statistics.demonstrably_stochastic])
@pytest.mark.parametrize(
    ("hits", "runs", "message"),
    [
        ([1, 9], [8, 8], r"^(hits|failures)\[1\] is 9: more than runs"),
        ([0, 0], [8, 0], r"^runs\[1\] is 0: expected at least one run"),
        ([0.5], [8], r"^(hits|failures)\[0\] is 0.5: expected a count"),
        ([-1], [8], r"^(hits|failures)\[0\] is -1.0: expected a count"),
        ([float("nan")], [8], r"^(hits|failures)\[0\] is nan"),
        ([1, 2], [8, 8, 8], "must have the same shape"),
        ([], [], "expected at least 1 value"),
    ],
)
def test_counts_that_cannot_be_are_refused_with_their_place(
    function: Callable[..., Any], hits: Any, runs: Any, message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        function(hits, runs)


@pytest.mark.parametrize("margin", [0.0, 0.5, -1.0, float("nan")])
def test_a_margin_outside_0_to_half_is_refused(margin: float) -> None:
    with pytest.raises(ValueError, match=r"^margin: expected a rate between 0 and 1/2"):
        statistics.demonstrably_stochastic(3, 8, margin=margin)
    with pytest.raises(ValueError, match=r"^margin: expected a rate between 0 and 1/2"):
        statistics.damage_mass_share(3, 8, margin=margin)
