"""Calls a function that does not exist in every turn that has calls."""

from collections.abc import Iterator

from benchaudit.families import calls
from benchaudit.hooks import Forged, Gold

UNLISTED = calls.call("perform_requested_task", {"thoroughly": True})


def forge(gold: Gold) -> Iterator[Forged]:
    noisy = [[[UNLISTED], *steps] if any(steps) else steps for steps in gold.work]
    yield Forged(gold.compose(noisy), note=f"{calls.as_python_call(UNLISTED)} in every turn")
