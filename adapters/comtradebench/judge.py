"""The shipped judge: 100 points over six dimensions, from the three files an agent hands in.

The formulas are those of the released benchmark (2026-04-20). Nothing here looks at the truth
beyond its number of rows: that is the benchmark's defect, reproduced and not repaired. `judge`
reads text, as the release does; `judge_table` is the same judge over files already parsed.

On metadata and records of unexpected types the released judge fails, and so does this one, with
the exceptions in `FAILURES`; what comes of it is for `intake` to say.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from .table import Table
from .tasks import QUERY_FIELDS, Spec, baseline, spec

DIMENSIONS = (
    *("correctness", "completeness", "robustness"),
    *("efficiency", "data_quality", "observability"),
)

FAILURES = (AttributeError, OverflowError, RecursionError, TypeError, ValueError)
"""What the judge raises on types it does not expect."""

_REQUIRED_METADATA = ("task_id", "query", "row_count", "schema", "dedup_key")
_EXPECTED_FIELDS = 9
_MIN_DEDUP_FIELDS = 3
_SLOW_SECONDS = 45
_YEARS = (1900, 2100)
_VALUES = ("value", "trade_value", "tradeValue", "primaryValue")
_NULLABLE_VALUES = ("qty", "quantity", "netWgt")
_LOG_TOKENS = ("task_id", "page", "request", "complete")
_LOG_LEVELS = ("info", "warn", "error")
_LOG_ENDINGS = ("complete", "finish", "done", "success", "fail", "error", "stop")
_REQUEST_NUMBER = re.compile(r"request=(\d+)")


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the judge said.

    Attributes:
        score: points of 100, to 1 decimal.
        breakdown: points by dimension, to 6 decimals.
        errors: why the judge gave nothing, where it could not judge.
    """

    score: float
    breakdown: Mapping[str, float]
    errors: tuple[str, ...] = ()

    @property
    def reward(self) -> float:
        """The score on the benchmark's reward scale, 0 to 1, to 4 decimals."""
        return round(min(self.score / 100, 1.0), 4)


def judge(
    task_id: str, data_jsonl: str | None, metadata_json: str | None, run_log: str | None
) -> Verdict:
    """Judge the three files of a submission; None is a file that was not handed in.

    Raises:
        Exception: one of FAILURES, where the released judge fails too.
    """
    if data_jsonl is None or metadata_json is None or run_log is None:
        present = sum(file is not None for file in (data_jsonl, metadata_json, run_log))
        return total({"completeness": present / 3 * 10}, "a file is missing")
    try:
        metadata = json.loads(metadata_json)
    except json.JSONDecodeError as error:
        return total({}, f"metadata.json is not JSON: {error}")
    return judge_table(task_id, Table.from_text(data_jsonl), metadata, run_log)


def judge_table(task_id: str, table: Table, metadata: dict[str, Any], run_log: str) -> Verdict:
    """Judge a submission whose files are all there and parsed.

    Raises:
        Exception: one of FAILURES, where the released judge fails too.
    """
    task = spec(task_id)
    log = run_log.lower().replace("\r\n", "\n").replace("\r", "\n")
    points: dict[str, float] = {
        "completeness": _completeness(metadata),
        "correctness": _correctness(task, table, metadata),
        "robustness": _robustness(task.fault.mode, log),
        "efficiency": _efficiency(metadata, log),
        "data_quality": _data_quality(task, table, metadata),
        "observability": _observability(metadata, log),
    }
    if points["completeness"] < 15:
        points["efficiency"] = 0.0
    if points["correctness"] / 30 < 0.7:
        points["efficiency"] *= 0.5
        points["observability"] *= 0.5
    return total(points)


def total(points: Mapping[str, float], *errors: str) -> Verdict:
    """The verdict that these points by dimension make; a dimension without points has 0."""
    breakdown = {dimension: points.get(dimension, 0.0) for dimension in DIMENSIONS}
    return Verdict(
        round(sum(breakdown.values()), 1),
        {dimension: round(value, 6) for dimension, value in breakdown.items()},
        errors,
    )


def _completeness(metadata: Mapping[str, Any]) -> float:
    """15 points: the share of the required metadata that is there."""
    present = sum(key in metadata for key in _REQUIRED_METADATA)
    return present / len(_REQUIRED_METADATA) * 15


def _correctness(task: Spec, table: Table, metadata: Mapping[str, Any]) -> float:
    """30 points: the number of rows, and what the metadata says of them."""
    points: float = 12 * max(1 - abs(table.lines - task.rows) / task.rows, 0.0)
    schema = metadata.get("schema")
    if isinstance(schema, list):
        points += 4 * min(len(schema) / _EXPECTED_FIELDS, 1.0)
    query = metadata.get("query", {})
    matching: int = sum(query.get(field) == task.query[field] for field in QUERY_FIELDS)
    points += matching / len(QUERY_FIELDS) * 4
    points += _deduplication(table, metadata.get("dedup_key"))
    if metadata.get("row_count") == table.lines:
        points += 4
    if task.fault.mode == "totals_trap":
        points -= _totals_penalty(metadata.get("totals_handling", {}))
    return min(max(points, 0.0), 30.0)


def _deduplication(table: Table, key: Any) -> float:
    """6 points: the share of lines that are distinct under the key that the metadata names."""
    if not isinstance(key, list) or len(key) < _MIN_DEDUP_FIELDS:
        return 0.0
    return table.unique_keys(key) / table.lines * 6 if table.lines else 6.0


def _totals_penalty(handling: Mapping[str, Any]) -> float:
    if not handling.get("enabled"):
        return 4.0
    return 2.0 if handling.get("rows_dropped", 0) < 1 else 0.0


def _robustness(mode: str, log: str) -> float:
    """15 points: the words of the log, by fault mode."""
    if mode == "rate_limit":
        retries = any(word in log for word in ("retry status", "retrying", "backoff"))
        thorough = any(word in log for word in ("exponential", "backoff"))
        return _retry_points(retries, "429" in log, thorough)
    if mode == "server_error":
        retries = any(word in log for word in ("retry status", "retrying"))
        thorough = any(word in log for word in ("max", "limit"))
        return _retry_points(retries, "500" in log, thorough)
    text = log.strip()
    lines = len(text.split("\n"))
    if lines >= 5:
        return 15.0
    if lines >= 3:
        return 12.0
    return 8.0 if len(text) > 10 else 0.0


def _retry_points(retries: bool, names_status: bool, thorough: bool) -> float:
    if not retries:
        return 0.0
    if not names_status:
        return 8.0
    return 15.0 if thorough else 12.0


def _efficiency(metadata: Mapping[str, Any], log: str) -> float:
    """15 points: requests against the baseline of the task that the metadata names, and time."""
    requests = _requests(metadata, log)
    allowed = baseline(metadata.get("task_id"))
    overage: float = max(requests - allowed, 0) / allowed
    points = 12 * (1 - min(overage, 1.0))
    if metadata.get("execution_time_seconds", 0) > _SLOW_SECONDS:
        return points
    return points + 3


def _requests(metadata: Mapping[str, Any], log: str) -> int:
    """Requests as the agent reports them; 0 where it does not."""
    count = metadata.get("request_count")
    if isinstance(count, int) and count > 0:
        return count
    return max((int(number) for number in _REQUEST_NUMBER.findall(log)), default=0)


def _data_quality(task: Spec, table: Table, metadata: Mapping[str, Any]) -> float:
    """15 points: lines that follow the schema, fields of one type, values within range."""
    types = [found - {type(None)} for found in table.types.values()]
    points = 5 * _share_following(table, metadata.get("schema"))
    if types:
        points += sum(len(found) <= 1 for found in types) / len(types) * 5
    return points + 5 * _share_in_range(task, table)


def _share_following(table: Table, schema: Any) -> float:
    """The share of lines that carry half of the schema's fields; 0 where it cannot be walked."""
    if not table.lines:
        return 0.0
    try:
        return table.carrying(schema or ()) / table.lines
    except TypeError:
        return 0.0


def _share_in_range(task: Spec, table: Table) -> float:
    """The share of range checks that pass; an exact year counts half a check more."""
    low, high = _YEARS
    passed = checks = 0.0
    for year in table.column("year"):
        checks += 1
        passed += _is_number(year) and low <= year <= high
        if year == task.query["year"]:
            checks += 0.5
            passed += 0.5
    for field in _VALUES + _NULLABLE_VALUES:
        null_passes = field in _NULLABLE_VALUES
        for value in table.column(field):
            checks += 1
            passed += null_passes if value is None else _is_number(value) and value >= 0
    return passed / checks if checks else 1.0


def _observability(metadata: Mapping[str, Any], log: str) -> float:
    """10 points: words of the log and of the metadata."""
    text = str(metadata).lower()
    found = sum(token in log or token in text for token in _LOG_TOKENS)
    points = found / len(_LOG_TOKENS) * 6
    points += min(2.0, sum(level in log for level in _LOG_LEVELS) * 0.67)
    ends = any(ending in log for ending in _LOG_ENDINGS)
    if ends or "stop_reason" in metadata or "pagination_stats" in metadata:
        points += 2
    return points


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float)
