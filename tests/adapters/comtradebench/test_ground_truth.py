"""The ground-truth score: what is the same record, and how much of it was handed in."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.comtradebench.ground_truth import Match, match_ids, match_records
from adapters.comtradebench.tasks import truth

TASK = "T3_duplicates"
TRUE = [dict(row) for row in truth(TASK)]
FIRST = TRUE[0]


def found(record: Any) -> tuple[int, int]:
    """Whether a record counts, by every field and by its id."""
    return match_records(TASK, None, [record]).found, match_ids(TASK, None, [record]).found


@pytest.mark.parametrize(
    ("record", "expected"),
    [
        (FIRST, (1, 1)),
        (dict(reversed(FIRST.items())), (1, 1)),
        ({**FIRST, "qty": float(FIRST["qty"])}, (1, 1)),
        ({**FIRST, "qty": FIRST["qty"] + 1}, (0, 1)),
        ({**FIRST, "qty": str(FIRST["qty"])}, (0, 1)),
        ({**FIRST, "note": "x"}, (0, 1)),
        ({name: value for name, value in FIRST.items() if name != "qty"}, (0, 1)),
        ({**FIRST, "qty": [FIRST["qty"]]}, (0, 1)),
        ({**FIRST, "qty": None}, (0, 1)),
        ({**FIRST, "record_id": "T3_duplicates-999999"}, (0, 0)),
        ({**FIRST, "record_id": ["T3_duplicates-000000"]}, (0, 0)),
        (None, (0, 0)),
        ("T3_duplicates-000000", (0, 0)),
        ({}, (0, 0)),
    ],
)
def test_what_is_the_same_record(record: Any, expected: tuple[int, int]) -> None:
    assert found(record) == expected


def test_true_is_not_the_number_one() -> None:
    row = truth("T2_multi_page", 5)[1655]
    assert row["qty"] == 1
    assert match_records("T2_multi_page", 5, [row]).found == 1
    assert match_records("T2_multi_page", 5, [{**row, "qty": True}]).found == 0


@given(
    kept=st.sets(st.integers(0, 24)),
    repeated=st.integers(0, 3),
    invented=st.integers(0, 5),
)
def test_f1_is_the_harmonic_mean_by_definition(
    kept: set[int], repeated: int, invented: int
) -> None:
    records: list[Any] = [TRUE[index] for index in sorted(kept)]
    records += records[:1] * repeated + [{"record_id": "x"}] * invented
    match = match_records(TASK, None, records)
    precision = len(kept) / len(records) if records else 0.0
    recall = len(kept) / len(TRUE)
    expected = 2 * precision * recall / (precision + recall) if kept else 0.0
    assert match.f1 == pytest.approx(expected)
    assert match == match_ids(TASK, None, records)


def test_nothing_submitted_scores_nothing() -> None:
    assert match_records(TASK, None, []) == Match(0, 0, 25)
    assert Match(0, 0, 25).f1 == Match(0, 0, 25).precision == 0.0
