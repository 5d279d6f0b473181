"""Says every answer only as a part of a longer number or word."""

from collections.abc import Iterator

from benchaudit.families import trajectory
from benchaudit.families.trajectory_answers import tell
from benchaudit.hooks import Forged, Gold


def forge(gold: Gold) -> Iterator[Forged]:
    wanted = trajectory.wanted_answers(gold.task)
    texts = [tell(f"7{answer}7" if answer[0].isdigit() else f"x{answer}x") for answer in wanted]
    steps = trajectory.telling(gold.task, trajectory.unspoken(gold.work), *texts)
    yield Forged(gold.compose(steps), note=f"{texts[0]:.120}")
