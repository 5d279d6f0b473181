"""Fills optional parameters that are left out with values that nobody asked for."""

from collections.abc import Iterator
from typing import Any

from benchaudit.families import calls
from benchaudit.hooks import Forged, Gold


def forge(gold: Gold) -> Iterator[Forged]:
    for number, one in enumerate(gold.work):
        schemas = calls.properties(gold.task, one["name"])
        needed = calls.required(gold.task, one["name"])
        free = [p for p in schemas if p not in one["arguments"] and p not in needed]
        fillings = {p: {p: _junk(gold, schemas[p])} for p in free}
        if len(free) > 1:
            fillings["all"] = {p: _junk(gold, schemas[p]) for p in free}
        for variant, junk in fillings.items():
            arguments = {**one["arguments"], **junk}
            yield Forged(
                gold.compose(calls.with_arguments(gold.work, number, arguments)),
                variant=f"{number}.{variant}",
                note=f"junk in {', '.join(junk):.80}",
            )


def _junk(gold: Gold, schema: Any) -> Any:
    value = calls.junk(schema)
    return value if gold.task.data.get("language", "python") == "python" else str(value)
