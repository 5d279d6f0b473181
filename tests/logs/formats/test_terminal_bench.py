from __future__ import annotations

import pytest

from tests.logs import build


def _trial(task, resolved, mode="unset", run="r1"):
    return {
        "trial_name": f"{task}.1-of-1.{run}",
        "task_id": task,
        "is_resolved": resolved,
        "failure_mode": mode,
        "parser_results": None,
    }


def _run(path, trials):
    return build.write_json(
        path, {"id": "x", "results": trials, "pass_at_k": {}, "accuracy": 0.5, "n_resolved": 1}
    )


@pytest.mark.parametrize(
    ("resolved", "mode", "score", "outcome"),
    [
        (True, "unset", 1.0, "ok"),
        (False, "unset", 0.0, "ok"),
        (True, "agent_timeout", 1.0, "timeout"),
        (False, "agent_timeout", 0.0, "timeout"),
        (None, "test_timeout", None, "timeout"),
        (None, "parse_error", None, "unscored"),
        (None, "unknown_agent_error", None, "error"),
    ],
)
def test_how_a_trial_ended_is_kept_apart_from_its_verdict(tmp_path, resolved, mode, score, outcome):
    runs, _ = build.read(_run(tmp_path / "results.json", [_trial("a", resolved, mode)]))
    assert build.summary(runs) == [("a", score, outcome)]


@pytest.mark.parametrize("name", ["2025-08-27__22-13-13_results.json", "r_1_results.json"])
def test_a_submission_without_metadata_is_known_by_its_folder(tmp_path, name):
    folder = tmp_path / "20250829_goose_claude-4-opus"
    runs, files = build.read(_run(folder / name, [_trial("a", True, run="t1")]))
    run = runs[0]
    assert (run.scaffold, run.model, run.suite) == ("goose", "claude-4-opus", "terminal-bench")
    assert (run.batch, run.repeat, run.repeat_kind) == ("t1", "1", "order")
    assert "known from a folder's name only" in build.notes(files)


def test_metadata_name_the_model_and_the_tasks_that_are_missing(tmp_path):
    build.write_json(
        tmp_path / "run_metadata.json",
        {
            "dataset_name": "core",
            "agent_name": "droid",
            "model_name": "gpt",
            "task_ids": ["a", "b"],
        },
    )
    _run(tmp_path / "results.json", [_trial("a", True)])
    runs, _ = build.read(tmp_path)
    assert [(run.task, run.model, run.scaffold, run.outcome.value) for run in runs] == [
        ("a", "gpt", "droid", "ok"),
        ("b", "gpt", "droid", "missing"),
    ]


def test_a_trial_file_counts_once_beside_its_run_and_alone_without_it(tmp_path):
    trial = tmp_path / "a" / "a.1-of-1.r1" / "results.json"
    build.write_json(trial, _trial("a", True))
    assert build.summary(build.read(trial)[0]) == [("a", 1.0, "ok")]
    _run(tmp_path / "results.json", [_trial("a", True)])
    runs, files = build.read(tmp_path)
    assert build.summary(runs) == [("a", 1.0, "ok")]
    assert "counted there" in build.notes(files)
