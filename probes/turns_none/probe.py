"""Calls nothing in any turn."""

from collections.abc import Iterator

from benchaudit.hooks import Forged, Gold


def forge(gold: Gold) -> Iterator[Forged]:
    yield Forged(gold.compose([[] for _ in gold.work]), note="no call in any turn")
