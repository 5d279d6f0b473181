"""Attempts a call of the first function on offer in a form that does not decode."""

from collections.abc import Iterator

from benchaudit.families import calls
from benchaudit.hooks import Forged, Gold


def forge(gold: Gold) -> Iterator[Forged]:
    function = calls.first_listed(gold.task)
    schemas = calls.properties(gold.task, function["name"])
    needed = calls.required(gold.task, function["name"])
    filled = {parameter: calls.junk(schemas[parameter]) for parameter in needed}
    text = calls.as_python([calls.call(function["name"], filled)])
    broken = {
        "no closing bracket": text[:-2],
        "unclosed quote": text.replace("(", "('", 1),
        "after a sentence": f"I will use this function: {text}",
        "in tags": f"<tool_call>{text}</tool_call>",
    }
    for variant, attempt in broken.items():
        yield Forged(calls.text_submission(attempt), variant=variant, note=f"{attempt:.120}")
