"""Who owns a decision, from hooks to card: each kind of scaffold comes out as what it is."""

from __future__ import annotations

from typing import Any

import pytest

from benchaudit.card.model import CardColumn
from tests.controls.line import card_of, column_of, facts
from tests.controls.scaffolds import (
    Answer,
    adapter,
    at_random,
    harness,
    harness_that_says_model,
    model,
    plans,
    raising,
    shared,
    unsupported,
)

EPISODES = ("ownership", "non-degeneracy", "interface-floor", "reliability", "replay")


def audit(
    decide: Answer, agents: tuple[str, ...] = ("careful", "hasty"), **changes: Any
) -> CardColumn:
    return column_of(adapter({"only": decide}, agents), facts(**plans("only", **changes)))


def verdicts(column: CardColumn) -> dict[str, str]:
    return {item: column.item(item).verdict for item in EPISODES}


def expect(*changes: tuple[str, str]) -> dict[str, str]:
    return dict.fromkeys(EPISODES, "pass") | dict(changes)


def test_model_that_decides_licenses_model_capability() -> None:
    found = audit(model)
    assert verdicts(found) == expect()
    assert found.claim.sentence == "model capability, on 2 of 2 tasks."
    assert found.item("ownership").figures["declared otherwise"] == 0


def test_harness_that_decides_fails_ownership_and_leaves_nothing_to_degenerate() -> None:
    found = audit(harness)
    assert verdicts(found) == expect(("ownership", "fail"), ("non-degeneracy", "not probed"))
    assert found.claim.id == "model-scaffold"
    item = found.item("ownership")
    assert item.figures["agent pairs with identical submissions"] == item.figures["agent pairs"]
    assert item.figures["declared otherwise"] == 1


def test_harness_that_claims_the_model_decided_is_seen_by_its_submissions() -> None:
    found = audit(harness_that_says_model)
    assert found.item("ownership").verdict == "fail"
    assert found.item("ownership").figures["held by the harness"] == 1


def test_shared_decision_fails_ownership() -> None:
    found = audit(shared)
    assert verdicts(found) == expect(("ownership", "fail"))
    assert found.item("ownership").figures["shared"] == 1
    assert found.claim.id == "model-scaffold"


@pytest.mark.parametrize("agents", [("careful",), ("careful", "first-page")])
def test_agents_that_always_retry_are_degenerate(agents: tuple[str, ...]) -> None:
    found = audit(model, agents)
    assert verdicts(found) == expect(("non-degeneracy", "fail"))
    assert found.item("non-degeneracy").figures["retry: actions taken"] == 1
    assert found.claim.id == "model-scaffold"


def test_episodes_that_are_no_function_of_task_and_seed_fail_replay_and_reliability() -> None:
    found = audit(at_random)
    assert found.item("replay").verdict == "fail"
    assert found.item("reliability").verdict == "fail"
    assert "void" in found.claim.sentence
    assert found.claim.id == "model-scaffold"


def test_scaffold_that_cannot_be_had_is_accused_of_nothing() -> None:
    found = audit(unsupported)
    assert verdicts(found) == dict.fromkeys(EPISODES, "not probed")
    assert "the service cannot be had" in found.item("ownership").reason
    assert found.claim.id == "model-scaffold"


def test_scaffold_that_raises_is_never_passed() -> None:
    found = audit(raising)
    assert "pass" not in verdicts(found).values()
    assert found.item("ownership").verdict == "not probed"
    assert "ConnectionError: the service went away" in found.item("ownership").reason
    assert found.item("reliability").figures["runs without a score"] == 6


@pytest.mark.parametrize(
    ("tokens", "verdict"), [((1000,), "pass"), ((100,), "pass"), ((90,), "fail"), ((5,), "fail")]
)
def test_budget_below_what_the_work_takes_fails_the_interface_floor(
    tokens: tuple[int, ...], verdict: str
) -> None:
    found = audit(model, tokens=tokens)
    assert verdicts(found) == expect(("interface-floor", verdict))
    assert found.item("interface-floor").figures["south without a budget"] == 1.0


def test_decision_that_no_score_depends_on_is_degenerate() -> None:
    blind = {"scorers": {"ours": {"kind": "outcome", "reason": "Blind.", "resolution": 1.0}}}
    found = column_of(
        adapter({"only": model}),
        facts(**plans("only")).model_validate({**facts(**plans("only")).model_dump(), **blind}),
    )
    assert found.item("ownership").verdict == "pass"
    assert found.item("non-degeneracy").verdict == "fail"


# -- the 2×2 -------------------------------------------------------------------------------------


def swapped(levels: dict[str, Answer], *, not_licensed: str = "") -> dict[str, CardColumn]:
    """The card of both scaffolds under both scorers: harness first, shape first."""
    planned = plans(*levels)
    scorers = {
        "shape": {"kind": "specification", "reason": "It counts."},
        "ours": {"kind": "outcome", "reason": "It compares."},
    }
    cells = [
        {**column, "id": f"{column['id']}-{scorer}", "scorer": scorer}
        for column in planned["columns"]
        for scorer in scorers
    ]
    plan = {"scaffolds": list(levels), "scorers": list(scorers), "tasks": ["south"]}
    manifest = facts().model_validate(
        {
            **facts().model_dump(),
            **planned,
            "scorers": scorers,
            "columns": cells,
            "intervention": {**plan, "not_licensed": not_licensed},
        }
    )
    card = card_of(adapter(levels, ("careful", "hasty", "first-page")), manifest)
    return {column.id: column for column in card.columns}


def test_2x2_tells_what_the_scaffold_hides() -> None:
    found = swapped({"whole": harness, "bare": model})
    verdicts = {name: c.item("joint-intervention").verdict for name, c in found.items()}
    assert verdicts["whole-ours"] == "fail"
    assert verdicts["bare-ours"] == "pass"
    figures = found["whole-ours"].item("joint-intervention").figures
    assert figures["pairs that differ in truth"] == 2
    assert figures["by the scaffold alone"] == 1
    assert found["whole-ours"].item("joint-intervention").deviations == {"careful / hasty": 1}


def test_2x2_that_would_change_the_task_is_not_licensed() -> None:
    found = swapped({"whole": harness, "bare": model}, not_licensed="the scaffold is the task")
    for column in found.values():
        item = column.item("joint-intervention")
        assert (item.verdict, "the scaffold is the task" in item.reason) == ("not probed", True)
        assert item.cells == 0


def test_column_of_the_shape_scorer_is_shape_and_of_the_f1_is_not() -> None:
    found = swapped({"whole": harness, "bare": model})
    assert {name: column.scorer_kind for name, column in found.items()} == {
        "whole-shape": "shape",
        "whole-ours": "outcome",
        "bare-shape": "shape",
        "bare-ours": "outcome",
    }
    assert found["bare-ours"].claim.id == "model-capability"
    assert found["whole-ours"].claim.id == "model-scaffold"
    assert found["bare-shape"].claim.id == "self-report-compliance"
