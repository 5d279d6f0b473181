"""Variance shares and intraclass correlation."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import stats

from benchaudit import statistics

same = settings(deadline=None, derandomize=True, max_examples=60)
seeds = st.integers(0, 10**6)


def design(seed: int, repeats: int) -> tuple[np.ndarray, list[str], list[int]]:
    """Three scaffolds by four models, with effects of both and an interaction."""
    random = np.random.default_rng(seed)
    shape = (3, 4, repeats)
    table = (
        random.normal(size=shape) + random.normal(size=(3, 1, 1)) + random.normal(size=(1, 4, 1))
    )
    rows, columns, _ = np.indices(shape)
    return table.ravel(), [f"scaffold {i}" for i in rows.ravel()], columns.ravel().tolist()


@same
@given(seeds, st.integers(2, 4))
def test_shares_are_sums_of_squares_of_cell_and_margin_means(seed: int, repeats: int) -> None:
    values, first, second = design(seed, repeats)
    table = values.reshape(3, 4, repeats)
    total = ((table - table.mean()) ** 2).sum()
    of_first = 4 * repeats * ((table.mean(axis=(1, 2)) - table.mean()) ** 2).sum()
    of_second = 3 * repeats * ((table.mean(axis=(0, 2)) - table.mean()) ** 2).sum()
    within = ((table - table.mean(axis=2, keepdims=True)) ** 2).sum()
    error = within / (12 * (repeats - 1))

    shares = statistics.variance_shares(values, first, second)
    assert shares.eta_first == pytest.approx(of_first / total)
    assert shares.eta_second == pytest.approx(of_second / total)
    assert shares.eta_residual == pytest.approx(within / total)
    assert shares.eta_interaction is not None
    whole = shares.eta_first + shares.eta_second + shares.eta_interaction + shares.eta_residual
    assert whole == pytest.approx(1)
    assert shares.omega_first == pytest.approx((of_first - 2 * error) / (total + error))
    assert shares.omega_second == pytest.approx((of_second - 3 * error) / (total + error))
    assert statistics.eta_squared(values, first) == pytest.approx(shares.eta_first)
    assert statistics.eta_squared(values, second) == pytest.approx(shares.eta_second)


def test_with_one_value_a_combination_the_interaction_is_the_error() -> None:
    values, first, second = design(0, 1)
    shares = statistics.variance_shares(values, first, second)
    assert shares.eta_interaction is None
    assert shares.eta_first + shares.eta_second + shares.eta_residual == pytest.approx(1)


@same
@given(seeds)
def test_shares_do_not_depend_on_order_scale_or_names(seed: int) -> None:
    values, first, second = design(seed, 2)
    order = np.random.default_rng(seed).permutation(len(values))
    expected = statistics.variance_shares(values, first, second)
    got = statistics.variance_shares(
        3 - 7 * values[order], [first[i] for i in order], [-second[i] for i in order]
    )
    assert got.eta_first == pytest.approx(expected.eta_first)
    assert got.omega_second == pytest.approx(expected.omega_second)


@same
@given(seeds)
def test_eta_does_not_depend_on_repeating_every_value(seed: int) -> None:
    values, first, _ = design(seed, 1)
    got = statistics.eta_squared(np.tile(values, 3), first * 3)
    assert got == pytest.approx(statistics.eta_squared(values, first))


def test_a_factor_that_decides_everything_has_the_whole_variance() -> None:
    assert statistics.eta_squared([0, 0, 1, 1], "aabb") == 1
    assert statistics.eta_squared([0, 1, 0, 1], "aabb") == 0


def test_omega_is_negative_where_a_factor_shows_less_than_error_would() -> None:
    values = [0.0, 1.0, 0.0, 1.0, 0.0, 1.0, 0.0, 1.0]
    shares = statistics.variance_shares(values, "aaaabbbb", "ccddccdd")
    assert shares.eta_first == 0
    assert shares.omega_first < 0


def test_an_unbalanced_design_is_refused_with_the_remedy() -> None:
    with pytest.raises(ValueError, match=r"unbalanced, 0 to 2 values .* take cell means first"):
        statistics.variance_shares([0, 1, 2, 3], "aabb", "ccde")


def test_a_design_without_degrees_of_freedom_for_error_is_refused() -> None:
    with pytest.raises(ValueError, match="no degrees of freedom"):
        statistics.variance_shares([0, 1, 2], "abc", "ddd")


def test_no_variance_cannot_be_shared() -> None:
    for call in (
        lambda: statistics.eta_squared([0.3, 0.3], "ab"),
        lambda: statistics.variance_shares([0.3] * 4, "aabb", "abab"),
        lambda: statistics.intraclass_correlation([0.3] * 4, "aabb"),
    ):
        with pytest.raises(ValueError, match=r"^values: all are equal"):
            call()


def test_labels_must_match_the_values() -> None:
    with pytest.raises(ValueError, match=r"^factor: expected one label a value \(3\), got 2"):
        statistics.eta_squared([1, 2, 3], "ab")


@same
@given(seeds, st.integers(2, 6), st.integers(2, 5))
def test_the_correlation_follows_from_the_f_statistic(seed: int, k: int, repeats: int) -> None:
    table = np.random.default_rng(seed).normal(size=(k, repeats))
    f = stats.f_oneway(*table).statistic
    got = statistics.intraclass_correlation(table.ravel(), np.repeat(range(k), repeats).tolist())
    assert got == pytest.approx((f - 1) / (f + repeats - 1))


@same
@given(st.lists(st.lists(st.integers(0, 3), min_size=1, max_size=5), min_size=2, max_size=5))
def test_the_correlation_of_uneven_clusters_is_at_most_one(table: list[list[int]]) -> None:
    values = [value for row in table for value in row]
    assume(len(set(values)) > 1 and len(values) > len(table))
    clusters = [i for i, row in enumerate(table) for _ in row]
    assert statistics.intraclass_correlation(values, clusters) <= 1 + 1e-12


def test_the_correlation_is_one_for_constant_clusters_and_recovers_the_truth() -> None:
    assert statistics.intraclass_correlation([1, 1, 2, 2, 5, 5], "aabbcc") == 1
    random = np.random.default_rng(0)
    values = (random.normal(size=(3000, 1)) + random.normal(size=(3000, 3))).ravel()
    got = statistics.intraclass_correlation(values, np.repeat(range(3000), 3).tolist())
    assert got == pytest.approx(0.5, abs=0.03)


@pytest.mark.parametrize("clusters", ["aaa", "abc"])
def test_the_correlation_needs_clusters_with_repeats(clusters: str) -> None:
    with pytest.raises(ValueError, match=r"^clusters: expected two clusters or more"):
        statistics.intraclass_correlation([1, 2, 3], clusters)
