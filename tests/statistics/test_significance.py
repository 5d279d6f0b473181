"""Paired and unpaired tests, effect sizes, multiplicity."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from benchaudit import statistics

same = settings(deadline=None, derandomize=True, max_examples=60)
whole_differences = st.lists(st.integers(-9, 9), min_size=1, max_size=10)
samples = st.lists(st.sampled_from([0.0, 0.25, 0.5, 0.9, 1.0]), min_size=2, max_size=12)


def all_patterns(differences: list[int]) -> float:
    patterns = itertools.product((-1, 1), repeat=len(differences))
    sums = [abs(sum(s * d for s, d in zip(signs, differences))) for signs in patterns]
    return sum(s >= abs(sum(differences)) for s in sums) / len(sums)


@same
@given(whole_differences)
def test_the_exact_p_counts_every_sign_pattern(differences: list[int]) -> None:
    test = statistics.sign_flip_test(differences)
    assert test.exact
    assert test.p == all_patterns(differences)


@same
@given(whole_differences)
def test_units_and_signs_and_order_do_not_matter(differences: list[int]) -> None:
    expected = statistics.sign_flip_test(differences).p
    shares = [d / 75 for d in differences]
    assert statistics.sign_flip_test(shares, unit=1 / 75).p == expected
    assert statistics.sign_flip_test([-d for d in differences]).p == expected
    assert statistics.sign_flip_test([7 * d for d in differences]).p == expected
    assert statistics.sign_flip_test(sorted(differences)).p == expected
    assert statistics.sign_flip_test([*differences, 0]).p == expected


@same
@given(whole_differences)
def test_fractions_that_tie_but_for_rounding_are_counted_as_ties(differences: list[int]) -> None:
    tenths = [d * 0.1 for d in differences]
    assert statistics.sign_flip_test(tenths).p == pytest.approx(all_patterns(differences))


def test_small_differences_are_not_taken_for_none() -> None:
    assert statistics.sign_flip_test([1e-10] * 5).p == 2 / 32


def test_rounding_noise_is_taken_for_no_difference_in_the_units_that_are_given() -> None:
    noisy = [0.1 + 0.2 - 0.3, 0.7 - 0.6, 0.3]
    assert statistics.sign_flip_test(noisy, unit=0.1) == statistics.sign_flip_test([0, 1, 3])


def test_long_runs_of_whole_differences_stay_exact_and_fast() -> None:
    differences = [3, -1, 2, 0, 5, -4] * 200
    test = statistics.sign_flip_test(differences)
    z = sum(differences) / math.sqrt(sum(d * d for d in differences))
    assert test.exact
    assert test.p == pytest.approx(2 * stats.norm.sf(z), rel=0.03)


def test_beyond_counting_patterns_are_drawn() -> None:
    differences = np.random.default_rng(0).normal(0.1, 1, 60)
    test = statistics.sign_flip_test(differences, seed=1, resamples=20_000)
    assert (test.exact, test.resamples) == (False, 20_000)
    reference = stats.permutation_test(
        (differences,),
        np.mean,
        permutation_type="samples",
        n_resamples=20_000,
        random_state=0,
    )
    assert test.p == pytest.approx(reference.pvalue, abs=0.02)
    assert test == statistics.sign_flip_test(differences, seed=1, resamples=20_000)


def test_a_drawn_p_is_never_zero_and_counts_ties() -> None:
    differences = np.full(60, 0.3)
    assert statistics.sign_flip_test(differences, unit=math.pi, resamples=99).p == 0.01
    differences[:29] = -0.3
    exact = statistics.sign_flip_test(differences, unit=0.3)
    drawn = statistics.sign_flip_test(differences, unit=math.pi)
    assert (exact.exact, drawn.exact) == (True, False)
    assert drawn.p == pytest.approx(exact.p, abs=0.02)  # .1 less without the ties


def test_no_difference_at_all_has_p_one() -> None:
    assert statistics.sign_flip_test([0, 0, 0]) == statistics.SignFlip(1.0, 0)
    assert statistics.sign_flip_test([0.0], unit=0.1).p == 1.0


@pytest.mark.parametrize("unit", [0.0, -1.0, math.inf, math.nan])
def test_a_unit_that_is_not_positive_is_refused(unit: float) -> None:
    with pytest.raises(ValueError, match=r"^unit: expected a number > 0"):
        statistics.sign_flip_test([1.0], unit=unit)


@same
@given(st.integers(0, 200), st.integers(0, 200))
def test_the_sign_test_is_a_fair_coin(wins: int, losses: int) -> None:
    got = statistics.sign_test(wins, losses)
    expected = stats.binomtest(wins, wins + losses).pvalue if wins + losses else 1.0
    assert got == pytest.approx(expected, rel=1e-9)


def test_mcnemar_counts_only_pairs_that_differ() -> None:
    first, second = [1, 1, 1, 1, 0, 0, 1], [0, 0, 0, 1, 0, 1, 0]
    test = statistics.mcnemar(first, second)
    assert test == statistics.McNemar(4, 1, statistics.sign_test(4, 1))


@pytest.mark.parametrize(
    ("first", "second", "message"),
    [
        ([1, 0.5], [1, 1], r"^first\[1\] is 0.5: expected 0 or 1"),
        ([1, 0], [1], "^first and second must pair up: 2 and 1"),
    ],
)
def test_columns_that_are_no_pairs_of_outcomes_are_refused(
    first: Any, second: Any, message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        statistics.mcnemar(first, second)


@same
@given(st.lists(st.integers(0, 6), min_size=4, max_size=4))
def test_fisher_counts_tables_no_likelier_than_the_observed(cells: list[int]) -> None:
    a, b, c, d = cells
    row, column, total = a + b, a + c, a + b + c + d
    ways = {
        k: math.comb(column, k) * math.comb(total - column, row - k)
        for k in range(max(0, row + column - total), min(row, column) + 1)
    }
    expected = sum(w for w in ways.values() if w <= ways[a]) / sum(ways.values())
    got = statistics.fisher_exact([[a, b], [c, d]])
    assert got == pytest.approx(expected, abs=1e-9)


def test_fisher_wants_two_by_two_counts() -> None:
    with pytest.raises(ValueError, match=r"^table: expected 2 x 2 counts, got \(2, 3\)"):
        statistics.fisher_exact([[1, 2, 3], [4, 5, 6]])


@same
@given(st.lists(st.floats(0, 1), min_size=1, max_size=8))
def test_holm_rejects_what_its_stepwise_rule_rejects(p_values: list[float]) -> None:
    adjusted = statistics.holm(p_values)
    assert ((adjusted >= p_values) & (adjusted <= 1)).all()
    for level in (0.01, 0.05, 0.3):
        rejected = set()
        order = sorted(range(len(p_values)), key=lambda i: p_values[i])
        for step, i in enumerate(order):
            if p_values[i] * (len(order) - step) > level:
                break
            rejected.add(i)
        assert set(np.flatnonzero(adjusted <= level).tolist()) == rejected


def test_holm_keeps_the_order_given() -> None:
    assert statistics.holm([0.04, 0.01, 0.03]).tolist() == pytest.approx([0.06, 0.03, 0.06])
    with pytest.raises(ValueError, match=r"^p_values\[1\] is 1.5: expected a p value"):
        statistics.holm([0.1, 1.5])


@same
@given(samples, samples)
def test_cliffs_delta_counts_all_pairs(first: list[float], second: list[float]) -> None:
    pairs = [(b > a) - (b < a) for a in first for b in second]
    assert statistics.cliffs_delta(first, second) == pytest.approx(np.mean(pairs))
    assert statistics.cliffs_delta(second, first) == pytest.approx(-np.mean(pairs))


@same
@given(samples, samples)
def test_the_interval_of_cliffs_delta_is_that_of_its_formula(
    first: list[float], second: list[float]
) -> None:
    """By the dominance matrix itself, after Feng and Cliff (2004)."""
    matrix = np.sign(np.subtract.outer(np.array(second), np.array(first)))
    n, m = matrix.shape
    delta = float(matrix.mean())
    low, high = statistics.cliffs_delta_interval(first, second)
    assert -1 <= low <= delta + 1e-12
    assert delta - 1e-12 <= high <= 1
    if abs(delta) < 1:
        rows = m**2 * ((matrix.mean(axis=1) - delta) ** 2).sum()
        columns = n**2 * ((matrix.mean(axis=0) - delta) ** 2).sum()
        rest = ((matrix - delta) ** 2).sum()
        variance = (rows + columns - rest) / (m * n * (m - 1) * (n - 1))
        variance = max(variance, (1 - delta**2) / (m * n - 1))
        z = stats.norm.ppf(0.975)
        middle = delta - delta**3
        half = z * math.sqrt(variance * ((1 - delta**2) ** 2 + z**2 * variance))
        scale = 1 - delta**2 + z**2 * variance
        assert (low, high) == pytest.approx(((middle - half) / scale, (middle + half) / scale))


def test_samples_apart_leave_the_bound_of_the_smaller_one() -> None:
    z2 = stats.norm.ppf(0.975) ** 2
    low, high = statistics.cliffs_delta_interval([0.0] * 5, [1.0] * 9)
    assert (low, high) == pytest.approx(((5 - z2) / (5 + z2), 1.0))
    low, high = statistics.cliffs_delta_interval([1.0] * 5, [0.0] * 9)
    assert (low, high) == pytest.approx((-1.0, -(5 - z2) / (5 + z2)))


def test_the_paired_delta_is_better_less_worse() -> None:
    differences = [0.5, 0.1, -0.2, 0.0]
    assert statistics.paired_cliffs_delta(differences) == 0.25
    interval = statistics.paired_cliffs_delta_interval(differences, seed=0)
    assert interval == statistics.bootstrap_mean_interval([1, 1, -1, 0], seed=0)
