"""Makes up as many records as there are true ones, alike in fields, types and usual values."""

import itertools
from collections.abc import Iterator
from typing import Any

from benchaudit.hooks import Forged, Gold, Unsupported


def forge(gold: Gold) -> Iterator[Forged]:
    names = dict.fromkeys(name for record in gold.work for name in record)
    columns = {name: [r[name] for r in gold.work if name in r] for name in names}
    fresh = {name: _beyond(columns[name]) for name in _identifying(columns)}
    if not gold.work or not all(fresh.keys() & record.keys() for record in gold.work):
        raise Unsupported("no text or number tells the records apart, so none can be made up")
    made_up = [
        {
            name: next(fresh[name]) if name in fresh else gold.rng.choice(columns[name])
            for name in record
        }
        for record in gold.work
    ]
    note = f"{len(made_up)} records made up, none of them true"
    yield Forged(gold.compose(made_up), kept=0, invented=len(made_up), note=note)


def _identifying(columns: dict[str, list[Any]]) -> list[str]:
    """The columns of texts or of numbers that never repeat a value; else the last such column."""
    scalar = [
        name
        for name, column in columns.items()
        if (kinds := {type(value) for value in column}) <= {str} or kinds <= {int, float}
    ]
    return [name for name in scalar if len({*columns[name]}) == len(columns[name])] or scalar[-1:]


def _beyond(column: list[Any]) -> Iterator[Any]:
    """Values that the column does not hold: T3-000025 after T3-000024, far greater numbers."""
    if type(column[0]) is not str:
        yield from itertools.count(2 * max(map(abs, column)) + 1)
    last = max(column, key=lambda text: (len(text), text))
    head = last.rstrip("0123456789")
    digits = last[len(head) :]
    for number in itertools.count(int(digits or 0) + 1):
        yield f"{head}{number:0{len(digits)}d}"
