"""Corrupts one argument of one call, each in turn."""

from collections.abc import Iterator

from benchaudit.families import calls, turns
from benchaudit.hooks import Forged, Gold


def forge(gold: Gold) -> Iterator[Forged]:
    for place, call in turns.calls(gold.work):
        for parameter, value in call["arguments"].items():
            arguments = {**call["arguments"], parameter: calls.other(value)}
            wrong = calls.call(call["name"], arguments)
            yield Forged(
                gold.compose(turns.with_calls(gold.work, place, [wrong])),
                variant=f"{turns.named(place)}.{parameter}",
                note=f"{calls.as_python_call(wrong):.120}",
            )
