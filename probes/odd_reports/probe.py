"""Gives a few true records a report or a log that a parser seldom meets."""

import math
from collections.abc import Callable, Iterator
from typing import Any

from benchaudit.hooks import Forged, Gold, Submission

REPORTS: dict[str, Callable[[Any], Any]] = {
    "null report": lambda _: None,
    "text report": str,
    "negative report": lambda _: -1,
    "not-a-number report": lambda _: math.nan,
    "wrapped report": lambda value: [{"value": value}],
}
"""What becomes of every value of the report, by variant."""

LOGS = {
    "no log": "",
    "long log": "page=1 request=1\n" * 5_000,
    "huge number in log": "request=" + "9" * 400 + "\n",
    "control characters in log": "\x00\x1b[2J\ud800\n",
}


def forge(gold: Gold) -> Iterator[Forged]:
    few = gold.work[:3]
    base = gold.compose(few).payload
    odd: dict[str, dict[str, Any]] = {variant: {"log": log} for variant, log in LOGS.items()}
    odd["empty report"] = {"report": {}}
    for variant, change in REPORTS.items():
        odd[variant] = {"report": {name: change(v) for name, v in base["report"].items()}}
    for variant, part in odd.items():
        note = f"{len(few)} true records, {variant}"
        yield Forged(Submission({**base, **part}), variant, kept=len(few), note=note)
