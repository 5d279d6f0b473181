"""Adds a field that nobody asked for to every true record."""

from collections.abc import Iterator

from benchaudit.hooks import Forged, Gold, Unsupported


def forge(gold: Gold) -> Iterator[Forged]:
    if not gold.work:
        raise Unsupported("there is no record to add a field to")
    records = [{**record, "remark": "as served"} for record in gold.work]
    note = "every record with a remark added"
    yield Forged(gold.compose(records), kept=0, invented=len(records), note=note)
