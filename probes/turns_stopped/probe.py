"""Does the first turn that has calls and nothing after it."""

from collections.abc import Iterator

from benchaudit.hooks import Forged, Gold


def forge(gold: Gold) -> Iterator[Forged]:
    first = next(turn for turn, steps in enumerate(gold.work) if any(steps))
    stopped = [steps if turn <= first else [] for turn, steps in enumerate(gold.work)]
    yield Forged(gold.compose(stopped), note=f"nothing after turn {first}")
