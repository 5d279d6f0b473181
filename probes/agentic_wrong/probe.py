"""Gives another answer in the right form."""

from collections.abc import Iterator

from benchaudit.families import calls
from benchaudit.hooks import Forged, Gold


def forge(gold: Gold) -> Iterator[Forged]:
    wrong = calls.other(gold.work)
    yield Forged(gold.compose(wrong), note=f"{wrong!r:.60} for {gold.work!r:.60}")
