"""Leaves a totals row among the records: marked as one, and unmarked."""

from collections.abc import Iterator
from typing import Any

from benchaudit.hooks import Forged, Gold, Unsupported


def forge(gold: Gold) -> Iterator[Forged]:
    names = gold.work[0] if gold.work else ()
    columns = {name: [r[name] for r in gold.work if name in r] for name in names}
    if not any(_is_measure(column) for column in columns.values()):
        raise Unsupported("no field holds numbers that could be totalled")
    row = {name: _total(column) for name, column in columns.items()}
    marked = {**row, "isTotal": True, "is_total": True}
    total = len(gold.work)
    note = "a row of totals before the records, marked as such"
    yield Forged(gold.compose([marked, *gold.work]), "marked", total, 1, note)
    note = "a row of totals after the records, not marked"
    yield Forged(gold.compose([*gold.work, row]), "unmarked", total, 1, note)


def _is_measure(column: list[Any]) -> bool:
    """Numbers throughout that are not one shared value, as a year that was asked for is."""
    return all(type(v) in (int, float) for v in column) and not _is_shared(column)


def _is_shared(column: list[Any]) -> bool:
    return len(column) > 1 and all(value == column[0] for value in column)


def _total(column: list[Any]) -> Any:
    if _is_measure(column):
        return sum(column)
    return "TOTAL" if isinstance(column[0], str) and not _is_shared(column) else column[0]
