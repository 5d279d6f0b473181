"""Tasks and seeds that a claim takes."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchaudit import statistics

same = settings(deadline=None, derandomize=True, max_examples=60)


def test_the_detectable_difference_is_detected_with_the_stated_power() -> None:
    tasks, seeds, within, between = 20, 4, 0.3, 0.1
    effect = statistics.minimum_detectable_difference(tasks, seeds, within=within, between=between)
    random = np.random.default_rng(0)
    task_effects = effect + between * random.normal(size=(4000, tasks, 1))
    means = (task_effects + within * random.normal(size=(4000, tasks, seeds))).mean(axis=2)
    error = math.sqrt(between**2 / tasks + within**2 / (tasks * seeds))
    found = np.abs(means.mean(axis=1)) > 1.959964 * error
    assert found.mean() == pytest.approx(0.8, abs=0.02)


@same
@given(st.integers(1, 100), st.integers(1, 100), st.floats(0.01, 1), st.floats(0, 1))
def test_more_runs_detect_smaller_differences(
    tasks: int, seeds: int, within: float, between: float
) -> None:
    def least(t: int, s: int) -> float:
        return statistics.minimum_detectable_difference(t, s, within=within, between=between)

    assert least(tasks + 1, seeds) < least(tasks, seeds)
    assert least(tasks, seeds + 1) < least(tasks, seeds)
    if between > 0:  # seeds cannot make up for tasks
        assert least(tasks, 10**9) >= 2.8 * between / math.sqrt(tasks)


def test_runs_to_separate_follow_from_variance_and_difference() -> None:
    random = np.random.default_rng(1)
    first, second = random.random((10, 50)), random.random((10, 50)) + 0.05
    needed = statistics.runs_to_separate(first, second)
    gap = second.mean() - first.mean()
    variance = first.var(axis=1, ddof=1).mean() + second.var(axis=1, ddof=1).mean()
    within = math.sqrt(variance)
    detectable = statistics.minimum_detectable_difference(10, int(needed), within=within)
    assert detectable <= gap
    less = statistics.minimum_detectable_difference(10, int(needed) - 1, within=within)
    assert less > gap
    assert statistics.runs_to_separate(second, first) == needed


def test_what_is_never_told_apart_and_what_does_not_vary() -> None:
    assert statistics.runs_to_separate([[0, 1]], [[1, 0]]) == math.inf
    assert statistics.runs_to_separate([[0, 0]], [[1, 1]]) == 2


@pytest.mark.parametrize(
    ("first", "second", "message"),
    [
        ([[0.0, 1.0]], [[1.0]], r"^second: expected two runs a task or more"),
        ([[0.0, 1.0]], [[1.0, 0.0]] * 2, r"^first and second must have the same tasks: 1 and 2"),
        ([0.0, 1.0], [[1.0, 0.0]], r"^first: expected 2 dimension"),
    ],
)
def test_models_without_the_same_tasks_or_repeats_are_refused(
    first: Any, second: Any, message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        statistics.runs_to_separate(first, second)


@same
@given(st.floats(0.01, 1), st.floats(0.01, 0.5))
def test_runs_for_a_mean_are_the_fewest(deviation: float, half_width: float) -> None:
    n = statistics.runs_for_mean(half_width, deviation=deviation)
    assert 1.959964 * deviation / math.sqrt(n) <= half_width * (1 + 1e-6)
    if n > 1:
        assert 1.959964 * deviation / math.sqrt(n - 1) > half_width * (1 - 1e-6)


@same
@given(st.integers(0, 100), st.floats(0.005, 0.4))
def test_runs_for_a_rate_are_the_fewest_by_wilson(percent: int, half_width: float) -> None:
    n = statistics.runs_for_rate(half_width, rate=percent / 100)
    if n * percent % 100 == 0:
        low, high = statistics.wilson(n * percent // 100, n)
        assert float(high - low) / 2 <= half_width * (1 + 1e-9)
    smaller = n - 1
    if smaller and smaller * percent % 100 == 0:
        low, high = statistics.wilson(smaller * percent // 100, smaller)
        assert float(high - low) / 2 > half_width * (1 - 1e-9)


def test_runs_for_a_rate_of_known_precision() -> None:
    assert statistics.runs_for_rate(0.05, rate=0.5) == 381
    with pytest.raises(ValueError, match=r"^rate: expected a number from 0 to 1"):
        statistics.runs_for_rate(0.05, rate=1.1)
