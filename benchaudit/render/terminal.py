"""A card on a terminal: readable at 80 columns, without colour, in a pipe."""

from __future__ import annotations

from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.table import Table as Grid
from rich.text import Text

from benchaudit.card.model import ITEMS, Card, CardColumn, Example, Item, legible
from benchaudit.evidence import Evidence
from benchaudit.manifest import Verdict
from benchaudit.render.markdown import number

MARKS: dict[Verdict, tuple[str, str]] = {
    "pass": ("✓ pass", "green"),
    "fail": ("✗ fail", "bold red"),
    "not probed": ("– not probed", "dim"),
}


def _indented(content: RenderableType) -> Padding:
    return Padding(content, (0, 0, 0, 2), expand=False)


def mark(verdict: Verdict) -> Text:
    text, style = MARKS[verdict]
    return Text(text, style=style)


def card_view(card: Card) -> RenderableType:
    """The card: what was audited, the verdicts, the claims, and where to look next."""
    parts: list[RenderableType] = [
        Text.assemble((legible(card.title), "bold"), f"  {legible(card.version)}"),
        Text(legible(card.summary), style="dim"),
    ]
    if card.partial:
        parts.append(Text(f"Partial run: {legible(card.partial)}", style="yellow"))
    if card.unavailable:
        parts.append(Text(f"Could not be had: {legible(card.unavailable)}", style="yellow"))
    parts += [Text(), _verdicts(card), Text()]
    for column in card.columns:
        parts.append(_claim(column))
    parts += [Text(), _reasons(card)]
    return Group(*parts)


def _verdicts(card: Card) -> Grid:
    grid = Grid(box=None, pad_edge=False, show_edge=False, padding=(0, 3, 0, 0))
    grid.add_column("Item", header_style="bold", no_wrap=True)
    for column in card.columns:
        grid.add_column(Text(legible(column.title)), header_style="bold", max_width=22)
    for item, title in ITEMS.items():
        grid.add_row(title, *(mark(column.item(item).verdict) for column in card.columns))
    grid.add_row("Scorer kind", *(column.scorer_kind for column in card.columns))
    grid.add_row(
        "Tasks in scope",
        *(f"{len(c.scope.tasks):,} of {c.scope.total:,}" for c in card.columns),
    )
    return grid


def _claim(column: CardColumn) -> RenderableType:
    style = "bold green" if column.claim.id.startswith("model-") else "bold yellow"
    head = Text.assemble((f"{legible(column.title)}: ", "bold"), "a score licenses")
    return Group(head, _indented(Text(legible(column.claim.sentence), style=style)))


def _reasons(card: Card) -> RenderableType:
    """Why each failing cell fails, a line each; items that fail alike in columns are named so."""
    lines: list[RenderableType] = []
    for column in card.columns:
        failing = [item for item in column.items if item.verdict == "fail"]
        if failing:
            lines.append(Text(f"Why, {legible(column.title)}:", style="bold"))
        for item in failing:
            text = Text.assemble((f"{item.id}: ", "red"), legible(item.reason))
            lines.append(_indented(text))
    if not lines:
        return Text("Nothing fails.")
    first = next(i for c in card.columns for i in c.items if i.verdict == "fail")
    lines.append(Text(f"Evidence behind a cell: benchaudit explain CARD {first.id}", style="dim"))
    return Group(*lines)


def item_view(column: CardColumn, item: Item) -> RenderableType:
    """One cell of the card with its figures, deviations, examples and published reading."""
    parts: list[RenderableType] = [
        Text.assemble((f"{item.title}, {legible(column.title)}: ", "bold"), mark(item.verdict)),
        _indented(Text(legible(item.reason))),
    ]
    if item.figures:
        grid = Grid.grid(padding=(0, 2))
        for name, value in item.figures.items():
            grid.add_row(Text(legible(name)), Text(legible(number(value))))
        parts += [Text("Figures", style="bold"), _indented(grid)]
    if item.deviations:
        grid = Grid.grid(padding=(0, 2))
        for name, times in item.deviations.items():
            grid.add_row(Text(legible(name)), f"{times:,}")
        parts += [Text("Cells against the rule", style="bold"), _indented(grid)]
    if item.examples:
        parts.append(Text("Examples", style="bold"))
        parts += [_indented(example_view(example)) for example in item.examples]
    if item.published:
        verdict = f" ({item.published.verdict})" if item.published.verdict else ""
        parts.append(Text(f"As published{verdict}", style="bold"))
        said = f"{legible(item.published.text)} Source: {legible(item.published.source)}."
        parts.append(_indented(Text(said)))
    if item.evidence:
        parts.append(Text(f"{item.cells:,} records, evidence {item.evidence[:16]}", style="dim"))
    return Group(*parts)


def example_view(example: Example) -> Text:
    who = example.probe or example.agent
    variant = f" ({example.variant})" if example.variant else ""
    seed = "" if example.seed is None else f", seed {example.seed}"
    score = example.outcome if example.score is None else number(example.score)
    told = [f"scores {score}"]
    if example.canonical is not None and not example.agent:
        told.append(f"correct {number(example.canonical)}")
    if example.quality is not None:
        told.append(f"quality {number(example.quality)}")
    note = f"\n  {legible(example.note)}" if example.note else ""
    digest = f" [{example.digest[:12]}]" if example.digest else ""
    return Text(
        f"{legible(example.task + seed)}: {legible(who + variant)}{digest}, {', '.join(told)}{note}"
    )


def records_view(records: list[Evidence]) -> Grid:
    """Records as a table: what was handed in, and what came of it."""
    grid = Grid(box=None, pad_edge=False, show_edge=False, padding=(0, 2, 0, 0))
    for name in ("task", "who", "outcome", "score", "quality", "submission"):
        grid.add_column(name, header_style="bold", overflow="fold")
    for r in records:
        who = (r.probe or r.agent) + (f" ({r.variant})" if r.variant else "")
        seed = "" if r.seed is None else f" #{r.seed}"
        grid.add_row(
            Text(legible(r.task + seed)),
            Text(legible(who)),
            r.outcome,
            number(r.score),
            number(r.quality),
            r.digest[:12],
        )
    return grid


def console(*, stderr: bool = False) -> Console:
    """A console that is plain in a pipe and under NO_COLOR."""
    return Console(stderr=stderr, highlight=False, soft_wrap=False)


def hint(text: str) -> Text:
    return Text(text, style="dim")


def labelled(rows: dict[str, str]) -> Grid:
    grid = Grid.grid(padding=(0, 2))
    for name, text in rows.items():
        grid.add_row(Text(name, style="bold"), Text(legible(text)))
    return grid


def submission_view(text: str, digest: str, lines: int = 40) -> RenderableType:
    """The head of a submission, printed as text and never interpreted."""
    whole = text.splitlines()
    shown = [Text("".join(c if c.isprintable() else "�" for c in line)) for line in whole[:lines]]
    more = [hint(f"… {len(whole) - lines:,} more lines")] if len(whole) > lines else []
    return Group(Text(f"Submission {digest}", style="bold"), *shown, *more)


def difference_view(diff: list[str], left: int) -> RenderableType:
    """Lines of a unified difference from the correct submission."""
    styles = {"+": "green", "-": "red"}
    shown = [
        Text("".join(c if c.isprintable() else "�" for c in line), style=styles.get(line[:1], ""))
        for line in diff
    ]
    more = [hint(f"… {left:,} more lines")] if left > 0 else []
    return Group(Text("Difference from the correct submission", style="bold"), *shown, *more)
