"""Has the canonical turns scored after other turns in the same process."""

from collections.abc import Iterator

from benchaudit.hooks import Forged, Gold, Submission


def forge(gold: Gold) -> Iterator[Forged]:
    before = {"itself": gold.work, "nothing": [[] for _ in gold.work]}
    for variant, turns in before.items():
        payload = {**gold.submission.payload, "after": turns}
        yield Forged(Submission(payload), variant=f"after {variant}", note=f"after {variant}")
