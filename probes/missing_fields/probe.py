"""Leaves fields of every record out, or null."""

from collections.abc import Iterator
from typing import Any

from benchaudit.hooks import Forged, Gold, Unsupported


def forge(gold: Gold) -> Iterator[Forged]:
    if not gold.work or not all(gold.work):
        raise Unsupported("no record has a field that could be missing")
    total = len(gold.work)
    fields = [_field(record) for record in gold.work]
    without = [
        {name: value for name, value in record.items() if name != field}
        for record, field in zip(gold.work, fields)
    ]
    note = f"{fields[0]} left out of every record"
    yield Forged(gold.compose(without), "one left out", kept=0, invented=total, note=note)
    nulled = [{**record, field: None} for record, field in zip(gold.work, fields)]
    kept = sum(new == old for new, old in zip(nulled, gold.work))
    note = f"{fields[0]} null in every record"
    yield Forged(gold.compose(nulled), "one null", kept, total - kept, note)
    halves = [dict(list(record.items())[: len(record) // 2]) for record in gold.work]
    note = "the later half of the fields left out of every record"
    yield Forged(gold.compose(halves), "half left out", kept=0, invented=total, note=note)


def _field(record: dict[str, Any]) -> str:
    """The last field that holds a number, else the last one."""
    numbers = [name for name, value in record.items() if type(value) in (int, float)]
    return (numbers or list(record))[-1]
