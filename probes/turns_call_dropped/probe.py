"""Leaves out one call, each in turn."""

from collections.abc import Iterator

from benchaudit.families import calls, turns
from benchaudit.hooks import Forged, Gold


def forge(gold: Gold) -> Iterator[Forged]:
    for place, call in turns.calls(gold.work):
        yield Forged(
            gold.compose(turns.with_calls(gold.work, place, [])),
            variant=turns.named(place),
            note=f"without {calls.as_python_call(call):.100}",
        )
