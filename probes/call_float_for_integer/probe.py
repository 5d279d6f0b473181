"""Writes one integer as a float of the same value, each in turn."""

from collections.abc import Iterator

from benchaudit.families import calls
from benchaudit.hooks import Forged, Gold


def forge(gold: Gold) -> Iterator[Forged]:
    for number, path, value in calls.values(gold.work):
        if type(value) is int:
            yield Forged(
                gold.compose(calls.with_value(gold.work, number, path, float(value))),
                variant=".".join(map(str, (number, *path))),
                note=f"{path[0]}: {float(value)} for {value}",
            )
