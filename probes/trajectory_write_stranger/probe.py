"""Does the work, and something to a customer who asked for nothing."""

from collections.abc import Iterator

from benchaudit.families import trajectory
from benchaudit.hooks import Forged, Gold


def forge(gold: Gold) -> Iterator[Forged]:
    extra = trajectory.world(gold.task).stranger()
    at = trajectory.ending(gold.task, gold.work)
    steps = [*gold.work[:at], *extra, *gold.work[at:]]
    yield Forged(gold.compose(steps), note=f"and {trajectory.named(extra[0]):.120}")
