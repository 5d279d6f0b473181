"""What the benchmark does with a submission around its judge: fill gaps, judge, set the reward.

An agent hands in three texts. Here they may also come as data, records and report, which is
judged to the same verdict without being written out first.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from .judge import FAILURES, Verdict, judge, judge_table, total
from .table import Table
from .tasks import spec


def complete_report(task_id: str, report: Any, requests_used: int) -> dict[str, Any]:
    """The metadata that is kept: the agent's, with the request figures it left out.

    Anything but an object counts as an empty one.
    """
    budget = spec(task_id).max_requests
    metadata = dict(report) if isinstance(report, dict) else {}
    metadata.setdefault("request_count", requests_used)
    metadata.setdefault("request_budget", budget)
    stats = metadata.get("request_stats")
    stats = dict(stats) if isinstance(stats, dict) else {}
    stats.setdefault("requests_used", requests_used)
    stats.setdefault("request_budget", budget)
    metadata["request_stats"] = stats
    return metadata


def complete_log(task_id: str, run_log: str) -> str:
    """The log that is kept: the agent's, or for an empty one a log of four lines."""
    return run_log or f"task_id={task_id}\npage=1\nrequest=1\ncomplete=true\n"


def judge_texts(
    task_id: str, data_jsonl: str, metadata_json: str, run_log: str, requests_used: int
) -> Verdict:
    """The verdict on a submission as an agent hands it in. Never raises for what it holds."""
    log = complete_log(task_id, run_log)
    try:
        report = _parse_report(metadata_json)
        metadata = json.dumps(complete_report(task_id, report, requests_used), ensure_ascii=False)
        _check_files(data_jsonl, metadata, log)
        return judge(task_id, data_jsonl, metadata, log)
    except FAILURES as error:
        return _no_verdict(error)


def judge_records(task_id: str, records: Sequence[Any], report: Any, log: str) -> Verdict:
    """The verdict of `judge_texts` on the same submission as data, without an episode.

    Raises:
        TypeError, ValueError: when the records or the report cannot be written as JSON.
    """
    table = Table.from_records(records)
    metadata = complete_report(task_id, json.loads(json.dumps(report)), requests_used=0)
    log = complete_log(task_id, log)
    try:
        _check_files(json.dumps(metadata, ensure_ascii=False), log)
        return judge_table(task_id, table, metadata, log)
    except FAILURES as error:
        return _no_verdict(error)


def _parse_report(metadata_json: str) -> Any:
    """The metadata; text that is no JSON counts as none."""
    try:
        return json.loads(metadata_json)
    except json.JSONDecodeError:
        return {}


def _check_files(*texts: str) -> None:
    """Raise UnicodeEncodeError, a ValueError, for text that no UTF-8 file can hold."""
    for text in texts:
        text.encode()


def _no_verdict(error: BaseException) -> Verdict:
    """Where the released judge fails, the released tool gives no points and says why."""
    return total({}, f"{type(error).__name__}: {error}")
