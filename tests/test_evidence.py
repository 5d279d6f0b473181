"""The record and its file: what is written is read back, and nothing else is."""

from __future__ import annotations

import json
import random
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchaudit import evidence
from benchaudit.evidence import OUTCOMES, Evidence, EvidenceError, Writer, digest_of, read

FINITE = st.floats(allow_nan=False, allow_infinity=False)
COUNTS = st.dictionaries(st.text(max_size=5), st.integers(0, 99), max_size=3)
FIGURES = st.dictionaries(st.text(max_size=5), FINITE, max_size=3)
RECORDS = st.builds(
    Evidence,
    task=st.text(),
    outcome=st.sampled_from(OUTCOMES),
    scorer=st.text(max_size=4),
    seed=st.none() | st.integers(),
    probe=st.text(max_size=4),
    variant=st.text(max_size=4),
    agent=st.text(max_size=4),
    budget=st.none() | st.integers(),
    repeat=st.integers(0, 3),
    score=st.none() | FINITE,
    passed=st.none() | st.booleans(),
    quality=st.none() | FINITE,
    breakdown=FIGURES,
    steps=COUNTS,
    figures=FIGURES,
    detail=st.text() | st.just("\ud800\x1b\n\u2028"),
    origin=st.sampled_from(evidence.ORIGINS),
)

FULL = Evidence(
    task="t",
    outcome="ok",
    scorer="s",
    seed=0,
    probe="p",
    variant="v",
    kind="degraded",
    scaffold="L0",
    agent="careful",
    budget=0,
    repeat=1,
    score=0.0,
    passed=False,
    quality=0.0,
    digest="d",
    breakdown={"a": 0.5},
    steps={"retry:skip:model": 2},
    figures={"requests": 3.0},
    detail="why",
    origin="published",
    source="a table",
)


@given(RECORDS)
def test_record_reads_back_as_itself(record: Evidence) -> None:
    line = record.as_line()
    assert line.isascii()
    assert "\n" not in line
    again = Evidence.from_json(json.loads(line))
    assert again == record
    assert again.as_line() == line


def test_every_field_is_carried_also_where_it_is_falsy() -> None:
    assert Evidence.from_json(json.loads(FULL.as_line())) == FULL
    assert set(FULL.as_json()) == {field.name for field in fields(Evidence)}
    assert Evidence(task="t", outcome="ok").as_json() == {"task": "t", "outcome": "ok"}


def test_order_of_a_mapping_does_not_change_the_line() -> None:
    one = Evidence(task="t", outcome="ok", figures={"a": 1.0, "b": 2.0})
    other = Evidence(task="t", outcome="ok", figures={"b": 2.0, "a": 1.0})
    assert one.as_line() == other.as_line()


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_figures_that_json_lacks_are_refused(value: float) -> None:
    with pytest.raises(ValueError, match="JSON"):
        Evidence(task="t", outcome="ok", score=value).as_line()


@pytest.mark.parametrize(
    ("data", "told"),
    [
        ([], "must be an object, not list"),
        ({}, "missing field 'outcome'"),
        ({"task": "t"}, "missing field 'outcome'"),
        ({"outcome": "ok"}, "missing field 'task'"),
        ({"task": "t", "outcome": "fine"}, "unknown outcome 'fine'"),
        ({"task": "t", "outcome": "ok", "colour": 1}, "unknown field 'colour'"),
        ({"task": 3, "outcome": "ok"}, "field 'task' holds 3"),
        ({"task": "t", "outcome": "ok", "score": "1"}, "field 'score' holds '1'"),
        ({"task": "t", "outcome": "ok", "score": True}, "field 'score' holds True"),
        ({"task": "t", "outcome": "ok", "seed": 1.5}, "field 'seed' holds 1.5"),
        ({"task": "t", "outcome": "ok", "seed": True}, "field 'seed' holds True"),
        ({"task": "t", "outcome": "ok", "repeat": None}, "field 'repeat' holds None"),
        ({"task": "t", "outcome": "ok", "passed": 1}, "field 'passed' holds 1"),
        ({"task": "t", "outcome": "ok", "steps": []}, r"field 'steps' holds \[\]"),
        ({"task": "t", "outcome": "ok", "origin": "heard"}, "unknown origin 'heard'"),
    ],
)
def test_what_is_no_record_is_refused_by_name(data: Any, told: str) -> None:
    with pytest.raises(EvidenceError, match=told):
        Evidence.from_json(data)


def test_digest_does_not_depend_on_the_order_and_does_on_every_record() -> None:
    records = [Evidence(task=f"t{n}", outcome="ok", score=n / 3) for n in range(20)]
    shuffled = random.Random(1).sample(records, len(records))
    assert digest_of(shuffled) == digest_of(records)
    assert digest_of(records[1:]) != digest_of(records)
    assert digest_of([*records, records[0]]) != digest_of(records)


# -- the file ------------------------------------------------------------------------------------


def written(path: Path, records: list[Evidence]) -> Path:
    with Writer(path) as writer:
        writer.append(records)
    return path


def test_file_reads_back_in_the_order_of_writing(tmp_path: Path) -> None:
    records = [FULL, Evidence(task="ünï \u2028", outcome="error", detail="\ud800")]
    assert list(read(written(tmp_path / "e.jsonl", records))) == records


def test_batches_are_in_the_file_before_the_next_begins(tmp_path: Path) -> None:
    path = tmp_path / "e.jsonl"
    with Writer(path) as writer:
        for number in range(3):
            writer.append([FULL])
            assert len(path.read_bytes().splitlines()) == number + 1


def test_writer_starts_anew_or_keeps_a_whole_beginning(tmp_path: Path) -> None:
    path = written(tmp_path / "e.jsonl", [FULL, FULL])
    whole = len(FULL.as_line()) + 1
    with Writer(path, keep=whole) as writer:
        writer.append([Evidence(task="new", outcome="ok")])
    assert [r.task for r in read(path)] == ["t", "new"]
    assert [r.task for r in read(written(path, [FULL]))] == ["t"]


@pytest.mark.parametrize(
    ("spoil", "told"),
    [
        (lambda data: data[:-1], ":2: the last line is cut off"),
        (lambda data: data[:-20], ":2: the last line is cut off"),
        (lambda data: b"{}\n" + data, ":1: not an evidence record (missing field"),
        (lambda data: data + b"nonsense\n", ":3: not an evidence record (Expecting value"),
        (lambda data: data + b"[" * 100_000 + b"\n", ":3: not an evidence record"),
        (lambda data: data.replace(b'"ok"', b'"OK"', 1), ":1: not an evidence record (unknown"),
        (lambda data: b"\xff\xfe" + data, "cannot be read"),
    ],
)
def test_spoilt_file_is_refused_with_its_place_and_a_remedy(
    tmp_path: Path, spoil: Any, told: str
) -> None:
    path = written(tmp_path / "e.jsonl", [FULL, FULL])
    path.write_bytes(spoil(path.read_bytes()))
    with pytest.raises(EvidenceError) as caught:
        list(read(path))
    assert str(path) in str(caught.value)
    assert told in str(caught.value)
    assert "run the audit again" in str(caught.value)


def test_absent_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(EvidenceError, match="cannot be read"):
        list(read(tmp_path / "none"))
