from __future__ import annotations

import pytest

from tests.logs import build


def _simulation(task, reward, trial=0, seed=7, reason="user_stop", **changes):
    return {
        "task_id": task,
        "trial": trial,
        "seed": seed,
        "termination_reason": reason,
        "reward_info": None if reward is None else {"reward": reward},
        "messages": [{"role": "user", "content": build.LONG, "timestamp": str(trial)}],
        **changes,
    }


def _log(simulations, tasks=("a",), trials=1):
    info = {
        "num_trials": trials,
        "agent_info": {
            "implementation": "llm_agent",
            "llm": "gemini/flash",
            "llm_args": {"temperature": 0.0},
        },
        "user_info": {"llm": "gemini/flash"},
        "environment_info": {"domain_name": "airline"},
    }
    return {
        "timestamp": "2025",
        "info": info,
        "tasks": [{"id": task} for task in tasks],
        "simulations": simulations,
    }


def test_simulations_are_runs_by_task_and_seed(tmp_path):
    log = _log([_simulation("a", 1.0), _simulation("a", 0.0, 1, 9)], trials=2)
    runs, _ = build.read(build.write_json(tmp_path / "a.json", log))
    assert [(r.task, r.repeat, r.repeat_kind, r.score) for r in runs] == [
        ("a", "7", "seed", 1.0),
        ("a", "9", "seed", 0.0),
    ]
    run = runs[0]
    assert (run.model, run.scaffold, run.suite) == ("gemini/flash", "llm_agent", "airline")
    assert run.serving == (
        "gemini",
        "",
        "",
        '{"temperature": 0.0, "user": "gemini/flash"}',
    )
    assert runs[0].output == runs[1].output != ""


@pytest.mark.parametrize(
    ("reason", "reward", "score", "outcome"),
    [
        ("user_stop", 1.0, 1.0, "ok"),
        ("max_steps", 0.0, 0.0, "ok"),
        ("too_many_errors", 0.0, 0.0, "ok"),
        ("timeout", None, None, "timeout"),
        ("agent_error", 0.0, 0.0, "error"),
        ("infrastructure_error", 0.0, None, "error"),
        ("user_stop", None, None, "unscored"),
    ],
)
def test_how_a_simulation_ended_is_kept_apart_from_its_reward(
    tmp_path, reason, reward, score, outcome
):
    log = _log([_simulation("a", reward, reason=reason)])
    runs, _ = build.read(build.write_json(tmp_path / "a.json", log))
    assert build.summary(runs) == [("a", score, outcome)]


def test_the_trial_stands_in_for_a_seed_that_is_null(tmp_path):
    log = _log([_simulation("a", 1.0, 3, None)])
    runs, _ = build.read(build.write_json(tmp_path / "a.json", log))
    assert (runs[0].repeat, runs[0].repeat_kind) == ("3", "trial")


def test_declared_trials_that_are_absent_are_missing(tmp_path):
    log = _log([_simulation("a", 1.0)], tasks=("a", "b"), trials=2)
    runs, _ = build.read(build.write_json(tmp_path / "a.json", log))
    missing = [(run.task, run.repeat) for run in runs if run.outcome == "missing"]
    assert missing == [("a", "1"), ("b", "0"), ("b", "1")]


def test_the_description_may_come_after_the_simulations(tmp_path):
    log = _log([_simulation("a", 1.0)])
    log["info"] = log.pop("info")
    runs, _ = build.read(build.write_json(tmp_path / "a.json", log))
    assert runs[0].model == "gemini/flash"
