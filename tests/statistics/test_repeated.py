"""What one clean run hides."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from benchaudit import statistics

same = settings(deadline=None, derandomize=True, max_examples=60)
cell = st.integers(1, 8).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))
tables = st.lists(cell, min_size=1, max_size=6)


def columns(table: list[tuple[int, int]]) -> tuple[list[int], list[int]]:
    return [x for x, _ in table], [n for _, n in table]


@same
@given(cell, st.integers(1, 8))
def test_draws_are_all_k_out_of_the_runs(tally: tuple[int, int], k: int) -> None:
    x, n = tally
    assume(k <= n)
    runs = [1] * x + [0] * (n - x)
    draws = list(itertools.combinations(runs, k))
    every = sum(all(draw) for draw in draws) / len(draws)
    some = sum(any(draw) for draw in draws) / len(draws)
    none = sum(not any(draw) for draw in draws) / len(draws)
    assert float(statistics.draw_all(x, n, k)) == pytest.approx(every, abs=1e-12)
    assert statistics.pass_hat_k([x], [n], k) == pytest.approx(every, abs=1e-12)
    assert statistics.pass_at_k([x], [n], k) == pytest.approx(some, abs=1e-12)
    assert statistics.safe_hat_k([x], [n], k) == pytest.approx(none, abs=1e-12)


@same
@given(tables)
def test_estimates_are_means_over_cells_in_any_order(table: list[tuple[int, int]]) -> None:
    x, n = columns(table)
    for function in (statistics.pass_at_k, statistics.pass_hat_k, statistics.safe_hat_k):
        alone = [function([a], [b], 1) for a, b in table]
        assert function(x, n, 1) == pytest.approx(np.mean(alone))
        assert function(x[::-1], n[::-1], 1) == pytest.approx(function(x, n, 1))
        assert function(x * 3, n * 3, 1) == pytest.approx(function(x, n, 1))


def test_more_runs_are_harder_to_pass_all_and_easier_to_pass_once() -> None:
    x, n = [3, 7, 10, 0], [10, 10, 10, 10]
    all_pass = [statistics.pass_hat_k(x, n, k) for k in range(1, 11)]
    one_passes = [statistics.pass_at_k(x, n, k) for k in range(1, 11)]
    assert all_pass == sorted(all_pass, reverse=True)
    assert one_passes == sorted(one_passes)
    assert all_pass[0] == pytest.approx(one_passes[0])


def test_the_estimate_is_unbiased_where_the_power_of_the_rate_is_not() -> None:
    rate, n, k = 0.6, 5, 3
    chance = [math.comb(n, x) * rate**x * (1 - rate) ** (n - x) for x in range(n + 1)]
    expected = sum(p * float(statistics.draw_all(x, n, k)) for x, p in enumerate(chance))
    assert expected == pytest.approx(rate**k)


def test_more_draws_than_runs_are_refused_with_the_cell() -> None:
    with pytest.raises(ValueError, match=r"^runs\[1\] is 4: fewer runs than k = 5"):
        statistics.pass_hat_k([1, 1], [8, 4], 5)
    with pytest.raises(ValueError, match=r"^k: expected a whole number >= 1, got 0"):
        statistics.pass_hat_k([1], [8], 0)


def test_the_miss_rate_weighs_cells_by_pair_or_by_event() -> None:
    failures, runs = [0, 1, 6], [8, 8, 8]
    assert statistics.audit_miss_rate(failures, runs) == pytest.approx((7 / 8 + 2 / 8) / 2)
    event = statistics.audit_miss_rate(failures, runs, weighting="event")
    assert event == pytest.approx((1 * 7 / 8 + 6 * 2 / 8) / 7)


@same
@given(tables)
def test_the_miss_rate_is_a_rate_that_falls_with_k_and_ignores_clean_cells(
    table: list[tuple[int, int]],
) -> None:
    failures, runs = columns(table)
    assume(any(failures))
    weightings: tuple[Any, ...] = ("pair", "event")
    for weighting in weightings:
        decay = [
            statistics.audit_miss_rate(failures, runs, weighting=weighting, k=k) for k in (1, 2, 20)
        ]
        assert 1 > decay[0] >= decay[1] >= decay[2] >= 0
        clean = statistics.audit_miss_rate([*failures, 0], [*runs, 5], weighting=weighting)
        assert clean == pytest.approx(decay[0])


def test_without_a_failure_there_is_nothing_to_miss() -> None:
    with pytest.raises(ValueError, match=r"^failures: no cell has a failure"):
        statistics.audit_miss_rate([0, 0], [8, 8])


@same
@given(st.floats(1e-6, 1), st.floats(0.01, 0.999))
def test_runs_to_observe_are_the_fewest_that_do(rate: float, confidence: float) -> None:
    n = int(statistics.runs_to_observe(rate, confidence=confidence))
    missed = math.exp(n * math.log1p(-rate)) if rate < 1 else 0.0
    assert missed <= (1 - confidence) * (1 + 1e-9)
    if n > 1:
        assert math.exp((n - 1) * math.log1p(-rate)) > (1 - confidence) * (1 - 1e-9)


def test_runs_to_observe_of_known_rates() -> None:
    assert statistics.runs_to_observe([1.0, 0.5, 0.05]).tolist() == [1, 5, 59]
    assert int(statistics.runs_to_observe(0.5, confidence=0.75)) == 2
    with pytest.raises(ValueError, match=r"^rate\[1\] is 0.0: expected a rate above 0"):
        statistics.runs_to_observe([0.5, 0.0])


def test_the_mass_share_is_strict_and_zero_without_failures() -> None:
    failures, runs = [1, 5, 9, 10], [10, 10, 10, 10]
    assert statistics.damage_mass_share(failures, runs, margin=0.1) == 5 / 25
    assert statistics.damage_mass_share(failures, runs, margin=0.05) == 15 / 25
    assert statistics.damage_mass_share([0], [8]) == 0
    assert statistics.stochastic_share([0], [8]) == 0


def test_the_stochastic_share_counts_failures_not_cells() -> None:
    assert statistics.stochastic_share([4, 1, 8], [8, 8, 8]) == 4 / 13


def test_always_fail_and_always_pass_are_all_or_nothing() -> None:
    failures, runs = [0, 3, 8], [8, 8, 8]
    assert statistics.always_fail(failures, runs).tolist() == [False, False, True]
    assert statistics.always_pass(failures, runs).tolist() == [True, False, False]
