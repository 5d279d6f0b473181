"""Gets one answer wrong, each in turn."""

from collections.abc import Iterator

from benchaudit.families import trajectory
from benchaudit.families.trajectory_answers import tell, wrong
from benchaudit.hooks import Forged, Gold


def forge(gold: Gold) -> Iterator[Forged]:
    wanted = trajectory.wanted_answers(gold.task)
    calls = trajectory.unspoken(gold.work)
    for number, answer in enumerate(wanted):
        false = wrong(answer, wanted)
        given = [*wanted[:number], false, *wanted[number + 1 :]]
        yield Forged(
            gold.compose(trajectory.telling(gold.task, calls, *map(tell, given))),
            variant=str(number),
            note=f"{false!r} for {answer!r}",
        )
