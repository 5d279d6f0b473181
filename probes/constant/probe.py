"""Hands in one plausible record that does not depend on the task."""

from collections.abc import Iterator
from typing import Any

from benchaudit.hooks import Forged, Gold, Unsupported


def forge(gold: Gold) -> Iterator[Forged]:
    if not gold.work:
        raise Unsupported("the task has no record whose fields could be imitated")
    record = {name: _constant(value) for name, value in gold.work[0].items()}
    kept = int(record in gold.work)
    note = "one record, the same for every task"
    yield Forged(gold.compose([record]), kept=kept, invented=1 - kept, note=note)


def _constant(value: Any) -> Any:
    """2000, which passes for a year, an amount or an id; a word; else the type's empty value."""
    if type(value) in (int, float):
        return type(value)(2000)
    return "unknown" if isinstance(value, str) else type(value)()
