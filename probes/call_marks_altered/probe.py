"""Drops or swaps one kind of punctuation in one text, each in turn."""

from collections.abc import Iterator

from benchaudit.families import calls
from benchaudit.hooks import Forged, Gold

SWAPS = {
    ",": ".",
    ".": "/",
    "/": "-",
    "-": "_",
    "_": "-",
    "*": "/",
    "^": "*",
    "+": "-",
    "(": "",
    ")": "",
}


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
    for mark, swapped in SWAPS.items():
        if mark in text:
            yield f"without {mark}", text.replace(mark, "")
            if swapped:
                yield f"with {swapped} for {mark}", text.replace(mark, swapped)
