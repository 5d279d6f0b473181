"""Gives one value another type, each in turn."""

import json
from collections.abc import Iterator
from typing import Any

from benchaudit.families import calls
from benchaudit.hooks import Forged, Gold


def forge(gold: Gold) -> Iterator[Forged]:
    for number, path, value in _places(gold):
        for kind, wrong in _swaps(value, len(path) == 1):
            yield Forged(
                gold.compose(calls.with_value(gold.work, number, path, wrong)),
                variant=f"{'.'.join(map(str, (number, *path)))} as {kind}",
                note=f"{path[0]}: {wrong!r:.60} for {value!r:.60}",
            )


def _places(gold: Gold) -> Iterator[tuple[int, calls.Path, Any]]:
    yield from calls.values(gold.work)
    for number, one in enumerate(gold.work):
        for parameter, value in one["arguments"].items():
            if isinstance(value, dict | list | tuple) and value:
                yield number, (parameter,), value


def _swaps(value: Any, is_top: bool) -> Iterator[tuple[str, Any]]:
    match value:
        case bool():
            yield "text", str(value)
            yield "number", int(value)
        case int() | float():
            yield "text", str(value)
            if value in (0, 1):
                yield "truth value", bool(value)
        case str() if value.isdecimal() and value == str(int(value)):
            yield "number", int(value)
        case dict() | list() | tuple():
            yield "text", json.dumps(value)
            return
    if is_top:
        yield "null", None
        yield "list", [value]
