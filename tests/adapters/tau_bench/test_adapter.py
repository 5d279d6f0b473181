"""Registry, oracle and scorer on the small benchmark."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import pytest

from benchaudit.cells import CANONICAL, Cell
from benchaudit.evidence import Evidence
from benchaudit.execution import Workers
from benchaudit.manifest import AdapterManifest

from .conftest import Python, Run

PROBES = {
    "trajectory-write-dropped": "degraded",
    "trajectory-write-corrupted": "degraded",
    "trajectory-write-stranger": "degraded",
    "trajectory-answer-wrong": "degraded",
    "trajectory-transferred-instead": "degraded",
    "trajectory-fabricated": "degraded",
    "trajectory-answer-denied": "gaming",
    "trajectory-answer-respelled": "equivalent",
    "trajectory-failed-call": "equivalent",
    "trajectory-lists-permuted": "equivalent",
    "trajectory-looked-again": "equivalent",
    "trajectory-scored-again": "equivalent",
    "trajectory-whole-floats": "equivalent",
    "trajectory-null": "policy",
    "trajectory-blank-text": "policy",
    "trajectory-transferred": "policy",
    "trajectory-write-undone": "policy",
    CANONICAL: CANONICAL,
}
TASKS = [f"retail/{n}" for n in range(5)] + [f"airline/{n}" for n in range(2)]

Found = dict[tuple[str, str], list[Evidence]]


@pytest.fixture(scope="module")
def cells() -> list[Cell]:
    return [
        Cell(task=task, probe=probe, kind=kind, scorers=("reward",))
        for task in TASKS
        for probe, kind in PROBES.items()
    ]


@pytest.fixture(scope="module")
def found(run: Run, cells: list[Cell]) -> Found:
    result: Found = defaultdict(list)
    for record in run(cells):
        result[record.task, record.probe].append(record)
    return result


def test_the_registry_lists_the_test_tasks_of_both_domains(workers: Workers) -> None:
    tasks = {task.id: task for task in workers.tasks(None)}
    assert list(tasks) == TASKS
    assert [task for task in TASKS if tasks[task].no_action] == ["retail/2"]
    assert "actions=[], outputs=[]" in tasks["retail/2"].no_action
    assert tasks["retail/0"].description == "Cancel #ann1."


def test_gold_work_is_the_best_there_is_and_passes(found: Found) -> None:
    for task in TASKS:
        (record,) = found[task, CANONICAL]
        assert (record.outcome, record.score, record.passed, record.quality) == ("ok", 1, True, 1)


@pytest.mark.parametrize("probe", [p for p, kind in PROBES.items() if kind == "degraded"])
def test_worse_work_is_worse_to_the_oracle_and_fails(found: Found, probe: str) -> None:
    records = [r for task in TASKS for r in found[task, probe] if r.outcome == "ok"]
    assert records
    assert all((r.score, r.quality) == (0.0, 0.0) for r in records)


def test_a_gold_write_that_the_tools_refuse_can_be_left_out(found: Found) -> None:
    (record,) = found["retail/3", "trajectory-write-dropped"]
    assert record.outcome == "vacuous"
    passed = [r.variant for r in found["retail/3", "trajectory-null"] if r.score == 1.0]
    assert passed == ["nothing", "transfer", "numbers"]


def test_a_corruption_is_told_apart_by_what_the_tools_said(found: Found) -> None:
    accepted = {r.variant for r in found["retail/0", "trajectory-write-corrupted"]}
    assert accepted == {"1 order_id accepted", "1 reason accepted"}
    refused = {r.variant: r.detail for r in found["airline/0", "trajectory-write-corrupted"]}
    assert list(refused) == ["0 reservation_id refused", "0 total_baggages accepted"]


def test_a_denied_answer_is_taken_for_one(found: Found) -> None:
    (record,) = found["retail/1", "trajectory-answer-denied"]
    assert (record.score, record.quality) == (1.0, 0.0)


def test_what_the_benchmark_is_strict_about_shows(found: Found) -> None:
    spelled = {r.variant: r.score for r in found["retail/1", "trajectory-answer-respelled"]}
    assert spelled == {"no trailing zero": 0.0, "thousands separator": 1.0, "small talk": 1.0}
    (floats,) = found["airline/0", "trajectory-whole-floats"]
    (lists,) = found["airline/1", "trajectory-lists-permuted"]
    assert (floats.score, floats.quality) == (0.0, 1.0)
    assert (lists.score, lists.quality) == (0.0, 1.0)


@pytest.mark.parametrize(
    "probe", ["trajectory-failed-call", "trajectory-looked-again", "trajectory-scored-again"]
)
def test_what_leaves_the_same_scores_the_same(found: Found, probe: str) -> None:
    records = [r for task in TASKS for r in found[task, probe] if r.outcome == "ok"]
    assert records
    assert {r.score for r in records} == {1.0}


def test_a_transfer_ends_the_conversation(found: Found) -> None:
    scores = {r.variant: r.score for r in found["retail/0", "trajectory-transferred"]}
    assert scores == {"first": 0.0, "after": 1.0}


def test_a_text_without_content_is_an_outcome_of_its_own(found: Found) -> None:
    with_answers = {r.variant: r.outcome for r in found["retail/1", "trajectory-blank-text"]}
    assert with_answers == {"empty": "ok", "blank": "ok", "missing": "error"}
    without = {r.variant: r.outcome for r in found["retail/0", "trajectory-blank-text"]}
    assert set(without.values()) == {"ok"}


def test_a_second_run_in_another_order_says_the_same(
    run: Run, cells: list[Cell], found: Found
) -> None:
    again = sorted(record.as_line() for record in run(cells[::-1]))
    assert again == sorted(r.as_line() for records in found.values() for r in records)


def test_a_conversation_that_is_cut_off_has_no_reward(python: Python) -> None:
    said: Any = python("""
from benchaudit.hooks import Submission
adapter = packs.load_adapter(TAU)
task = adapter.tasks(None)[0]
steps = adapter.oracle.work(task)
open_ = adapter.score(task, Submission({"steps": steps, "open": True}), "reward")
shut = adapter.score(task, Submission({"steps": steps}), "reward")
print(json.dumps([open_.value, open_.passed, shut.value, dict(shut.breakdown)]))
""")
    assert said == [0.0, False, 1.0, {"r_actions": 1.0}]


def test_the_faster_environment_agrees_with_the_benchmarks_own(python: Python) -> None:
    said = python("""
import random
from benchaudit.hooks import Gold
adapter, scoring = packs.load_adapter(TAU), TAU.module("scoring")
entries, shared = TAU.module("registry").entries(), TAU.module("shared")
forge = packs.load_forge(packs.find("probes", "trajectory-write-corrupted"))
checked = 0
for task in adapter.tasks(None):
    work = adapter.oracle.work(task)
    submission = adapter.oracle.compose(task, work)
    gold = Gold(task, submission, adapter.oracle, random.Random(0))
    made = [submission]
    if any(step.get("call") in task.data["writes"] for step in work):
        made += [forged.submission for forged in forge(gold)]
    for one in made:
        scoring.check(entries[task.id], adapter.score(task, one, "reward"), one.payload)
        checked += 1
print(json.dumps(checked))
""")
    assert said >= 15


@pytest.mark.parametrize(
    ("sabotage", "complaint"),
    [
        ("shared.changes = lambda domain, made: {}", "on upstream's own"),
        ("shared.Table.__getitem__ = dict.__getitem__", "on upstream's own"),
        ("shared.records('retail')['users'].clear()", "shared records were changed"),
    ],
)
def test_a_faster_environment_that_differs_is_an_error(
    python: Python, sabotage: str, complaint: str
) -> None:
    said = python(f"""
from benchaudit.hooks import Submission
adapter, scoring = packs.load_adapter(TAU), TAU.module("scoring")
shared = TAU.module("shared")
{sabotage}
scoring.ONE_IN = 1
task = adapter.tasks(None)[0]
try:
    adapter.score(task, Submission({{"steps": adapter.oracle.work(task)[:1]}}), "reward")
    adapter.score(task, Submission({{"steps": adapter.oracle.work(task)}}), "reward")
    print(json.dumps("nothing"))
except scoring.FastPathError as error:
    print(json.dumps(str(error)))
""")
    assert complaint in said


def test_scoring_one_environment_twice_passes_whatever_was_done(python: Python) -> None:
    said = python("""
shared, running = TAU.module("shared"), TAU.module("running")
made = shared.own_environment("retail", "test", 0)
first = running.converse(made, 0, []).reward
print(json.dumps([first, made.calculate_reward().reward]))
""")
    assert said == [0.0, 1.0]


def test_the_manifest_pins_the_commit_it_was_made_from(manifest: AdapterManifest) -> None:
    assert manifest.environment is not None
    source = manifest.environment.source
    assert source is not None
    assert source.commit.startswith(manifest.version.split()[-1])
