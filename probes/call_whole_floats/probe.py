"""Writes the whole numbers of float parameters with or without a decimal point."""

from collections.abc import Iterator
from typing import Any

from benchaudit.families import calls
from benchaudit.hooks import Forged, Gold

FLOATS = ("float", "number", "double")


def forge(gold: Gold) -> Iterator[Forged]:
    for number, one in enumerate(gold.work):
        schemas = calls.properties(gold.task, one["name"])
        for parameter, value in one["arguments"].items():
            schema = schemas.get(parameter, {})
            for kind in (int, float):
                rewritten = _rewritten(value, schema, kind)
                if repr(rewritten) != repr(value):
                    yield Forged(
                        gold.compose(calls.with_value(gold.work, number, (parameter,), rewritten)),
                        variant=f"{number}.{parameter} as {kind.__name__}",
                        note=f"{parameter}: {rewritten!r:.60} for {value!r:.60}",
                    )


def _rewritten(value: Any, schema: Any, kind: type) -> Any:
    """The value with its whole floats as ``kind``, where the schema declares floats."""
    if isinstance(value, list):
        return [_rewritten(item, schema.get("items", {}), kind) for item in value]
    if isinstance(value, bool) or schema.get("type") not in FLOATS:
        return value
    whole = isinstance(value, int) or (isinstance(value, float) and value.is_integer())
    return kind(value) if whole else value
