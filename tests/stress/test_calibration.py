from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from benchaudit.stress import decisions
from benchaudit.stress.adversary import Adversary
from benchaudit.stress.calibration import Calibration, calibrate, usage
from benchaudit.stress.environment import Target
from benchaudit.stress.pairing import Design
from benchaudit.stress.trials import run_trials

HERE = Path(__file__).parent


def run(queue: Target, design: Design, quotas: Sequence[int | None] = (9,)) -> Calibration:
    return calibrate(queue, [replace(design, quota=q) for q in quotas], "resolved")


def quiet(design: Design) -> Design:
    return replace(
        design,
        escalating=Adversary(design.escalating.schedule, ()),
        constant=Adversary(design.constant.schedule, ()),
    )


def test_a_queue_that_can_be_put_off_is_a_live_decision(queue: Target, design: Design) -> None:
    found = run(queue, design)
    assert found.alive
    assert found.sensitive > 0
    assert found.usage["quota-aware"].used == ("again", "defer")
    assert found.usage["always-again"].used == ("again",)


def test_every_episode_has_one_sense(queue: Target, design: Design) -> None:
    for row in run(queue, design, (6, 9, None)).slack:
        assert sum(row.senses.values()) == len(design.seeds)
        assert row.regret <= row.stake + 1e-12


def test_a_scorer_that_does_not_depend_on_the_decision_makes_it_degenerate(
    queue: Target, design: Design
) -> None:
    flat = replace(queue, scorers={"resolved": lambda _: 1.0})
    found = run(flat, design)
    assert not found.alive
    assert found.finding == "degenerate: whatever is decided, the score is the same"


def test_no_failure_leaves_nothing_to_decide(queue: Target, design: Design) -> None:
    found = run(queue, quiet(design))
    assert not found.alive
    assert found.finding.startswith("no attempt failed")


def test_rules_that_use_one_action_alone_do_not_make_a_decision_alive(
    queue: Target, design: Design
) -> None:
    found = run(queue, design)
    stubborn = replace(found, usage={"always-again": found.usage["always-again"]})
    assert not stubborn.alive
    assert stubborn.finding == "degenerate: no rule uses more than one action"


def test_what_cannot_be_tried_is_not_known(
    queue: Target, design: Design, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(decisions, "PATH_LIMIT", 1)
    found = run(queue, design)
    assert found.finding.startswith("not known: ")


def test_an_episode_that_raises_is_not_known_either(queue: Target, design: Design) -> None:
    failing = replace(queue, scorers={"resolved": lambda _: 1 / 0})
    found = run(failing, design)
    assert found.slack[0].senses["error"] == len(design.seeds)
    assert found.usage["always-again"].errors == 2 * len(design.seeds)
    assert not found.alive


def test_a_users_rule_is_calibrated_with_the_standard_ones(queue: Target, design: Design) -> None:
    rule = "ticket_queue.py:impatient"
    found = calibrate(queue, [design], "resolved", [rule], base=HERE)
    assert found.usage[rule].actions == found.usage["always-defer"].actions


def test_usage_counts_what_each_agent_did(queue: Target, design: Design) -> None:
    results = run_trials(queue, design.adversaries, design.trials("always-again"))
    used = usage(results, ("again", "defer"), "resolved")
    assert used.episodes == 2 * len(design.seeds)
    assert used.actions["defer"] == 0
    assert used.used == ("again",)
