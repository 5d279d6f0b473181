"""Says that it does not know."""

from collections.abc import Iterator

from benchaudit.families import calls
from benchaudit.hooks import Forged, Gold

UNKNOWN = repr({"answer": "I do not know", "context": "I do not know"})


def forge(gold: Gold) -> Iterator[Forged]:
    del gold
    yield Forged(calls.text_submission(UNKNOWN), note=UNKNOWN)
