"""Gives the right answer in other words."""

from collections.abc import Iterator

from benchaudit.families import calls
from benchaudit.hooks import Forged, Gold


def forge(gold: Gold) -> Iterator[Forged]:
    wordings = {
        "alone": gold.work,
        "in a sentence": f"The answer is {gold.work}.",
        "in small letters": gold.work.lower(),
        "in capitals": gold.work.upper(),
    }
    for variant, text in wordings.items():
        yield Forged(calls.text_submission(text), variant=variant, note=f"{text:.80}")
