"""Does everything and tells the user nothing."""

from collections.abc import Iterator

from benchaudit.families import trajectory
from benchaudit.hooks import Forged, Gold


def forge(gold: Gold) -> Iterator[Forged]:
    trajectory.wanted_answers(gold.task)
    silent = trajectory.unspoken(gold.work)
    yield Forged(gold.compose(silent), note="no answer")
