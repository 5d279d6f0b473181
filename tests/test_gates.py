"""Gates: what trips, and how a slip is told."""

from __future__ import annotations

import pytest

from benchaudit import gates
from benchaudit.audit import UsageError
from benchaudit.card.model import ITEMS, Card
from benchaudit.gates import Gate
from tests.card.build import all_pass, card, change, drop, is_agent, is_probe, manifest

PASSES = card(all_pass())
FAILS = card(change(all_pass(), is_probe("rewritten"), score=0.5))
SILENT = card(drop(all_pass(), is_agent("careful", budget=100)))


def two_columns() -> Card:
    """Over-strict in the first column only; without a scaffold in the second."""
    facts = manifest()
    other = manifest({"id": "other", "scorer": "judge", "scaffold": ""}).columns[0]
    return card(
        change(all_pass(), is_probe("rewritten"), score=0.5),
        facts.model_copy(update={"columns": (*facts.columns, other)}),
    )


@pytest.mark.parametrize(
    ("asked", "gate"),
    [
        ("any", Gate("any")),
        ("replay", Gate("replay")),
        ("replay@retail", Gate("replay", "retail")),
        ("any@retail", Gate("any", "retail")),
    ],
)
def test_gate_is_an_item_or_any_in_one_column_or_all(asked: str, gate: Gate) -> None:
    assert gates.parse([asked]) == [gate]


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ("criterium", "did you mean 'criterion'?"),
        ("null_floor", "did you mean 'null-floor'?"),
        ("xyz", "one of: any, criterion, "),
        ("", "one of: any"),
        ("@retail", "no such item"),
        ("Replay@retail", "did you mean 'replay'?"),
    ],
)
def test_unknown_item_is_told_the_closest(asked: str, told: str) -> None:
    with pytest.raises(UsageError) as caught:
        gates.parse([asked])
    assert told in str(caught.value)


@pytest.mark.parametrize("item", ITEMS)
def test_a_named_item_trips_on_fail_and_on_silence(item: str) -> None:
    gate = gates.parse([item])
    assert gates.tripped(PASSES, gate) == []
    assert len(gates.tripped(card([]), gate)) == 1
    assert bool(gates.tripped(FAILS, gate)) == (item == "over-strictness")
    assert bool(gates.tripped(SILENT, gate)) == (item == "interface-floor")


def test_any_trips_on_fails_only() -> None:
    gate = gates.parse(["any"])
    assert gates.tripped(PASSES, gate) == []
    assert gates.tripped(SILENT, gate) == []
    (line,) = gates.tripped(FAILS, gate)
    assert line.startswith("over-strictness@repaired fail: ")
    assert line.endswith(FAILS.columns[0].item("over-strictness").reason)


def test_gate_looks_at_every_column_unless_one_is_named() -> None:
    made = two_columns()
    both = gates.tripped(made, gates.parse(["over-strictness"]))
    assert [line.partition(":")[0] for line in both] == [
        "over-strictness@repaired fail",
        "over-strictness@other not probed",
    ]
    assert len(gates.tripped(made, gates.parse(["over-strictness@other"]))) == 1
    assert gates.tripped(made, gates.parse(["criterion@repaired"])) == []
    assert gates.tripped(made, gates.parse(["any@other"])) == []


def test_what_trips_twice_is_told_once() -> None:
    assert len(gates.tripped(FAILS, gates.parse(["any", "over-strictness"]))) == 1


def test_unknown_column_is_told_the_known_ones() -> None:
    with pytest.raises(UsageError, match=r"no column 'retail'; there are: repaired"):
        gates.tripped(PASSES, gates.parse(["replay@retail"]))


def test_no_gate_never_trips() -> None:
    assert gates.tripped(FAILS, gates.parse([])) == []
