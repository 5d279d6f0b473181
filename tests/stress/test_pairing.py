from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from benchaudit.stress.adversary import Adversary
from benchaudit.stress.environment import Target
from benchaudit.stress.loading import load_target
from benchaudit.stress.pairing import ARMS, Design, compare, mean_interval, paired_effect
from benchaudit.stress.schedules import ScheduleError, constant
from benchaudit.stress.trials import run_trials

QUEUE = Path(__file__).with_name("ticket_queue.py")


def test_a_design_with_unmatched_means_cannot_be_made(design: Design) -> None:
    with pytest.raises(ScheduleError, match="not matched"):
        replace(design, constant=Adversary(constant(0.6), design.constant.pressures))


def test_pairs_share_their_seed_and_differences_are_constant_minus_escalating(
    queue: Target, design: Design
) -> None:
    results = run_trials(queue, design.adversaries, design.trials("always-again"))
    found = compare(queue, results, ["resolved", "handled"])
    by_key = {(r.trial.arm, r.trial.seed): r.scores["resolved"] for r in results}
    differences = [by_key["constant", s] - by_key["escalating", s] for s in design.seeds]
    assert found.effect("resolved").delta == pytest.approx(sum(differences) / len(differences))
    assert set(found.vectors) == {"resolved", "handled"}
    assert found.arms["escalating"].deaths == sum(
        r.died for r in results if r.trial.arm == "escalating"
    )


def test_the_dose_that_was_given_is_reported_beside_the_nominal_one(
    queue: Target, design: Design
) -> None:
    results = run_trials(queue, design.adversaries, design.trials("always-again"))
    found = compare(queue, results, ["resolved", "handled"])
    assert found.arms["constant"].intensity == pytest.approx(0.5)
    assert found.arms["escalating"].intensity != pytest.approx(0.5)


def test_a_pair_that_raised_is_listed_and_left_out_of_every_figure(design: Design) -> None:
    fragile = load_target(f"{QUEUE}:FRAGILE")
    results = run_trials(fragile, design.adversaries, design.trials("always-again"))
    found = compare(fragile, results, ["broken"])
    missing = found.incomplete["broken"]
    assert set(missing.values()) == {"constant: RuntimeError: no such ticket"}
    assert found.effect("broken").n == len(design.seeds) - len(missing) > 0


def test_a_scorer_that_raises_takes_nothing_from_the_others(design: Design, queue: Target) -> None:
    fragile = load_target(f"{QUEUE}:FRAGILE")
    both = replace(fragile, scorers={**queue.scorers, **fragile.scorers})
    found = compare(
        both,
        run_trials(both, design.adversaries, design.trials("always-again")),
        ["resolved", "broken"],
    )
    assert not found.incomplete["resolved"]
    assert found.effect("resolved").n == len(design.seeds) > found.effect("broken").n
    assert all(found.arms[arm].episodes == len(design.seeds) for arm in ARMS)


def test_no_complete_pair_makes_no_effect(queue: Target, design: Design) -> None:
    failing = replace(queue, scorers={"broken": lambda _: 1 / 0})
    results = run_trials(failing, design.adversaries, design.trials("always-again"))
    found = compare(failing, results, ["broken"])
    assert not found.vectors
    assert len(found.incomplete["broken"]) == len(design.seeds)


def test_the_exact_p_stands_beside_the_drawn_one() -> None:
    effect = paired_effect([0.2, 0.4, -0.2, 0.2, 0.0], 0.2, "published")
    assert effect.exact
    assert effect.p_exact == 0.5  # 16 of the 32 sign patterns: a sum of 3 or more, either way
    assert effect.p == pytest.approx(effect.p_exact, abs=0.02)
    assert effect.cliffs == pytest.approx(0.4)


def test_the_two_conventions_differ_and_both_cover_the_mean() -> None:
    values = [0.1, 0.4, 0.2, 0.9, 0.3, 0.3, 0.8]
    published, standard = (mean_interval(values, c) for c in ("published", "standard"))
    assert published != standard
    for low, high in (published, standard):
        assert low < sum(values) / len(values) < high
