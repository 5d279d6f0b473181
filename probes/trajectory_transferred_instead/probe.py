"""Looks everything up and hands the user over instead of acting."""

from collections.abc import Iterator

from benchaudit.families import trajectory
from benchaudit.hooks import Forged, Gold


def forge(gold: Gold) -> Iterator[Forged]:
    trajectory.writes(gold.task, gold.work)
    kept = gold.work[: trajectory.ending(gold.task, gold.work)]
    rest = [step for step in kept if not trajectory.is_write(gold.task, step)]
    steps = [*rest, gold.task.data["transfer"]]
    yield Forged(gold.compose(steps), note="a transfer for the writes")
