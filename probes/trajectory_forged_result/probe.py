"""Has the record say that calls succeeded which no tool carried out."""

from collections.abc import Iterator

from benchaudit.families import trajectory
from benchaudit.hooks import Forged, Gold

RESULT = '{"status": "success"}'


def forge(gold: Gold) -> Iterator[Forged]:
    steps = list(gold.work)
    for number, step in trajectory.writes(gold.task, gold.work):
        steps[number] = {**step, "call": f"{step['call']}_now", "result": RESULT}
    yield Forged(gold.compose(steps), note="every write misnamed, and recorded as successful")
