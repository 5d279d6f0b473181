"""Changes a value under a true id: in one record, in every record, and in a copy beside it."""

import math
import re
from collections.abc import Iterator
from typing import Any

from benchaudit.hooks import Forged, Gold, Unsupported

ID = re.compile(r"(^|[_-])id$|Id$|ID$")


def forge(gold: Gold) -> Iterator[Forged]:
    work = gold.work
    truth = {repr(record) for record in work}
    altered = [_altered(record, truth) for record in work]
    wrong = [n for n, record in enumerate(altered) if record is not work[n]]
    if not wrong:
        raise Unsupported("no record holds a text or a number beside its id")
    total, one = len(work), gold.rng.choice(wrong)
    rows = [*work[:one], altered[one], *work[one + 1 :]]
    note = f"one value of record {one + 1} changed"
    yield Forged(gold.compose(rows), "one value", total - 1, 1, note)
    note = f"one value changed in {len(wrong)} of {total} records"
    yield Forged(gold.compose(altered), "every record", total - len(wrong), len(wrong), note)
    note = f"record {one + 1} again, with one value changed"
    yield Forged(gold.compose([*work, altered[one]]), "beside the true one", total, 1, note)


def _altered(record: dict[str, Any], truth: set[str]) -> dict[str, Any]:
    """The record with its last number changed, else its last text; never into a true record."""
    values = {name: v for name, v in record.items() if not ID.search(name) and _alterable(v)}
    numbers = [name for name, value in values.items() if not isinstance(value, str)]
    field = (numbers or list(values) or [""])[-1]
    while field and repr(record) in truth:
        value = record[field]
        wrong = value[::-1] + "x" if isinstance(value, str) else 2 * abs(value) + 1
        record = {**record, field: wrong}
    return record


def _alterable(value: object) -> bool:
    return type(value) in (int, str) or (type(value) is float and math.isfinite(value))
