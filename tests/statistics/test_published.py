"""Published conventions, and that each part of them matters to the printed digit."""

from __future__ import annotations

import random

import numpy as np
import pytest

from benchaudit import statistics

LLAMA = np.array([24, 11, 0, 1, 11, 10, 1, 11, 0, -1, 12, 9, 9, 11, -1, 13, 10, 0, 0, 0]) / 75
"""Constant minus escalating coverage by seed, from Table A15."""


def test_the_papers_bootstrap_takes_draws_by_choice_from_seed_0() -> None:
    rng = random.Random(0)
    means = sorted(sum(rng.choices(LLAMA.tolist(), k=20)) / 20 for _ in range(2000))
    low, high = statistics.paper_mean_interval(LLAMA)
    assert (round(low, 3), round(high, 3)) == (0.051, 0.128)
    assert (low, high) == pytest.approx((means[50], means[1949]), abs=0.003)
    assert statistics.paper_mean_interval(LLAMA[::-1]) != (low, high)


def test_the_papers_p_counts_ties_and_may_be_zero() -> None:
    assert statistics.paper_sign_flip_p(LLAMA) == 0.0011
    assert statistics.paper_sign_flip_p([0.0, 0.0]) == 1.0
    assert statistics.paper_sign_flip_p([1.0] * 40) == 0.0
    assert statistics.sign_flip_test([1.0] * 40).p == pytest.approx(2.0**-39)


def test_the_cluster_bootstrap_draws_as_many_cells_as_there_are() -> None:
    cells = np.array([[1, 8], [6, 8], [3, 16]])

    def miss(samples: np.ndarray) -> np.ndarray:
        assert samples.shape == (500, 3, 2)
        return np.asarray((1 - samples[..., 0] / samples[..., 1]).mean(axis=1))

    low, high = statistics.agentrelbench_cluster_interval(cells, miss, resamples=500)
    assert 0.25 <= low < 0.604 < high <= 0.875
