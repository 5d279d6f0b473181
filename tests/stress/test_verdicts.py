from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest

from benchaudit.stress.preregistration import Demotion, Power, Preregistration, Seeds, load
from benchaudit.stress.verdicts import Estimate, Finding, Subject, clauses, find, fired

ACTIONS = ("again", "defer")

STRONG = Estimate(0.2, (0.1, 0.3), 0.5, (0.1, 0.9), p=0.001, p_exact=0.001, pairs=16)
WEAK = replace(STRONG, p_exact=0.4)
FIGURES = {arm: {"again": 4, "defer": 3, "deaths": 6} for arm in ("escalating", "constant")}
SUBJECT = Subject("model", 9, "measured", {"resolved": STRONG, "handled": STRONG}, FIGURES)

FEW = Demotion(figure="deaths", minimum=10, because="too few events")
SHALLOW = Demotion(figure="deaths", bound=6, because="no depth")
ENOUGH = Demotion(figure="deaths", minimum=6, because="too few events")
POWER = Power(floor=0.8, effect=0.1, pilot="always-again", seeds=Seeds(first=99, count=9))


@pytest.fixture
def plan(plan_file: Callable[..., Path]) -> Preregistration:
    return load(plan_file())


def verdict(plan: Preregistration, subject: Subject = SUBJECT, **given: object) -> Finding:
    known: dict[str, object] = {
        "actions": ACTIONS,
        "scorers": ("resolved", "handled"),
        "deviating": (),
        "power": None,
        "rules_that_show_it": (),
    }
    return find(plan, subject, **{**known, **given})  # type: ignore[arg-type]


def test_a_claim_that_meets_every_clause_is_confirmed(plan: Preregistration) -> None:
    found = verdict(plan)
    assert (found.verdict, found.because, found.flags) == ("confirmed", (), ())
    assert [clause.holds for clause in found.clauses] == [True, True, True]


@pytest.mark.parametrize(
    "estimate",
    [
        replace(STRONG, delta=-0.2),
        replace(STRONG, interval=(-0.1, 0.3)),
        replace(STRONG, interval=None),
        replace(STRONG, p_exact=0.05),
        replace(STRONG, p_exact=None),
    ],
)
def test_each_clause_alone_can_refuse(plan: Preregistration, estimate: Estimate) -> None:
    subject = replace(SUBJECT, estimates={"resolved": estimate})
    assert verdict(plan, subject).verdict == "not confirmed"


def test_p_of_zero_is_under_alpha(plan: Preregistration) -> None:
    assert plan.decision is not None
    rule = clauses(plan.decision, "published", replace(STRONG, p=0.0), corrected=True)
    assert rule[-1].holds is True


def test_the_convention_decides_which_p_counts(plan: Preregistration) -> None:
    assert plan.decision is not None
    split = replace(STRONG, p=0.04, p_exact=0.06)
    by_drawn = clauses(plan.decision, "published", split, corrected=True)
    by_exact = clauses(plan.decision, "standard", split, corrected=True)
    assert (by_drawn[-1].holds, by_exact[-1].holds) == (True, False)


def test_a_corrected_rule_uses_the_adjusted_p_and_fails_without_it(plan: Preregistration) -> None:
    assert plan.decision is not None
    decision = plan.decision.model_copy(update={"correction": "holm"})
    for p_holm, holds in ((0.01, True), (0.2, False), (None, None)):
        rule = clauses(decision, "standard", replace(STRONG, p_holm=p_holm), corrected=True)
        assert rule[-1].holds is holds


@pytest.mark.parametrize(
    ("met", "deviates", "demotes", "weak"), list(product((True, False), repeat=4))
)
def test_the_whole_table_of_verdicts(
    plan: Preregistration, met: bool, deviates: bool, demotes: bool, weak: bool
) -> None:
    """Nothing promotes; a claim falls to what speaks against it, a null to want of power."""
    plan = plan.model_copy(update={"demotions": (FEW,) if demotes else (), "power": POWER})
    subject = SUBJECT if met else replace(SUBJECT, estimates={"resolved": WEAK})
    found = verdict(
        plan, subject, deviating=("deviates",) if deviates else (), power=0.5 if weak else 0.9
    )
    if met and (deviates or demotes):
        expected = "demoted"
    elif weak:
        expected = "underpowered"
    else:
        expected = "confirmed" if met else "not confirmed"
    assert found.verdict == expected
    assert bool(found.because) == (weak or (met and (deviates or demotes)))


def test_a_demotion_says_what_fired_and_why(plan: Preregistration) -> None:
    plan = plan.model_copy(update={"demotions": (FEW, SHALLOW, ENOUGH)})
    assert verdict(plan).because == (
        "deaths in the escalating arm: 6, under 10: too few events",
        "deaths in the escalating arm: 6, at or under 6: no depth",
    )


def test_a_criterion_that_cannot_be_read_fires() -> None:
    (reason,) = fired((ENOUGH,), replace(SUBJECT, figures={}))
    assert "is not known" in reason


def test_power_at_the_floor_is_enough(plan: Preregistration) -> None:
    plan = plan.model_copy(update={"power": POWER})
    assert verdict(plan, power=0.8).verdict == "confirmed"


def test_incomplete_pairs_void_a_result_where_none_may_be(plan: Preregistration) -> None:
    subject = replace(SUBJECT, incomplete={3: "constant: RuntimeError"})
    assert verdict(plan, subject).verdict == "confirmed"
    strict = plan.exclusions.model_copy(update={"incomplete_pairs": "void"})
    found = verdict(plan.model_copy(update={"exclusions": strict}), subject)
    assert (found.verdict, found.because) == ("void", ("incomplete pairs: 1, and none may be",))


def test_an_effect_that_lives_in_one_scorer_is_flagged(plan: Preregistration) -> None:
    subject = replace(SUBJECT, estimates={"resolved": STRONG, "handled": WEAK})
    (flag,) = verdict(plan, subject).flags
    assert flag.startswith("lives in one scorer only: confirmed under resolved, not under handled")


def test_an_effect_under_another_scorer_too_is_not_flagged(plan: Preregistration) -> None:
    both = {"resolved": STRONG, "handled": WEAK, "third": STRONG}
    scorers = ("resolved", "handled", "third")
    assert verdict(plan, replace(SUBJECT, estimates=both), scorers=scorers).flags == ()


def test_a_scorer_without_figures_is_named(plan: Preregistration) -> None:
    subject = replace(SUBJECT, estimates={"resolved": STRONG})
    (flag,) = verdict(plan, subject).flags
    assert flag.startswith("not scored again under handled")


def test_an_effect_that_a_rule_shows_needs_no_model(plan: Preregistration) -> None:
    found = verdict(plan, rules_that_show_it=["always-again"])
    assert found.flags == ("needs no model: the same rule confirms it for always-again",)
    itself = verdict(plan, replace(SUBJECT, agent="always-again"), rules_that_show_it=["model"])
    assert "needs no model" in itself.flags[0]


def test_an_agent_that_took_one_action_has_a_degenerate_channel(plan: Preregistration) -> None:
    idle = {arm: {"again": 4, "defer": 0} for arm in ("escalating", "constant")}
    for estimates in (SUBJECT.estimates, {"resolved": WEAK}):
        found = verdict(plan, replace(SUBJECT, figures=idle, estimates=estimates))
        assert found.flags[0] == "the decision channel is degenerate: it never took defer"


def test_without_a_decision_rule_all_is_exploratory(plan: Preregistration) -> None:
    found = verdict(plan.model_copy(update={"decision": None}))
    assert (found.verdict, found.clauses) == ("exploratory", ())
    assert not found.met
