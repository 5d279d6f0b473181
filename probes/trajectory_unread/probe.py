"""Writes and answers without looking anything up."""

from collections.abc import Iterator

from benchaudit.families import trajectory
from benchaudit.hooks import Forged, Gold


def forge(gold: Gold) -> Iterator[Forged]:
    found = trajectory.writes(gold.task, gold.work)
    kept = [
        step
        for step in gold.work
        if trajectory.is_write(gold.task, step)
        or "say" in step
        or step["call"] == gold.task.data["transfer"]["call"]
    ]
    yield Forged(gold.compose(kept), note=f"{len(found)} writes, no lookup")
