"""Passes junk by position in front of the right arguments."""

from collections.abc import Iterator

from benchaudit.families import calls
from benchaudit.hooks import Forged, Gold


def forge(gold: Gold) -> Iterator[Forged]:
    calls.written_in_python(gold.task)
    text = calls.as_python(gold.work).replace("(", "('zzz', ", 1)
    yield Forged(calls.text_submission(text), note=f"{text:.120}")
