"""Says nothing: an empty text, a blank one, none."""

from collections.abc import Iterator

from benchaudit.families import trajectory
from benchaudit.hooks import Forged, Gold

TEXTS = {"empty": "", "blank": " \n", "missing": None}


def forge(gold: Gold) -> Iterator[Forged]:
    for variant, text in TEXTS.items():
        steps = [trajectory.say(text), *gold.work]
        yield Forged(gold.compose(steps), variant=variant, note=f"first a text: {text!r}")
