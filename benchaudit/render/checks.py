"""Oracle checks as lines of text or JSON."""

from __future__ import annotations

import json

from benchaudit.card.model import legible
from benchaudit.oracles import Check


def line(pack: str, check: Check, *, as_json: bool) -> str:
    """One check: what was expected, what came out."""
    if as_json:
        data = {
            "oracle": pack,
            "id": check.id,
            "ok": check.ok,
            "expected": check.expected,
            "got": check.got,
            "tolerance": check.tolerance,
            "source": check.source,
        }
        return json.dumps(data, default=str)
    mark = "ok  " if check.ok else "FAIL"
    source = f"  [{check.source}]" if check.source and not check.ok else ""
    told = f"expected {_show(check.expected)}, got {_show(check.got)}"
    return f"{mark} {legible(f'{pack}: {check.id}: {told}{source}')}"


def summary(passed: int, failed: int) -> str:
    return f"{passed} passed, {failed} failed"


def _show(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(_show(item) for item in value) + "]"
    return str(value)
