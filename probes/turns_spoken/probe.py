"""Ends every turn with a sentence."""

from collections.abc import Iterator

from benchaudit.hooks import Forged, Gold

REMARK = "That is all I can do for this request."


def forge(gold: Gold) -> Iterator[Forged]:
    spoken = [[*steps, REMARK] for steps in gold.work]
    yield Forged(gold.compose(spoken), note="a sentence after the calls of every turn")
