from __future__ import annotations

import os
import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from benchaudit.stress.adversary import Adversary, Pressure
from benchaudit.stress.environment import Target
from benchaudit.stress.errors import CannotRunError, InputError
from benchaudit.stress.loading import load_target
from benchaudit.stress.pairing import Design
from benchaudit.stress.schedules import constant
from benchaudit.stress.trials import Trial, run_trials

QUEUE = Path(__file__).with_name("ticket_queue.py")


def trials(design: Design, seeds: int = 12) -> list[Trial]:
    return [
        Trial(rule, arm, seed, 9)
        for rule in ("always-again", "quota-aware")
        for arm in design.adversaries
        for seed in range(seeds)
    ]


def test_results_do_not_depend_on_order(queue: Target, design: Design) -> None:
    ordered = trials(design)
    shuffled = random.Random(1).sample(ordered, len(ordered))
    by_trial = {r.trial: r for r in run_trials(queue, design.adversaries, shuffled, digests=True)}
    again = run_trials(queue, design.adversaries, ordered, digests=True)
    assert again == [by_trial[trial] for trial in ordered]


def test_results_do_not_depend_on_the_number_of_jobs(queue: Target, design: Design) -> None:
    many = trials(design, seeds=300)
    one = run_trials(queue, design.adversaries, many, digests=True)
    assert run_trials(queue, design.adversaries, many, digests=True, jobs=2) == one


def test_jobs_need_a_target_that_another_process_can_load(queue: Target, design: Design) -> None:
    nameless = replace(queue, ref="")
    with pytest.raises(InputError, match="more than one job needs a target given by name"):
        run_trials(nameless, design.adversaries, trials(design, seeds=300), jobs=2)


def test_an_error_is_an_outcome_and_never_a_zero(design: Design) -> None:
    fragile = load_target(f"{QUEUE}:FRAGILE")
    results = run_trials(fragile, design.adversaries, trials(design))
    raised = [r for r in results if r.unscored]
    assert raised and len(raised) < len(results)
    assert {r.missing("broken") for r in raised} == {"RuntimeError: no such ticket"}
    assert not any(r.scores for r in raised)


@pytest.mark.parametrize("value", [float("nan"), float("inf"), None, "1.0?"])
def test_a_score_that_is_no_finite_number_is_no_score(
    queue: Target, design: Design, value: Any
) -> None:
    odd = replace(queue, scorers={"odd": lambda _: value})
    (result,) = run_trials(odd, design.adversaries, [Trial("always-again", "constant", 0)])
    assert not result.scores
    assert result.missing("odd")


def test_an_environment_that_does_not_open_could_not_run(queue: Target, design: Design) -> None:
    shut = replace(queue, start=lambda _: 1 / 0)  # type: ignore[arg-type, return-value]
    with pytest.raises(CannotRunError, match="no episode can be opened: ZeroDivisionError"):
        run_trials(shut, design.adversaries, trials(design))


def test_a_policy_that_answers_nonsense_errs_alone(
    queue: Target, design: Design, tmp_path: Path
) -> None:
    (tmp_path / "mine.py").write_text("def cry(observation): return 'help'\n", encoding="utf-8")
    wanted = [Trial("mine.py:cry", "constant", 1, 9), Trial("always-again", "constant", 1, 9)]
    crying, steady = run_trials(queue, design.adversaries, wanted, base=tmp_path)
    assert "PolicyError: the policy answered 'help'" in crying.error
    assert not steady.error


def test_an_intent_that_cannot_be_realised_is_refused_before_anything_runs(queue: Target) -> None:
    adversary = Adversary(constant(0.5), (Pressure("duplicate"),))
    with pytest.raises(InputError, match="cannot realise duplicate; it realises budget, drop"):
        run_trials(queue, {"constant": adversary}, [Trial("always-again", "constant", 0)])


def test_an_unknown_scorer_names_the_known_ones(queue: Target, design: Design) -> None:
    with pytest.raises(InputError, match="no scorer 'beauty'; it has resolved, handled"):
        run_trials(queue, design.adversaries, trials(design), ["beauty"])


def test_a_worker_that_dies_ends_the_run_with_a_reason(design: Design, tmp_path: Path) -> None:
    (tmp_path / "deadly.py").write_text(
        "import os, importlib.util\n"
        f"spec = importlib.util.spec_from_file_location('q', {str(QUEUE)!r})\n"
        "q = importlib.util.module_from_spec(spec)\n"
        "import sys; sys.modules['q'] = q\n"
        "spec.loader.exec_module(q)\n"
        "from dataclasses import replace\n"
        f"HOST = {os.getpid()}\n"
        "def start(seed):\n"
        "    if os.getpid() != HOST: os._exit(9)\n"
        "    return q.Desk(seed)\n"
        "TARGET = replace(q.TARGET, start=start)\n",
        encoding="utf-8",
    )
    deadly = load_target(f"{tmp_path / 'deadly.py'}:TARGET")
    with pytest.raises(CannotRunError, match="a worker process died"):
        run_trials(deadly, design.adversaries, trials(design, seeds=300), jobs=2)


def test_counts_agree_with_the_trace(queue: Target, design: Design) -> None:
    for result in run_trials(queue, design.adversaries, trials(design)):
        assert result.attempts == result.successes + result.failures
        assert sum(result.actions.values()) == result.failures
        assert 0 <= result.intensity <= 1
