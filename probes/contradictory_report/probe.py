"""Hands in the correct records under a self-report that contradicts them."""

from collections.abc import Iterator

from benchaudit.hooks import Forged, Gold, Unsupported


def forge(gold: Gold) -> Iterator[Forged]:
    if gold.oracle is None or gold.oracle.misreport is None:
        raise Unsupported("no self-report that could contradict the work")
    submission = gold.oracle.misreport(gold.task, gold.work)
    note = "the correct records, misreported"
    yield Forged(submission, kept=len(gold.work), note=note)
