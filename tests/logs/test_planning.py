from __future__ import annotations

import numpy as np
import pytest

from benchaudit.logs.planning import REPEATS, Aims, Basis, from_pilot, from_rates, pilots, plan
from benchaudit.logs.pool import Pool
from benchaudit.logs.runs import Outcome, Run


def _block(scores_by_task, model="m"):
    runs = [
        Run(task, model, float(score), Outcome.OK, "acc")
        for task, scores in scores_by_task.items()
        for score in scores
    ]
    return Pool(runs).blocks()[0]


def test_assumed_rates_split_the_variance_of_passing():
    basis = from_rates(0.8, 0.25, 50)
    assert basis.within**2 + basis.between**2 == pytest.approx(0.16)
    assert basis.between**2 == pytest.approx(0.04)


@pytest.mark.parametrize("given", [(0, 0.3, 10), (1, 0.3, 10), (0.5, 2, 10), (0.5, 0.3, 0)])
def test_assumptions_out_of_range_are_refused(given):
    with pytest.raises(ValueError, match="expected a rate"):
        from_rates(*given)


def test_a_pilot_finds_the_variances_that_its_runs_were_drawn_with():
    chance = np.random.default_rng(0)
    means = chance.normal(0.5, 0.2, 400)
    block = _block({str(i): chance.normal(m, 0.1, 6) for i, m in enumerate(means)})
    basis = from_pilot(block, 1.0)
    assert basis.within == pytest.approx(0.1, rel=0.05)
    assert basis.between == pytest.approx(0.2, rel=0.1)
    assert basis.tasks == 400
    assert basis.text == "pilot: m, acc, 400 tasks, 6 scored runs a task"


def test_variance_between_is_never_below_zero():
    assert from_pilot(_block({"a": [0, 1], "b": [1, 0]}), 1.0).between == 0


def test_a_pilot_without_repeats_or_with_one_task_gives_no_plan():
    with pytest.raises(ValueError, match="no task has two scored runs"):
        from_pilot(_block({"a": [1], "b": [0]}), 1.0)
    with pytest.raises(ValueError, match="a single task"):
        from_pilot(_block({"a": [1, 0]}), 1.0)
    with pytest.raises(ValueError, match="m: no task has two"):
        pilots([_block({"a": [1], "b": [0]})], 1.0)


def test_every_system_that_can_serve_as_a_pilot_does():
    good, bad = _block({"a": [0, 1], "b": [1, 1]}), _block({"a": [1], "b": [0]}, "n")
    assert [basis.text.split(",")[0] for basis in pilots([good, bad], 1.0)] == ["pilot: m"]
    with pytest.raises(ValueError, match="no runs"):
        pilots([good], 1.0, ["f1"])


def test_a_plan_reaches_the_aims_that_it_was_made_for():
    basis = Basis("", 0.5, within=0.4, between=0.2, tasks=50)
    made = plan(basis, Aims(half_width=0.05, difference=0.1, failure_rate=0.05))
    assert [row.repeats for row in made.rows] == list(REPEATS)
    for row in made.rows:
        deviation = (0.2**2 / row.tasks_for_width + 0.4**2 / row.runs_for_width) ** 0.5
        assert 1.96 * deviation <= 0.05 * 1.001
    assert 1.96 * 0.4 / (50 * made.repeats_for_width) ** 0.5 <= 0.05
    assert made.runs_to_see == 59
    detectable = [row.detectable for row in made.rows]
    assert detectable == sorted(detectable, reverse=True)
    enough = (1.959964 + 0.841621) * 0.4 * (2 / (50 * made.repeats_for_difference)) ** 0.5
    assert enough <= 0.1


def test_more_repeats_never_need_more_tasks():
    made = plan(from_rates(0.5, 0.3, 10), Aims())
    tasks = [row.tasks_for_width for row in made.rows]
    assert tasks == sorted(tasks, reverse=True)
