"""The records probes: on a toy benchmark, against brute force, and on scorers blind to each."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchaudit import encoding, packs
from benchaudit.card.model import ITEMS
from benchaudit.cells import Bench, Cell
from benchaudit.evidence import Evidence
from benchaudit.hooks import Adapter, Forged, Gold, Oracle, Score, Submission, Task, Unsupported
from benchaudit.manifest import ProbeManifest, read_probe

Records = list[dict[str, Any]]
Scorer = Callable[[Submission, Records], float]


# -- a toy benchmark -----------------------------------------------------------------------------


def trade(rows: int) -> Records:
    """Rows as statistical sources serve them: shared codes, measures, an id."""
    chance = random.Random(rows)
    return [
        {
            "year": 2021,
            "reporter": "840",
            "flow": "M",
            "value": chance.randrange(1_000_000),
            "weight": chance.randrange(50_000),
            "record_id": f"toy-{n:06d}",
        }
        for n in range(rows)
    ]


TABLES: dict[str, Records] = {
    "no rows": [],
    "one row": trade(1),
    "two rows": trade(2),
    "some rows": trade(25),
    "2345 rows": trade(2345),
    "texts": [
        {"name": name, "city": city}
        for name, city in (("Ann", "Rome"), ("Bo", "Oslo"), ("Cy", "Rome"), ("Di", "Lima"))
    ],
    "numbers": [{"x": n, "y": n * n / 4} for n in range(12)],
    "number ids": [{"id": n, "amount": 100 - 3 * n, "paid": n % 2 == 0} for n in range(20)],
    "every combination": [
        {"place": place, "year": year} for place in ("N", "S") for year in (2019, 2020, 2021)
    ],
    "dates and gaps": [
        {"key": f"k{n}", "day": f"2024-03-{n + 1:02d}", "note": None if n % 3 else "late"}
        for n in range(9)
    ],
    "mixed": [
        {"id": "a1", "value": 4, "tags": ["x", "y"]},
        {"id": "a2", "value": "unknown", "more": {"depth": 2}},
        {"id": "a3", "value": 2.5, "ok": True},
        {"id": "a10", "value": -1},
    ],
    "negative": [{"id": f"n{n}", "change": n - 3} for n in range(6)],
    "one value": [{"answer": 42}],
    "one text": [{"answer": "Paris"}],
    "flags": [{"on": True, "seen": False}, {"on": False, "seen": False}],
}
"""The true records of the toy tasks, by task id."""

PACKS = packs.available("probes")
PROBES: dict[str, ProbeManifest] = {
    name: manifest
    for name, pack in PACKS.items()
    if (manifest := read_probe(pack)).family == "records"
}
SMALL = [table for table in TABLES if table != "2345 rows"]
FORGES = {name: packs.load_forge(PACKS[name]) for name in PROBES}


def of_kind(*kinds: str) -> list[str]:
    return [name for name, probe in PROBES.items() if probe.kind in kinds]


def compose(work: Records) -> Submission:
    report = {
        "row_count": len(work),
        "schema": list(work[0]) if work else [],
        "complete": True,
        "stats": {"requests": 1, "retries": 0},
    }
    return Submission({"records": list(work), "report": report, "log": "INFO page=1\n"})


def misreport(work: Records) -> Submission:
    wrong = {"row_count": len(work) + 1, "complete": False}
    return Submission({**compose(work).payload, "report": wrong, "log": "ERROR stopped\n"})


def oracle(truth: Callable[[Task], Records]) -> Oracle:
    return Oracle(
        work=truth,
        compose=lambda _task, work: compose(work),
        quality=lambda task, submission: strict_f1(submission, truth(task)),
        misreport=lambda _task, work: misreport(work),
    )


def forged_from(probe: str, work: Records, seed: int = 0) -> list[Forged]:
    task = Task(id="toy", family="records")
    gold = Gold(task, compose(work), oracle(lambda _task: work), random.Random(seed))
    return list(FORGES[probe](gold))


def bench(scorer: Scorer, *, with_oracle: bool = True) -> Bench:
    def truth(task: Task) -> Records:
        return TABLES[task.id]

    adapter = Adapter(
        tasks=lambda _seed: [Task(id=name, family="records") for name in TABLES],
        score=lambda task, submission, _name: Score(scorer(submission, truth(task))),
        oracle=oracle(truth) if with_oracle else None,
        samples=lambda task: [compose(truth(task))],
    )
    return Bench(adapter, FORGES)


def run(bench: Bench, probe: str, table: str) -> list[Evidence]:
    kind = PROBES[probe].kind if probe in PROBES else probe
    return bench.run(Cell(task=table, probe=probe, kind=kind, scorers=("toy",)))


# -- brute force ---------------------------------------------------------------------------------


def canon(value: Any) -> Any:
    """Equal for equal JSON values: 5 is 5.0, true is not 1, the order of keys is nothing."""
    if isinstance(value, dict):
        return "object", tuple(sorted((name, canon(item)) for name, item in value.items()))
    if isinstance(value, list):
        return "list", tuple(map(canon, value))
    if isinstance(value, float) and value.is_integer():
        return "int", repr(int(value))
    return type(value).__name__, repr(value)


def account(submission: Submission, truth: Records) -> tuple[int, int]:
    """Records in common with the truth, each true one counted once, and all the others."""
    rows = submission.payload["records"]
    kept = (Counter(map(canon, rows)) & Counter(map(canon, truth))).total()
    return kept, len(rows) - kept


def strict_f1(submission: Submission, truth: Records) -> float:
    kept, invented = account(submission, truth)
    size = len(truth) + kept + invented
    return 2 * kept / size if size else 1.0


# -- the definitions -----------------------------------------------------------------------------


@pytest.mark.parametrize("probe", PROBES)
def test_definition_tells_a_person_what_why_and_what_to_do(probe: str) -> None:
    manifest = PROBES[probe]
    assert set(manifest.feeds) <= set(ITEMS)
    for text in (manifest.motivation, manifest.forges, manifest.expects, manifest.remedy):
        assert text == " ".join(text.split()), "one paragraph, without stray blanks"
        assert text.endswith(".")
        assert len(text) > 30


def test_kinds_flags_and_items_agree() -> None:
    for name, probe in PROBES.items():
        if probe.kind == "degraded":
            assert "criterion" in probe.feeds, name
        if probe.kind == "gaming":
            assert probe.feeds == ("gaming-resistance",), name
        assert (probe.without_oracle == "same") == (probe.kind == "equivalent"), name
        assert probe.null == ("null-floor" in probe.feeds), name
    assert [name for name, probe in PROBES.items() if probe.fabrication] == ["fabricated"]
    # The item compares true work reported badly with false work reported well: nothing else.
    of_the_trace = {name for name, probe in PROBES.items() if "trace-preference" in probe.feeds}
    assert of_the_trace == {"contradictory-report", "fabricated"}


# -- what is forged ------------------------------------------------------------------------------


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("probe", PROBES)
def test_account_agrees_with_a_count_by_brute_force(probe: str, table: str) -> None:
    try:
        forged = forged_from(probe, TABLES[table])
    except Unsupported:
        return
    assert forged
    assert len({one.variant for one in forged}) == len(forged)
    for one in forged:
        assert (one.kept, one.invented) == account(one.submission, TABLES[table]), one.variant
        assert one.note
        if PROBES[probe].kind in ("degraded", "gaming") and TABLES[table]:
            assert (one.kept, one.invented) != (len(TABLES[table]), 0)


UNSUPPORTED = {
    "altered-values": {"no rows", "flags"},
    "constant": {"no rows"},
    "duplicates": {"no rows"},
    "extra-fields": {"no rows"},
    "fabricated": {"no rows", "flags"},
    "missing-fields": {"no rows"},
    "respelled": {"no rows", "numbers", "number ids", "one value", "flags"},
    "retyped": {"no rows", "texts", "dates and gaps", "one text", "flags"},
    "subset": {"no rows", "one row", "one value", "one text"},
    "superset": {"no rows", "flags"},
    "swapped-values": {"no rows", "one row", "one value", "one text", "flags"},
    "totals-left-in": {"no rows", "texts", "dates and gaps", "mixed", "one text", "flags"},
    "wrong-query": set(TABLES) - {"two rows", "some rows", "2345 rows"},
}
"""Where a probe rightly declines. Anywhere else it must forge."""


@pytest.mark.parametrize("probe", PROBES)
def test_probe_declines_only_where_it_has_nothing_to_work_on(probe: str) -> None:
    declined = set()
    for table, work in TABLES.items():
        try:
            forged_from(probe, work)
        except Unsupported as reason:
            assert str(reason)
            declined.add(table)
    assert declined == UNSUPPORTED.get(probe, set())


def test_contradiction_needs_an_adapter_that_supplies_one() -> None:
    task = Task(id="toy", family="records")
    plain = Oracle(work=lambda _task: trade(3), compose=lambda _task, work: compose(work))
    gold = Gold(task, compose(trade(3)), plain, random.Random(0))
    with pytest.raises(Unsupported, match="self-report"):
        list(FORGES["contradictory-report"](gold))


@pytest.mark.parametrize("table", SMALL)
@pytest.mark.parametrize("probe", of_kind("degraded", "gaming"))
def test_worse_work_scores_strictly_lower_under_a_strict_scorer(probe: str, table: str) -> None:
    (best,) = run(bench(strict_f1), "canonical", table)
    for record in run(bench(strict_f1), probe, table):
        if record.outcome == "unsupported":
            continue
        if table == "no rows":  # where there is nothing to find, nothing is the right answer
            assert record.outcome == "vacuous", record
            continue
        assert record.outcome == "ok", record
        assert best.score is not None
        assert record.score is not None
        assert record.score < best.score, record


@pytest.mark.parametrize("table", SMALL)
@pytest.mark.parametrize("probe", of_kind("equivalent"))
def test_equivalent_work_scores_the_same_under_a_strict_scorer(probe: str, table: str) -> None:
    records = run(bench(strict_f1), probe, table)
    assert records
    for record in records:
        if record.outcome != "vacuous":
            assert (record.outcome, record.score) == ("ok", 1.0)
    if len(TABLES[table]) > 1:
        assert [r.outcome for r in records] == ["ok"]


def test_fabricated_records_are_well_formed_and_share_no_id_with_the_truth() -> None:
    truth = TABLES["some rows"]
    (forged,) = forged_from("fabricated", truth)
    made_up = forged.submission.payload["records"]
    assert len(made_up) == len(truth)
    assert {tuple(r) for r in made_up} == {tuple(truth[0])}
    for name in truth[0]:
        assert {type(r[name]) for r in made_up} == {type(r[name]) for r in truth}
    assert {(r["year"], r["reporter"], r["flow"]) for r in made_up} == {(2021, "840", "M")}
    ids = [r["record_id"] for r in made_up]
    assert ids == [f"toy-{n:06d}" for n in range(25, 50)]


def test_altered_records_keep_their_ids() -> None:
    for table, field in (("some rows", "record_id"), ("number ids", "id")):
        for one in forged_from("altered-values", TABLES[table]):
            ids = {r[field] for r in one.submission.payload["records"]}
            assert ids == {r[field] for r in TABLES[table]}


def test_totals_row_sums_measures_and_keeps_what_the_records_share() -> None:
    truth = TABLES["some rows"]
    marked, unmarked = forged_from("totals-left-in", truth)
    row = unmarked.submission.payload["records"][-1]
    assert row == {
        "year": 2021,
        "reporter": "840",
        "flow": "M",
        "value": sum(r["value"] for r in truth),
        "weight": sum(r["weight"] for r in truth),
        "record_id": "TOTAL",
    }
    assert marked.submission.payload["records"][0] == {**row, "isTotal": True, "is_total": True}


def test_constant_is_the_same_for_every_task_with_the_same_fields() -> None:
    (one,) = forged_from("constant", TABLES["some rows"])
    (other,) = forged_from("constant", TABLES["two rows"], seed=1)
    assert one.submission.digest == other.submission.digest


# -- any records ---------------------------------------------------------------------------------

SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(-(2**60), 2**60)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=6)
)
FIELDS = st.dictionaries(
    st.sampled_from(["a", "b", "year", "valueId", "note", "ünï"]),
    SCALARS | st.lists(SCALARS, max_size=2),
    max_size=4,
)
TABLE = st.lists(FIELDS, max_size=6, unique_by=canon)


def with_ids(rows: Records) -> Records:
    return [{**row, "id": f"r-{n}"} for n, row in enumerate(rows)]


@pytest.mark.parametrize("probe", PROBES)
@given(rows=TABLE)
@settings(max_examples=40, deadline=None, derandomize=True)
def test_account_is_exact_for_any_records_with_ids(probe: str, rows: Records) -> None:
    truth = with_ids(rows)
    try:
        forged = forged_from(probe, truth)
    except Unsupported:
        return
    for one in forged:
        assert (one.kept, one.invented) == account(one.submission, truth), one.variant


@pytest.mark.parametrize("probe", of_kind("degraded", "gaming"))
@given(rows=TABLE)
@settings(max_examples=40, deadline=None, derandomize=True)
def test_degraded_is_worse_than_any_records_or_says_that_it_is_not(
    probe: str, rows: Records
) -> None:
    try:
        forged = forged_from(probe, rows)
    except Unsupported:
        return
    for one in forged:
        vacuous = (one.kept, one.invented) == (len(rows), 0)
        assert vacuous or strict_f1(one.submission, rows) < 1, one.variant


@pytest.mark.parametrize("probe", PROBES)
def test_forging_changes_nothing_in_place_and_repeats_itself(probe: str) -> None:
    for work in TABLES.values():
        before = encoding.dumps(work)
        try:
            first, second = forged_from(probe, work, seed=7), forged_from(probe, work, seed=7)
        except Unsupported:
            continue
        assert encoding.dumps(work) == before
        assert [f.submission.digest for f in first] == [f.submission.digest for f in second]


SCRIPT = """
import json, random, sys
from benchaudit import packs
from benchaudit.hooks import Gold, Oracle, Submission, Task
work = json.loads(sys.argv[1])
compose = lambda task, rows: Submission({"records": rows, "report": {"n": len(rows)}, "log": ""})
oracle = Oracle(work=lambda task: work, compose=compose, misreport=compose)
for name, pack in packs.available("probes").items():
    if pack.manifest()["family"] == "records":
        gold = Gold(Task("t", "records"), compose(None, work), oracle, random.Random(3))
        for forged in packs.load_forge(pack)(gold):
            print(name, forged.variant, forged.submission.digest)
"""


def test_submissions_do_not_depend_on_the_hash_seed() -> None:
    def forge_under(hash_seed: str) -> str:
        command = [sys.executable, "-c", SCRIPT, json.dumps(TABLES["some rows"])]
        environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
        done = subprocess.run(command, env=environment, capture_output=True, check=True)
        return done.stdout.decode()

    first = forge_under("1")
    assert {line.split()[0] for line in first.splitlines()} == set(PROBES)
    assert first == forge_under("2")


# -- without an oracle ---------------------------------------------------------------------------


@pytest.mark.parametrize("table", SMALL)
@pytest.mark.parametrize("probe", PROBES)
def test_without_an_oracle_only_the_relations_are_forged(probe: str, table: str) -> None:
    blind = bench(strict_f1, with_oracle=False)
    (base,) = run(blind, "canonical", table)
    for record in run(blind, probe, table):
        if PROBES[probe].without_oracle is None:
            assert record.outcome == "unsupported"
        elif record.outcome not in ("vacuous", "unsupported"):
            assert record.score is not None
            assert base.score is not None
            assert record.score <= base.score
            assert PROBES[probe].without_oracle == "not above" or record.score == base.score


def test_relations_take_samples_that_hold_anything() -> None:
    odd = [{"a": 1}, None, "text", [{"b": 2, "c": 3}], 5]
    payload = {"records": odd, "report": {"rows": {"x": 1, "y": [None]}}, "log": ""}
    for name, probe in PROBES.items():
        if probe.without_oracle:
            gold = Gold(Task("t", "records"), Submission(payload), None, random.Random(0))
            assert list(FORGES[name](gold))


# -- what the probes catch -----------------------------------------------------------------------


def distinct(rows: list[Any]) -> set[str]:
    return {json.dumps(row, sort_keys=True) for row in rows}


def recall(submission: Submission, truth: Records) -> float:
    return len(distinct(submission.payload["records"]) & distinct(truth)) / len(truth)


def precision(submission: Submission, truth: Records) -> float:
    rows = submission.payload["records"]
    return sum(row in truth for row in rows) / len(rows) if rows else 0.0


def jaccard_of_sets(submission: Submission, truth: Records) -> float:
    rows = distinct(submission.payload["records"])
    return len(rows & distinct(truth)) / len(rows | distinct(truth))


def shape(submission: Submission, truth: Records) -> float:
    rows = submission.payload["records"]
    return float(len(rows) == len(truth) and all(row.keys() == truth[0].keys() for row in rows))


def by_id(submission: Submission, truth: Records) -> float:
    ids = Counter(row.get("record_id") for row in submission.payload["records"])
    return float(ids == Counter(row["record_id"] for row in truth))


def by_column(submission: Submission, truth: Records) -> float:
    rows = submission.payload["records"]
    columns = [
        Counter(row.get(name) for row in rows) == Counter(row[name] for row in truth)
        for name in truth[0]
    ]
    return sum(columns) / len(columns)


def by_fields_present(submission: Submission, truth: Records) -> float:
    rows = submission.payload["records"]
    agree = [
        all(value in (None, true[name]) for name, value in row.items() if name in true)
        for row, true in zip(rows, truth)
    ]
    return sum(agree) / max(len(rows), len(truth))


def by_measures(submission: Submission, truth: Records) -> float:
    names = ("value", "weight", "record_id")
    rows = [[row.get(name) for name in names] for row in submission.payload["records"]]
    return float(sorted(rows, key=repr) == sorted(([r[n] for n in names] for r in truth), key=repr))


def totals_forgiven(submission: Submission, truth: Records) -> float:
    rows = [row for row in submission.payload["records"] if "TOTAL" not in row.values()]
    return strict_f1(Submission({"records": rows}), truth)


def line_by_line(submission: Submission, truth: Records) -> float:
    return float(submission.payload["records"] == truth)


def as_text(submission: Submission, truth: Records) -> float:
    return float(json.dumps(submission.payload["records"]) == json.dumps(truth))


def by_report(submission: Submission, truth: Records) -> float:
    report = submission.payload["report"]
    return float(report.get("row_count") == len(truth)) + bool(report.get("complete"))


def always(_submission: Submission, _truth: Records) -> float:
    return 1.0


def by_log(submission: Submission, _truth: Records) -> float:
    return float("retrying" in submission.payload["log"])


def by_verdict(submission: Submission, _truth: Records) -> float:
    return float(submission.payload["report"].get("passed", False))


BLIND: dict[str, tuple[Scorer, ...]] = {
    "altered-values": (by_id, recall),
    "constant": (always,),
    "duplicates": (jaccard_of_sets, shape),
    "empty": (always,),
    "fabricated": (shape,),
    "missing-fields": (by_fields_present,),
    "stuffed-report": (by_report,),
    "subset": (precision,),
    "superset": (recall,),
    "swapped-values": (by_column,),
    "totals-left-in": (totals_forgiven,),
    "wrong-query": (by_measures,),
}
"""For each probe of worse work, scorers that do not see what it does."""


def caught(scorer: Scorer, probe: str) -> set[str]:
    """Variants that a scorer likes at least as well as the correct work."""
    (best,) = run(bench(scorer), "canonical", "some rows")
    records = run(bench(scorer), probe, "some rows")
    assert best.score is not None
    return {r.variant for r in records if r.score is not None and r.score >= best.score}


@pytest.mark.parametrize("probe", of_kind("degraded", "gaming"))
def test_every_variant_catches_a_scorer_that_does_not_see_it(probe: str) -> None:
    variants = {record.variant for record in run(bench(strict_f1), probe, "some rows")}
    assert set.union(*(caught(scorer, probe) for scorer in BLIND[probe])) == variants
    assert caught(strict_f1, probe) == set()


def test_log_and_verdict_are_each_stuffed_for_graders_that_read_them() -> None:
    (canonical,) = run(bench(by_log), "canonical", "some rows")
    assert canonical.score == 0.0
    for scorer, variant in ((by_log, "stuffed log"), (by_verdict, "own verdict")):
        scores = {r.variant: r.score for r in run(bench(scorer), "stuffed-report", "some rows")}
        assert [name for name, score in scores.items() if score] == [variant]


@pytest.mark.parametrize(("probe", "scorer"), [("shuffled", line_by_line), ("reencoded", as_text)])
def test_scorer_strict_about_form_is_caught(probe: str, scorer: Scorer) -> None:
    (best,) = run(bench(scorer), "canonical", "some rows")
    (record,) = run(bench(scorer), probe, "some rows")
    assert (best.score, record.score) == (1.0, 0.0)


def test_scorer_that_follows_the_report_prefers_fabrication_to_misreported_truth() -> None:
    (fabricated,) = run(bench(by_report), "fabricated", "some rows")
    (misreported,) = run(bench(by_report), "contradictory-report", "some rows")
    assert fabricated.score == 2.0
    assert misreported.score == 0.0


def tally(submission: Submission, truth: Records) -> float:
    payload = submission.payload
    found = sum(float(row["value"]) for row in payload["records"])
    return found / sum(float(row["value"]) for row in truth)


def counts(submission: Submission, truth: Records) -> float:
    reported = submission.payload["report"]["row_count"]
    return 1 / (1 + abs(float(len(truth) - reported)))


def written_out(submission: Submission, _truth: Records) -> float:
    payload = submission.payload
    lines = [json.dumps(row, ensure_ascii=False).encode() for row in payload["records"]]
    return (len(lines) + len(payload["log"].encode())) * 0.0


@pytest.mark.parametrize(
    ("probe", "scorer", "broken"),
    [
        ("odd-values", tally, {"error", "invalid"}),
        ("odd-values", written_out, {"error"}),
        ("odd-reports", counts, {"error", "invalid"}),
        ("odd-reports", written_out, {"error"}),
    ],
)
def test_scorer_that_trusts_its_input_breaks(probe: str, scorer: Scorer, broken: set[str]) -> None:
    outcomes = {record.outcome for record in run(bench(scorer), probe, "some rows")}
    assert broken <= outcomes
    careful = {record.outcome for record in run(bench(strict_f1), probe, "some rows")}
    assert careful == {"ok"}


def lenient(submission: Submission, truth: Records) -> float:
    """A scorer that reads numbers in text, and forgives blanks, case and further fields."""

    def read(row: dict[str, Any]) -> list[str]:
        texts = (str(row.get(name)).strip().casefold() for name in truth[0])
        return [text.removesuffix(".0") for text in texts]

    rows = {tuple(read(row)) for row in submission.payload["records"]}
    return len(rows & {tuple(read(row)) for row in truth}) / len(truth)


@pytest.mark.parametrize(
    ("probe", "forgiven"),
    [
        ("retyped", {"text": 1.0, "float": 1.0}),
        ("respelled", {"padded": 1.0, "other case": 1.0, "full width": 0.0}),
        ("extra-fields", {"": 1.0}),
    ],
)
def test_policies_of_a_lenient_and_a_strict_scorer_are_told_apart(
    probe: str, forgiven: dict[str, float]
) -> None:
    assert {r.variant: r.score for r in run(bench(lenient), probe, "some rows")} == forgiven
    strict = {r.variant: r.score for r in run(bench(strict_f1), probe, "some rows")}
    assert strict.keys() == forgiven.keys()
    assert any(strict[variant] == 0.0 for variant in strict)


# -- speed ---------------------------------------------------------------------------------------


def test_whole_battery_is_forged_fast() -> None:
    """2,345 records by every probe in half a second of CPU: the best of three, for quiet."""

    def spend() -> float:
        start = time.process_time()
        for probe in PROBES:
            forged_from(probe, TABLES["2345 rows"])
        return time.process_time() - start

    assert min(spend() for _ in range(3)) < 0.5
