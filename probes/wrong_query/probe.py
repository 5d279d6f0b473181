"""Answers another question: a field that all true records share holds another value."""

from collections.abc import Iterator
from typing import Any

from benchaudit.hooks import Forged, Gold, Unsupported


def forge(gold: Gold) -> Iterator[Forged]:
    total = len(gold.work)
    shared = [
        name
        for name, value in (gold.work[0].items() if total > 1 else ())
        if type(value) in (int, str) and all(r.get(name) == value for r in gold.work)
    ]
    if not shared:
        raise Unsupported("the records share no value that would stand for the question")
    name = gold.rng.choice(shared)
    asked = gold.work[0][name]
    wrong = _another(asked)
    records = [{**record, name: wrong} for record in gold.work]
    note = f"{name} is {wrong!r} throughout, where {asked!r} was asked for"
    yield Forged(gold.compose(records), kept=0, invented=total, note=note)


def _another(value: Any) -> Any:
    """The next number, as a code of the same width where it is text; other text gets an X."""
    if isinstance(value, int):
        return value + 1
    if value.isascii() and value.isdecimal():
        return f"{int(value) + 1:0{len(value)}d}"
    return value + "X"
