"""The ground-truth score: how many of the true records were handed in, and how much besides.

What is "the same record"? By default every field must match: a record counts when it has exactly
the fields of a true record, in any order, with equal values (numbers compare by value; true and
false are no numbers). The paper matches record ids alone; that reading is kept beside ours
because it cannot see altered values under a true id.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from typing import Any

from .tasks import FIELDS, truth

_FIELD_SET = frozenset(FIELDS)
_COMPARABLE = {int, float, str}


@dataclass(frozen=True, slots=True)
class Match:
    """Submitted records against the truth.

    Attributes:
        found: distinct true records among those submitted, |U|.
        submitted: records submitted, whatever they are, |S|.
        true: records of the truth, |G|.
    """

    found: int
    submitted: int
    true: int

    @property
    def recall(self) -> float:
        return self.found / self.true

    @property
    def precision(self) -> float:
        """0 when nothing was submitted."""
        return self.found / self.submitted if self.submitted else 0.0

    @property
    def f1(self) -> float:
        """The harmonic mean of recall and precision, 2|U| / (|G| + |S|); 0 with no match."""
        return 2 * self.found / (self.true + self.submitted)


def match_records(task_id: str, seed: int | None, records: Sequence[Any]) -> Match:
    """Match by every field of the record."""
    expected = _true_values(task_id, seed)
    found = expected.intersection(_comparable(records))
    return Match(len(found), len(records), len(expected))


def match_ids(task_id: str, seed: int | None, records: Sequence[Any]) -> Match:
    """Match by record id alone, as the paper does."""
    expected = _true_ids(task_id, seed)
    ids = [record.get("record_id") for record in records if isinstance(record, dict)]
    found = expected.intersection(name for name in ids if isinstance(name, str))
    return Match(len(found), len(records), len(expected))


def _comparable(records: Sequence[Any]) -> Iterable[tuple[Hashable, ...]]:
    """The values, in the order of FIELDS, of the records that can equal a true one at all."""
    rows = [values for record in records if (values := _values(record)) is not None]
    if set(map(type, chain.from_iterable(rows))) <= _COMPARABLE:
        return rows
    return [values for values in rows if set(map(type, values)) <= _COMPARABLE]


def _values(record: Any) -> tuple[Any, ...] | None:
    """The values of a record that has exactly the fields of a true one."""
    if not isinstance(record, dict) or len(record) != len(FIELDS):
        return None
    if tuple(record) == FIELDS:
        return tuple(record.values())
    if record.keys() == _FIELD_SET:
        return tuple(record[field] for field in FIELDS)
    return None


@lru_cache(maxsize=64)
def _true_values(task_id: str, seed: int | None) -> frozenset[tuple[Any, ...]]:
    return frozenset(tuple(row.values()) for row in truth(task_id, seed))


@lru_cache(maxsize=64)
def _true_ids(task_id: str, seed: int | None) -> frozenset[str]:
    return frozenset(row["record_id"] for row in truth(task_id, seed))
