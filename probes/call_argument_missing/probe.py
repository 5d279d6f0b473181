"""Leaves one required argument out, each in turn."""

from collections.abc import Iterator

from benchaudit.families import calls
from benchaudit.hooks import Forged, Gold


def forge(gold: Gold) -> Iterator[Forged]:
    for number, one in enumerate(gold.work):
        for parameter in calls.required(gold.task, one["name"]):
            if parameter in one["arguments"]:
                kept = {p: v for p, v in one["arguments"].items() if p != parameter}
                yield Forged(
                    gold.compose(calls.with_arguments(gold.work, number, kept)),
                    variant=f"{number}.{parameter}",
                    note=f"without {parameter}",
                )
