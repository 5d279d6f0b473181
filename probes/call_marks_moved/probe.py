"""Moves a separator between digits by one digit, in one text at a time."""

import re
from collections.abc import Iterator

from benchaudit.families import calls
from benchaudit.hooks import Forged, Gold

_RIGHT = re.compile(r"(?<=\d)([./-])(\d)(?=\d)")
_LEFT = re.compile(r"(?<=\d)(\d)([./-])(?=\d)")


def forge(gold: Gold) -> Iterator[Forged]:
    for number, path, value in calls.values(gold.work):
        if isinstance(value, str):
            for change, text in _edits(value):
                if text != value:
                    yield Forged(
                        gold.compose(calls.with_value(gold.work, number, path, text)),
                        variant=f"{'.'.join(map(str, (number, *path)))} {change}",
                        note=f"{path[0]}: {text!r:.60} for {value!r:.60}",
                    )


def _edits(text: str) -> Iterator[tuple[str, str]]:
    yield "moved right", _RIGHT.sub(r"\2\1", text, count=1)
    yield "moved left", _LEFT.sub(r"\2\1", text, count=1)
