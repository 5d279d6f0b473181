"""Adds invented records to the true ones: one, and as many as there are true ones."""

from collections.abc import Iterator
from pathlib import Path

from benchaudit import packs
from benchaudit.hooks import Forged, Gold


def forge(gold: Gold) -> Iterator[Forged]:
    # What `fabricated` hands in by itself, this probe hands in beside the truth.
    beside = packs.Pack("probes", "fabricated", Path(__file__).parents[1] / "fabricated")
    (fabricated,) = packs.load_forge(beside)(gold)
    invented = fabricated.submission.payload["records"]
    total = len(invented)
    one = gold.compose([*gold.work, invented[0]])
    yield Forged(one, "one", kept=total, invented=1, note="one invented record added")
    note = f"{total} invented records added"
    yield Forged(gold.compose([*gold.work, *invented]), "as many again", total, total, note)
