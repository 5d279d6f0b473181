"""Abstains in other words."""

from collections.abc import Iterator

from benchaudit.families import calls
from benchaudit.hooks import Forged, Gold

WORDINGS = {
    "refusal": "I'm sorry, but none of the available tools applies here.",
    "question": "Could you tell me more about what you need (for example the place and the date)?",
    "list": "I can't do this: 1. no function applies; 2. nothing was called.",
    "empty text": "",
    "empty list": "[]",
}


def forge(gold: Gold) -> Iterator[Forged]:
    del gold
    for variant, text in WORDINGS.items():
        yield Forged(calls.text_submission(text), variant=variant, note=f"{text:.80}")
