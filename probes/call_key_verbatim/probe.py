"""Hands in the answer key's own notation in place of a dictionary."""

from collections.abc import Iterator
from typing import Any

from benchaudit.families import calls
from benchaudit.hooks import Forged, Gold


def forge(gold: Gold) -> Iterator[Forged]:
    for number, (one, allowed) in enumerate(zip(gold.work, calls.allowed(gold.task))):
        for parameter in one["arguments"]:
            entry = next(filter(_holds_dictionary, allowed.get(parameter, ())), None)
            if entry is not None:
                yield Forged(
                    gold.compose(calls.with_value(gold.work, number, (parameter,), entry)),
                    variant=f"{number}.{parameter}",
                    note=f"{parameter}: {entry!r:.80}",
                )


def _holds_dictionary(value: Any) -> bool:
    if isinstance(value, list):
        return any(map(_holds_dictionary, value))
    return isinstance(value, dict)
