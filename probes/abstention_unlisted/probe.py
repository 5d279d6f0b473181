"""Calls a function that nobody offered, the same on every task."""

from collections.abc import Iterator

from benchaudit.families import calls
from benchaudit.hooks import Forged, Gold

UNLISTED = calls.call("perform_requested_task", {})


def forge(gold: Gold) -> Iterator[Forged]:
    del gold
    yield Forged(calls.submission([UNLISTED]), note=calls.as_python_call(UNLISTED))
