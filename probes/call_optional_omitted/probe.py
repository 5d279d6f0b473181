"""Leaves out one parameter that the answer key lets one leave out, each in turn."""

from collections.abc import Iterator

from benchaudit.families import calls
from benchaudit.hooks import Forged, Gold


def forge(gold: Gold) -> Iterator[Forged]:
    for number, (one, allowed) in enumerate(zip(gold.work, calls.allowed(gold.task))):
        needed = calls.required(gold.task, one["name"])
        for parameter in one["arguments"]:
            if parameter not in needed and "" in allowed.get(parameter, ()):
                kept = {p: v for p, v in one["arguments"].items() if p != parameter}
                yield Forged(
                    gold.compose(calls.with_arguments(gold.work, number, kept)),
                    variant=f"{number}.{parameter}",
                    note=f"without {parameter}",
                )
