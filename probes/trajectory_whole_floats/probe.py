"""Gives whole numbers as floats, write by write."""

from collections.abc import Iterator

from benchaudit.families import calls, trajectory
from benchaudit.hooks import Forged, Gold, Unsupported


def forge(gold: Gold) -> Iterator[Forged]:
    found = False
    for number, step in trajectory.writes(gold.task, gold.work):
        arguments = step["arguments"]
        for path, value in calls.leaves(arguments):
            if type(value) is int:
                arguments = calls.replaced(arguments, path, float(value))
        written = {**step, "arguments": arguments}
        if repr(written) != repr(step):
            found = True
            steps = trajectory.instead(gold.work, number, written)
            note = f"{trajectory.named(written):.160}"
            yield Forged(gold.compose(steps), variant=str(number), note=note)
    if not found:
        raise Unsupported("no whole number among the arguments of a write")
