from __future__ import annotations

import pytest

from benchaudit.logs.runs import LogError
from tests.logs import build


def _record(task, reward, trial=0, **changes):
    traj = [{"role": "user", "content": build.LONG + str(task)}]
    info = {"task": {}, "reward_info": {"reward": reward}}
    return {
        "task_id": task,
        "reward": reward,
        "info": info,
        "traj": traj,
        "trial": trial,
        **changes,
    }


def test_records_are_runs_by_task_and_trial(tmp_path):
    path = build.write_json(tmp_path / "gpt.json", [_record(0, 1.0), _record(0, 0.0, 1)])
    runs, files = build.read(path)
    assert [(r.task, r.repeat, r.repeat_kind, r.score) for r in runs] == [
        ("0", "0", "trial", 1.0),
        ("0", "1", "trial", 0.0),
    ]
    assert (runs[0].model, runs[0].metric, runs[0].place) == ("gpt", "reward", "element 0")
    assert "known from the file's name only" in build.notes(files)


def test_an_errored_record_is_no_failure(tmp_path):
    error = {"error": "EOF when reading a line", "traceback": "..."}
    rows = [_record(0, 0.0), _record(1, 0.0, info=error, traj=[])]
    runs, _ = build.read(build.write_json(tmp_path / "a.json", rows))
    assert build.summary(runs) == [("0", 0.0, "ok"), ("1", None, "error")]


def test_fractional_rewards_are_kept(tmp_path):
    runs, _ = build.read(build.write_json(tmp_path / "a.json", [_record(0, 0.4)]))
    assert runs[0].score == 0.4


def test_the_harness_file_name_gives_model_scaffold_and_temperature(tmp_path):
    name = "tool-calling-gpt-4o-2024-0.7_range_0--1_user-gpt-4o-llm_0920120000.json"
    runs, _ = build.read(build.write_json(tmp_path / name, [_record(0, 1.0)]))
    run = runs[0]
    assert (run.model, run.scaffold) == ("gpt-4o-2024", "tool-calling")
    assert run.serving.sampling == '{"temperature": 0.7, "user": "gpt-4o-llm"}'


def test_a_record_without_a_task_is_told_or_left_out(tmp_path):
    path = build.write_json(tmp_path / "a.json", [_record(0, 1.0), {"reward": 1.0, "info": {}}])
    with pytest.raises(LogError, match="element 1: not a tau-bench record"):
        build.read(path)
    runs, _ = build.read(path, partial=True)
    assert len(runs) == 1
