"""Calls the first function on offer."""

from collections.abc import Iterator

from benchaudit.families import calls
from benchaudit.hooks import Forged, Gold


def forge(gold: Gold) -> Iterator[Forged]:
    function = calls.first_listed(gold.task)
    schemas = calls.properties(gold.task, function["name"])
    needed = calls.required(gold.task, function["name"])
    filled = {parameter: calls.junk(schemas[parameter]) for parameter in needed}
    for variant, arguments in {"filled": filled, "bare": {}}.items():
        call = calls.call(function["name"], arguments)
        note = f"{calls.as_python_call(call):.120}"
        yield Forged(calls.submission([call]), variant=variant, note=note)
