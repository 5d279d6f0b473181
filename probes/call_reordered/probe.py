"""Reverses the order of parallel calls."""

from collections.abc import Iterator

from benchaudit.hooks import Forged, Gold


def forge(gold: Gold) -> Iterator[Forged]:
    if len(gold.work) > 1:
        yield Forged(gold.compose(gold.work[::-1]), kept=len(gold.work), note="last one first")
