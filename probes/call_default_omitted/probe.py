"""Leaves out one argument that equals the schema's default, each in turn."""

from collections.abc import Iterator

from benchaudit.families import calls
from benchaudit.hooks import Forged, Gold


def forge(gold: Gold) -> Iterator[Forged]:
    for number, one in enumerate(gold.work):
        schemas = calls.properties(gold.task, one["name"])
        needed = calls.required(gold.task, one["name"])
        for parameter, value in one["arguments"].items():
            schema = schemas.get(parameter, {})
            if parameter not in needed and "default" in schema and schema["default"] == value:
                kept = {p: v for p, v in one["arguments"].items() if p != parameter}
                yield Forged(
                    gold.compose(calls.with_arguments(gold.work, number, kept)),
                    variant=f"{number}.{parameter}",
                    note=f"without {parameter}, whose default is {value!r:.60}",
                )
