"""Gets one argument of one write wrong, each in turn."""

from collections.abc import Iterator

from benchaudit.families import calls, trajectory
from benchaudit.families.trajectory import Step, Steps
from benchaudit.hooks import Forged, Gold


def forge(gold: Gold) -> Iterator[Forged]:
    for number, step in trajectory.writes(gold.task, gold.work):
        for path, value in calls.leaves(step["arguments"]):
            steps, wrong, accepted = corrupt(gold, number, path, value)
            yield Forged(
                gold.compose(steps),
                variant=f"{number} {'.'.join(map(str, path))} {accepted}",
                note=f"{trajectory.named(wrong):.160}",
            )


def corrupt(gold: Gold, number: int, path: calls.Path, value: object) -> tuple[Steps, Step, str]:
    """The first wrong value that the tools accept, else the last that they refuse."""
    step = gold.work[number]
    known = trajectory.world(gold.task).others(step).get(path, [])
    for candidate in [*known, calls.other(value)]:
        wrong = {**step, "arguments": calls.replaced(step["arguments"], path, candidate)}
        steps = trajectory.instead(gold.work, number, wrong)
        if dict(trajectory.verdicts(gold.task, steps))[number]:
            return steps, wrong, "accepted"
    return steps, wrong, "refused"
