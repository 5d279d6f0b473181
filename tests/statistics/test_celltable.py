"""Summaries of many cells at once."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchaudit import statistics
from benchaudit.statistics._types import Method

cells = st.lists(
    st.lists(st.sampled_from([0.0, 0.2, 0.5, 0.55, 1.0]), min_size=1, max_size=7),
    min_size=1,
    max_size=8,
)


def ragged(table: list[list[float]]) -> tuple[list[float], list[int]]:
    flat = [score for row in table for score in row]
    return flat, np.cumsum([0, *map(len, table)]).tolist()


@settings(deadline=None, derandomize=True, max_examples=40)
@given(cells, st.sampled_from(["percentile", "bca"]))
def test_every_cell_is_summarised_as_it_would_be_alone(
    table: list[list[float]], method: Method
) -> None:
    flat, offsets = ragged(table)
    got = statistics.summarise_cells(flat, offsets, seed=5, resamples=300, method=method)
    for i, scores in enumerate(table):
        assert got.runs[i] == len(scores)
        assert got.mean[i] == pytest.approx(statistics.mean(scores), abs=1e-12)
        deviation = statistics.population_deviation(scores)
        assert got.deviation[i] == pytest.approx(deviation, abs=1e-12)
        assert got.worst[i] == statistics.worst_case(scores)
        assert got.cvar[i] == pytest.approx(statistics.cvar(scores, 0.2), abs=1e-12)
        assert got.reliability[i] == statistics.reliability_at(scores, 0.5)
        assert got.gap[i] == pytest.approx(statistics.reliability_gap(scores), abs=1e-12)
        alone = statistics.bootstrap_mean_interval(scores, seed=5, resamples=300, method=method)
        assert (got.low[i], got.high[i]) == alone


def test_a_table_is_the_same_as_its_cells_end_to_end() -> None:
    table = np.random.default_rng(0).random((6, 4))
    square = statistics.summarise_cells(table, seed=0)
    flat = statistics.summarise_cells(table.ravel(), np.arange(7) * 4, seed=0)
    for name in ("mean", "cvar", "low", "high"):
        assert np.array_equal(getattr(square, name), getattr(flat, name))


def test_independent_draws_differ_from_cell_to_cell() -> None:
    table = np.tile(np.random.default_rng(0).random(8), (5, 1))
    shared = statistics.summarise_cells(table, seed=0)
    own = statistics.summarise_cells(table, seed=0, independent=True)
    assert len(set(shared.low.tolist())) == 1
    assert len(set(own.low.tolist())) > 1
    assert own.low[0] == shared.low[0]
    assert own.low == pytest.approx(shared.low, abs=0.05)


@pytest.mark.parametrize(
    ("offsets", "message"),
    [
        ([0, 2], "^offsets: expected rising numbers"),
        ([1, 3], "^offsets: expected rising numbers"),
        ([0, 0, 3], "^offsets: .* no cell may be empty"),
        ([0, 2, 1, 3], "^offsets: expected rising numbers"),
        ([0], "^offsets: expected rising numbers"),
        ([0, 1.5, 3], r"^offsets\[1\] is 1.5: expected a count"),
    ],
)
def test_offsets_that_do_not_cut_the_scores_are_refused(offsets: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        statistics.summarise_cells([1.0, 0.0, 1.0], offsets, seed=0)


def test_a_score_that_is_not_finite_is_refused_with_its_cell() -> None:
    with pytest.raises(ValueError, match=r"^scores\[1, 0\] is nan"):
        statistics.summarise_cells([[1.0, 2.0], [math.nan, 0.0]], seed=0)
