"""The tools: one request budget, one submission, and errors that invite to retry."""

from __future__ import annotations

import json

import pytest

from adapters.comtradebench.adapter import compose, work
from adapters.comtradebench.intake import complete_report
from adapters.comtradebench.table import write_lines
from adapters.comtradebench.tasks import tasks
from adapters.comtradebench.tools import Session


def test_task_info_says_what_is_left_of_the_budget() -> None:
    session = Session("T1_single_page")
    session.fetch_page()
    info = session.get_task_info()
    assert set(info) == {
        *("task_id", "description", "query", "constraints"),
        *("requests_used", "requests_remaining"),
    }
    assert (info["requests_used"], info["requests_remaining"]) == (1, 4)


def test_a_page_comes_with_what_there_is_besides() -> None:
    answer = Session("T3_duplicates").fetch_page(page=2)
    assert len(answer.pop("rows")) == 10
    assert answer == {
        "page": 2,
        "page_size": 10,
        "total_pages": 3,
        "total_rows": 25,
        "has_more": True,
        "task_id": "T3_duplicates",
    }


@pytest.mark.parametrize(
    ("task_id", "pages", "status"),
    [
        ("T4_rate_limit_429", (1, 2), 429),
        ("T5_server_error_500", (1, 2), 500),
        ("T2_multi_page", (0,), 422),
    ],
)
def test_every_http_error_invites_to_retry(
    task_id: str, pages: tuple[int, ...], status: int
) -> None:
    session = Session(task_id)
    *_, answer = (session.fetch_page(page) for page in pages)
    assert (answer["status"], answer["retry"]) == (status, True)
    assert session.requests_used == len(pages)


def test_a_spent_budget_is_an_error_without_retry() -> None:
    session = Session("T1_single_page")
    answers = [session.fetch_page(0) for _ in range(6)]
    assert [set(answer) for answer in answers] == [{"status", "error", "retry"}] * 5 + [{"error"}]
    assert session.requests_used == 5


def test_what_is_submitted_is_judged_once() -> None:
    task = next(task for task in tasks(None) if task.id == "T3_duplicates")
    payload = compose(task, work(task)).payload
    texts = write_lines(payload["records"]), json.dumps(payload["report"]), payload["log"]
    session = Session(task.id)
    answer = session.submit_results(*texts)
    assert (answer["reward"], answer["score"], answer["errors"]) == (0.987, 98.7, [])
    assert answer["breakdown"]["observability"] == 8.67
    assert session.submit_results(*texts) == {"error": "already submitted"}
    with pytest.raises(RuntimeError, match="already submitted"):
        session.hand_in([], {}, "")


def test_submitting_text_and_data_keeps_the_same() -> None:
    session = Session("T3_duplicates")
    session.fetch_page()
    kept = session.hand_in([{"a": 1}], {"task_id": "x", "request_stats": {"y": 1}}, "").payload
    assert kept == {
        "records": [{"a": 1}],
        "report": {
            "task_id": "x",
            "request_stats": {"y": 1, "requests_used": 1, "request_budget": 50},
            "request_count": 1,
            "request_budget": 50,
        },
        "log": "task_id=T3_duplicates\npage=1\nrequest=1\ncomplete=true\n",
    }


def test_completing_a_complete_report_changes_nothing() -> None:
    once = complete_report("T3_duplicates", None, 4)
    assert complete_report("T3_duplicates", once, 0) == once


def test_handing_in_nothing_at_all_still_earns_points_for_the_default_log() -> None:
    answer = Session("T3_duplicates").submit_results("", "", "")
    assert answer["score"] == 21.0
