"""Calls something in a turn in which the answer calls nothing."""

from collections.abc import Iterator

from benchaudit.families import calls, turns
from benchaudit.hooks import Forged, Gold

UNLISTED = [calls.call("perform_requested_task", {"thoroughly": True})]


def forge(gold: Gold) -> Iterator[Forged]:
    for turn in turns.silent(gold.task):
        invented = turns.with_turn(gold.work, turn, [UNLISTED])
        yield Forged(
            gold.compose(invented),
            variant=f"{turn} unlisted",
            note=f"turn {turn}: no such function",
        )
        if turn + 1 < len(gold.work) and any(gold.work[turn + 1]):
            ahead = turns.with_turn(gold.work, turn, gold.work[turn + 1])
            names = ", ".join(c["name"] for step in gold.work[turn + 1] for c in step)
            note = f"turn {turn}: {names:.60}, before it can be done"
            yield Forged(gold.compose(ahead), variant=f"{turn} ahead", note=note)
            yield Forged(
                gold.compose(turns.with_turn(ahead, turn + 1, [UNLISTED])),
                variant=f"{turn} ahead, not again",
                note=note,
            )
