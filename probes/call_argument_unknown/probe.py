"""Adds an argument that the function does not have."""

from collections.abc import Iterator

from benchaudit.families import calls
from benchaudit.hooks import Forged, Gold

UNKNOWN = "additional_option"


def forge(gold: Gold) -> Iterator[Forged]:
    for number, one in enumerate(gold.work):
        arguments = {**one["arguments"], UNKNOWN: "yes"}
        yield Forged(
            gold.compose(calls.with_arguments(gold.work, number, arguments)),
            variant=str(number),
            note=f"{UNKNOWN} added",
        )
