"""Gives a parameter a wrong value and then the right one."""

from collections.abc import Iterator

from benchaudit.families import calls
from benchaudit.hooks import Forged, Gold


def forge(gold: Gold) -> Iterator[Forged]:
    calls.written_in_python(gold.task)
    first, *rest = gold.work
    if not first["arguments"]:
        return
    parameter, value = next(iter(first["arguments"].items()))
    call = calls.as_python_call(first)
    twice = call.replace("(", f"({parameter}={calls.other(value)!r}, ", 1)
    text = f"[{', '.join([twice, *map(calls.as_python_call, rest)])}]"
    yield Forged(calls.text_submission(text), note=f"{text:.120}")
