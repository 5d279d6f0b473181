"""The task registry: eleven tasks as data, and the seeded generator of their truth.

Everything random in the benchmark is a stream of Python's ``random.Random`` that is seeded by a
text key. The key names the task; with a seed given it names the seed too, so that a task is a
pure function of (task, seed). Without a seed the streams are those of the release.
"""

from __future__ import annotations

import hashlib
import random
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from benchaudit.hooks import Task

Record = Mapping[str, Any]
"""One trade record as the service serves it; the fields are FIELDS, in that order."""

QUERY_FIELDS = ("reporter", "partner", "flow", "hs", "year")
FIELDS = (
    *("year", "reporter", "partner", "flow", "hs", "cmdCode"),
    *("tradeValue", "netWeight", "qty", "record_id"),
)
PRIMARY_KEY = ("year", "reporter", "partner", "flow", "hs", "record_id")

_DEFAULT_BASELINE = 5

_VALUE_CEILING = {"tradeValue": 1_000_000, "netWeight": 50_000, "qty": 10_000}


@dataclass(frozen=True, slots=True)
class Fault:
    """What the data service does to its answers; parameters that a mode lacks stay at zero.

    Attributes:
        mode: none, pagination, duplicates, rate_limit, server_error, page_drift, totals_trap,
            mixed or adaptive.
        fail_on: the requests, counted from 1, that are answered with an HTTP error.
        duplicate_rate: share of a page's rows that are overwritten by rows of the same page.
        cross_page_duplicate_rate: share overwritten by rows served before.
        escalation_per_page: what each page adds to duplicate_rate (adaptive).
        reject_after_page: the last page that is never rejected (adaptive).
        totals_after_page: the last page without a totals row (adaptive).
    """

    mode: str
    fail_on: Sequence[int] = ()
    duplicate_rate: float = 0.0
    cross_page_duplicate_rate: float = 0.0
    escalation_per_page: float = 0.0
    reject_after_page: int = 0
    totals_after_page: int = 0


@dataclass(frozen=True, slots=True)
class Spec:
    """A task's constants; ``tasks.toml`` holds them and says what each is."""

    description: str
    paging: str
    page_size: int
    max_requests: int
    rows: int
    qps: int
    baseline: int
    fault: Fault
    query: Mapping[str, Any]

    @property
    def total_pages(self) -> int:
        return max(1, -(-self.rows // self.page_size))


def tasks(seed: int | None) -> list[Task]:
    """The eleven tasks drawn with this seed, or as the release draws them for None."""
    return [
        Task(name, "records", seed, category=task.fault.mode, description=task.description)
        for name, task in _specs().items()
    ]


def spec(task_id: str) -> Spec:
    """The constants of a task.

    Raises:
        ValueError: when ComtradeBench has no such task.
    """
    try:
        return _specs()[task_id]
    except KeyError:
        raise ValueError(
            f"ComtradeBench has no task {task_id!r}; it has {', '.join(_specs())}"
        ) from None


def baseline(task_id: Any) -> int:
    """Requests that the judge takes for granted, for whatever a submission calls its task.

    Raises:
        TypeError: for a list or an object.
    """
    task = _specs().get(task_id)
    return task.baseline if task else _DEFAULT_BASELINE


@lru_cache(maxsize=256)
def truth(task_id: str, seed: int | None = None) -> tuple[Record, ...]:
    """The records that a task asks for, in the order of their ids. Shared: do not change them."""
    task = spec(task_id)
    query = task.query
    key = ":".join([task_id, *(str(query[field]) for field in QUERY_FIELDS)])
    draw = stream(key, seed).random
    return tuple(
        {
            **{field: query[field] for field in ("year", "reporter", "partner", "flow", "hs")},
            "cmdCode": query["hs"],
            **{field: int(draw() * ceiling) for field, ceiling in _VALUE_CEILING.items()},
            "record_id": f"{task_id}-{index:06d}",
        }
        for index in range(task.rows)
    )


def stream(key: str, seed: int | None) -> random.Random:
    """The source of chance that a text key names, extended by the seed when there is one."""
    return random.Random(stable_seed(key if seed is None else f"{key}:{seed}"))


def stable_seed(text: str) -> int:
    """The first 8 hexadecimal digits of the text's SHA-256, as an integer."""
    return int(hashlib.sha256(text.encode("utf-8")).hexdigest()[:8], 16)


@cache
def _specs() -> dict[str, Spec]:
    text = Path(__file__).with_name("tasks.toml").read_text(encoding="utf-8")
    return {
        name: Spec(**{**table, "fault": Fault(**table["fault"])})
        for name, table in tomllib.loads(text).items()
    }
