"""States the schema's default of one optional parameter, each in turn."""

from collections.abc import Iterator
from typing import Any

from benchaudit.families import calls
from benchaudit.hooks import Forged, Gold

TYPES: dict[str, tuple[type, ...]] = {
    "string": (str,),
    "integer": (int,),
    "float": (float, int),
    "number": (float, int),
    "boolean": (bool,),
    "array": (list,),
    "dict": (dict,),
}


def forge(gold: Gold) -> Iterator[Forged]:
    for number, (one, allowed) in enumerate(zip(gold.work, calls.allowed(gold.task))):
        schemas = calls.properties(gold.task, one["name"])
        for parameter, values in allowed.items():
            schema = schemas.get(parameter, {})
            if "" in values and _has_default(schema):
                arguments = {**one["arguments"], parameter: schema["default"]}
                yield Forged(
                    gold.compose(calls.with_arguments(gold.work, number, arguments)),
                    variant=f"{number}.{parameter}",
                    note=f"{parameter}: {schema['default']!r:.60}, its default",
                )


def _has_default(schema: Any) -> bool:
    """Whether there is a default, and it has the type that the schema declares."""
    default = schema.get("default")
    if default is None or (default == "" and "enum" in schema):
        return False
    return type(default) in TYPES.get(schema.get("type"), ())
