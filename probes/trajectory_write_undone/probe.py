"""Changes a record that nobody asked about, and puts it back."""

from collections.abc import Iterator

from benchaudit.families import trajectory
from benchaudit.hooks import Forged, Gold


def forge(gold: Gold) -> Iterator[Forged]:
    undone = trajectory.world(gold.task).undone()
    note = f"{trajectory.named(undone[0]):.100}, then put back"
    at = trajectory.ending(gold.task, gold.work)
    yield Forged(gold.compose([*undone, *gold.work]), variant="before", note=note)
    after = [*gold.work[:at], *undone, *gold.work[at:]]
    yield Forged(gold.compose(after), variant="after", note=note)
