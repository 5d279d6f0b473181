"""Says every answer among two thousand others of the same form."""

import string
from collections.abc import Iterator

from benchaudit.families import trajectory
from benchaudit.hooks import Forged, Gold

HEAP = 2000


def forge(gold: Gold) -> Iterator[Forged]:
    wanted = trajectory.wanted_answers(gold.task)
    heap = [garbled(gold, gold.rng.choice(wanted)) for _ in range(HEAP)]
    for answer in wanted:
        heap.insert(gold.rng.randrange(len(heap)), answer)
    steps = trajectory.telling(gold.task, trajectory.unspoken(gold.work), "; ".join(heap))
    yield Forged(gold.compose(steps), note=f"{len(wanted)} answers among {HEAP:,}")


def garbled(gold: Gold, answer: str) -> str:
    """Text of the same shape, with letters and digits drawn by chance."""
    sets = (string.digits, string.ascii_lowercase, string.ascii_uppercase)
    return "".join(
        next((gold.rng.choice(kind) for kind in sets if letter in kind), letter)
        for letter in answer
    )
