"""Answers with all numbers from 0 to 2,500."""

from collections.abc import Iterator

from benchaudit.families import calls
from benchaudit.hooks import Forged, Gold

NUMBERS = " ".join(map(str, range(2501)))


def forge(gold: Gold) -> Iterator[Forged]:
    del gold
    yield Forged(calls.text_submission(NUMBERS), note="the numbers from 0 to 2500")
