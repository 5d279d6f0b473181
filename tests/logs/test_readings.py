from __future__ import annotations

import dataclasses
import itertools

import pytest

from benchaudit import statistics
from benchaudit.logs.pool import Pool
from benchaudit.logs.readings import Settings, cells, readings
from benchaudit.logs.runs import Outcome, Run

OK = Outcome.OK


def _block(scores_by_task):
    runs = [
        Run(task, "m", score, OK if score is not None else Outcome.ERROR, "acc", repeat=str(i))
        for task, scores in scores_by_task.items()
        for i, score in enumerate(scores)
    ]
    (block,) = Pool(runs).blocks()
    return block


def _only(block, settings=None):
    ((reading,),) = readings([block], settings or Settings())
    return reading


def test_the_figures_of_a_small_log_are_the_ones_counted_by_hand():
    reading = _only(_block({"a": [1, 1, 0], "b": [1, 1, 1], "c": [0, 0, 0]}))
    assert (reading.errors, reading.runs, reading.tasks) == ("exclude", 9, 3)
    assert (reading.fewest, reading.most) == (3, 3)
    assert reading.mean == pytest.approx(5 / 9)
    assert (reading.worst, reading.mean_worst) == (0, pytest.approx(1 / 3))
    assert reading.cvar == 0
    assert reading.reliability == pytest.approx(5 / 9)
    assert reading.gap == pytest.approx(5 / 9)
    assert reading.pass_hat == pytest.approx((5 / 9, (1 / 3 + 1) / 3, 1 / 3))
    assert (reading.always_fail, reading.always_pass, reading.mixed) == (1, 1, 1)
    assert reading.miss is not None
    assert (reading.miss.cells, reading.miss.failures) == (2, 4)
    assert reading.miss.pair == pytest.approx((2 / 3 + 0) / 2)
    assert reading.miss.event == pytest.approx((2 / 3) / 4)
    assert reading.miss.decay == pytest.approx(tuple((2 / 3) ** k / 2 for k in (1, 2, 3)))


def test_errors_are_left_out_or_zeros_or_both_side_by_side():
    block = _block({"a": [1, None], "b": [1, 1]})
    found = {
        errors: [(r.errors, r.runs, r.mean) for r in readings([block], Settings(errors=errors))[0]]
        for errors in ("exclude", "zero", "bounds")
    }
    assert found["exclude"] == [("exclude", 3, 1.0)]
    assert found["zero"] == [("zero", 4, 0.75)]
    assert found["bounds"] == [("exclude", 3, 1.0), ("zero", 4, 0.75)]


def test_both_readings_are_one_where_every_run_has_a_score():
    assert len(readings([_block({"a": [1], "b": [0]})], Settings())[0]) == 1


def test_a_block_without_a_score_has_no_reading_unless_zeros_are_asked_for():
    block = _block({"a": [None]})
    assert readings([block], Settings()) == [()]
    assert readings([block], Settings(errors="exclude")) == [()]
    assert _only(block, Settings(errors="zero")).mean == 0


def test_the_interval_draws_tasks_and_does_not_depend_on_what_else_is_read():
    even = _block({str(i): [i % 2, (i // 2) % 2] for i in range(9)})
    table = cells(even, "exclude", 1.0)
    expected = statistics.bootstrap_mean_interval(table.mean, seed=0)
    assert _only(even).interval == pytest.approx(tuple(expected))
    other = _block({str(i): [i % 3 == 0, 1] for i in range(9)})
    batch = readings([other, even], Settings())
    assert batch[1][0].interval == _only(even).interval


def test_uneven_repeats_stop_the_curve_at_the_fewest():
    reading = _only(_block({"a": [1, 1, 0], "b": [1]}))
    assert (reading.fewest, reading.most) == (1, 3)
    assert len(reading.pass_hat) == 1
    assert reading.interval is not None


def test_one_task_has_no_interval_and_single_runs_no_audit_miss():
    assert _only(_block({"a": [1, 0]})).interval is None
    assert _only(_block({"a": [1], "b": [0]})).miss is None
    assert _only(_block({"a": [1, 1]})).miss is None


def test_the_order_of_runs_changes_nothing():
    scores = {"a": [1, 0, 1], "b": [0, 0, 1], "c": [1, 1, 1]}
    expected = _only(_block(scores))
    for order in itertools.permutations(scores):
        shuffled = {task: scores[task][::-1] for task in order}
        assert dataclasses.astuple(_only(_block(shuffled))) == dataclasses.astuple(expected)


def test_pass_and_threshold_are_in_the_unit_of_the_score():
    settings = Settings(pass_at=7, threshold=9)
    reading = _only(_block({"a": [10, 8], "b": [7, 6]}), settings)
    assert reading.always_pass == 1
    assert reading.reliability == pytest.approx(1 / 4)
