"""Leaves out one write, each in turn."""

from collections.abc import Iterator

from benchaudit.families import trajectory
from benchaudit.hooks import Forged, Gold


def forge(gold: Gold) -> Iterator[Forged]:
    for number, step in trajectory.writes(gold.task, gold.work):
        yield Forged(
            gold.compose(trajectory.instead(gold.work, number)),
            variant=str(number),
            note=f"without {trajectory.named(step):.120}",
        )
