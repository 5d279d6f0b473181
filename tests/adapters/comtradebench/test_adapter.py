"""The four hooks: the oracle's submissions under the judge and under the truth."""

from __future__ import annotations

import ast
import sys
from pathlib import Path
from typing import Any

import pytest

from adapters.comtradebench import adapter
from adapters.comtradebench.adapter import ADAPTER, compose, compose_with_log, misreport, score
from adapters.comtradebench.agents import AGENTS, made_up
from adapters.comtradebench.agents import View as AgentView
from adapters.comtradebench.report import Trace
from adapters.comtradebench.tasks import spec, tasks, truth
from benchaudit import packs
from benchaudit.hooks import Submission, Task, Unsupported

TASKS = {task.id: task for task in tasks(None)}
T2, T3 = TASKS["T2_multi_page"], TASKS["T3_duplicates"]


def fabricated(task: Task) -> list[dict[str, Any]]:
    return made_up(AgentView(total_rows=spec(task.id).rows), Trace(task.id), [])


A10_COLUMNS = (
    *("correctness", "completeness", "robustness"),
    *("efficiency", "data_quality", "observability"),
)
TABLE_A10 = {
    "empty": (18, 15, 15, 7.5, 5, 4.335, 0.648, 0),
    "fabricated": (30, 15, 15, 15, 15, 8.67, 0.987, 0),
    "correct": (30, 15, 15, 15, 15, 8.67, 0.987, 1),
}


@pytest.mark.parametrize("style", ["info", "harness"])
@pytest.mark.parametrize("kind", TABLE_A10)
def test_the_judge_probe_on_t2_is_the_published_one(kind: str, style: str) -> None:
    records = {"empty": [], "fabricated": fabricated(T2), "correct": adapter.work(T2)}[kind]
    submission = compose_with_log(T2, records, style)
    judged = score(T2, submission, "judge")
    got = (*(judged.breakdown[name] for name in A10_COLUMNS), judged.value)
    assert (*got, score(T2, submission, "f1").value) == TABLE_A10[kind]


@pytest.mark.parametrize(
    ("kind", "value"), [("fabricated", 0.98), ("correct", 0.98), ("empty", 0.645)]
)
def test_the_judge_probe_on_t3_is_the_published_one(kind: str, value: float) -> None:
    records = {"empty": [], "fabricated": fabricated(T3), "correct": adapter.work(T3)}[kind]
    assert score(T3, compose_with_log(T3, records, "plain"), "judge").value == value


def test_the_info_log_has_five_lines() -> None:
    log = compose_with_log(T2, [], "info").payload["log"]
    assert len(log.splitlines()) == 5
    assert all(line.startswith("INFO ") for line in log.splitlines())


@pytest.mark.parametrize("task_id", TASKS)
def test_the_canonical_submission_is_complete_and_true(task_id: str) -> None:
    task = TASKS[task_id]
    submission = compose(task, adapter.work(task))
    assert score(task, submission, "f1").value == score(task, submission, "coverage").value == 1.0
    assert adapter.quality(task, submission) == 1.0
    breakdown = score(task, submission, "judge").breakdown
    assert breakdown["correctness"] == 30
    assert breakdown["efficiency"] == 15


@pytest.mark.parametrize("task_id", TASKS)
def test_a_contradictory_self_report_costs_and_fabrication_does_not(task_id: str) -> None:
    task = TASKS[task_id]
    work = adapter.work(task)
    canonical, denied, invented = (
        score(task, submission, "judge").value
        for submission in (
            compose(task, work),
            misreport(task, work),
            compose(task, fabricated(task)),
        )
    )
    assert canonical - denied > 0.35
    assert canonical == invented
    assert adapter.quality(task, misreport(task, work)) == 1.0


def test_the_report_tells_the_truth_about_the_records() -> None:
    report = compose(T3, [{"a": 1, "b": 2}, None]).payload["report"]
    assert (report["row_count"], report["schema"]) == (2, ["a", "b"])


def test_composing_leaves_the_work_alone() -> None:
    work = adapter.work(T3)
    before = [dict(row) for row in work]
    submission = compose(T3, work)
    submission.payload["records"].clear()
    submission.payload["report"]["query"].clear()
    assert [dict(row) for row in work] == before
    assert compose(T3, work).payload["report"]["query"]
    assert len(truth(T3.id)) == 25


def test_f1_reports_both_readings() -> None:
    work = [{**row, "qty": -1} for row in adapter.work(T3)]
    result = score(T3, compose(T3, work), "f1")
    assert (result.value, result.breakdown["f1_by_id"]) == (0.0, 1.0)


def test_coverage_sees_no_duplicates_and_no_inventions() -> None:
    work = adapter.work(T3)
    assert score(T3, compose(T3, [*work, *work, {}]), "coverage").value == 1.0


def test_submissions_are_scored_against_the_truth_of_their_seed() -> None:
    seeded = Task(T3.id, "records", 4)
    submission = compose(seeded, adapter.work(seeded))
    assert score(seeded, submission, "f1").value == 1.0
    assert score(T3, submission, "f1").value == 0.0


@pytest.mark.parametrize(
    "payload",
    [None, [], {"records": []}, {"records": "x", "report": {}, "log": ""}],
)
@pytest.mark.parametrize("scorer", ["judge", "f1"])
def test_a_payload_of_another_shape_is_not_scored(payload: Any, scorer: str) -> None:
    with pytest.raises(Unsupported, match="not a submission of records"):
        score(T3, Submission(payload), scorer)


def test_what_is_not_json_cannot_be_handed_in() -> None:
    submission = Submission({"records": [{"a": b"x"}], "report": {}, "log": ""})
    with pytest.raises(Unsupported, match="bytes"):
        score(T3, submission, "judge")


@pytest.mark.parametrize("report", [None, "text", [1], {"query": None}, {"schema": 3}])
def test_an_odd_report_is_judged_and_never_raises(report: Any) -> None:
    odd: list[Any] = [None, 7, {"year": [1]}, {"qty": float("nan")}]
    result = score(T3, Submission({"records": odd, "report": report, "log": ""}), "judge")
    assert 0.0 <= result.value < 0.5


def test_an_unknown_scorer_is_a_mistake() -> None:
    with pytest.raises(ValueError, match="no scorer 'f2'; there are judge, f1 and coverage"):
        score(T3, compose(T3, []), "f2")


def test_the_pack_loads_as_any_other() -> None:
    loaded = packs.load_adapter(packs.find("adapters", "comtradebench"))
    assert loaded.ownership is not None
    assert loaded.ownership.agents == ADAPTER.ownership.agents == tuple(AGENTS)  # type: ignore[union-attr]
    assert [task.id for task in loaded.tasks(None)] == list(TASKS)


def test_the_hooks_import_the_standard_library_and_the_public_api_only() -> None:
    folder = Path(adapter.__file__).parent
    pending, seen = ["adapter"], set()
    while pending:
        name = pending.pop()
        seen.add(name)
        for node in ast.walk(ast.parse((folder / f"{name}.py").read_text())):
            if isinstance(node, ast.ImportFrom) and node.level:
                module = str(node.module)
                pending += [module] if module not in seen else []
            elif isinstance(node, ast.ImportFrom):
                module = str(node.module)
                assert (
                    module == "benchaudit.hooks" or module.split(".")[0] in sys.stdlib_module_names
                )
            elif isinstance(node, ast.Import):
                assert all(a.name in sys.stdlib_module_names for a in node.names)
    assert len(seen) == 11
