"""The evidence behind one cell of a card, down to the submission."""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from benchaudit import encoding, packs
from benchaudit.audit import Options, UsageError, applicable_probes, open_executor
from benchaudit.card.model import ITEMS, Card, CardColumn
from benchaudit.cells import CANONICAL, Cell
from benchaudit.evidence import Evidence
from benchaudit.installers import Unavailable
from benchaudit.manifest import ProbeManifest, read_adapter
from benchaudit.render import terminal
from benchaudit.store import EVIDENCE, find_card, read_card, read_evidence

if TYPE_CHECKING:
    from rich.console import RenderableType

DIFF_LINES = 60
"""Lines of difference that are shown of a submission."""


def explain(
    path: Path, item: str, *, column: str | None, task: str | None, digest: str | None
) -> Iterator[RenderableType]:
    """Yield what there is to show of an item, for a terminal.

    Raises:
        UsageError: an item, column, task or submission that is not there.
        StoreError: a card or evidence that cannot be trusted.
    """
    card = read_card(path)
    if item not in ITEMS:
        close = difflib.get_close_matches(item, ITEMS, n=1, cutoff=0.4)
        hint = f"did you mean {close[0]!r}?" if close else f"there are: {', '.join(ITEMS)}"
        raise UsageError(f"no item {item!r}; {hint}")
    columns = chosen_columns(card, column)
    if digest is not None:
        yield from _submission(card, path, digest)
        return
    for chosen in columns:
        yield terminal.item_view(chosen, chosen.item(item))
        yield ""
    if task is None:
        yield terminal.hint("All records of a task: --task ID. A submission: --submission DIGEST.")
        return
    records = read_evidence(path, card)
    if records is None:
        folder = find_card(path).parent
        raise UsageError(f"{folder}: no {EVIDENCE} there; `benchaudit run` writes it")
    found = [[r for r in records if r.task == task and _belongs(r, c)] for c in columns]
    if not any(found):
        where = f" in column {column}" if column else ""
        raise UsageError(f"no record of task {task!r}{where}")
    yield from (terminal.records_view(mine) for mine in found if mine)


def chosen_columns(card: Card, column: str | None, *, single: bool = False) -> list[CardColumn]:
    """The columns asked for: one by its id, else all of them.

    Raises:
        UsageError: for a column that is not there, or when one must be named.
    """
    known = ", ".join(c.id for c in card.columns)
    if column is None:
        if single and len(card.columns) > 1:
            raise UsageError(f"say which --column: {known}")
        return card.columns
    found = [c for c in card.columns if c.id == column]
    if not found:
        raise UsageError(f"no column {column!r}; there are: {known}")
    return found


def _belongs(record: Evidence, column: CardColumn) -> bool:
    if record.scorer != column.scorer:
        return False
    return bool(record.probe) or record.scaffold == column.scaffold


def _submission(card: Card, path: Path, digest: str) -> Iterator[RenderableType]:
    """Make a submission again from its cell, check its digest, and show it."""
    cell, variant, full = _find(card, path, digest)
    pack = packs.find("adapters", card.target)
    manifest = read_adapter(pack)
    probes = applicable_probes(pack, manifest)
    control = Cell(task=cell.task, seed=cell.seed, probe=CANONICAL, kind=CANONICAL)
    changed = (
        f"submission {digest}: cannot be made again as it was, the adapter or the probe has "
        "changed since; run the audit again"
    )
    try:
        with open_executor(pack, manifest, probes, Options(), lambda _: None) as executor:
            made = executor.submissions(cell)
            correct = executor.submissions(control) if cell.probe else {}
    except (packs.PackError, Unavailable):
        raise
    except Exception as error:  # whatever the hooks or the forger raise now
        raise UsageError(f"{changed} ({type(error).__name__}: {error})") from error
    text = made.get(variant)
    if text is None or encoding.digest(text) != full:
        raise UsageError(changed)
    if cell.probe in probes:
        yield from _about(probes[cell.probe].facts)
    yield terminal.submission_view(_pretty(text), full)
    if correct and correct.get("") != text:
        before, after = _pretty(correct[""]).splitlines(), _pretty(text).splitlines()
        diff = list(difflib.unified_diff(before, after, "correct", "submitted", n=1, lineterm=""))
        yield terminal.difference_view(diff[:DIFF_LINES], len(diff) - DIFF_LINES)


def _about(probe: ProbeManifest) -> Iterator[RenderableType]:
    yield terminal.labelled(
        {
            "Probe": f"{probe.title} ({probe.kind})",
            "Forges": probe.forges,
            "A valid scorer": probe.expects,
            "What to do": probe.remedy,
        }
    )


def _find(card: Card, path: Path, digest: str) -> tuple[Cell, str, str]:
    """The cell and variant of a submission, from the evidence or from the card's examples."""
    known: list[tuple[Cell, str, str]] = []
    for r in read_evidence(path, card) or ():
        if r.digest.startswith(digest):
            scaffold, budget = r.scaffold, r.budget
            cell = Cell(
                task=r.task,
                seed=r.seed,
                probe=r.probe,
                kind=r.kind,
                scaffold=scaffold,
                agent=r.agent,
                budget=budget,
            )
            known.append((cell, r.variant, r.digest))
    for column in card.columns:
        for example in (e for item in column.items for e in item.examples):
            if example.digest.startswith(digest) and example.probe:
                cell = Cell(task=example.task, seed=example.seed, probe=example.probe)
                known.append((cell, example.variant, example.digest))
    if not digest or not known:
        raise UsageError(f"no submission {digest!r} in this card or the evidence beside it")
    if len({full for _, _, full in known}) > 1:
        raise UsageError(f"submission {digest!r}: several begin so; give more digits")
    return known[0]


def _pretty(encoded: str) -> str:
    return json.dumps(json.loads(encoded), indent=1, ensure_ascii=False)
