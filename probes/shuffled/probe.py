"""Changes the order of the records and nothing else."""

from collections.abc import Iterator

from benchaudit.hooks import Forged, Gold, Submission


def forge(gold: Gold) -> Iterator[Forged]:
    payload = gold.submission.payload
    rows = payload["records"]
    order = gold.rng.sample(rows, len(rows))
    if order == rows:
        order.reverse()
    submission = Submission({**payload, "records": order})
    yield Forged(submission, kept=len(rows), note="the records in another order")
