from __future__ import annotations

import json

import pytest

from benchaudit.logs.runs import LogError
from tests.logs import build


def _row(task, reward, key="id", **changes):
    return {
        key: task,
        "prompt": [{"role": "user", "content": "?"}],
        "completion": [{"role": "assistant", "content": build.LONG}],
        "reward": reward,
        **changes,
    }


def _log(folder, rows, **metadata):
    if metadata:
        build.write_json(
            folder / "metadata.json", {"num_examples": 1, "rollouts_per_example": 2, **metadata}
        )
    return build.write_lines(folder / "results.jsonl", rows)


def test_rollouts_share_the_task_and_reward_functions_are_metrics(tmp_path):
    rows = [_row(0, 1.2, format=1.0, note=7), _row(0, 0.2, format=0.0, note=7)]
    _log(tmp_path / "e1", rows, model="gpt", env="net", avg_reward=0.7, avg_format=0.5)
    runs, files = build.read(tmp_path)
    assert [(r.metric, r.repeat, r.score) for r in runs] == [
        ("reward", "1", 1.2),
        ("format", "1", 1.0),
        ("reward", "2", 0.2),
        ("format", "2", 0.0),
    ]
    run = runs[0]
    assert (run.model, run.suite, run.batch, run.repeat_kind) == ("gpt", "net", "e1", "order")
    assert "metadata: read together" in build.notes(files)


def test_the_training_export_names_tasks_otherwise_and_keeps_text(tmp_path):
    rows = [
        _row("p1", 1.0, "problem_id", metrics=json.dumps({"exact": 1.0}), completion="[]", step=20),
        _row("p1", 0.0, "problem_id", metrics="not json", completion="[]", step=40),
    ]
    path = _log(tmp_path, rows, run={"base_model": "org/base"}, env="net")
    runs, _ = build.read(path)
    assert [(r.task, r.model, r.metric) for r in runs] == [
        ("p1", "org/base at step 20", "reward"),
        ("p1", "org/base at step 20", "exact"),
        ("p1", "org/base at step 40", "reward"),
    ]


def test_an_error_is_no_zero(tmp_path):
    runs, _ = build.read(_log(tmp_path, [_row(0, 0.0, error="boom")], model="m", env="e"))
    assert build.summary(runs)[-1] == ("0", None, "error")


def test_rollouts_that_the_metadata_count_are_missing(tmp_path):
    runs, _ = build.read(_log(tmp_path, [_row(0, 1.0)], model="m", env="e"))
    assert [run.outcome.value for run in runs] == ["ok", "missing"]


def test_rows_without_metadata_say_so(tmp_path):
    runs, files = build.read(_log(tmp_path, [_row(0, None)]))
    assert build.summary(runs) == [("0", None, "unscored")]
    assert "no metadata.json beside it" in build.notes(files)


def test_a_row_without_a_reward_is_told(tmp_path):
    path = _log(tmp_path, [_row(0, 1.0), {"id": 1}])
    with pytest.raises(LogError, match="line 2: not a rollout"):
        build.read(path)
