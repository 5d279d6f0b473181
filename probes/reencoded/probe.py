"""Changes the order of the fields in every object and nothing else."""

from collections.abc import Iterator
from typing import Any

from benchaudit.hooks import Forged, Gold, Submission


def forge(gold: Gold) -> Iterator[Forged]:
    payload = gold.submission.payload
    parts = {name: _reversed(payload[name]) for name in ("records", "report")}
    note = "the fields of every object in reverse order"
    yield Forged(Submission({**payload, **parts}), kept=len(payload["records"]), note=note)


def _reversed(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _reversed(value[name]) for name in reversed(value)}
    return [_reversed(item) for item in value] if isinstance(value, list) else value
