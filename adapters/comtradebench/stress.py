"""ComtradeBench under the stress engine: the clean substrate, fetched page by page.

The scaffold is the half one (L1): the harness asks for the pages in order, keeps what they bring
and learns only from a successful answer that there are no more. The agent decides what follows
a rejected request: RETRY asks for the page again, SKIP goes on to the next.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from typing import Any

from benchaudit.stress.adversary import Intent, Kind
from benchaudit.stress.environment import Target

from .ground_truth import match_records
from .intake import judge_records
from .report import Request, Trace, harness_log, metadata
from .service import OK, REJECTED, DataService, Page, Row
from .tasks import PRIMARY_KEY, Record, spec, truth

TASK = "T9_clean_ab"
RETRY, SKIP = "retry", "skip"


class PagedFetch:
    """One episode.

    Attributes:
        rows: everything fetched, as served.
        trace: the requests, for the report that the harness makes of them.
    """

    actions: Sequence[str] = (RETRY, SKIP)

    def __init__(self) -> None:
        self._tries = 0
        self.rows: list[Row] = []
        self.trace = Trace(TASK)

    def call(self, request: int) -> Page:
        page = _clean(request)
        return Page(OK, request, list(page.rows), page.page_size, page.total_pages, page.total_rows)

    def fault(self, request: int) -> Page:
        page = _clean(request)
        return Page(REJECTED, request, [], page.page_size, page.total_pages, page.total_rows)

    def perturb(self, reply: Page, intent: Intent) -> Page:
        _PERTURB[intent.kind](reply, intent)
        return reply

    def succeeded(self, reply: Page) -> bool:
        return reply.status == OK

    def first(self) -> int:
        return 1

    def after(self, request: int, reply: Page) -> int | None:
        self._tries = 0
        self.rows += reply.rows
        self.trace.requests.append(Request(request, OK, len(reply.rows)))
        self.trace.complete = not reply.has_more
        return request + 1 if reply.has_more else None

    def decided(self, request: int, action: str) -> int | None:
        """A skip of the last page leads to one that is not there: nothing has said so yet."""
        retried = action == RETRY
        self._tries += 1
        self.trace.requests.append(Request(request, REJECTED, attempt=self._tries, retried=retried))
        if retried:
            return request
        self._tries = 0
        return request + 1

    def units_left(self, request: int) -> int:
        return max(0, spec(TASK).total_pages - request + 1)

    def records(self) -> list[Row]:
        """What the harness hands in: the rows without totals, each primary key once."""
        kept: dict[tuple[Any, ...], Row] = {}
        for row in self.rows:
            if not row.get("isTotal"):
                kept.setdefault(tuple([row[field] for field in PRIMARY_KEY]), row)
        return list(kept.values())


@lru_cache(maxsize=64)
def _clean(page: int) -> Page:
    """The service's answer. It has no faults of its own here, so that it depends on nothing else.

    Its rows are shared: a perturbation puts another row in a place, and changes none.
    """
    return DataService(TASK).fetch(page)


def _duplicate(page: Page, intent: Intent) -> None:
    """Overwrite rows, one after the other, by copies of rows as the page then stands."""
    rows, rng = page.rows, intent.rng()
    for _ in range(_share(rows, intent)):
        source = rng.randrange(len(rows))
        destination = rng.randrange(len(rows))
        rows[destination] = rows[source]


def _reorder(page: Page, intent: Intent) -> None:
    """Move rows to places drawn among themselves."""
    rows = page.rows
    places = intent.rng().sample(range(len(rows)), _share(rows, intent))
    for place, row in zip(places, [rows[p] for p in sorted(places)], strict=True):
        rows[place] = row


def _noise(page: Page, intent: Intent) -> None:
    """Add 1 to the trade value of rows, whose ids stay true."""
    rows = page.rows
    for place in intent.rng().sample(range(len(rows)), _share(rows, intent)):
        rows[place] = {**rows[place], "tradeValue": rows[place]["tradeValue"] + 1}


def _drop(page: Page, intent: Intent) -> None:
    """Leave rows out."""
    rows = page.rows
    lost = set(intent.rng().sample(range(len(rows)), _share(rows, intent)))
    rows[:] = [row for place, row in enumerate(rows) if place not in lost]


def _totals(page: Page, intent: Intent) -> None:
    """Put totals rows first, as the service does in its totals mode."""
    query = spec(TASK).query
    total = {
        **{field: query[field] for field in ("year", "reporter", "flow")},
        "partner": "WLD",
        "hs": "TOTAL",
        **{field: sum(row[field] for row in page.rows) for field in _SUMMED},
        "record_id": f"{TASK}-TOTAL-{page.page:04d}",
        "isTotal": True,
        "is_total": True,
    }
    page.rows[:0] = [dict(total) for _ in range(round(intent.amount))]


def _share(rows: Sequence[Row], intent: Intent) -> int:
    """How many rows an intent's share is, rounded down."""
    return int(len(rows) * intent.amount)


_SUMMED = ("tradeValue", "netWeight", "qty")
_PERTURB: dict[Kind, Callable[[Page, Intent], None]] = {
    "duplicate": _duplicate,
    "reorder": _reorder,
    "noise": _noise,
    "drop": _drop,
    "distractor": _totals,
}


def coverage(episode: PagedFetch) -> float:
    """Distinct true records fetched over all records: the published experiments' outcome.

    The recall of `ground_truth.match_records`, in a quarter of its time.
    """
    true = _truth_by_id()
    found = {name for row in episode.rows if row == true.get(name := row["record_id"])}
    return len(found) / len(true)


@cache
def _truth_by_id() -> dict[str, Record]:
    return {record["record_id"]: record for record in truth(TASK)}


def f1(episode: PagedFetch) -> float:
    """Ground-truth F1 of what the harness hands in."""
    return match_records(TASK, None, episode.records()).f1


def judge(episode: PagedFetch) -> float:
    """The shipped judge's reward, 0 to 1, on what the harness hands in and says of it."""
    records = episode.records()
    report = metadata(episode.trace, records)
    return judge_records(TASK, records, report, harness_log(episode.trace, records)).reward


def _start(_: int) -> PagedFetch:
    """The substrate is the release's own draw whatever the seed: only the adversary is seeded."""
    return PagedFetch()


TARGET = Target(
    name="ComtradeBench T9_clean_ab at L1",
    start=_start,
    scorers={"coverage": coverage, "f1": f1, "judge": judge},
    units=spec(TASK).total_pages,
    realises=frozenset(_PERTURB),
    resolution={"coverage": 1 / len(truth(TASK)), "judge": 0.001},
)
