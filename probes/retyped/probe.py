"""Hands in the true numbers under another type: as text, and as floating-point numbers."""

from collections.abc import Iterator
from typing import Any

from benchaudit.hooks import Forged, Gold, Unsupported

EXACT = 2**53
"""Whole numbers below it are exact as floating-point numbers."""


def forge(gold: Gold) -> Iterator[Forged]:
    if not any(_is_number(value) for record in gold.work for value in record.values()):
        raise Unsupported("no record holds a number")
    for variant, convert in (("text", str), ("float", _float)):
        records = [
            {name: convert(v) if _is_number(v) else v for name, v in record.items()}
            for record in gold.work
        ]
        kept = sum(new == old for new, old in zip(records, gold.work))
        note = f"every number as {variant}"
        yield Forged(gold.compose(records), variant, kept, len(records) - kept, note)


def _is_number(value: object) -> bool:
    return type(value) in (int, float)


def _float(value: Any) -> Any:
    return float(value) if abs(value) < EXACT else value
