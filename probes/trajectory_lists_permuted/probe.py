"""Turns the lists among the arguments of one write round, each write in turn."""

from collections.abc import Iterator

from benchaudit.families import trajectory
from benchaudit.families.trajectory import Step
from benchaudit.hooks import Forged, Gold, Unsupported


def forge(gold: Gold) -> Iterator[Forged]:
    found = False
    for number, step in trajectory.writes(gold.task, gold.work):
        for what, turned in _turned(step):
            found = True
            steps = trajectory.instead(gold.work, number, turned)
            note = f"{what} of {step['call']} the other way round"
            yield Forged(gold.compose(steps), variant=f"{number} {what}", note=note)
    if not found:
        raise Unsupported("no list of two or more among the arguments")


def _turned(step: Step) -> Iterator[tuple[str, Step]]:
    arguments = step["arguments"]
    lists = {k: v for k, v in arguments.items() if isinstance(v, list) and len(v) > 1}
    records = [k for k, v in lists.items() if isinstance(v[0], dict)]
    names = [k for k in lists if k not in records]
    for keys in [names, *([key] for key in records)]:
        if keys:
            turned = {key: lists[key][::-1] for key in keys}
            yield ", ".join(keys), {**step, "arguments": {**arguments, **turned}}
