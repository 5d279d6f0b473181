"""Hands in no records: once with a report that says so, once with nothing at all."""

from collections.abc import Iterator

from benchaudit.hooks import Forged, Gold, Submission


def forge(gold: Gold) -> Iterator[Forged]:
    if gold.oracle is not None:
        yield Forged(gold.compose([]), "honest", kept=0, note="no records, and a report of none")
    nothing = Submission({"records": [], "report": {}, "log": ""})
    yield Forged(nothing, "bare", kept=0, note="no records, no report, no log")
