"""Leaves one kind of mark out of the answer."""

from collections.abc import Iterator

from benchaudit.hooks import Forged, Gold

MARKS = ".-/,()"


def forge(gold: Gold) -> Iterator[Forged]:
    for mark in MARKS:
        if mark in gold.work:
            bare = gold.work.replace(mark, "")
            yield Forged(
                gold.compose(bare), variant=f"without {mark}", note=f"{bare!r} for {gold.work!r}"
            )
