"""Adds one odd row to a few true records: values and rows that a parser seldom meets."""

import json
import math
from collections.abc import Iterator
from typing import Any

from benchaudit.hooks import Forged, Gold, Submission

VALUES: dict[str, Any] = {
    "not a number": math.nan,
    "infinity": math.inf,
    "negative": -1,
    "huge integer": 10**400,  # beyond what a float holds
    "null": None,
    "boolean": True,
    "list": [1, "a"],
    "object": {"value": 1},
    "deep nesting": json.loads("[" * 60 + "]" * 60),
    "long text": "9" * 10_000,
    "control characters": "\x00\x1b\r\n\u2028",
    "lone surrogate": "\ud800",  # valid in JSON, not in UTF-8
}
"""What every field of the odd row holds, by variant."""

ROWS: dict[str, Any] = {
    "empty row": {},
    "null row": None,
    "number row": 7,
    "text row": "no record",
    "list row": [1, 2],
}


def forge(gold: Gold) -> Iterator[Forged]:
    few = gold.work[:3]
    base = gold.compose(few).payload
    names = list(few[0]) if few else ["value"]
    rows = ROWS | {variant: dict.fromkeys(names, value) for variant, value in VALUES.items()}
    for variant, row in rows.items():
        submission = Submission({**base, "records": [row, *few]})
        note = f"{len(few)} true records after an odd one: {variant}"
        yield Forged(submission, variant, kept=len(few), invented=1, note=note)
