"""Makes the writes in reverse order."""

from collections.abc import Iterator

from benchaudit.families import trajectory
from benchaudit.hooks import Forged, Gold, Unsupported


def forge(gold: Gold) -> Iterator[Forged]:
    found = trajectory.writes(gold.task, gold.work)
    if len(found) < 2:
        raise Unsupported("fewer than two writes have no order")
    steps = list(gold.work)
    for (place, _), (_, write) in zip(found, reversed(found), strict=True):
        steps[place] = write
    yield Forged(gold.compose(steps), note=f"{len(found)} writes, the last one first")
