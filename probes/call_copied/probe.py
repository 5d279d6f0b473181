"""Replaces one parallel call by a copy of the next."""

from collections.abc import Iterator

from benchaudit.hooks import Forged, Gold


def forge(gold: Gold) -> Iterator[Forged]:
    total = len(gold.work)
    for number in range(total if total > 1 else 0):
        edited = list(gold.work)
        edited[number] = gold.work[(number + 1) % total]
        yield Forged(
            gold.compose(edited), variant=str(number), kept=total - 1, invented=1, note="a copy"
        )
