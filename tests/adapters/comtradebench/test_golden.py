"""Everything the release answered is reproduced exactly, and every convention matters for it."""

from __future__ import annotations

import gzip
import json
import random
import re
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from adapters.comtradebench import intake, judge, service, table, tasks

DATA = Path(__file__).with_name("data")
PAGES = ("pages", "pages_more")


def golden(name: str) -> list[dict[str, Any]]:
    with gzip.open(DATA / f"{name}.jsonl.gz", "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def wrong_truth() -> Iterator[str]:
    for task_id, expected in json.loads((DATA / "truth.json").read_text()).items():
        rows = tasks.truth(task_id)
        got = {
            "first_row": rows[0],
            "last_row": rows[-1],
            "sum_tradeValue": sum(row["tradeValue"] for row in rows),
            "rows": len(rows),
        }
        if got != expected or list(rows[0]) != list(expected["first_row"]):
            yield task_id


def wrong_pages() -> Iterator[str]:
    for name in PAGES:
        for trace in golden(name):
            episode = service.DataService(trace["task_id"])
            for request in trace["requests"]:
                if _answer(episode, request["page"], trace["truncated"]) != request:
                    yield f"{trace['task_id']}, request {episode.requests}"


def _answer(episode: service.DataService, page: int, truncated: bool) -> dict[str, Any]:
    answer = episode.fetch(page)
    if answer.status != service.OK:
        return {"page": page, "status": answer.status}
    ids = [row["record_id"] for row in answer.rows]
    return {
        "page": page,
        "status": answer.status,
        "record_ids": ids[:3] if truncated else ids,
        "has_more": answer.has_more,
        "total_pages": answer.total_pages,
    }


def wrong_verdicts() -> Iterator[str]:
    for case in golden("judge"):
        verdict = judge.judge(
            case["task_id"], case["data_jsonl"], json.dumps(case["metadata"]), case["run_log"]
        )
        got = {"total": verdict.score, "breakdown": verdict.breakdown}
        if got != case["expected"]:
            yield f"{case['task_id']}, {case['kind']}, {case['metadata_kind']}"


def wrong_odd_verdicts() -> Iterator[str]:
    for number, case in enumerate(golden("submissions_odd")):
        texts = (case["data_jsonl"], case["metadata_json"], case["run_log"])
        verdict = intake.judge_texts(case["task_id"], *texts, case["requests_used"])
        breakdown = None if verdict.errors else verdict.breakdown
        if {"total": verdict.score, "breakdown": breakdown} != case["expected"]:
            yield f"{number}, {case['task_id']}"


CHECKS: dict[str, Callable[[], Iterator[str]]] = {
    "truth": wrong_truth,
    "pages": wrong_pages,
    "verdicts": wrong_verdicts,
    "odd verdicts": wrong_odd_verdicts,
}


@pytest.fixture(autouse=True)
def _fresh_caches() -> Iterator[None]:
    """Cached truth must not outlive a test that breaks the generator."""
    yield
    tasks.truth.cache_clear()
    tasks._specs.cache_clear()


@pytest.mark.parametrize("check", CHECKS)
def test_the_release_is_reproduced(check: str) -> None:
    assert list(CHECKS[check]()) == []


def test_the_golden_files_are_whole() -> None:
    sizes = {name: len(golden(name)) for name in ("judge", "pages", "pages_more")}
    assert sizes == {"judge": 160, "pages": 38, "pages_more": 7}
    odd = [case["expected"] for case in golden("submissions_odd")]
    assert (len(odd), sum(case["breakdown"] is None for case in odd)) == (120, 35)


@pytest.mark.parametrize("name", ["judge", "submissions_odd"])
def test_records_are_judged_like_their_text(name: str) -> None:
    """The table made from records without writing them is the one read from their text."""
    compared = 0
    for case in golden(name):
        try:
            records = [json.loads(line) for line in case["data_jsonl"].splitlines()]
        except json.JSONDecodeError:
            continue
        report = case["metadata"] if name == "judge" else {}
        text = table.write_lines(records)
        from_text = intake.judge_texts(
            case["task_id"], text, json.dumps(report), case["run_log"], 0
        )
        from_records = intake.judge_records(case["task_id"], records, report, case["run_log"])
        assert from_records == from_text
        compared += 1
    assert compared > 100


# -- every convention is caught when it is broken ------------------------------------------------

Break = Callable[[pytest.MonkeyPatch], None]


def constant(module: Any, name: str, value: Any) -> Break:
    return lambda patch: patch.setattr(module, name, value)


def without(module: Any, name: str, member: str) -> Break:
    kept = tuple(one for one in getattr(module, name) if one != member)
    return constant(module, name, kept)


def key_renamed(module: Any, part: str) -> Break:
    def renamed(key: str, seed: int | None) -> random.Random:
        return stream(key.replace(part, "*"), seed)

    stream = tasks.stream
    return constant(module, "stream", renamed)


def changed(what: Callable[[], Any], **changes: Any) -> Break:
    """Change a task's constants in place; the fixture reads them afresh after the test."""

    def change(_: pytest.MonkeyPatch) -> None:
        for name, value in changes.items():
            object.__setattr__(what(), name, value)

    return change


def fault(task_id: str, **changes: Any) -> Break:
    return changed(lambda: tasks.spec(task_id).fault, **changes)


def spec(task_id: str, **changes: Any) -> Break:
    return changed(lambda: tasks.spec(task_id), **changes)


T9 = "T9_adaptive_adversary"

BROKEN: dict[str, tuple[str, Break]] = {
    "seed of 9 digits": (
        "truth",
        constant(tasks, "stable_seed", lambda text: int(sha256(text.encode()).hexdigest()[:9], 16)),
    ),
    "ceiling of a value": ("truth", constant(tasks, "_VALUE_CEILING", {"tradeValue": 10**6})),
    "order of the key": ("truth", constant(tasks, "QUERY_FIELDS", tasks.QUERY_FIELDS[::-1])),
    "number of rows": ("truth", spec("T3_duplicates", rows=26)),
    "drift key": ("pages", key_renamed(service, ":drift:")),
    "duplicates key": ("pages", key_renamed(service, ":dup:")),
    "page size": ("pages", spec("T3_duplicates", page_size=12)),
    "when a request fails": ("pages", fault("T4_rate_limit_429", fail_on=[3])),
    "which error": ("pages", constant(service, "SERVER_ERROR", 503)),
    "second failure of T8": ("pages", fault("T8_mixed_faults", fail_on=[2])),
    "duplicate rate": ("pages", fault("T8_mixed_faults", duplicate_rate=0.2)),
    "cross-page rate": ("pages", fault("T8_mixed_faults", cross_page_duplicate_rate=0.0)),
    "escalation": ("pages", fault(T9, escalation_per_page=0.0)),
    "page of the first rejection": ("pages", fault(T9, reject_after_page=4)),
    "page of the first totals row": ("pages", fault(T9, totals_after_page=5)),
    "period of rejections": ("pages", constant(service, "_ADAPTIVE_REJECTION_PERIOD", 4)),
    "rows remembered": ("pages", constant(service, "_REMEMBERED_ROWS", 5)),
    "totals page": ("pages", fault("T7_totals_trap", mode="none")),
    "required metadata": ("verdicts", without(judge, "_REQUIRED_METADATA", "query")),
    "fields of a full schema": ("verdicts", constant(judge, "_EXPECTED_FIELDS", 11)),
    "fields of a key": ("verdicts", constant(judge, "_MIN_DEDUP_FIELDS", 2)),
    "slow": ("verdicts", constant(judge, "_SLOW_SECONDS", 1)),
    "first year": ("verdicts", constant(judge, "_YEARS", (1700, 2100))),
    "last year": ("verdicts", constant(judge, "_YEARS", (1900, 2030))),
    "values that must not be negative": ("verdicts", without(judge, "_VALUES", "tradeValue")),
    "values that may be null": ("verdicts", without(judge, "_NULLABLE_VALUES", "qty")),
    **{
        f"log token {token}": ("verdicts", without(judge, "_LOG_TOKENS", token))
        for token in judge._LOG_TOKENS
    },
    **{
        f"log level {level}": ("verdicts", without(judge, "_LOG_LEVELS", level))
        for level in judge._LOG_LEVELS
    },
    "log ending": ("verdicts", without(judge, "_LOG_ENDINGS", "finish")),
    "request number": ("verdicts", constant(judge, "_REQUEST_NUMBER", re.compile(r"page=(\d+)"))),
    "baseline": ("verdicts", spec("T3_duplicates", baseline=4)),
    "numbers": ("verdicts", constant(judge, "_is_number", lambda value: isinstance(value, float))),
    "robustness": ("verdicts", constant(judge, "_retry_points", lambda *_: 12.0)),
    "totals handling": ("odd verdicts", constant(judge, "_totals_penalty", lambda _: 0.0)),
    "default log": ("odd verdicts", constant(intake, "complete_log", lambda _, log: log)),
    "text that is no UTF-8": ("odd verdicts", constant(intake, "_check_files", lambda *_: None)),
    "metadata that is no object": ("odd verdicts", constant(intake, "_parse_report", json.loads)),
}


@pytest.mark.parametrize("convention", BROKEN)
def test_a_broken_convention_is_caught(convention: str, monkeypatch: pytest.MonkeyPatch) -> None:
    check, break_it = BROKEN[convention]
    tasks.truth.cache_clear()
    break_it(monkeypatch)
    assert list(CHECKS[check]())
