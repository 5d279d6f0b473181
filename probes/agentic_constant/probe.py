"""Answers with one text that holds numbers, times and names of closed lists."""

from collections.abc import Iterator
from pathlib import Path

from benchaudit.families import calls
from benchaudit.hooks import Forged, Gold

_ONES = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
_TEENS = ("ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen")
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_NAMES = Path(__file__).with_name("names.txt").read_text(encoding="utf-8").split("\n")


def forge(gold: Gold) -> Iterator[Forged]:
    del gold
    note = f"one text of {len(TEXT):,} characters"
    yield Forged(calls.text_submission(TEXT), note=note)


def _everything() -> Iterator[str]:
    yield "yes; no; none; nothing"
    yield from map(str, range(2501))
    yield from ("zero", *_ONES, *_TEENS, "eighteen", "nineteen")
    for ten in _TENS:
        yield from (ten, *(f"{ten} {one}" for one in _ONES))
    yield "one hundred"
    for half in ("AM", "PM"):
        yield from (
            f"{hour:02}:{minute} {half}" for hour in range(1, 13) for minute in ("00", "30")
        )
    yield from filter(None, _NAMES)


TEXT = "; ".join(_everything())
