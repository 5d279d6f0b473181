"""The judge where the recorded submissions do not reach."""

from __future__ import annotations

import json

import pytest

from adapters.comtradebench.adapter import compose, work
from adapters.comtradebench.judge import FAILURES, judge
from adapters.comtradebench.table import write_lines
from adapters.comtradebench.tasks import tasks

TASK = next(task for task in tasks(None) if task.id == "T3_duplicates")
PAYLOAD = compose(TASK, work(TASK)).payload
DATA, METADATA, LOG = write_lines(PAYLOAD["records"]), json.dumps(PAYLOAD["report"]), PAYLOAD["log"]


@pytest.mark.parametrize(
    ("files", "points"),
    [((None, METADATA, LOG), 6.7), ((DATA, None, None), 3.3), ((None, None, None), 0.0)],
)
def test_a_missing_file_leaves_only_points_for_the_others(
    files: tuple[str | None, str | None, str | None], points: float
) -> None:
    verdict = judge(TASK.id, *files)
    assert verdict.score == points
    assert verdict.errors
    assert sum(verdict.breakdown.values()) == pytest.approx(points, abs=0.05)


def test_metadata_that_is_not_json_scores_nothing() -> None:
    verdict = judge(TASK.id, DATA, "{", LOG)
    assert (verdict.score, verdict.reward) == (0.0, 0.0)
    assert "not JSON" in verdict.errors[0]


@pytest.mark.parametrize(
    "change",
    [
        {"query": None},
        {"query": ["a"]},
        {"task_id": []},
        {"execution_time_seconds": None},
        {"execution_time_seconds": "fast"},
        {"dedup_key": [[], [], []]},
    ],
)
def test_types_that_the_release_fails_on_fail_here(change: dict[str, object]) -> None:
    with pytest.raises(FAILURES):
        judge(TASK.id, DATA, json.dumps({**PAYLOAD["report"], **change}), LOG)


@pytest.mark.parametrize(("seconds", "efficiency"), [(0, 15), (45, 15), (45.1, 12), (-1, 15)])
def test_only_slow_runs_lose_points_for_time(seconds: float, efficiency: float) -> None:
    report = {**PAYLOAD["report"], "execution_time_seconds": seconds}
    verdict = judge(TASK.id, DATA, json.dumps(report), LOG)
    assert verdict.breakdown["efficiency"] == efficiency


@pytest.mark.parametrize(("requests", "efficiency"), [(3, 15), (4, 11), (5, 7), (6, 3), (99, 3)])
def test_requests_over_the_baseline_cost_in_proportion(requests: int, efficiency: float) -> None:
    report = {**PAYLOAD["report"], "request_count": requests}
    verdict = judge(TASK.id, DATA, json.dumps(report), LOG)
    assert verdict.breakdown["efficiency"] == efficiency


def test_a_reward_is_the_score_of_a_hundred_and_never_above_one() -> None:
    assert judge(TASK.id, DATA, METADATA, LOG).reward == 0.987
