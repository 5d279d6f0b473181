"""Replaces one value inside a list or dictionary, each in turn."""

from collections.abc import Iterator

from benchaudit.families import calls
from benchaudit.hooks import Forged, Gold


def forge(gold: Gold) -> Iterator[Forged]:
    for number, path, value in calls.values(gold.work):
        if len(path) > 1:
            wrong = calls.other(value)
            yield Forged(
                gold.compose(calls.with_value(gold.work, number, path, wrong)),
                variant=".".join(map(str, (number, *path))),
                note=f"{path[0]}: {wrong!r:.60} for {value!r:.60}",
            )
