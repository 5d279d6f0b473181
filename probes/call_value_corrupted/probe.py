"""Replaces one argument by another value of its type, each in turn."""

from collections.abc import Iterator
from typing import Any

from benchaudit.families import calls
from benchaudit.hooks import Forged, Gold


def forge(gold: Gold) -> Iterator[Forged]:
    for number, one in enumerate(gold.work):
        schemas = calls.properties(gold.task, one["name"])
        for parameter, value in one["arguments"].items():
            wrong = _another(value, schemas.get(parameter, {}))
            edited = calls.with_value(gold.work, number, (parameter,), wrong)
            yield Forged(
                gold.compose(edited),
                variant=f"{number}.{parameter}",
                note=f"{parameter}: {wrong!r:.60} for {value!r:.60}",
            )


def _another(value: Any, schema: Any) -> Any:
    others = [choice for choice in schema.get("enum", ()) if choice != value]
    return others[0] if others and value in schema["enum"] else calls.other(value)
