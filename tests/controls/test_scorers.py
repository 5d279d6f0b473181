"""The whole line accuses no sound scorer and catches every broken one, in the right item."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from benchaudit import packs
from benchaudit.audit import applicable_probes, bench_settings
from benchaudit.card.model import CardColumn
from benchaudit.card.synthesis import synthesise
from benchaudit.card.view import TaskFacts
from benchaudit.execution import Limits, Workers
from benchaudit.hooks import Adapter, Forged, Score, Submission, Task
from benchaudit.manifest import read_adapter
from benchaudit.stages import Target, plan_cells
from benchaudit.stages import probe as probe_stage
from tests.controls import line
from tests.controls.line import column_of, evidence_of, facts, failing
from tests.controls.scorers import (
    BROKEN,
    SIZES,
    SOUND,
    Control,
    by_record_f1,
    changes_its_input,
    compose,
    pure,
    truth,
)

JUDGED = (
    "criterion",
    "task-validity",
    "null-floor",
    "over-strictness",
    "gaming-resistance",
    "trace-preference",
    "robustness",
    "replay",
)
"""Items that a scorer alone decides; the others need episodes, which these controls lack."""


@cache
def audited(name: str) -> CardColumn:
    control = {**SOUND, **BROKEN}[name]
    return column_of(control.adapter(), facts(control.scorer))


@pytest.mark.parametrize("name", SOUND)
def test_sound_scorer_is_accused_of_nothing(name: str) -> None:
    found = audited(name)
    assert {i: found.item(i).verdict for i in JUDGED} == dict.fromkeys(JUDGED, "pass")
    assert failing(found) == set()
    assert found.scope.tasks == list(SIZES)
    assert found.scorer_kind == "outcome"
    # Without episodes nothing shows that the model decides, so the claim is of the whole system.
    assert found.claim.sentence == "model–scaffold system performance, on 4 of 4 tasks."


@pytest.mark.parametrize("name", SOUND)
def test_sound_scorer_was_really_probed(name: str) -> None:
    found = audited(name)
    assert int(str(found.item("criterion").figures["cells"])) >= 40
    assert int(str(found.item("gaming-resistance").figures["cells"])) >= 12
    assert int(str(found.item("over-strictness").figures["cells"])) >= 7
    assert int(str(found.item("robustness").figures["cells"])) >= 150


@pytest.mark.parametrize("name", BROKEN)
def test_broken_scorer_fails_where_it_is_broken_and_nowhere_else(name: str) -> None:
    control, found = BROKEN[name], audited(name)
    expected = dict.fromkeys(JUDGED, "pass")
    expected |= dict.fromkeys(control.fails, "fail") | dict.fromkeys(control.silent, "not probed")
    assert {i: found.item(i).verdict for i in JUDGED} == expected
    assert (found.scorer_kind, found.claim.id) == (control.kind, control.claim)


@pytest.mark.parametrize("name", BROKEN)
def test_every_failing_item_shows_examples_a_reason_and_its_evidence(name: str) -> None:
    found = audited(name)
    for item in (found.item(i) for i in failing(found)):
        assert item.examples
        assert item.reason.endswith(".")
        assert item.evidence
        assert item.cells


def test_every_item_that_a_scorer_decides_is_failed_by_some_control() -> None:
    assert set().union(*(control.fails for control in BROKEN.values())) == set(JUDGED)


def test_what_a_control_is_caught_with_points_at_its_defect() -> None:
    caught = {
        "ignores values": ("criterion", {"altered-values", "missing-fields", "swapped-values"}),
        "recall only": ("criterion", {"superset", "duplicates", "totals-left-in"}),
        "precision only": ("criterion", {"subset"}),
        "sensitive to order": ("over-strictness", {"shuffled"}),
        "sensitive to the order of fields": ("over-strictness", {"reencoded"}),
        "passes empty": ("null-floor", {"empty"}),
        "likes a word in the log": ("gaming-resistance", {"stuffed-report"}),
        "follows the report": ("trace-preference", {"contradictory-report", "fabricated"}),
        "leaves its range": ("robustness", {"canonical"}),
    }
    for name, (item, probes) in caught.items():
        assert probes <= audited(name).item(item).deviations.keys(), name


def test_partial_breakage_leaves_a_claim_on_the_tasks_that_stay() -> None:
    found = audited("has no truth for a task")
    assert found.scope.tasks == ["north", "south", "island"]
    assert found.claim.sentence == "model–scaffold system performance, on 3 of 4 tasks."
    (gone,) = found.scope.excluded
    assert gone.task == "west"
    assert "unwinnable: the correct submission does not pass" in gone.reasons


# -- tasks that ask for nothing ------------------------------------------------------------------


def with_an_empty_task(label: str) -> Adapter:
    """The sound F1 on a benchmark with a task whose correct answer is no record."""

    def work(task: Task) -> list[dict[str, object]]:
        return [] if task.id == "nothing there" else truth(task)

    def score(task: Task, submission: Submission, _name: str) -> Score:
        if task.id == "nothing there":
            return Score(float(submission.payload["records"] == []))
        return by_record_f1(task, submission)

    base = Control(pure(by_record_f1), quality=None).adapter()
    tasks = [*base.tasks(None), Task("nothing there", "records", no_action=label)]
    assert base.oracle is not None
    oracle = replace(base.oracle, work=work, quality=None)
    return replace(base, tasks=lambda _seed: tasks, score=score, oracle=oracle)


@pytest.mark.parametrize(("label", "verdict"), [("", "fail"), ("its README", "pass")])
def test_task_without_work_may_be_passed_by_nothing_only_if_labelled(
    label: str, verdict: str
) -> None:
    adapter = with_an_empty_task(label)
    (found,) = line.card_of(adapter, facts({"ground_truth": True})).columns
    assert failing(found) == ({"null-floor"} if verdict == "fail" else set())
    assert found.item("null-floor").verdict == verdict
    assert found.item("criterion").verdict == "not probed"  # nothing is worse than nothing there
    assert [e.task for e in found.scope.excluded] == ["nothing there"]


# -- relations without an oracle -----------------------------------------------------------------


def without_an_oracle(control: Control) -> CardColumn:
    base = control.adapter()
    adapter = replace(base, oracle=None, samples=lambda task: [compose(task, truth(task))])
    return column_of(adapter, facts(control.scorer))


@pytest.mark.parametrize("name", SOUND)
def test_sound_scorer_without_an_oracle_is_accused_of_nothing_and_licensed_nothing(
    name: str,
) -> None:
    found = without_an_oracle(SOUND[name])
    assert failing(found) == set()
    assert found.item("over-strictness").verdict == "pass"
    assert "no oracle" in found.item("over-strictness").reason
    for item in ("criterion", "task-validity", "trace-preference"):
        assert found.item(item).verdict == "not probed"
    assert (found.claim.id, found.claim.licensed) == ("not-probed", False)


@pytest.mark.parametrize("name", ["sensitive to order", "sensitive to the order of fields"])
def test_over_strict_scorer_is_caught_without_an_oracle(name: str) -> None:
    assert failing(without_an_oracle(BROKEN[name])) == {"over-strictness"}


def test_a_bad_sample_does_not_make_a_sound_scorer_look_broken() -> None:
    base = Control(pure(by_record_f1)).adapter()

    def bad(task: Task) -> list[Submission]:
        return [compose(task, [{**row, "value": -1} for row in truth(task)])]

    found = column_of(replace(base, oracle=None, samples=bad), facts())
    assert failing(found) == set()


# -- scorers that reach beyond their submission --------------------------------------------------

TWO: dict[str, Any] = {
    "scorers": {
        "ours": {"kind": "outcome", "reason": "It empties what it reads."},
        "sound": {"kind": "outcome", "reason": "It compares."},
    },
    "columns": [
        {"id": "a", "title": "A", "summary": "The one that empties.", "scorer": "ours"},
        {"id": "b", "title": "B", "summary": "The sound one.", "scorer": "sound"},
    ],
}


def beside_a_scorer_that_empties() -> Adapter:
    base = Control(pure(by_record_f1)).adapter()

    def score(task: Task, submission: Submission, name: str) -> Score:
        return (changes_its_input if name == "ours" else by_record_f1)(task, submission)

    return replace(base, score=score)


def test_scorer_that_changes_its_input_harms_nobody_and_is_not_accused() -> None:
    """What it is handed is a copy of its own, so that its verdicts are all there is to judge."""
    found = column_of(Control(pure(changes_its_input)).adapter(), facts())
    assert failing(found) == set()


def test_scorer_that_changes_its_input_spoils_no_scorer_beside_it() -> None:
    adapter = beside_a_scorer_that_empties()
    _, sound = line.card_of(adapter, facts(**TWO)).columns
    assert {i: sound.item(i).verdict for i in JUDGED} == dict.fromkeys(JUDGED, "pass")


def test_scorer_that_changes_its_input_spoils_no_probe() -> None:
    found = column_of(Control(pure(changes_its_input)).adapter(), facts())
    assert found.item("over-strictness").verdict == "pass"


def test_what_is_forged_does_not_depend_on_the_scorer() -> None:
    def digests(name: str) -> list[tuple[str, str, str]]:
        control = {**SOUND, **BROKEN}[name]
        records = evidence_of(control.adapter(), facts(control.scorer))
        return [(r.task, r.probe, r.digest) for r in records]

    expected = digests("record F1 beside an oracle")
    for name in ("always passes", "keeps state", "raises on everything"):
        assert digests(name) == expected


# -- scorers that hang ---------------------------------------------------------------------------

HANGS = """
    if any(row.get("id") not in {book["id"] for book in work(task)}
           for row in submission.payload["records"]):
        while True:
            pass
    if scorer =="""


@pytest.mark.usefixtures("own_cache")
def test_scorer_that_hangs_on_wrong_work_is_caught(toy: Path) -> None:
    code = toy / "adapter.py"
    code.write_text(code.read_text("utf-8").replace("\n    if scorer ==", HANGS, 1), "utf-8")
    pack = packs.find("adapters", str(toy))
    manifest = read_adapter(pack)
    used = {n: p for n, p in applicable_probes(pack, manifest).items() if n == "fabricated"}
    with Workers(bench_settings(pack, manifest, used), limits=Limits(seconds=1.0)) as workers:
        tasks = [task for task in workers.tasks(None) if task.id == "poems"]
        probes = {name: probe.facts for name, probe in used.items()}
        batches = plan_cells(Target(manifest, tasks, probes, (), 1), [probe_stage.plan])
        records = [r for batch in workers.run(batches) for r in batch if r.scorer == "f1"]
    card = synthesise(manifest, [TaskFacts("poems")], probes, records)
    found = card.column("compared")
    assert found.item("robustness").verdict == "fail"
    assert found.item("robustness").figures["timeouts"] == 1
    assert found.item("criterion").verdict == "pass"  # what hangs earns nothing
    assert found.item("task-validity").verdict == "pass"


# -- a probe that errs ---------------------------------------------------------------------------


def test_probe_that_raises_is_never_held_against_the_benchmark(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def forge(gold: object) -> list[Forged]:
        raise ZeroDivisionError(f"forging from {type(gold).__name__}")

    monkeypatch.setattr(line, "FORGES", dict.fromkeys(line.FORGES, forge))
    found = column_of(Control(pure(by_record_f1)).adapter(), facts())
    assert failing(found) == set()
    assert found.item("criterion").verdict == "not probed"
    assert "unforged: ZeroDivisionError" in found.item("criterion").reason
    assert found.claim.id == "not-probed"
