"""Wraps the text of the canonical calls in what models like to add."""

from collections.abc import Iterator

from benchaudit.families import calls
from benchaudit.hooks import Forged, Gold

WRAPPINGS = {
    "in a fence": "```\n{}\n```",
    "in a python fence": "```python\n{}\n```",
    "in quotes": "'{}'",
    "after a sentence": "Here is the call:\n{}",
    "before a sentence": "{}\nThis answers the question.",
}


def forge(gold: Gold) -> Iterator[Forged]:
    calls.written_in_python(gold.task)
    text = calls.as_python(gold.work)
    for variant, wrapping in WRAPPINGS.items():
        yield Forged(
            calls.text_submission(wrapping.format(text)), variant=variant, note=f"{text:.80}"
        )
    yield Forged(calls.text_submission(text[1:-1]), variant="without brackets", note=f"{text:.80}")
