"""Gives the required answers and calls nothing."""

from collections.abc import Iterator

from benchaudit.families import trajectory
from benchaudit.hooks import Forged, Gold


def forge(gold: Gold) -> Iterator[Forged]:
    trajectory.wanted_answers(gold.task)
    steps = [step for step in gold.work if "say" in step]
    yield Forged(gold.compose(steps), note="the answers, and no call")
