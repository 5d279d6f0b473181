"""Looks at the records again after the work."""

from collections.abc import Iterator

from benchaudit.families import trajectory
from benchaudit.hooks import Forged, Gold, Unsupported


def forge(gold: Gold) -> Iterator[Forged]:
    lookups = trajectory.world(gold.task).lookups()
    if not lookups:
        raise Unsupported("the work is about no record that can be looked up")
    at = trajectory.ending(gold.task, gold.work)
    steps = [*gold.work[:at], *lookups, *gold.work[at:]]
    yield Forged(gold.compose(steps), note=f"{len(lookups)} lookups after the work")
