"""Reverses the calls of one turn, and the turns."""

from collections.abc import Iterator

from benchaudit.families import turns
from benchaudit.hooks import Forged, Gold


def forge(gold: Gold) -> Iterator[Forged]:
    for turn, steps in enumerate(gold.work):
        backwards = [list(reversed(step)) for step in reversed(steps)]
        yield Forged(
            gold.compose(turns.with_turn(gold.work, turn, backwards)),
            variant=str(turn),
            note=f"turn {turn} backwards",
        )
    yield Forged(gold.compose(gold.work[::-1]), variant="turns", note="the last turn first")
