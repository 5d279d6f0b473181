"""What a run says of itself: the metadata and the log, built from the trace of its requests.

The production harness and the honest agents report alike; the dishonest and the careless ones
are in `agents`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from .service import OK
from .tasks import FIELDS, PRIMARY_KEY, spec

_MAX_WAIT_SECONDS = 8


@dataclass(frozen=True, slots=True)
class Request:
    """One request of a run and what came of it.

    Attributes:
        page: the page asked for.
        status: the HTTP status of the answer.
        rows: records in the answer.
        attempt: for an answer that was an error, which attempt at this page it ended.
        retried: whether the page was then asked for again.
    """

    page: int
    status: int
    rows: int = 0
    attempt: int = 0
    retried: bool = False

    @property
    def wait_seconds(self) -> int:
        """The back-off before the page is asked for again."""
        return min(2**self.attempt, _MAX_WAIT_SECONDS) if self.retried else 0


@dataclass(slots=True)
class Trace:
    """What happened in a run, in order. Time is simulated: a request takes 1/qps seconds."""

    task_id: str
    requests: list[Request] = field(default_factory=list)
    duplicates_dropped: int = 0
    totals_dropped: int = 0
    totals_kept: int = 0
    complete: bool = False

    @property
    def retries(self) -> int:
        return sum(request.retried for request in self.requests)

    @property
    def faults(self) -> int:
        return sum(request.status != OK for request in self.requests)

    @property
    def seconds(self) -> float:
        waits = sum(request.wait_seconds for request in self.requests)
        return round(len(self.requests) / spec(self.task_id).qps + waits, 3)


def metadata(trace: Trace, records: Sequence[Any]) -> dict[str, Any]:
    """The metadata that goes with these records after this run."""
    task = spec(trace.task_id)
    first = next((record for record in records if isinstance(record, dict)), FIELDS)
    used = len(trace.requests)
    return {
        "task_id": trace.task_id,
        "query": dict(task.query),
        "row_count": len(records),
        "schema": list(first),
        "dedup_key": list(PRIMARY_KEY),
        "totals_handling": {
            "enabled": not trace.totals_kept,
            "rows_dropped": trace.totals_dropped,
        },
        "request_count": used,
        "request_budget": task.max_requests,
        "request_stats": {
            "requests_used": used,
            "request_budget": task.max_requests,
            "retries_total": trace.retries,
        },
        "execution_time_seconds": trace.seconds,
    }


def harness_log(trace: Trace, records: Sequence[Any]) -> str:
    """The log of the production harness: its tool calls, request by request.

    "info" occurs in it because the tool is called get_task_info. No line has a level, none says
    "backoff" or names a limit: the published leaderboard has no points for those.
    """
    head, *rest = _plain_lines(trace, records)
    return _text([head, "tool=get_task_info", *rest])


def plain_log(trace: Trace, records: Sequence[Any]) -> str:
    """The same log without the tool's name: no level word occurs in it."""
    return _text(_plain_lines(trace, records))


def info_log(trace: Trace, records: Sequence[Any]) -> str:
    """A summary of five INFO lines."""
    pages = [request.page for request in trace.requests]
    return _text(
        f"INFO {line}"
        for line in (
            f"task_id={trace.task_id}",
            f"request={len(pages)} page={pages[-1] if pages else 0}",
            f"records={len(records)}",
            f"retry_count={trace.retries}",
            _complete(trace),
        )
    )


LOGS: dict[str, Callable[[Trace, Sequence[Any]], str]] = {
    "harness": harness_log,
    "plain": plain_log,
    "info": info_log,
}
"""The styles of an honest log, by name."""


def _plain_lines(trace: Trace, records: Sequence[Any]) -> list[str]:
    lines = [f"task_id={trace.task_id}"]
    for number, request in enumerate(trace.requests, start=1):
        lines.append(f"request={number} page={request.page} rows={request.rows}")
        if request.retried:
            lines.append(
                f"retry status={request.status} attempt={request.attempt}"
                f" wait_s={request.wait_seconds}"
            )
        elif request.status != OK:
            lines.append(f"skip status={request.status} attempt={request.attempt}")
    lines.append(f"retry_count={trace.retries} records={len(records)}")
    lines.append(_complete(trace))
    return lines


def _complete(trace: Trace) -> str:
    return f"complete={str(trace.complete).lower()}"


def _text(lines: Any) -> str:
    return "".join(f"{line}\n" for line in lines)
