"""A card as Markdown: what is committed, pasted into pull requests and read on the web."""

from __future__ import annotations

import html
import re

from benchaudit.card.model import ITEMS, Card, CardColumn, Example, Item, Table, legible
from benchaudit.manifest import Verdict

MARKS: dict[Verdict, str] = {"pass": "✓ pass", "fail": "✗ fail", "not probed": "– not probed"}


def render(card: Card) -> str:
    """The whole card as GitHub-flavoured Markdown."""
    parts = [_head(card), _overview(card)]
    parts += [_column(column) for column in card.columns]
    parts += [_table(table) for table in card.tables]
    parts.append(_foot(card))
    return "\n\n".join(parts) + "\n"


def escape(text: str) -> str:
    """Text that a benchmark or a submission chose, made inert in Markdown and HTML."""
    inert = html.escape(legible(text), quote=False)
    return re.sub(r"([\\`*_\[\]|~#$])", r"\\\1", inert)


def number(value: object) -> str:
    """A figure as a person reads it; the JSON keeps all six decimals."""
    if value is None:
        return "–"
    if isinstance(value, float):
        return f"{value:.4f}".rstrip("0").rstrip(".")
    return f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else str(value)


def _head(card: Card) -> str:
    lines = [f"# Validity card: {escape(card.title)}", "", f"{escape(card.summary)}", ""]
    lines.append(f"- **Version audited:** {escape(card.version)}")
    lines.append(
        f"- **Claims to measure:** {escape(card.claims_to_measure)} ({escape(card.cited)})"
    )
    lines += [f"- {escape(note)}" for note in card.notes]
    if card.partial:
        lines.append(f"- **Partial run:** {escape(card.partial)}")
    if card.unavailable:
        lines.append(f"- **The benchmark could not be had:** {escape(card.unavailable)}")
    return "\n".join(lines)


def _overview(card: Card) -> str:
    rows = [
        [escape(title), *(MARKS[c.item(item).verdict] for c in card.columns)]
        for item, title in ITEMS.items()
    ]
    rows.append(["**Scorer kind**", *(c.scorer_kind for c in card.columns)])
    rows.append(
        [
            "**Tasks in scope**",
            *(f"{len(c.scope.tasks):,} of {c.scope.total:,}" for c in card.columns),
        ]
    )
    rows.append(["**Licensed claim**", *(f"**{escape(c.claim.sentence)}**" for c in card.columns)])
    return _grid(["Item", *(escape(c.title) for c in card.columns)], rows)


def _column(column: CardColumn) -> str:
    head = f"## {escape(column.title)}\n\n{escape(column.summary)}\n\n"
    kind = f"Scorer {escape(column.scorer)}: {column.scorer_kind}. {escape(column.kind_reason)}\n\n"
    return head + kind + "\n\n".join([*map(_item, column.items), _scope(column)])


def _item(item: Item) -> str:
    text = f"**{escape(item.title)}: {MARKS[item.verdict]}.** {escape(item.reason)}"
    if item.figures:
        text += "\n\n" + "; ".join(
            f"{escape(name)} {escape(number(value))}" for name, value in item.figures.items()
        )
    if item.deviations:
        told = ", ".join(f"{escape(name)} {n:,}" for name, n in item.deviations.items())
        text += f"\n\nAgainst the rule, cells: {told}."
    if item.examples:
        text += "\n\n" + "\n".join(f"- {_example(example)}" for example in item.examples)
    if item.published:
        said = item.published
        verdict = f" ({said.verdict})" if said.verdict else ""
        text += f"\n\n> As published{verdict}: {escape(said.text)} Source: {escape(said.source)}."
    if item.evidence:
        text += f"\n\n<sub>{item.cells:,} records, evidence `{item.evidence[:16]}`</sub>"
    return text


def _example(example: Example) -> str:
    where = escape(example.task) + ("" if example.seed is None else f", seed {example.seed}")
    what = escape(example.probe or example.agent)
    if example.variant:
        what += f" ({escape(example.variant)})"
    score = escape(example.outcome) if example.score is None else number(example.score)
    parts = [f"{where}: {what} scores {score}"]
    if example.canonical is not None and not example.agent:
        parts.append(f"the correct submission {number(example.canonical)}")
    if example.quality is not None:
        parts.append(f"quality {number(example.quality)}")
    note = f" – {escape(example.note)}" if example.note else ""
    return ", ".join(parts) + note


def _scope(column: CardColumn) -> str:
    scope = column.scope
    text = f"**Scope:** {len(scope.tasks):,} of {scope.total:,} tasks."
    if not scope.excluded:
        return text
    by_reason: dict[str, list[str]] = {}
    for gone in scope.excluded:
        by_reason.setdefault("; ".join(gone.reasons), []).append(gone.task)
    lines = [
        f"- {escape(reason)}: {len(tasks):,} ({', '.join(escape(t) for t in tasks[:12])}"
        + (", …)" if len(tasks) > 12 else ")")
        for reason, tasks in by_reason.items()
    ]
    return text + " Left out:\n\n" + "\n".join(lines)


def _table(table: Table) -> str:
    rows = [[escape(number(value)) for value in row] for row in table.rows]
    note = f"\n\n{escape(table.note)}" if table.note else ""
    title = escape(table.title)
    header = [escape(name) for name in table.header]
    return f"<details><summary>{title}</summary>\n\n{_grid(header, rows)}{note}\n\n</details>"


def _foot(card: Card) -> str:
    cells = ", ".join(f"{n:,} {outcome}" for outcome, n in card.cells.items())
    return (
        f"<sub>Records: {cells or 'none'}. Evidence `{card.evidence or 'none'}`. "
        f"Card `{card.digest}`.</sub>"
    )


def _grid(header: list[str], rows: list[list[str]]) -> str:
    lines = ["| " + " | ".join(header) + " |", "|" + " --- |" * len(header)]
    lines += ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join(lines)
