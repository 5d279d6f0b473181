"""Gates: verdicts on which a run ends with exit code 1."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from dataclasses import dataclass

from benchaudit.audit import UsageError
from benchaudit.card.model import ITEMS, Card


@dataclass(frozen=True, slots=True)
class Gate:
    """An item (or ``any``), in one column or in all of them ("")."""

    item: str
    column: str = ""


def parse(asked: Sequence[str]) -> list[Gate]:
    """Read ``ITEM``, ``ITEM@COLUMN`` or ``any``.

    Raises:
        UsageError: for an item that does not exist, with the closest name.
    """
    gates = []
    for text in asked:
        item, _, column = text.partition("@")
        if item != "any" and item not in ITEMS:
            close = difflib.get_close_matches(item, ITEMS, n=1, cutoff=0.4)
            hint = f"did you mean {close[0]!r}?" if close else f"one of: any, {', '.join(ITEMS)}"
            raise UsageError(f"--gate {item!r}: no such item; {hint}")
        gates.append(Gate(item, column))
    return gates


def tripped(card: Card, gates: Sequence[Gate]) -> list[str]:
    """What tripped, a line each: a fail; for a named item also what is not probed.

    Raises:
        UsageError: for a column that the card does not have.
    """
    known = [column.id for column in card.columns]
    lines = []
    for gate in gates:
        if gate.column and gate.column not in known:
            raise UsageError(f"--gate: no column {gate.column!r}; there are: {', '.join(known)}")
        bad = ("fail",) if gate.item == "any" else ("fail", "not probed")
        for column in card.columns:
            for item in column.items:
                named = gate.item in ("any", item.id) and gate.column in ("", column.id)
                if named and item.verdict in bad:
                    lines.append(f"{item.id}@{column.id} {item.verdict}: {item.reason}")
    return list(dict.fromkeys(lines))
