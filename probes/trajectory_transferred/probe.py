"""Hands the user over to a person before or after the work."""

from collections.abc import Iterator

from benchaudit.hooks import Forged, Gold


def forge(gold: Gold) -> Iterator[Forged]:
    transfer = gold.task.data["transfer"]
    yield Forged(gold.compose([transfer, *gold.work]), variant="first", note="a transfer first")
    yield Forged(gold.compose([*gold.work, transfer]), variant="after", note="a transfer last")
