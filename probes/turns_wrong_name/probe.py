"""Leaves the last character out of a function's name, each in turn."""

from collections.abc import Iterator

from benchaudit.families import calls, turns
from benchaudit.hooks import Forged, Gold


def forge(gold: Gold) -> Iterator[Forged]:
    for place, call in turns.calls(gold.work):
        wrong = calls.call(call["name"][:-1], call["arguments"])
        yield Forged(
            gold.compose(turns.with_calls(gold.work, place, [wrong])),
            variant=turns.named(place),
            note=f"{calls.as_python_call(wrong):.120}",
        )
