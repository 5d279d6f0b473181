"""Replaces a letter of a text by its double in another alphabet."""

from collections.abc import Iterator

from benchaudit.families import calls
from benchaudit.hooks import Forged, Gold

DOUBLES = str.maketrans("aceopxyABCEHKMOPTX", "асеорхуАВСЕНКМОРТХ")


def forge(gold: Gold) -> Iterator[Forged]:
    for number, one in enumerate(gold.work):
        texts = ((p, v) for p, v in calls.leaves(one["arguments"]) if isinstance(v, str))
        for path, text in texts:
            at = next((i for i, c in enumerate(text) if c.translate(DOUBLES) != c), None)
            if at is not None:
                forged = text[:at] + text[at].translate(DOUBLES) + text[at + 1 :]
                yield Forged(
                    gold.compose(calls.with_value(gold.work, number, path, forged)),
                    variant=".".join(map(str, (number, *path))),
                    note=f"{path[0]}: {forged!a:.60} for {text!r:.60}",
                )
                break
