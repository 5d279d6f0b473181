"""Writes the canonical calls as text."""

from collections.abc import Iterator

from benchaudit.families import calls
from benchaudit.hooks import Forged, Gold


def forge(gold: Gold) -> Iterator[Forged]:
    calls.written_in_python(gold.task)
    text = calls.as_python(gold.work)
    yield Forged(calls.text_submission(text), kept=len(gold.work), note=f"{text:.120}")
