"""Hands in a tuple where the schema declares one."""

from collections.abc import Iterator

from benchaudit.families import calls
from benchaudit.hooks import Forged, Gold


def forge(gold: Gold) -> Iterator[Forged]:
    for number, one in enumerate(gold.work):
        schemas = calls.properties(gold.task, one["name"])
        for parameter, value in one["arguments"].items():
            if isinstance(value, list) and schemas.get(parameter, {}).get("type") == "tuple":
                yield Forged(
                    gold.compose(calls.with_value(gold.work, number, (parameter,), tuple(value))),
                    variant=f"{number}.{parameter}",
                    note=f"{parameter}: a tuple",
                )
