"""Leaves out the arguments of one call, each in turn."""

from collections.abc import Iterator

from benchaudit.families import trajectory
from benchaudit.hooks import Forged, Gold, Unsupported


def forge(gold: Gold) -> Iterator[Forged]:
    transfer = gold.task.data["transfer"]["call"]
    found = False
    for number, step in enumerate(gold.work):
        if not trajectory.is_write(gold.task, step) and step.get("call") != transfer:
            continue
        steps = trajectory.instead(gold.work, number, {**step, "arguments": {}})
        if number in trajectory.world(gold.task).refused(steps):
            found = True
            yield Forged(gold.compose(steps), variant=str(number), note=f"{step['call']}()")
    if not found:
        raise Unsupported("no call that the tools refuse without its arguments")
