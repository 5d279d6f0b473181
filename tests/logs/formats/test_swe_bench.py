from __future__ import annotations

import pytest

from benchaudit.logs.runs import LogError
from tests.logs import build

LISTS = {
    "no_generation": ["a", "a", "b"],
    "generated": ["c", "d", "e", "f"],
    "with_logs": ["c", "d", "e", "f"],
    "no_apply": [],
    "reset_failed": ["e"],
    "test_timeout": ["f"],
    "applied": ["c", "d"],
    "resolved": ["c"],
}


def test_lists_give_verdicts_and_the_split_gives_the_rest(tmp_path):
    path = build.write_json(tmp_path / "results_agent_gpt.json", LISTS)
    runs, files = build.read(path, instances=8)
    assert build.summary(runs) == [
        ("(unnamed 1 of results_agent_gpt.json)", None, "missing"),
        ("(unnamed 2 of results_agent_gpt.json)", None, "missing"),
        ("a", 0.0, "ok"),
        ("b", 0.0, "ok"),
        ("c", 1.0, "ok"),
        ("d", 0.0, "ok"),
        ("e", None, "error"),
        ("f", None, "timeout"),
    ]
    assert {run.model for run in runs} == {"agent_gpt"}
    assert "ids that are in no_generation more than once" in build.notes(files)


def test_without_logs_there_is_no_verdict(tmp_path):
    lists = {"no_generation": [], "no_logs": ["a"], "resolved": ["b"]}
    runs, _ = build.read(build.write_json(tmp_path / "results_x.json", lists), instances=2)
    assert build.summary(runs) == [("a", None, "unscored"), ("b", 1.0, "ok")]


def test_a_file_that_does_not_say_how_many_there_are_gives_no_rate(tmp_path):
    path = build.write_json(tmp_path / "results_x.json", LISTS)
    with pytest.raises(LogError, match=r"names 6 instances and not how many.*--instances"):
        build.read(path)
    with pytest.raises(LogError, match="give a larger --instances"):
        build.read(path, instances=5)


def _counts(resolved, unresolved=0, missing=0):
    return {
        "n_resolved_tests": resolved,
        "n_unresolved_tests": unresolved,
        "n_missing_tests": missing,
        "details": {},
    }


def test_tests_of_an_instance_give_a_share_and_a_verdict(tmp_path):
    tests = {"a": _counts(3), "b": _counts(1, 1, 2), "c": _counts(0)}
    runs, files = build.read(build.write_json(tmp_path / "gpt.json", tests))
    found = {(run.task, run.metric): run.score for run in runs}
    assert found == {
        ("a", "tests_resolved"): 1.0,
        ("a", "all_tests_resolved"): 1.0,
        ("b", "tests_resolved"): 0.25,
        ("b", "all_tests_resolved"): 0.0,
        ("c", "tests_resolved"): None,
        ("c", "all_tests_resolved"): None,
    }
    assert "instances without any test" in build.notes(files)


def test_a_file_in_which_no_test_ran_is_no_data(tmp_path):
    runs, files = build.read(build.write_json(tmp_path / "gpt.json", {"a": _counts(0)}))
    assert {run.score for run in runs} == {None}
    assert "no data, not 0 %" in build.notes(files)


def test_an_empty_object_is_no_data(tmp_path):
    path = build.write_json(tmp_path / "gpt.json", {})
    with pytest.raises(LogError, match="an empty document: no data"):
        build.read(path)
    runs, files = build.read(tmp_path)
    assert (runs, build.notes(files)) == ([], "an empty document: no data")
