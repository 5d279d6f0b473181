from __future__ import annotations

import pytest

from tests.logs import build


def _trial(folder, name="fix__1", rewards=None, exception=None, **changes):
    verdict = None if rewards is None else {"rewards": rewards}
    trial = {
        "task_name": "org/fix",
        "trial_name": name,
        "source": "org/suite",
        "config": {"job_id": "j1", "agent": {"kwargs": {"cell": "x", "temperature": 0.2}}},
        "agent_info": {"name": "agent", "model_info": {"name": "m", "provider": "p"}},
        "verifier_result": verdict,
        "exception_info": exception,
        **changes,
    }
    return build.write_json(folder / name / "result.json", trial)


def _job(folder, total, **stats):
    metrics = {"agent__m__suite": {"n_trials": 0, "n_errors": 1, "metrics": [{"mean": 0.0}]}}
    stats = {"n_errored_trials": 1, "evals": metrics, **stats}
    return build.write_json(
        folder / "result.json", {"id": "j1", "n_total_trials": total, "stats": stats}
    )


def test_a_trial_is_a_run_for_each_of_its_rewards(tmp_path):
    runs, _ = build.read(_trial(tmp_path, rewards={"reward": 1.0, "style": 0.5}))
    assert {run.metric: run.score for run in runs} == {"reward": 1.0, "style": 0.5}
    run = runs[0]
    assert (run.task, run.model, run.scaffold, run.suite) == ("org/fix", "m", "agent", "org/suite")
    assert (run.batch, run.repeat, run.repeat_kind) == ("j1", "fix__1", "order")
    assert run.serving == ("p", "", "", '{"temperature": 0.2}')


def test_the_first_releases_had_a_single_reward(tmp_path):
    runs, _ = build.read(_trial(tmp_path, verifier_result={"reward": 1}))
    assert [(run.metric, run.score) for run in runs] == [("reward", 1.0)]


@pytest.mark.parametrize(
    ("kind", "outcome"), [("RuntimeError", "error"), ("AgentTimeoutError", "timeout")]
)
def test_an_exception_without_a_verdict_is_no_zero(tmp_path, kind, outcome):
    exception = {"exception_type": kind, "exception_message": "boom"}
    runs, _ = build.read(_trial(tmp_path, exception=exception))
    assert build.summary(runs) == [("org/fix", None, outcome)]
    assert runs[0].detail == f"{kind}: boom"


def test_a_timeout_that_was_judged_keeps_its_score(tmp_path):
    exception = {"exception_type": "AgentTimeoutError", "exception_message": ""}
    runs, _ = build.read(_trial(tmp_path, rewards={"reward": 1.0}, exception=exception))
    assert build.summary(runs) == [("org/fix", 1.0, "timeout")]


def test_a_trial_without_a_verdict_or_an_exception_is_unscored(tmp_path):
    runs, _ = build.read(_trial(tmp_path))
    assert build.summary(runs) == [("org/fix", None, "unscored")]


def test_a_job_folder_gives_its_trials_and_the_lost_ones(tmp_path):
    _job(tmp_path, total=3, n_running_trials=1)
    _trial(tmp_path, rewards={"reward": 0.0})
    runs, files = build.read(tmp_path)
    assert sorted(run.outcome.value for run in runs) == ["missing", "missing", "ok"]
    assert "over no scored trial: not a figure" in build.notes(files)
    assert "trials that run, wait or were cancelled" in build.notes(files)
