"""The adapter on the real package, in its own environment: a fixed sample of tasks."""

from __future__ import annotations

from collections import Counter, defaultdict

import pytest

from benchaudit import audit
from benchaudit.cells import CANONICAL, Cell
from benchaudit.evidence import Evidence
from benchaudit.execution import Workers
from benchaudit.manifest import AdapterManifest

from .conftest import PACK, Python, Run, Start

pytestmark = pytest.mark.slow

ROAMING = (
    "telecom/[mobile_data_issue]airplane_mode_on|user_abroad_roaming_enabled_off[PERSONA:None]"
)
LOCKED = "telecom/[service_issue]airplane_mode_on|lock_sim_card_pin[PERSONA:Easy]"
SAMPLE = [
    "retail/2",
    "retail/12",
    "retail/20",
    "airline/0",
    "airline/12",
    "airline/14",
    ROAMING,
    LOCKED,
]

Found = dict[tuple[str, str], list[Evidence]]


@pytest.fixture(scope="module")
def cells(manifest: AdapterManifest) -> list[Cell]:
    """Every probe on the sample."""
    probes = {
        name: probe.facts.kind
        for name, probe in audit.applicable_probes(PACK, manifest).items()
        if probe.facts.family == "trajectory"
    }
    return [
        Cell(task=task, probe=probe, kind=kind, scorers=("reward",))
        for task in SAMPLE
        for probe, kind in {CANONICAL: CANONICAL, **probes}.items()
    ]


@pytest.fixture(scope="module")
def found(run: Run, cells: list[Cell]) -> Found:
    result: Found = defaultdict(list)
    for record in run(cells):
        result[record.task, record.probe].append(record)
    return result


def test_the_registry_lists_the_base_split_of_three_domains(workers: Workers) -> None:
    tasks = workers.tasks(None)
    assert Counter(task.category for task in tasks) == {
        "retail": 114,
        "airline": 50,
        "telecom": 114,
    }
    assert len({task.id for task in tasks}) == len(tasks)
    labelled = [task for task in tasks if task.no_action]
    assert Counter(task.category for task in labelled) == {"retail": 1, "airline": 7}
    assert all(task.description for task in tasks)


def test_gold_work_passes_on_every_task(workers: Workers, run: Run) -> None:
    tasks = [task.id for task in workers.tasks(None)]
    cells = [Cell(task=t, probe=CANONICAL, kind=CANONICAL, scorers=("reward",)) for t in tasks]
    bad = [r for r in run(cells) if (r.outcome, r.score, r.passed, r.quality) != ("ok", 1, True, 1)]
    assert bad == []


def test_nothing_of_the_sample_fails_on_our_side(found: Found) -> None:
    outcomes = Counter(r.outcome for records in found.values() for r in records)
    assert set(outcomes) == {"ok", "vacuous", "unsupported", "error"}
    errors = {r.probe for records in found.values() for r in records if r.outcome == "error"}
    assert errors == {"trajectory-forged-result"}


def test_worse_work_fails_but_for_what_telecom_does_not_look_at(found: Found) -> None:
    passed = {
        (r.task.partition("/")[0], r.probe)
        for records in found.values()
        for r in records
        if r.kind == "degraded" and r.outcome == "ok" and r.score
    }
    assert passed == {
        ("telecom", "trajectory-write-stranger"),
        ("telecom", "trajectory-call-emptied"),
    }


def test_a_forged_result_is_refused_with_the_same_words_at_any_time(found: Found) -> None:
    (record,) = found[ROAMING, "trajectory-forged-result"]
    assert "timestamp: 2026-01-01T00:00:00" in record.detail


def test_items_in_another_order_get_other_prices(found: Found) -> None:
    (record,) = found["retail/20", "trajectory-lists-permuted"]
    assert (record.score, record.quality) == (0.0, 1.0)


def test_passengers_and_floats_are_held_against_airline_tasks(found: Found) -> None:
    lists = {r.variant: r.score for r in found["airline/14", "trajectory-lists-permuted"]}
    assert lists == {"1 flights": None, "1 passengers": 0.0, "1 payment_methods": 0.0}
    (floats,) = found["airline/12", "trajectory-whole-floats"]
    assert (floats.score, floats.quality) == (0.0, 1.0)


def test_a_gold_write_that_the_tools_refuse_can_be_left_out(found: Found) -> None:
    (record,) = found["retail/12", "trajectory-write-dropped"]
    assert record.outcome == "vacuous"
    scores = {r.variant: r.score for r in found["retail/12", "trajectory-null"]}
    assert scores == {"nothing": 1.0, "transfer": 1.0, "numbers": 1.0}


def test_the_parts_of_a_reward_are_upstreams(found: Found) -> None:
    (retail,) = found["retail/2", CANONICAL]
    (telecom,) = found[LOCKED, CANONICAL]
    assert retail.breakdown == {"COMMUNICATE": 1.0, "DB": 1.0}
    assert telecom.breakdown == {"ACTION": 1.0, "ENV_ASSERTION": 1.0}


def test_another_order_and_another_hash_seed_say_the_same(
    start: Start, cells: list[Cell], found: Found
) -> None:
    with start(7) as other:
        again = [record for records in other.run([cells[::-1]]) for record in records]
    lines = sorted(r.as_line() for records in found.values() for r in records)
    assert sorted(r.as_line() for r in again) == lines


def test_the_faster_environment_agrees_with_upstreams_own(python: Python) -> None:
    said = python("""
import random
from benchaudit.hooks import Gold
adapter, scoring = packs.load_adapter(TAU), TAU.module("scoring")
entries, shared = TAU.module("registry").entries(), TAU.module("shared")
tasks = {task.id: task for task in adapter.tasks(None)}
checked = 0
for name, probe in (("retail/20", "write-dropped"), ("airline/12", "write-corrupted"),
                    ("retail/2", "null"), ("airline/14", "lists-permuted")):
    task = tasks[name]
    work = adapter.oracle.work(task)
    gold = Gold(task, adapter.oracle.compose(task, work), adapter.oracle, random.Random(0))
    forge = packs.load_forge(packs.find("probes", f"trajectory-{probe}"))
    for submission in [gold.submission, *(forged.submission for forged in forge(gold))][:4]:
        steps = submission.payload["steps"]
        domain = entries[name].domain.name
        found = scoring.reward(entries[name], steps, shared.name_of(domain))
        scoring.check(entries[name], steps, found)
        checked += 1
print(json.dumps(checked))
""")
    assert said >= 10


@pytest.mark.parametrize(
    ("sabotage", "complaint"),
    [
        ("shared.changes = lambda domain, environment: {}", "upstream's own"),
        ("shared.records('retail').users.popitem()", "shared records were changed"),
    ],
)
def test_a_faster_environment_that_differs_is_an_error(
    python: Python, sabotage: str, complaint: str
) -> None:
    said = python(f"""
from benchaudit.hooks import Submission
adapter, scoring, shared = packs.load_adapter(TAU), TAU.module("scoring"), TAU.module("shared")
{sabotage}
scoring.ONE_IN = 1
task = adapter.tasks(None)[0]
try:
    for steps in (adapter.oracle.work(task)[:1], adapter.oracle.work(task)):
        adapter.score(task, Submission({{"steps": steps}}), "reward")
    print(json.dumps("nothing"))
except scoring.FastPathError as error:
    print(json.dumps(str(error)))
""")
    assert complaint in said
