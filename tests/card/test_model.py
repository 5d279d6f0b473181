"""The card's values: rounding, digest, the published schema."""

from __future__ import annotations

import json
import math
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from benchaudit.card import model
from benchaudit.card.model import ITEMS, Card, Example, Item, Table, legible
from tests.card import build

SCHEMA = Path(model.__file__).with_name("card.schema.json")
REGENERATE = (
    "python -c 'import json; from benchaudit.card.model import Card; "
    "print(json.dumps(Card.model_json_schema(), indent=1, sort_keys=True))' "
    "> benchaudit/card/card.schema.json"
)


def test_published_schema_is_the_one_of_the_model() -> None:
    made = json.dumps(Card.model_json_schema(), indent=1, sort_keys=True) + "\n"
    assert SCHEMA.read_text(encoding="utf-8") == made, f"out of date; regenerate it: {REGENERATE}"


def test_items_are_the_thirteen_of_the_design_in_its_order() -> None:
    assert list(ITEMS) == [
        "criterion",
        "task-validity",
        "null-floor",
        "over-strictness",
        "gaming-resistance",
        "trace-preference",
        "robustness",
        "ownership",
        "non-degeneracy",
        "interface-floor",
        "joint-intervention",
        "reliability",
        "replay",
    ]
    card = build.card(build.all_pass())
    assert [item.id for item in card.columns[0].items] == list(ITEMS)
    assert [item.title for item in card.columns[0].items] == list(ITEMS.values())


def figure(value: object) -> object:
    item = Item.model_validate(
        {"id": "x", "title": "X", "verdict": "pass", "reason": ".", "figures": {"f": value}}
    )
    return item.figures["f"]


@pytest.mark.parametrize(
    ("value", "kept"),
    [
        (1 / 3, 0.333333),
        (2 / 3, 0.666667),
        (0.0000004, 0.0),
        (1e-7 + 1, 1.0),
        (123456.7891234, 123456.789123),
        (3, 3),
        (10**20, 10**20),
        (True, True),
        ("text", "text"),
        (None, None),
    ],
)
def test_figures_are_rounded_to_six_decimals_and_keep_their_type(
    value: object, kept: object
) -> None:
    got = figure(value)
    assert got == kept
    assert type(got) is type(kept)


def test_negative_zero_is_zero() -> None:
    for value in (-0.0, -1e-9):
        got = figure(value)
        assert isinstance(got, float)
        assert math.copysign(1, got) == 1


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_figures_are_finite(value: float) -> None:
    with pytest.raises(ValidationError):
        figure(value)


@given(st.floats(-1e6, 1e6))
def test_rounding_twice_is_rounding_once(value: float) -> None:
    once = figure(value)
    assert figure(once) == once
    assert figure(json.loads(json.dumps(once))) == once


def test_every_figure_of_a_card_is_rounded() -> None:
    records = build.change(build.all_pass(), build.is_probe("misreported"), score=2 / 3)
    card = build.card(records)
    text = card.as_text()
    assert "0.333333" in text
    assert not re.search(r"\d\.\d{7,}", text)
    table = Table(id="t", title="T", header=["x"], rows=[[1 / 3]])
    assert table.rows == [[0.333333]]


def test_digest_covers_all_but_itself() -> None:
    card = build.card(build.all_pass())
    assert card.digest == card.compute_digest()
    assert card.sealed() == card
    assert card.model_copy(update={"digest": "x"}).compute_digest() == card.digest
    for field in Card.model_fields:
        if field in ("digest", "columns", "tables", "schema_version", "notes", "cells"):
            continue
        changed = card.model_copy(update={field: "something else"})
        assert changed.compute_digest() != card.digest, field


def test_digest_covers_every_cell_of_the_card() -> None:
    card = build.card(build.all_pass())
    data = json.loads(card.as_text())
    data["columns"][0]["items"][3]["figures"]["cells"] += 1
    assert Card.model_validate(data).compute_digest() != card.digest


def test_text_form_reads_back_as_the_same_card() -> None:
    card = build.card(build.all_pass())
    again = Card.model_validate_json(card.as_text())
    assert again == card
    assert again.as_text() == card.as_text()
    assert card.as_text().endswith("}\n")


def test_unknown_fields_are_refused() -> None:
    data = json.loads(build.card(build.all_pass()).as_text())
    with pytest.raises(ValidationError, match="extra"):
        Card.model_validate({**data, "extra": 1})


def test_items_and_columns_are_found_by_id() -> None:
    card = build.card(build.all_pass())
    assert card.column("repaired").item("replay").title == "Replay"
    with pytest.raises(StopIteration):
        card.column("other")


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("plain – text ✓", "plain – text ✓"),
        ("two\nlines\tand  blanks ", "two lines and blanks"),
        ("\x1b[31mred\x00", "�[31mred�"),
        ("\ud800 alone", "� alone"),
        ("left\u202eright", "left�right"),
    ],
)
def test_text_of_a_benchmark_is_made_legible(text: str, kept: str) -> None:
    assert legible(text) == kept
    assert Example(task="t", outcome="error", note=text).note == kept


@given(st.text() | st.text(st.characters(categories=["Cs", "Cc"])))
def test_legible_text_can_always_be_written(text: str) -> None:
    kept = legible(text)
    kept.encode("utf-8")
    assert legible(kept) == kept
    assert kept.isprintable()
