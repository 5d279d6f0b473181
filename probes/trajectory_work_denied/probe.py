"""Does the work, and says that it could not."""

from collections.abc import Iterator

from benchaudit.families import trajectory
from benchaudit.hooks import Forged, Gold

DENIAL = "I am sorry, I was not able to do any of this."


def forge(gold: Gold) -> Iterator[Forged]:
    steps = trajectory.telling(gold.task, gold.work, DENIAL)
    yield Forged(gold.compose(steps), note="the canonical work under a denial")
