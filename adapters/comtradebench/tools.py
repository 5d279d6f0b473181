"""The tools an agent has, the same at every scaffold: look at the task, fetch a page, submit.

Answers are those of the benchmark's Model Context Protocol tools, as plain data; a `Session` is
the state of one episode.
"""

from __future__ import annotations

from collections.abc import Sequence
from http import HTTPStatus
from typing import Any

from benchaudit.hooks import Submission

from .intake import complete_log, complete_report, judge_texts
from .service import OK, DataService

Answer = dict[str, Any]

DEFAULT_PAGE_SIZE = 500


class Session:
    """One episode's tools, request budget and service."""

    def __init__(self, task_id: str, seed: int | None = None) -> None:
        self._service = DataService(task_id, seed)
        self._submitted = False
        self.requests_used = 0

    def get_task_info(self) -> Answer:
        """The task and its constraints, and how much of the request budget is left."""
        task = self._service.spec
        return {
            "task_id": self._service.task_id,
            "description": task.description,
            "query": dict(task.query),
            "constraints": {
                "paging": task.paging,
                "page_size": task.page_size,
                "max_requests": task.max_requests,
                "total_rows": task.rows,
                "qps": task.qps,
            },
            "requests_used": self.requests_used,
            "requests_remaining": task.max_requests - self.requests_used,
        }

    def fetch_page(self, page: int = 1, page_size: int = DEFAULT_PAGE_SIZE) -> Answer:
        """One page of records, or an error: with a status and ``retry`` from the service, without
        once the budget is spent.

        ``retry`` is set also for a malformed request, which can never succeed; that is what traps
        an agent that tries again and again.
        """
        if self.requests_used >= self._service.spec.max_requests:
            return {"error": "the request budget is spent"}
        self.requests_used += 1
        answer = self._service.fetch(page, page_size)
        if answer.status != OK:
            phrase = HTTPStatus(answer.status).phrase
            return {"status": answer.status, "error": phrase, "retry": True}
        return {
            "rows": answer.rows,
            "page": answer.page,
            "page_size": answer.page_size,
            "total_pages": answer.total_pages,
            "total_rows": answer.total_rows,
            "has_more": answer.has_more,
            "task_id": self._service.task_id,
        }

    def submit_results(self, data_jsonl: str, metadata_json: str, run_log: str = "") -> Answer:
        """Judge what is handed in; once an episode."""
        if self._submitted:
            return {"error": "already submitted"}
        self._submitted = True
        verdict = judge_texts(
            self._service.task_id, data_jsonl, metadata_json, run_log, self.requests_used
        )
        return {
            "reward": verdict.reward,
            "score": verdict.score,
            "breakdown": dict(verdict.breakdown),
            "errors": list(verdict.errors),
        }

    def hand_in(self, records: Sequence[Any], report: Any, log: str) -> Submission:
        """`submit_results` for a caller in this process: the submission as it is kept, unjudged.

        Raises:
            RuntimeError: when the episode has submitted before.
        """
        if self._submitted:
            raise RuntimeError("already submitted")
        self._submitted = True
        task_id = self._service.task_id
        return Submission(
            {
                "records": list(records),
                "report": complete_report(task_id, report, self.requests_used),
                "log": complete_log(task_id, log),
            }
        )
