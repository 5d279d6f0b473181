"""Looks everything up, answers, and changes nothing."""

from collections.abc import Iterator

from benchaudit.families import trajectory
from benchaudit.hooks import Forged, Gold

CLAIM = "Everything has been taken care of."


def forge(gold: Gold) -> Iterator[Forged]:
    trajectory.writes(gold.task, gold.work)
    rest = [step for step in gold.work if not trajectory.is_write(gold.task, step)]
    steps = trajectory.telling(gold.task, rest, CLAIM)
    yield Forged(gold.compose(steps), note="lookups and answers only")
