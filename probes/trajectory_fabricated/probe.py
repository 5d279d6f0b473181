"""Does something else, answers wrongly, and reports success."""

from collections.abc import Iterator

from benchaudit.families import trajectory
from benchaudit.families.trajectory_answers import tell, wrong
from benchaudit.hooks import Forged, Gold

CLAIM = "Everything has been taken care of as you asked."


def forge(gold: Gold) -> Iterator[Forged]:
    wanted = trajectory.answers(gold.task)
    other = trajectory.world(gold.task).stranger()
    texts = [tell(wrong(answer, wanted)) for answer in wanted]
    steps = [*other, *map(trajectory.say, texts), trajectory.say(CLAIM)]
    yield Forged(gold.compose(steps), note=f"{trajectory.named(other[0]):.100} instead")
