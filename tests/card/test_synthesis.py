"""The whole card: scope, claim, caveats, determinism; and what a missing benchmark gives."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchaudit.card.lattice import ContradictionError
from benchaudit.card.model import ITEMS
from benchaudit.card.synthesis import synthesise, unavailable
from benchaudit.card.view import TaskFacts
from benchaudit.evidence import Evidence, digest_of
from tests.card.build import (
    BROKEN,
    PROBES,
    SCORES,
    SILENT,
    TASKS,
    all_pass,
    card,
    change,
    column,
    forged,
    is_agent,
    is_probe,
    manifest,
    probe,
    scored_by,
)

# -- scope ---------------------------------------------------------------------------------------

UNPROBED = "its criterion is not probed"
MANY = tuple(TaskFacts(f"t{n}") for n in range(1, 7))


def on_many(broken: dict[str, dict[str, Any]]) -> list[Evidence]:
    """Probe cells of six tasks; on some of them, the cells of one probe are changed."""
    records = [forged(name, task.id) for task in MANY for name in SCORES]
    return [replace(r, **broken.get(f"{r.task} {r.probe}", {})) for r in records]


def test_every_reason_for_leaving_the_scope_is_told() -> None:
    records = on_many(
        {
            "t1 nothing": {"score": 0.7},
            "t2 canonical": {"passed": False},
            "t3 partial": {"score": 1.0},
            "t4 partial": SILENT,
            "t4 nothing": SILENT,
            "t4 made-up": SILENT,
        }
    )
    (only,) = card(records, tasks=MANY).columns
    assert [(e.task, e.reasons) for e in only.scope.excluded] == [
        ("t1", ["a null submission passes it"]),
        ("t2", ["unwinnable: the correct submission does not pass", UNPROBED]),
        ("t3", ["the criterion is tied on it"]),
        ("t4", [UNPROBED]),
    ]
    assert only.scope.tasks == ["t5", "t6"]
    assert only.scope.total == 6
    assert only.scope.criterion == "not probed"  # half is left by the failures, not by the silence


def test_a_task_may_leave_for_several_reasons() -> None:
    records = on_many(
        {
            "t1 nothing": {"score": 1.5},
            "t2 nothing": {"score": 1.5, "passed": True},
            "t2 canonical": {"passed": False},
        }
    )
    (only,) = card(records, tasks=MANY).columns
    assert [e.reasons for e in only.scope.excluded] == [
        ["a null submission passes it", "the criterion is inverted on it"],
        [
            "a null submission passes it",
            "unwinnable: the correct submission does not pass",
            UNPROBED,
        ],
    ]


@pytest.mark.parametrize(("ties", "verdict"), [(0, "pass"), (3, "pass"), (4, "fail"), (6, "fail")])
def test_claim_names_its_scope_when_it_holds_and_the_whole_when_it_does_not(
    ties: int, verdict: str
) -> None:
    records = on_many({f"t{n + 1} partial": {"score": 1.0} for n in range(ties)})
    (only,) = card(records, tasks=MANY).columns
    assert only.scope.criterion == verdict
    where = f"{6 - ties} of 6 tasks" if verdict == "pass" else "all 6 tasks"
    assert where in only.claim.sentence
    assert only.item("criterion").verdict == ("pass" if ties == 0 else "fail")


# -- claim ---------------------------------------------------------------------------------------


def test_failures_that_a_reader_must_know_are_named_with_their_counts() -> None:
    records = change(all_pass(), is_probe("nothing", task="t1", repeat=None), score=0.6)
    records = change(records, is_probe("rewritten"), score=0.5)
    records = change(records, is_probe("stuffed", task="t2"), score=1.0)
    records = change(records, is_probe("misreported", task="t2"), score=7.0)
    sentence = column(records).claim.sentence
    assert sentence == (
        "model capability, on 1 of 2 tasks; null floor fails (1), over-strictness fails (2), "
        "gaming resistance fails (1), scorer robustness fails (1)."
    )


def test_synthetic_golds_license_nothing_and_say_what_the_criterion_did() -> None:
    synthetic = manifest({"synthetic": "drawn by us"})
    holds = column(all_pass(), synthetic).claim
    assert holds.sentence == "none: a scorer alone; the criterion holds on 2 of 2 golds."
    assert not holds.licensed
    tied = change(all_pass(), is_probe("partial"), score=1.0)
    assert "fails on all 2 golds" in column(tied, synthetic).claim.sentence
    assert "is not probed on all 2 golds" in column([], synthetic).claim.sentence


def test_a_model_judge_licenses_nothing_whatever_the_criterion_did() -> None:
    judged = scored_by(kind="model-judged")
    told = {
        "pass": all_pass(),
        "fail": change(all_pass(), is_probe("partial"), score=1.0),
        "not probed": [],
    }
    for records in told.values():
        claim = column(records, judged).claim
        assert (claim.id, claim.licensed) == ("model-judged", False)
    assert "holds" in column(told["pass"], judged).claim.sentence
    assert "holds" not in column(told["fail"], judged).claim.sentence
    assert "not probed" in column(told["not probed"], judged).claim.sentence


def test_specification_scorer_licenses_specification_compliance() -> None:
    facts = scored_by(kind="specification")
    assert column(all_pass(), facts).claim.id == "model-capability-specification"
    records = change(all_pass(), is_agent("careful", repeat=1), digest="another")
    assert column(records, facts).claim.id == "specification-compliance"


def test_an_adapter_that_contradicts_its_evidence_is_an_error() -> None:
    # A fabrication that is not held to the criterion, and that the scorer likes.
    probes = {**PROBES, "made-up": probe("degraded", "trace-preference", fabrication=True)}
    records = change(all_pass(), is_probe("made-up"), score=1.0)
    with pytest.raises(ContradictionError, match="shape"):
        synthesise(manifest(), TASKS, probes, records)


# -- not probed is never a pass ------------------------------------------------------------------


@pytest.mark.parametrize("item", ITEMS)
def test_no_item_passes_on_nothing(item: str) -> None:
    nothing: list[Sequence[Evidence]] = [
        [],
        [replace(r, **SILENT) for r in all_pass()],
        [replace(r, origin="published") for r in all_pass()],
        [replace(r, origin="derived") for r in all_pass()],
        [replace(r, scorer="another") for r in all_pass()],
        [replace(r, task="another") for r in all_pass()],
    ]
    for records in nothing:
        assert column(records).item(item).verdict == "not probed"


@pytest.mark.parametrize("item", ITEMS)
def test_no_item_passes_when_everything_breaks(item: str) -> None:
    records = [replace(r, **BROKEN) for r in all_pass()]
    assert column(records).item(item).verdict != "pass"


@given(st.randoms(use_true_random=False), st.integers(0, 60))
@settings(max_examples=20, deadline=None)
def test_losing_evidence_never_turns_a_fail_into_a_licensed_capability(
    chance: random.Random, kept: int
) -> None:
    records = change(all_pass(), is_probe("partial"), score=1.0)
    some = chance.sample(records, min(kept, len(records)))
    tied = [r for r in records if r.probe in ("partial", "canonical")]
    assert column([*some, *tied]).claim.id in ("scorer-fails", "self-report-compliance")


# -- determinism ---------------------------------------------------------------------------------


def uneven() -> list[Evidence]:
    """Evidence whose sums depend on the order of addition, with ties between names."""
    tenths = [0.1, 0.7, 0.3, 0.2, 0.6]
    records = all_pass()
    for n, value in enumerate(tenths):
        for variant in ("a", "b"):
            records.append(forged("nothing", "t1", seed=n, variant=variant, score=value / 3))
        records.append(forged("canonical", "t1", seed=n, score=0.1 + value))
        records.append(forged("misreported", "t1", seed=n, score=value))
        records.append(forged("made-up", "t1", seed=n, score=value / 7))
    return records


@given(st.randoms(use_true_random=False))
@settings(max_examples=10, deadline=None)
def test_order_of_the_evidence_does_not_change_a_byte(chance: random.Random) -> None:
    records = uneven()
    expected = card(records).as_text()
    chance.shuffle(records)
    assert card(records).as_text() == expected


SCRIPT = """
from tests.card.test_synthesis import uneven
from tests.card.build import card
print(card(uneven()).as_text(), end="")
"""


def test_hash_seed_does_not_change_a_byte() -> None:
    made = [
        subprocess.run(
            [sys.executable, "-c", SCRIPT],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    ]
    assert made[0] == made[1]
    assert made[0].decode() == card(uneven()).as_text()


# -- the frame -----------------------------------------------------------------------------------


def test_card_carries_counts_and_digest_of_all_evidence() -> None:
    records = [*all_pass(), replace(all_pass()[0], origin="published", source="a table")]
    records += [forged("partial", "t1", variant="odd", outcome="vacuous", score=None)]
    found = card(records)
    assert found.cells == {"ok": len(records) - 1, "vacuous": 1}
    assert found.evidence == digest_of(records)
    assert found.digest == found.compute_digest()


def test_evidence_of_an_item_is_the_digest_of_what_it_rests_on() -> None:
    found = column(all_pass()).item("robustness")
    mine = [r for r in all_pass() if r.probe and r.scorer == "truth"]
    assert found.evidence == digest_of(mine)
    assert found.cells == len(mine)


def test_partial_run_is_told() -> None:
    made = synthesise(manifest(), TASKS, PROBES, all_pass(), partial_run="2 of 9 tasks")
    assert made.partial == "2 of 9 tasks"
    assert card(all_pass()).partial == ""


def test_partial_tasks_are_the_whole_of_what_the_scope_speaks_of() -> None:
    found = card(all_pass(), tasks=TASKS[:1]).columns[0]
    assert (found.scope.total, found.scope.tasks) == (1, ["t1"])
    assert found.item("joint-intervention").verdict == "not probed"


def test_published_readings_stand_beside_ours_and_decide_nothing() -> None:
    said = {"verdict": "pass", "text": "It is fine.", "source": "the paper", "figures": {"x": 1.0}}
    facts = manifest({"published": {"criterion": said, "replay": said}})
    found = column([], facts)
    assert found.item("criterion").verdict == "not probed"
    assert found.item("criterion").published == facts.columns[0].published["criterion"]
    assert found.item("null-floor").published is None
    assert found.claim.id == "not-probed"


def test_benchmark_that_cannot_be_had_is_not_probed_with_the_reason() -> None:
    made = unavailable(manifest(), "pip could not install it")
    assert made.unavailable == "pip could not install it"
    (only,) = made.columns
    for item in only.items:
        assert item.verdict == "not probed"
        assert "pip could not install it" in item.reason.replace("Pip", "pip")
        assert item.cells == 0
    assert not only.claim.licensed
    assert made.digest == made.compute_digest()


def test_text_that_broke_the_scorer_cannot_break_the_card() -> None:
    nasty = {**BROKEN, "detail": "ValueError: \ud800 \x1b[2J\x00 bad"}
    records = change(all_pass(), is_probe("canonical", "partial"), **nasty)
    text = card(records).as_text()
    text.encode("utf-8")
    assert "\x1b" not in text
    assert "\\u001b" not in text
    assert "ValueError: � �[2J� bad" in text
