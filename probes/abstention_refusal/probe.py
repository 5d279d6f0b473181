"""Refuses, whatever the task."""

from collections.abc import Iterator

from benchaudit.families import calls
from benchaudit.hooks import Forged, Gold

REFUSAL = "I cannot help with that using the functions that are available."


def forge(gold: Gold) -> Iterator[Forged]:
    del gold
    yield Forged(calls.text_submission(REFUSAL), note=REFUSAL)
