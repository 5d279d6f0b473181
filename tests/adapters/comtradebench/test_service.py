"""The data service beyond what the recorded traces show."""

from __future__ import annotations

from dataclasses import replace

import pytest

from adapters.comtradebench import service
from adapters.comtradebench.service import OK, REJECTED, UNPROCESSABLE, DataService
from adapters.comtradebench.tasks import spec


@pytest.mark.parametrize(("page", "page_size"), [(0, 10), (-1, 10), (1, 0), (1, 5001)])
def test_a_malformed_request_is_turned_away_and_not_counted(page: int, page_size: int) -> None:
    episode = DataService("T4_rate_limit_429")
    assert episode.fetch(page, page_size).status == UNPROCESSABLE
    assert [episode.fetch(number).status for number in (1, 2, 2)] == [OK, REJECTED, OK]


def test_the_page_size_asked_for_is_ignored() -> None:
    assert len(DataService("T3_duplicates").fetch(1, 5000).rows) == 10


def test_a_page_past_the_last_is_empty_and_says_that_there_are_no_more() -> None:
    answer = DataService("T3_duplicates").fetch(9)
    assert (answer.status, answer.rows, answer.has_more) == (OK, [], False)


def test_a_totals_row_sums_the_page() -> None:
    totals, *rows = DataService("T7_totals_trap").fetch(2).rows
    assert len(rows) == 250
    assert totals["partner"] == "WLD"
    assert totals["isTotal"] is totals["is_total"] is True
    assert "cmdCode" not in totals
    for name in ("tradeValue", "netWeight", "qty"):
        assert totals[name] == sum(row[name] for row in rows)


def test_drift_reorders_between_requests_but_keeps_the_records() -> None:
    episode = DataService("T6_page_drift")
    one, other = ([row["record_id"] for row in episode.fetch(1).rows] for _ in range(2))
    assert one != other


def test_a_seed_changes_values_and_faults() -> None:
    def served(seed: int | None) -> list[str]:
        return [row["record_id"] for row in DataService("T6_page_drift", seed).fetch(1).rows]

    assert served(None) != served(0) != served(1)
    assert served(0) == served(0)


def test_changing_what_was_served_does_not_change_what_is_served() -> None:
    def second_page(meddle: bool) -> list[dict[str, object]]:
        episode = DataService("T8_mixed_faults", 1)
        for row in episode.fetch(1).rows:
            if meddle:
                row.clear()
        episode.fetch(2)
        return episode.fetch(2).rows

    assert second_page(meddle=True) == second_page(meddle=False)


def test_escalation_has_a_ceiling(monkeypatch: pytest.MonkeyPatch) -> None:
    """T9's five pages stay below it; a steeper task would not."""
    task = spec("T9_adaptive_adversary")
    steeper = replace(task, fault=replace(task.fault, escalation_per_page=0.4))
    monkeypatch.setattr(service, "spec", lambda _: steeper)

    def distinct(ceiling: float) -> int:
        monkeypatch.setattr(service, "_ADAPTIVE_RATE_CEILING", ceiling)
        return len({row["record_id"] for row in DataService("T9_adaptive_adversary").fetch(3).rows})

    assert distinct(0.40) > distinct(1.0)
