"""Bootstrap intervals."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from benchaudit import statistics
from benchaudit.statistics import bootstrap
from benchaudit.statistics._draws import index_chunks, stream, uniforms
from benchaudit.statistics._types import Method

METHODS: list[Method] = ["percentile", "bca"]
same = settings(deadline=None, derandomize=True, max_examples=40)
scores = st.lists(st.floats(-1e3, 1e3), min_size=1, max_size=20)


def brute_force(values: list[float], seed: int, resamples: int) -> list[float]:
    """Bounds from the documented draws, in exact sums and numpy's own quantile."""
    ordered = sorted(values)
    n = len(ordered)
    words = np.random.PCG64(seed).random_raw(resamples * ((n + 1) // 2)).tolist()
    means = []
    for row in range(resamples):
        mine = words[row * ((n + 1) // 2) : (row + 1) * ((n + 1) // 2)]
        draws = [half for word in mine for half in (word >> 32, word & 0xFFFFFFFF)][:n]
        means.append(math.fsum(ordered[(u * n) >> 32] for u in draws) / n)
    return [float(bound) for bound in np.quantile(means, [0.025, 0.975])]


@same
@given(scores, st.integers(0, 2**40))
def test_the_interval_is_that_of_the_documented_draws(values: list[float], seed: int) -> None:
    got = statistics.bootstrap_mean_interval(values, seed=seed, resamples=50)
    scale = max(1.0, float(np.abs(values).max()))
    assert list(got) == pytest.approx(brute_force(values, seed, 50), abs=1e-12 * scale)


def test_the_bits_of_an_interval_are_fixed() -> None:
    """Frozen: a change of stream, of rounding or of interpolation shows here."""
    values = [0.1, 0.25, 0.3, 0.7, 0.9, 0.95, 1.0]
    low, high = statistics.bootstrap_mean_interval(values, seed=7)
    assert (low.hex(), high.hex()) == ("0x1.6db6db6db6dc0p-2", "0x1.b333333333332p-1")


@pytest.mark.parametrize("method", METHODS)
def test_the_order_of_values_does_not_matter(method: Method) -> None:
    values = np.random.default_rng(3).random(25)
    one = statistics.bootstrap_mean_interval(values, seed=1, method=method)
    other = statistics.bootstrap_mean_interval(values[::-1], seed=1, method=method)
    assert one == other


@pytest.mark.parametrize("method", METHODS)
@same
@given(scores)
def test_bounds_are_ordered_and_within_the_values(method: Method, values: list[float]) -> None:
    low, high = statistics.bootstrap_mean_interval(values, seed=0, resamples=200, method=method)
    assert min(values) <= low <= high <= max(values)


@pytest.mark.parametrize("method", METHODS)
def test_equal_values_have_an_interval_without_width(method: Method) -> None:
    for value in (0.8, 1 / 3, -7.0, 0.0):
        got = statistics.bootstrap_mean_interval([value] * 7, seed=0, method=method)
        assert got == (value, value)


@pytest.mark.parametrize("method", METHODS)
def test_a_higher_level_is_no_narrower(method: Method) -> None:
    values = np.random.default_rng(5).random(15)
    narrow, wide = (
        statistics.bootstrap_mean_interval(values, seed=0, level=level, method=method)
        for level in (0.8, 0.99)
    )
    assert wide.low <= narrow.low < narrow.high <= wide.high


@pytest.mark.parametrize(("method", "name"), [("percentile", "percentile"), ("bca", "BCa")])
def test_intervals_agree_with_scipy_within_monte_carlo_error(method: Method, name: Any) -> None:
    for seed in range(5):
        values = np.random.default_rng(seed).exponential(size=20)
        ours = statistics.bootstrap_mean_interval(
            values, seed=seed, resamples=20_000, method=method
        )
        theirs = stats.bootstrap(
            (values,), np.mean, n_resamples=20_000, method=name, random_state=seed
        ).confidence_interval
        error = 0.05 * np.std(values) / math.sqrt(len(values)) * 3
        assert ours == pytest.approx(tuple(theirs), abs=float(error))


@pytest.mark.parametrize("method", METHODS)
def test_a_mean_as_any_statistic_has_the_same_interval(method: Method) -> None:
    values = np.sort(np.random.default_rng(2).random(12))
    got = statistics.bootstrap_interval(
        values, lambda samples: samples.mean(axis=1), seed=4, method=method
    )
    expected = statistics.bootstrap_mean_interval(values, seed=4, method=method)
    assert got == pytest.approx(expected, abs=1e-9)


def test_bca_of_any_statistic_agrees_with_scipy() -> None:
    values = np.random.default_rng(8).exponential(size=30)
    ours = statistics.bootstrap_interval(
        values, lambda s: s.std(axis=1), seed=0, resamples=20_000, method="bca"
    )
    theirs = stats.bootstrap(
        (values,), np.std, n_resamples=20_000, method="BCa", random_state=0
    ).confidence_interval
    assert ours == pytest.approx(tuple(theirs), rel=0.03)


def test_rows_are_drawn_as_a_whole() -> None:
    pairs = np.array([[1.0, 10.0], [2.0, 20.0], [3.0, 30.0]])

    def tenfold(samples: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        assert np.array_equal(samples[..., 1], 10 * samples[..., 0])
        return np.asarray(samples[..., 0].mean(axis=1))

    statistics.bootstrap_interval(pairs, tenfold, seed=0)


def test_a_statistic_that_is_not_finite_is_refused() -> None:
    with np.errstate(divide="ignore"), pytest.raises(ValueError, match=r"^statistic of a resample"):
        statistics.bootstrap_interval([0.0, 1.0], lambda s: 1 / s.sum(axis=1), seed=0)


def test_clusters_of_one_are_the_plain_bootstrap() -> None:
    values = np.random.default_rng(1).random(10)
    plain = statistics.bootstrap_mean_interval(values, seed=0)
    got = statistics.cluster_bootstrap_mean_interval(values, list(range(10)), seed=0)
    assert got == pytest.approx(plain, abs=1e-12)


def test_repeats_within_a_cluster_add_no_confidence() -> None:
    means = np.random.default_rng(1).random(10)
    once = statistics.bootstrap_mean_interval(means, seed=0)
    repeated, tasks = np.repeat(means, 20), np.repeat(np.arange(10), 20).tolist()
    clustered = statistics.cluster_bootstrap_mean_interval(repeated, tasks, seed=0)
    naive = statistics.bootstrap_mean_interval(repeated, seed=0)
    assert clustered == pytest.approx(once, abs=1e-12)
    assert naive.high - naive.low < 0.5 * (clustered.high - clustered.low)


def test_cluster_intervals_do_not_depend_on_order_or_names() -> None:
    values, tasks = [0.1, 0.9, 0.4, 0.6, 1.0], ["a", "b", "a", "b", "c"]
    one = statistics.cluster_bootstrap_mean_interval(values, tasks, seed=0)
    other = statistics.cluster_bootstrap_mean_interval(
        values[::-1], [task.upper() for task in tasks[::-1]], seed=0
    )
    assert one == pytest.approx(other, abs=1e-15)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"values": []}, "^values: expected at least 1"),
        ({"values": [1.0, math.nan]}, r"^values\[1\] is nan"),
        ({"seed": -1}, "^seed: expected a whole number >= 0"),
        ({"resamples": 0}, "^resamples: expected a whole number >= 1"),
        ({"level": 1.0}, "^level: expected a number between 0 and 1"),
    ],
)
def test_arguments_that_will_not_do_are_named(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        statistics.bootstrap_mean_interval(**{"values": [1.0, 2.0], "seed": 0, **changes})


def test_a_label_for_every_value_is_asked_for() -> None:
    with pytest.raises(ValueError, match=r"^clusters: expected one label a value \(2\), got 1"):
        statistics.cluster_bootstrap_mean_interval([0.0, 1.0], ["a"], seed=0)


def test_the_size_of_chunks_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    cells = np.random.default_rng(0).random((9, 7))
    whole = bootstrap.mean_intervals(cells, stream(3), 500, 0.95, "percentile")
    monkeypatch.setattr(bootstrap, "_BLOCK", 1000)
    monkeypatch.setattr(bootstrap, "_PRODUCT", 70)
    monkeypatch.setattr(bootstrap, "CHUNK", 70)
    parts = bootstrap.mean_intervals(cells, stream(3), 500, 0.95, "percentile")
    assert np.array_equal(whole.low, parts.low)
    assert np.array_equal(whole.high, parts.high)


def test_indices_are_even_and_uniforms_inside_0_to_1() -> None:
    (start, index), *rest = index_chunks(10, stream(0), 20_000, 20_000)
    assert (start, rest) == (0, [])
    counts = np.bincount(index.ravel(), minlength=10)
    assert stats.chisquare(counts).pvalue > 1e-3
    numbers = uniforms(stream(1), (100_000,))
    assert 0 < numbers.min() < numbers.max() < 1
    assert stats.kstest(numbers, "uniform").pvalue > 1e-3


def test_coverage_is_near_the_level() -> None:
    samples = np.random.default_rng(11).random((2000, 40))
    low, high = bootstrap.mean_intervals(samples, stream(0), 1000, 0.95, "percentile")
    covered = float(np.mean((low <= 0.5) & (high >= 0.5)))
    assert 0.91 < covered < 0.965
