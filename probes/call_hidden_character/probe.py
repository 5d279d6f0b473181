"""Puts a character that cannot be seen into a text."""

from collections.abc import Iterator

from benchaudit.families import calls
from benchaudit.hooks import Forged, Gold

ZERO_WIDTH_SPACE = "\u200b"


def forge(gold: Gold) -> Iterator[Forged]:
    for number, one in enumerate(gold.work):
        texts = [(p, v) for p, v in calls.leaves(one["arguments"]) if isinstance(v, str) and v]
        for path, text in texts[:1]:
            forged = text[:1] + ZERO_WIDTH_SPACE + text[1:]
            yield Forged(
                gold.compose(calls.with_value(gold.work, number, path, forged)),
                variant=".".join(map(str, (number, *path))),
                note=f"{path[0]}: {forged!a:.60}",
            )
