"""Makes the first call twice."""

from collections.abc import Iterator

from benchaudit.hooks import Forged, Gold


def forge(gold: Gold) -> Iterator[Forged]:
    first = gold.work[0]
    twice = [*gold.work, first]
    note = f"{first['name']} called again"
    yield Forged(gold.compose(twice), kept=len(gold.work), invented=1, note=note)
