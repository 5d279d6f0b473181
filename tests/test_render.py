"""Views of a card: readable when narrow, plain in a pipe, and inert whatever the text."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from rich.console import Console, RenderableType

from benchaudit.card.model import ITEMS, Card
from benchaudit.card.synthesis import unavailable
from benchaudit.card.view import TaskFacts
from benchaudit.render import terminal
from benchaudit.render.markdown import escape, number, render
from benchaudit.render.progress import progress
from tests.card.build import (
    BROKEN,
    FACTS,
    TASKS,
    all_pass,
    card,
    change,
    forged,
    is_probe,
    manifest,
)

HOSTILE = (
    "\x1b[2J\x1b]0;owned\x07 <script>alert(1)</script> [bold red]red[/] [/nope] :smile: "
    "| `code` *star* _low_ [link](http://x) ~~gone~~ # head \u202eright $x$ \x00\ud800 <!-- -->"
)


def shown(part: RenderableType, *, width: int = 80, colour: bool = False) -> str:
    out = io.StringIO()
    console = Console(
        file=out,
        width=width,
        force_terminal=colour,
        color_system="standard" if colour else None,
        highlight=False,
    )
    console.print(part)
    return out.getvalue()


def flat(text: str) -> str:
    return " ".join(text.split())


def fails() -> Card:
    """A card with fails, silences, a deviation table, examples and a published reading."""
    said = {"verdict": "fail", "text": "As we said.", "source": "a paper"}
    records = change(all_pass(), is_probe("partial"), score=1.0)
    records = change(records, is_probe("nothing", task="t1"), **BROKEN)
    return card(records, manifest({"published": {"criterion": said}}, interface=[]))


def hostile() -> Card:
    """A card all of whose free text is hostile; ids too, as far as they may hold anything."""
    text = HOSTILE.replace("\ud800", "")
    task = TaskFacts(text)
    facts = manifest(
        {"title": text, "summary": text, "published": {"criterion": _said(text)}},
        **dict.fromkeys(("title", "version", "summary", "claim", "cited"), text),
        notes=[text],
        reliability={"tasks": [text]},
    )
    records = [replace(r, task=text) for r in all_pass() if r.task == "t1"]
    records += [forged("partial", text, variant=text, score=1.0, detail=HOSTILE)]
    records += [forged("nothing", text, variant="breaks", **{**BROKEN, "detail": HOSTILE})]
    records += [replace(r, task=text) for r in all_pass() if r.agent and r.seed is not None]
    return card(records, facts, tasks=[task])


def _said(text: str) -> dict[str, Any]:
    return {"verdict": "fail", "text": text, "source": text}


VIEWS: dict[str, Callable[[], Card]] = {
    "fails": fails,
    "hostile": hostile,
    "passes": lambda: card(all_pass()),
    "empty": lambda: card([]),
    "unavailable": lambda: unavailable(manifest(), "pip could not install it"),
}


# -- both ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", VIEWS)
def test_every_verdict_claim_and_scope_is_shown(name: str) -> None:
    made = VIEWS[name]()
    for text in (shown(terminal.card_view(made)), render(made)):
        for item, title in ITEMS.items():
            verdict = made.columns[0].item(item).verdict
            assert re.search(rf"{title}.*[✓✗–] {verdict}", text), title
        scope = made.columns[0].scope
        assert f"{len(scope.tasks)} of {scope.total}" in text
        assert flat(made.columns[0].claim.sentence.rstrip(".")).split(",")[0] in flat(text)


@pytest.mark.parametrize("name", VIEWS)
def test_no_control_character_and_no_escape_reaches_the_reader(name: str) -> None:
    made = VIEWS[name]()
    texts = [render(made), shown(terminal.card_view(made))]
    texts += [shown(terminal.item_view(c, item)) for c in made.columns for item in c.items]
    for text in texts:
        text.encode("utf-8")
        bad = {c for c in text if not c.isprintable()} - {"\n"}
        assert not bad, bad


# -- the terminal --------------------------------------------------------------------------------


@pytest.mark.parametrize("name", VIEWS)
@pytest.mark.parametrize("width", [40, 80, 200])
def test_terminal_view_keeps_to_its_width(name: str, width: int) -> None:
    made = VIEWS[name]()
    parts: list[RenderableType] = [terminal.card_view(made)]
    parts += [terminal.item_view(c, item) for c in made.columns for item in c.items]
    for part in parts:
        assert max(map(len, shown(part, width=width).splitlines())) <= width


def test_three_columns_are_readable_at_80_columns() -> None:
    columns = [
        {**FACTS["columns"][0], "id": f"c{n}", "title": f"Shipped (L{n} + judge)"} for n in range(3)
    ]
    facts = manifest().model_validate({**FACTS, "columns": columns})
    text = shown(terminal.card_view(card(all_pass(), facts)))
    for title in ITEMS.values():
        assert title in text  # no item's name is cut or wrapped
    assert text.count("✓ pass") == 3 * len(ITEMS)


def test_colour_is_an_addition_and_no_carrier_of_meaning() -> None:
    made = fails()
    coloured = shown(terminal.card_view(made), colour=True)
    assert "\x1b[" in coloured
    assert re.sub(r"\x1b\[[0-9;]*m", "", coloured) == shown(terminal.card_view(made))


def test_text_is_never_markup() -> None:
    made = hostile()
    for item in ITEMS:
        shown(terminal.item_view(made.columns[0], made.columns[0].item(item)), width=300)
    text = shown(terminal.card_view(made), width=300)
    assert "[bold red]red[/] [/nope] :smile:" in text
    rows = [forged("partial", HOSTILE.replace("\ud800", ""), variant=HOSTILE, score=0.1234567)]
    table = shown(terminal.records_view(rows), width=1000)
    assert table.count("[bold red]red[/] [/nope] :smile:") == 2
    labels = shown(terminal.labelled({"Forges": HOSTILE}), width=300)
    assert "[bold red]red[/] [/nope] :smile:" in labels


def test_failing_cells_tell_why_and_where_to_look() -> None:
    text = shown(terminal.card_view(fails()))
    assert "criterion: " in text
    assert "benchaudit explain CARD criterion" in text
    assert "Nothing fails." in shown(terminal.card_view(card(all_pass())))


def test_item_view_shows_figures_deviations_examples_and_what_was_published() -> None:
    made = fails()
    text = shown(terminal.item_view(made.columns[0], made.columns[0].item("criterion")))
    assert re.search(r"ties +2", text)
    assert re.search(r"partial +2", text)
    assert "t1: partial" in text
    assert "scores 1, correct 1, quality 0.5" in flat(text)
    assert "As published (fail)" in text
    assert "As we said. Source: a paper." in text
    broken = made.columns[0].item("robustness")
    assert "scores error" in flat(shown(terminal.item_view(made.columns[0], broken)))


def test_submission_and_difference_are_cut_and_printed_as_text() -> None:
    text = shown(terminal.submission_view("\n".join(["[bold]\x1b[2J"] * 100), "d" * 64, lines=3))
    assert text.count("[bold]�[2J") == 3
    assert "97 more lines" in text
    diff = shown(terminal.difference_view(["+a[/]\x07", "-b", " c"], left=4))
    assert "+a[/]�\n-b\n c\n… 4 more lines" in diff
    assert "more lines" not in shown(terminal.difference_view(["+a"], left=0))


# -- Markdown ------------------------------------------------------------------------------------


def test_markdown_of_hostile_text_is_inert() -> None:
    text = render(hostile())
    assert "<script>" not in text
    assert "<!--" not in text
    for raw in ("[link](", "*star*", "`code`", "~~gone~~", "| `", "$x$"):
        assert re.search(rf"(?<!\\){re.escape(raw)}", text) is None, raw
    assert set(re.findall(r"</?([a-zA-Z]+)", text)) == {"sub", "details", "summary"}


def test_tables_have_the_same_number_of_cells_in_every_row() -> None:
    for made in (fails(), hostile()):
        tables = re.findall(r"(?:^\|.*\n)+", render(made), re.MULTILINE)
        assert tables
        for table in tables:
            assert len({len(re.findall(r"(?<!\\)\|", row)) for row in table.splitlines()}) == 1


@pytest.mark.parametrize(
    ("text", "escaped"),
    [
        ("plain – text", "plain – text"),
        ("a|b", r"a\|b"),
        ("a\\b", r"a\\b"),
        ("<b>&", "&lt;b&gt;&amp;"),
        ("two\nlines", "two lines"),
        ("\x1b[0m", r"�\[0m"),
    ],
)
def test_escaping(text: str, escaped: str) -> None:
    assert escape(text) == escaped


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "–"),
        (0.5, "0.5"),
        (1.0, "1"),
        (0.0, "0"),
        (2 / 3, "0.6667"),
        (1234567, "1,234,567"),
        (0, "0"),
        (True, "True"),
        ("text", "text"),
        (-0.25, "-0.25"),
        (100.0, "100"),
    ],
)
def test_numbers_are_told_short(value: object, text: str) -> None:
    assert number(value) == text


def test_markdown_tells_scope_tables_and_digests() -> None:
    made = fails()
    text = render(made)
    assert "**Scope:** 0 of 2 tasks." in text
    assert "the criterion is tied on it: 2 (t1, t2)" in text
    assert "<details><summary>Reliability: Repaired</summary>" in text
    assert made.digest in text
    assert made.evidence in text
    assert "> As published (fail): As we said. Source: a paper." in text


def test_many_excluded_tasks_are_counted_and_the_first_are_named() -> None:
    many = [TaskFacts(f"t{n:02d}") for n in range(20)]
    records = [forged(p, t.id, score=1.0) for t in many for p in ("canonical", "partial")]
    text = render(card(records, tasks=many))
    assert "the criterion is tied on it: 20 (t00, t01," in text
    assert "t11, …)" in text


def test_partial_and_missing_runs_are_told_at_the_top() -> None:
    some = card(all_pass(), tasks=TASKS).model_copy(update={"partial": "2 of 9 tasks"})
    gone = unavailable(manifest(), "pip could not install it")
    for text in (render(some), shown(terminal.card_view(some))):
        assert re.search(r"Partial run:\**.*2 of 9 tasks", text)
    for text in (render(gone), shown(terminal.card_view(gone))):
        assert "pip could not install it" in text


# -- progress ------------------------------------------------------------------------------------


def test_progress_is_silent_in_a_pipe_and_when_asked(capfd: pytest.CaptureFixture[str]) -> None:
    for quiet in (True, False):
        with progress(quiet=quiet) as (report, say):
            report(1, 2)
            say("installing")
            report(2, 2)
    assert "auditing" not in "".join(capfd.readouterr())


def test_json_of_a_card_is_one_document() -> None:
    assert json.loads(hostile().as_text())["schema_version"] == 1
