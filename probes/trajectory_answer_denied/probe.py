"""Denies every answer."""

from collections.abc import Iterator

from benchaudit.families import trajectory
from benchaudit.families.trajectory_answers import wrong
from benchaudit.hooks import Forged, Gold


def forge(gold: Gold) -> Iterator[Forged]:
    wanted = trajectory.wanted_answers(gold.task)
    texts = [f"It is {wrong(answer, wanted)}, not {answer}." for answer in wanted]
    steps = trajectory.telling(gold.task, trajectory.unspoken(gold.work), *texts)
    yield Forged(gold.compose(steps), note=f"{texts[0]:.120}")
