"""Has the canonical steps scored after other steps in the same process."""

from collections.abc import Iterator

from benchaudit.families import trajectory
from benchaudit.hooks import Forged, Gold, Submission


def forge(gold: Gold) -> Iterator[Forged]:
    before = {"itself": list(gold.work), "a stranger": [*trajectory.world(gold.task).stranger()]}
    for variant, steps in before.items():
        payload = {**gold.submission.payload, "after": steps}
        yield Forged(Submission(payload), variant=f"after {variant}", note=f"after {variant}")
