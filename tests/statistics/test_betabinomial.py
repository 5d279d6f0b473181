"""Overdispersion of failures over cells."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from benchaudit import statistics

same = settings(deadline=None, derandomize=True, max_examples=25)
tables = st.lists(
    st.integers(1, 12).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))),
    min_size=2,
    max_size=8,
)
Fit = Callable[[list[int], list[int]], statistics.BetaBinomial | None]
FITS: list[Fit] = [statistics.beta_binomial_moments, statistics.beta_binomial_ml]


def log_likelihood(x: list[int], n: list[int], rate: float, icc: float) -> float:
    if icc == 0:
        return float(np.sum(stats.binom.logpmf(x, n, rate)))
    size = 1 / icc - 1
    return float(np.sum(stats.betabinom.logpmf(x, n, rate * size, (1 - rate) * size)))


@pytest.mark.parametrize("fit", FITS)
@pytest.mark.parametrize(("failures", "runs"), [([3], [8]), ([0, 1, 1], [1, 1, 1])])
def test_what_cannot_show_overdispersion_has_no_fit(
    fit: Fit, failures: list[int], runs: list[int]
) -> None:
    assert fit(failures, runs) is None


@pytest.mark.parametrize("fit", FITS)
@pytest.mark.parametrize("failures", [[0, 0, 0], [8, 8, 8]])
def test_cells_that_all_fail_or_all_pass_share_one_rate(fit: Fit, failures: list[int]) -> None:
    got = fit(failures, [8, 8, 8])
    rate = failures[0] / 8
    assert got == statistics.BetaBinomial(rate, 0.0, 0.0, math.inf, math.inf, 0.0, 1.0)


@same
@given(tables)
def test_both_fits_are_well_formed_and_likelihood_is_highest_at_the_ml_fit(
    table: list[tuple[int, int]],
) -> None:
    x, n = [a for a, _ in table], [b for _, b in table]
    moments, most = statistics.beta_binomial_moments(x, n), statistics.beta_binomial_ml(x, n)
    if moments is None or most is None:
        assert moments is most
        return
    for fit in (moments, most):
        assert 0 <= fit.icc <= 1
        assert 0 <= fit.p <= 1
        assert fit.likelihood_ratio >= 0
        if 0 < fit.icc < 0.999:
            assert fit.icc == pytest.approx(1 / (fit.alpha + fit.beta + 1))
            assert fit.rate == pytest.approx(fit.alpha / (fit.alpha + fit.beta))
    assert most.likelihood_ratio >= moments.likelihood_ratio - 1e-6


@same
@given(tables)
def test_no_point_of_a_grid_is_likelier_than_the_ml_fit(table: list[tuple[int, int]]) -> None:
    x, n = [a for a, _ in table], [b for _, b in table]
    fit = statistics.beta_binomial_ml(x, n)
    if fit is None or sum(x) in (0, sum(n)):
        return
    binomial = log_likelihood(x, n, sum(x) / sum(n), 0.0)
    best = max(
        log_likelihood(x, n, rate, icc)
        for rate in np.linspace(0.04, 0.96, 13)
        for icc in np.linspace(0.001, 0.99, 13)
    )
    assert fit.likelihood_ratio >= 2 * (best - binomial) - 1e-6
    if 0 < fit.icc < 0.999:
        own = log_likelihood(x, n, fit.rate, fit.icc)
        assert fit.likelihood_ratio == pytest.approx(2 * (own - binomial), abs=1e-6)


def test_cells_of_all_or_nothing_are_one_coin_each() -> None:
    fit = statistics.beta_binomial_ml([8, 0, 0, 8], [8, 8, 8, 8])
    assert fit is not None
    assert (fit.icc, fit.rate, fit.alpha, fit.beta) == (1.0, 0.5, 0.0, 0.0)
    assert fit.likelihood_ratio == pytest.approx(2 * (4 * math.log(0.5) - 32 * math.log(0.5)))


def test_a_known_overdispersion_is_recovered_and_none_is_not_invented() -> None:
    random = np.random.default_rng(0)
    clustered = random.binomial(16, random.beta(0.6, 1.4, 2000))
    moments = statistics.beta_binomial_moments(clustered, [16] * 2000)
    most = statistics.beta_binomial_ml(clustered, [16] * 2000)
    assert moments is not None
    assert most is not None
    assert most.icc == pytest.approx(1 / 3, abs=0.02)
    assert moments.icc == pytest.approx(1 / 3, abs=0.02)
    assert most.p < 1e-10
    alike = statistics.beta_binomial_ml(random.binomial(16, 0.3, 2000), [16] * 2000)
    assert alike is not None
    assert alike.icc < 0.01
    assert alike.p > 0.01
