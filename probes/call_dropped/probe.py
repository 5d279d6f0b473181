"""Leaves one of several calls out."""

from collections.abc import Iterator

from benchaudit.hooks import Forged, Gold


def forge(gold: Gold) -> Iterator[Forged]:
    total = len(gold.work)
    for number in range(total if total > 1 else 0):
        fewer = [one for at, one in enumerate(gold.work) if at != number]
        yield Forged(
            gold.compose(fewer), variant=str(number), kept=total - 1, note="one call left out"
        )
