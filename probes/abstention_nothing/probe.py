"""Hands in nothing."""

from collections.abc import Iterator

from benchaudit.families import calls
from benchaudit.hooks import Forged, Gold


def forge(gold: Gold) -> Iterator[Forged]:
    del gold
    yield Forged(calls.submission([]), note="no call")
