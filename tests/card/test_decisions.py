"""The rules on episodes: who owns a decision, what a budget costs, what the 2×2 hides."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from benchaudit.card.decisions import decision_table
from benchaudit.card.model import Item
from benchaudit.evidence import Evidence
from tests.card.build import (
    BROKEN,
    EARNS,
    FACTS,
    SILENT,
    all_pass,
    change,
    column,
    drop,
    episode,
    is_agent,
    is_probe,
    item,
    manifest,
)

RETRY, SKIP = "careful retry=retry", "careful retry=skip"


def owned_by(owner: str) -> list[Evidence]:
    """Every step of the episodes at the column's level, in somebody else's hand."""
    return [
        replace(r, steps={step.replace(":model", f":{owner}"): n for step, n in r.steps.items()})
        for r in all_pass()
    ]


def same_whatever_the_agent_says(records: Sequence[Evidence]) -> list[Evidence]:
    """What a harness that decides by itself hands in."""
    return [
        episode(r.agent, r.task, r.seed, 1.0, steps={"retry:retry:harness": 1}, repeat=r.repeat)
        if r.agent and r.task == "t1" and r.budget is None
        else r
        for r in records
    ]


# -- ownership -----------------------------------------------------------------------------------


def test_harness_that_decides_alone_fails_ownership() -> None:
    found = item("ownership", same_whatever_the_agent_says(all_pass()))
    assert found.verdict == "fail"
    assert "the harness holds 1 of 1 claimed decision (retry)" in found.reason.lower()
    assert "changes no submission" in found.reason
    assert found.deviations == {"retry": 2}
    assert found.figures["held by the harness"] == 1
    assert [e.agent for e in found.examples] == [RETRY, SKIP]


def test_submissions_decide_against_a_trace_that_says_model() -> None:
    same = same_whatever_the_agent_says(all_pass())
    records = [replace(r, steps={"retry:retry:model": 1}) if r.steps else r for r in same]
    found = item("ownership", records)
    assert found.verdict == "fail"
    assert found.figures["declared otherwise"] == 1


def test_a_trace_with_both_owners_is_shared_and_fails() -> None:
    records = change(all_pass(), is_agent(RETRY), steps={"retry:retry:harness": 1})
    found = item("ownership", records)
    assert found.verdict == "fail"
    assert found.figures["shared"] == 1
    assert "Not the model's alone: retry" in found.reason


def test_a_trace_that_says_harness_though_forcing_matters_is_not_called_idle() -> None:
    found = item("ownership", owned_by("harness"))
    assert found.verdict == "fail"
    assert "changes no submission" not in found.reason


def test_one_pair_that_differs_makes_the_decision_the_models() -> None:
    records = [r for r in all_pass() if not (r.agent == SKIP and r.seed == 1)]
    records.append(episode(SKIP, "t1", 1, 1.0, steps={"retry:skip:model": 1}))
    assert item("ownership", records).verdict == "pass"


def test_decision_that_no_episode_reached_is_not_probed() -> None:
    records = [replace(r, steps={}) for r in all_pass()]
    found = item("ownership", records)
    assert (found.verdict, found.figures["without executed evidence"]) == ("not probed", 1)
    assert "retry" in found.reason


def test_forced_episodes_that_cannot_be_had_are_not_probed_with_the_reason() -> None:
    for fields in (SILENT, BROKEN):
        records = change(all_pass(), is_agent(SKIP), **fields)
        found = item("ownership", records)
        assert found.verdict == "not probed"
        assert str(fields["detail"]) in found.reason


def test_a_fail_outweighs_a_decision_that_was_not_reached() -> None:
    more = {**FACTS["decisions"], "stop": {**FACTS["decisions"]["retry"], "title": "stopping"}}
    found = item("ownership", same_whatever_the_agent_says(all_pass()), manifest(decisions=more))
    assert found.verdict == "fail"
    passing = item("ownership", all_pass(), manifest(decisions=more))
    assert (passing.verdict, "stop" in passing.reason) == ("not probed", True)


def test_only_claimed_decisions_count() -> None:
    unclaimed = {"retry": {**FACTS["decisions"]["retry"], "claimed": ""}}
    found = item(
        "ownership", same_whatever_the_agent_says(all_pass()), manifest(decisions=unclaimed)
    )
    assert (found.verdict, found.cells) == ("not probed", 0)


def test_declared_map_alone_is_no_evidence() -> None:
    episodes = [r for r in all_pass() if r.probe]
    assert item("ownership", episodes).verdict == "not probed"
    found = item("ownership", episodes, manifest({"scaffold": ""}))
    assert found.verdict == "not probed"
    assert "declared only" in found.reason


def test_nothing_handed_in_is_a_different_submission() -> None:
    same = same_whatever_the_agent_says(all_pass())
    withheld = {"outcome": "unsubmitted", "digest": "", "score": 0.0}
    records = change(same, is_agent(SKIP), steps={"retry:skip:model": 1}, **withheld)
    records = change(records, is_agent(RETRY), steps={"retry:retry:model": 1})
    assert item("ownership", records).verdict == "pass"


def test_identical_pairs_of_agents_are_counted() -> None:
    figures = item("ownership", all_pass()).figures
    assert figures["agent pairs"] == 5
    assert figures["agent pairs with identical submissions"] == 0
    same = item("ownership", same_whatever_the_agent_says(all_pass())).figures
    assert same["agent pairs with identical submissions"] == 2


def test_other_scaffolds_do_not_enter() -> None:
    elsewhere = [replace(r, scaffold="full") for r in same_whatever_the_agent_says(all_pass())]
    assert item("ownership", all_pass() + elsewhere).verdict == "pass"


def test_actions_may_hold_any_text() -> None:
    odd = "skip: page 3: of 4"
    records = change(all_pass(), is_agent("hasty"), steps={f"retry:{odd}:model": 1})
    assert item("ownership", records).verdict == "pass"
    found = item("non-degeneracy", records)
    assert found.figures["retry: actions taken"] == 2


def without_level(scaffold: str) -> dict[str, Any]:
    """A second claimed decision, which does not arise at one scaffold."""
    retry = FACTS["decisions"]["retry"]
    levels = {name: held for name, held in retry["levels"].items() if name != scaffold}
    return {"retry": retry, "stop": {**retry, "title": "stopping", "levels": levels}}


def test_decision_that_does_not_arise_at_the_level_is_not_asked_of_it() -> None:
    found = item("ownership", all_pass(), manifest(decisions=without_level("bare")))
    assert (found.verdict, found.figures["claimed decisions"]) == ("pass", 1)
    asked = item("ownership", all_pass(), manifest(decisions=without_level("full")))
    assert (asked.verdict, asked.figures["claimed decisions"]) == ("not probed", 2)


def table(records: Sequence[Evidence], **facts: Any) -> list[list[Any]]:
    found = decision_table(manifest(**facts), records)
    assert found is not None
    return [list(row) for row in found.rows]


def test_table_sets_the_declared_owner_beside_the_one_that_episodes_show() -> None:
    full = [
        episode(f"careful retry={action}", "t1", 0, 1.0, scaffold="full", steps=steps)
        for action, steps in (("retry", {"retry:retry:harness": 1}), ("skip", {"retry:retry:x": 1}))
    ]
    assert table([*all_pass(), *full]) == [
        ["retry", "full", "harness", "harness", 1, 0, "loop.py"],
        ["retry", "bare", "model", "model", 2, 2, "loop.py"],
    ]
    assert table(all_pass())[0] == ["retry", "full", "harness", "not probed", 0, 0, "loop.py"]


def test_table_takes_measured_first_runs_alone() -> None:
    bare = ["retry", "bare", "model", "not probed", 0, 0, "loop.py"]
    for fields in ({"origin": "published"}, {"repeat": 1}, {"budget": 5}):
        assert table([replace(r, **fields) for r in all_pass()])[1] == bare
    assert decision_table(manifest(decisions={}), all_pass()) is None


# -- non-degeneracy ------------------------------------------------------------------------------


def test_agents_that_only_ever_take_one_action_are_degenerate() -> None:
    records = [r for r in all_pass() if not r.agent.startswith("hasty")]
    found = item("non-degeneracy", records)
    assert found.verdict == "fail"
    assert found.reason == "Retry is only ever taken one way."


def test_forced_actions_do_not_count_as_taken() -> None:
    always = change(all_pass(), is_agent("hasty"), steps={"retry:retry:model": 1})
    found = item("non-degeneracy", always)
    assert (found.verdict, found.figures["retry: actions taken"]) == ("fail", 1)


def test_decision_that_changes_the_submission_and_no_score_is_degenerate() -> None:
    records = change(all_pass(), is_agent(SKIP), score=1.0)
    found = item("non-degeneracy", records)
    assert found.verdict == "fail"
    assert "changes no outcome" in found.reason
    assert item("ownership", records).verdict == "pass"


@pytest.mark.parametrize(("score", "verdict"), [(0.98, "pass"), (0.99, "fail")])
def test_outcome_changes_by_more_than_the_resolution(score: float, verdict: str) -> None:
    records = change(all_pass(), is_agent(SKIP), score=score)
    assert item("non-degeneracy", records).verdict == verdict


def test_level_without_a_decision_of_the_agent_is_not_probed() -> None:
    found = item("non-degeneracy", same_whatever_the_agent_says(all_pass()))
    assert (found.verdict, found.reason) == (
        "not probed",
        "The agent owns no decision at this level.",
    )


def test_declared_decision_of_the_agent_that_was_not_reached_is_not_probed() -> None:
    stop = {**FACTS["decisions"]["retry"], "title": "stopping", "claimed": ""}
    facts = manifest(decisions={**FACTS["decisions"], "stop": stop})
    found = item("non-degeneracy", all_pass(), facts)
    assert (found.verdict, found.reason) == ("not probed", "No episode reached stop.")
    assert item("ownership", all_pass(), facts).verdict == "pass"


def test_actions_of_the_harness_are_not_the_agents() -> None:
    records = change(all_pass(), is_agent("hasty"), steps={"retry:skip:harness": 1})
    assert item("non-degeneracy", records).figures["retry: actions taken"] == 1


@pytest.mark.parametrize(
    ("ownership", "degeneracy", "claim"),
    [
        ("pass", "pass", "model-capability"),
        ("pass", "fail", "model-scaffold"),
        ("fail", "not probed", "model-scaffold"),
    ],
)
def test_ownership_in_the_claim_is_the_worse_of_the_two(
    ownership: str, degeneracy: str, claim: str
) -> None:
    records = {
        "model-capability": all_pass(),
        "model-scaffold": same_whatever_the_agent_says(all_pass())
        if ownership == "fail"
        else change(all_pass(), is_agent(SKIP), score=1.0),
    }[claim]
    found = column(records)
    assert found.item("ownership").verdict == ownership
    assert found.item("non-degeneracy").verdict == degeneracy
    assert found.claim.id == claim


# -- interface floor -----------------------------------------------------------------------------


def floor(records: Sequence[Evidence], **facts: Any) -> Item:
    return item("interface-floor", records, manifest(**facts))


@pytest.mark.parametrize(
    ("score", "verdict"), [(1.0, "pass"), (0.99, "pass"), (0.98, "fail"), (0.0, "fail")]
)
def test_ideal_agent_reaches_the_canonical_score_within_the_budget(
    score: float, verdict: str
) -> None:
    found = floor(change(all_pass(), is_agent("careful", budget=100), score=score))
    assert found.verdict == verdict
    assert found.figures["t1 at 100 tokens"] == score
    assert found.figures["t1 without a budget"] == 1.0


def test_more_than_the_canonical_score_reaches_it() -> None:
    records = change(all_pass(), is_agent("careful", task="t1", budget=100), score=1.2)
    assert floor(records).verdict == "pass"
    records = change(records, is_agent("careful", task="t1", seed=None, budget=None), score=1.2)
    assert floor(records).verdict == "pass"


def test_nothing_handed_in_for_want_of_budget_is_a_fail() -> None:
    withheld = {"outcome": "unsubmitted", "digest": "", "score": 0.0}
    assert floor(change(all_pass(), is_agent("careful", budget=100), **withheld)).verdict == "fail"


def test_control_that_falls_short_itself_leaves_the_floor_unprobed() -> None:
    records = change(all_pass(), is_agent("careful", task="t1", seed=None, budget=None), score=0.7)
    found = floor(records)
    assert (found.verdict, "control" in found.reason) == ("not probed", True)


def test_floor_is_not_probed_without_control_canonical_or_a_stated_budget() -> None:
    no_control = drop(all_pass(), is_agent("careful", task="t1", seed=None, budget=None))
    no_canonical = drop(all_pass(), is_probe("canonical", task="t1", repeat=None))
    for records in (no_control, no_canonical):
        assert floor(records).verdict == "not probed"
    assert floor(all_pass(), interface=[]).verdict == "not probed"


@pytest.mark.parametrize("fields", [BROKEN, SILENT])
def test_a_run_under_a_budget_that_has_no_score_is_not_dropped(fields: dict[str, Any]) -> None:
    found = floor(change(all_pass(), is_agent("careful", budget=100), **fields))
    assert (found.verdict, "1 stated budget" in found.reason) == ("not probed", True)
    short = change(all_pass(), is_agent("careful", budget=100), **fields)
    assert floor(change(short, is_agent("careful", budget=200), score=0.1)).verdict == "fail"


def test_budgets_of_other_levels_and_tasks_are_not_this_columns() -> None:
    stated = {**FACTS["interface"][0], "scaffold": "full"}
    assert floor(all_pass(), interface=[stated]).verdict == "not probed"
    assert floor(all_pass(), interface=[{**stated, "task": "t9"}]).verdict == "not probed"


# -- joint intervention --------------------------------------------------------------------------


def as_shipped(records: Sequence[Evidence]) -> Item:
    """The item in the column of the first scaffold and scorer."""
    return item("joint-intervention", records, manifest({"scaffold": "full", "scorer": "judge"}))


def test_scaffold_that_makes_agents_alike_hides_their_difference() -> None:
    found = as_shipped(all_pass())
    assert found.verdict == "fail"
    assert found.deviations == {"careful / hasty": 1}
    assert found.figures["by the scaffold alone"] == 1
    assert found.figures["by the scorer alone"] == 0
    assert found.figures["spread full judge"] == 0.0
    assert found.figures["spread bare truth"] == 0.5
    assert item("joint-intervention", all_pass()).verdict == "pass"


def test_scorer_that_prefers_the_worse_agent_inverts_the_pair() -> None:
    records = change(
        all_pass(), is_agent("hasty", task="t2", scaffold="bare", scorer="judge"), score=1.2
    )
    found = as_shipped(records)
    assert found.figures["by the scorer alone"] == 1
    assert found.figures["inverted by the scorer alone"] == 1
    here = item("joint-intervention", records, manifest({"scorer": "judge"}))
    assert here.verdict == "fail"


def test_agents_that_truth_holds_equal_hide_nothing() -> None:
    same = change(all_pass(), is_agent("hasty", task="t2", scaffold="bare"), score=0.99)
    changed = [replace(r, score=1.0) if r.agent == "hasty" and r.task == "t2" else r for r in same]
    found = as_shipped(changed)
    assert (found.verdict, found.figures["pairs that differ in truth"]) == ("not probed", 0)


def test_pair_without_a_score_is_left_out_of_every_cell_and_counted() -> None:
    where = is_agent("hasty", task="t2", scaffold="full", scorer="judge", seed=1)
    found = as_shipped(change(all_pass(), where, **BROKEN))
    assert found.figures["agent and task pairs left out"] == 1
    assert found.verdict == "not probed"


def test_joint_intervention_is_not_probed_where_it_is_not_planned_run_or_licensed() -> None:
    facts: list[dict[str, Any]] = [
        {"intervention": None},
        {"intervention": {**FACTS["intervention"], "not_licensed": "it changes the task"}},
    ]
    for changed in facts:
        assert item("joint-intervention", all_pass(), manifest(**changed)).verdict == "not probed"
    reason = item("joint-intervention", all_pass(), manifest(**facts[1])).reason
    assert "it changes the task" in reason
    assert item("joint-intervention", [r for r in all_pass() if r.probe]).verdict == "not probed"
    half = drop(all_pass(), lambda r: r.scaffold == "full")
    assert item("joint-intervention", half).verdict == "not probed"


def test_column_outside_the_2x2_is_not_probed() -> None:
    facts = manifest({"scaffold": "half"}, scaffolds={**FACTS["scaffolds"], "half": "some of both"})
    found = item("joint-intervention", all_pass(), facts)
    assert (found.verdict, "not a cell" in found.reason) == ("not probed", True)


def test_forced_and_repeated_episodes_stay_out_of_the_2x2() -> None:
    extra = [
        episode(f"careful retry={action}", "t2", seed, 0.1, scorer=scorer)
        for action in ("retry", "skip")
        for seed in (0, 1, 2)
        for scorer in ("judge", "truth")
    ]
    again = [replace(r, repeat=1, score=0.0) for r in all_pass() if r.task == "t2" and r.agent]
    assert as_shipped([*all_pass(), *extra]).figures == as_shipped(all_pass()).figures
    assert as_shipped([*all_pass(), *again]).figures == as_shipped(all_pass()).figures


def test_means_are_over_seeds() -> None:
    records = change(
        all_pass(), is_agent("hasty", task="t2", scaffold="bare", scorer="truth", seed=0), score=0.2
    )
    assert as_shipped(records).figures["spread bare truth"] == 0.6
    assert EARNS["hasty"] == 0.5
