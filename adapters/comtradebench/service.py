"""The data service: one page a request, with every fault mode of the benchmark.

It knows nothing of transport: a request is a call, an HTTP error a status. The state of an
episode is a `DataService`; its answers are a pure function of (task, seed, requests so far).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from .tasks import spec, stream, truth

Row = dict[str, Any]

OK = 200
REJECTED = 429
SERVER_ERROR = 500
UNPROCESSABLE = 422

MAX_PAGE_SIZE = 5000
_REMEMBERED_ROWS = 100
_ADAPTIVE_RATE_CEILING = 0.40
_ADAPTIVE_REJECTION_PERIOD = 3


@dataclass(frozen=True, slots=True)
class Page:
    """The answer to a request.

    Attributes:
        status: the HTTP status; anything but OK has no rows.
        rows: the records served, the caller's own copies.
        page: the page asked for, counted from 1.
        total_pages: pages of the whole result, at least 1.
        total_rows: records of the whole result, totals rows and repeats not counted.
    """

    status: int
    page: int
    rows: list[Row]
    page_size: int
    total_pages: int
    total_rows: int

    @property
    def has_more(self) -> bool:
        return self.page < self.total_pages


class DataService:
    """The service as one episode meets it."""

    def __init__(self, task_id: str, seed: int | None = None) -> None:
        self.task_id = task_id
        self.seed = seed
        self.spec = spec(task_id)
        self.requests = 0
        self._served: Sequence[Row] = ()

    def fetch(self, page: int, page_size: int = MAX_PAGE_SIZE) -> Page:
        """Answer one request.

        Every request counts, also one that is answered with an error, save a malformed one: that
        is turned away before the service sees it. ``page_size`` is checked and then ignored: the
        task's own size is always used.
        """
        if page < 1 or not 1 <= page_size <= MAX_PAGE_SIZE:
            return self._page(UNPROCESSABLE, page, [])
        self.requests += 1
        error = self._scheduled_error()
        if error is not None:
            return self._page(error, page, [])
        fault = self.spec.fault
        rows = self._slice(page)
        if fault.mode == "adaptive":
            self._escalate(rows, page)
            if self._rejects(page):
                return self._page(REJECTED, page, [])
        else:
            self._repeat(rows, fault.duplicate_rate, fault.cross_page_duplicate_rate)
        if self._adds_totals(rows, page):
            rows.insert(0, self._totals_row(rows, page))
        self._served = [dict(row) for row in rows[:_REMEMBERED_ROWS]]
        return self._page(OK, page, rows)

    def _page(self, status: int, page: int, rows: list[Row]) -> Page:
        task = self.spec
        return Page(status, page, rows, task.page_size, task.total_pages, task.rows)

    def _scheduled_error(self) -> int | None:
        """The HTTP error that is due at this request, if any."""
        fault = self.spec.fault
        if self.requests not in fault.fail_on:
            return None
        return SERVER_ERROR if fault.mode == "server_error" else REJECTED

    def _slice(self, page: int) -> list[Row]:
        rows = truth(self.task_id, self.seed)
        order: Sequence[int] = range(len(rows))
        if self.spec.fault.mode == "page_drift":
            order = list(order)
            stream(f"{self.task_id}:drift:{self.requests}", self.seed).shuffle(order)
        start = (page - 1) * self.spec.page_size
        return [dict(rows[index]) for index in order[start : start + self.spec.page_size]]

    def _repeat(self, rows: list[Row], rate: float, cross_rate: float) -> None:
        """Overwrite rows by copies, of rows of this page and then of the page served before."""
        rng = stream(f"{self.task_id}:dup:{self.requests}", self.seed)
        for source in range(int(len(rows) * rate)):
            rows[rng.randrange(len(rows))] = dict(rows[source % len(rows)])
        if self._served and cross_rate > 0:
            for _ in range(int(len(rows) * cross_rate)):
                repeated = rng.choice(self._served)
                rows[rng.randrange(len(rows))] = dict(repeated)

    def _escalate(self, rows: list[Row], page: int) -> None:
        fault = self.spec.fault
        rate = fault.duplicate_rate + fault.escalation_per_page * (page - 1)
        rate = min(rate, _ADAPTIVE_RATE_CEILING)
        self._repeat(rows, rate, rate / 2)

    def _rejects(self, page: int) -> bool:
        """Whether the adaptive service answers this request with an error."""
        return (
            page > self.spec.fault.reject_after_page
            and self.requests % _ADAPTIVE_REJECTION_PERIOD == 0
        )

    def _adds_totals(self, rows: Sequence[Row], page: int) -> bool:
        fault = self.spec.fault
        if fault.mode == "adaptive":
            return page > fault.totals_after_page and bool(rows)
        return fault.mode == "totals_trap"

    def _totals_row(self, rows: Sequence[Row], page: int) -> Row:
        query = self.spec.query
        return {
            "year": query["year"],
            "reporter": query["reporter"],
            "partner": "WLD",
            "flow": query["flow"],
            "hs": "TOTAL",
            **{
                field: sum(row[field] for row in rows)
                for field in ("tradeValue", "netWeight", "qty")
            },
            "record_id": f"{self.task_id}-TOTAL-{page:04d}",
            "isTotal": True,
            "is_total": True,
        }
