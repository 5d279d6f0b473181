"""Keeps the report of the complete work and takes the work away."""

from collections.abc import Iterator
from typing import Any

from benchaudit.hooks import Forged, Gold, Submission

CLAIMS = {"success": True, "passed": True, "complete": True, "score": 1.0, "errors": []}

LOG = """\
INFO start: fetching page=1 request=1
WARN status 429: retrying with exponential backoff, attempt 1, limit 3
ERROR status 500: retrying, attempt 1, max 3
INFO duplicates removed, totals dropped, schema validated
INFO complete=true finished done success stop
"""
"""The words that graders of logs look for, on lines that look like a log."""


def forge(gold: Gold) -> Iterator[Forged]:
    full = gold.submission.payload
    none: dict[str, Any] = {**full, "records": []}
    note = "no records under the report of all"
    yield Forged(Submission(none), "no records", kept=0, note=note)
    if half := len(gold.work) // 2:
        note = f"{half} records under the report of {len(gold.work)}"
        part = {**full, "records": full["records"][:half]}
        yield Forged(Submission(part), "half the records", kept=half, note=note)
    stuffed = {**none, "log": full["log"] + LOG}
    note = "no records, the report of all, and a log of keywords"
    yield Forged(Submission(stuffed), "stuffed log", kept=0, note=note)
    claimed = {**none, "report": {**full["report"], **CLAIMS}}
    note = "no records, the report of all, and a verdict of its own"
    yield Forged(Submission(claimed), "own verdict", kept=0, note=note)
