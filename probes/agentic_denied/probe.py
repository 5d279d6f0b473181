"""Denies the right answer."""

from collections.abc import Iterator

from benchaudit.families import calls
from benchaudit.hooks import Forged, Gold


def forge(gold: Gold) -> Iterator[Forged]:
    sentence = f"I am not sure, but the answer is certainly not {gold.work}."
    yield Forged(calls.text_submission(sentence), variant="sentence", note=f"{sentence:.120}")
    other = calls.other(gold.work)
    form = repr({"answer": other, "context": f"It is not {gold.work} ."})
    yield Forged(calls.text_submission(form), variant="in the form", note=f"{form:.120}")
