"""Makes every call in a step of its own."""

from collections.abc import Iterator

from benchaudit.hooks import Forged, Gold


def forge(gold: Gold) -> Iterator[Forged]:
    split = [[[call] for step in steps for call in step] for steps in gold.work]
    yield Forged(gold.compose(split), note="one call a step")
