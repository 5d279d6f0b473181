"""Puts true values into the wrong records: two exchanged, and a whole column moved by one."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

from benchaudit.hooks import Forged, Gold, Unsupported


def forge(gold: Gold) -> Iterator[Forged]:
    work, total = gold.work, len(gold.work)
    name, other = _exchangeable(work)
    column = [record.get(name) for record in work]
    exchanged = [*work]
    exchanged[0] = {**work[0], name: column[other]}
    exchanged[other] = {**work[other], name: column[0]}
    note = f"{name} of records 1 and {other + 1} exchanged"
    yield Forged(gold.compose(exchanged), "two exchanged", total - 2, 2, note)
    moved = [{**record, name: value} for record, value in zip(work, column[1:] + column[:1])]
    kept = (_bag(moved) & _bag(work)).total()
    if kept < total:  # where every combination of values is true, moving may lose none
        note = f"{name} of every record moved to the one before"
        yield Forged(gold.compose(moved), "column moved", kept, total - kept, note)


def _exchangeable(work: list[dict[str, Any]]) -> tuple[str, int]:
    """The last field, and a record, whose value there makes the first record a false one."""
    for name in reversed(work[0] if work else {}):
        first = work[0][name]
        for n, record in enumerate(work):
            if record.get(name) != first and {**record, name: first} != work[0]:
                return name, n
    raise Unsupported("no two records differ in two fields, so no value can be in the wrong one")


def _bag(records: list[dict[str, Any]]) -> Counter[str]:
    return Counter(repr(sorted(record.items())) for record in records)
