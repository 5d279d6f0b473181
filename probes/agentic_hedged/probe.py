"""Names several answers, the right one among them."""

from collections.abc import Iterator

from benchaudit.families import calls
from benchaudit.hooks import Forged, Gold


def forge(gold: Gold) -> Iterator[Forged]:
    first = calls.other(gold.work)
    hedged = f"{first} or {gold.work} or {calls.other(first)}"
    yield Forged(gold.compose(hedged), note=f"{hedged:.120}")
