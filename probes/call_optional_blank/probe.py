"""Sets one optional argument to the empty text, each in turn."""

from collections.abc import Iterator

from benchaudit.families import calls
from benchaudit.hooks import Forged, Gold


def forge(gold: Gold) -> Iterator[Forged]:
    for number, one in enumerate(gold.work):
        needed = calls.required(gold.task, one["name"])
        for parameter in calls.properties(gold.task, one["name"]):
            if parameter not in needed:
                arguments = {**one["arguments"], parameter: ""}
                yield Forged(
                    gold.compose(calls.with_arguments(gold.work, number, arguments)),
                    variant=f"{number}.{parameter}",
                    note=f"{parameter}: the empty text",
                )
