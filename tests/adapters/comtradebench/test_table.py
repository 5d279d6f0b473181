"""Submitted records as the judge reads them: from text and from data to the same table."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.comtradebench.intake import judge_records, judge_texts
from adapters.comtradebench.table import Table, write_lines
from adapters.comtradebench.tasks import FIELDS, PRIMARY_KEY

SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 3),
    st.just(2020),
    st.floats(),
    st.text(max_size=3),
    st.sampled_from(["\ud83d", "\ude00", "\ud83d\ude00", "\U0001f600", "\u2028", "\r\n"]),
)
VALUES = st.one_of(SCALARS, st.lists(SCALARS, max_size=2), st.dictionaries(st.text(), SCALARS))
NAMES = st.sampled_from([*FIELDS, "value", "netWgt", "\ud83d\ude00", "\U0001f600"])
ROWS = st.one_of(VALUES, st.dictionaries(NAMES, VALUES, max_size=6))
REPORT = st.fixed_dictionaries(
    {
        "schema": st.sampled_from([[], ["year", "qty"], "a,b", None, 3, [[]], list(FIELDS)]),
        "dedup_key": st.sampled_from([[], list(PRIMARY_KEY), ["year", "qty", "value"], [[], 1, 2]]),
        "row_count": st.integers(0, 4),
        "task_id": st.just("T3_duplicates"),
        "query": st.just({}),
    }
)


@given(records=st.lists(ROWS, max_size=4), report=REPORT, log=st.text(max_size=8))
def test_records_are_judged_like_their_text(records: list[Any], report: Any, log: str) -> None:
    texts = (write_lines(records), json.dumps(report), log)
    expected = judge_texts("T3_duplicates", *texts, 0)
    assert judge_records("T3_duplicates", records, report, log) == expected


@pytest.mark.parametrize(
    ("records", "keys"),
    [
        ([{"year": float("nan")}, {"year": float("nan")}], 1),
        ([{"year": "\ud83d\ude00"}, {"year": "\U0001f600"}], 1),
        ([{"year": 1}, {"year": True}, {"year": 1.0}], 1),
        ([{1: "a"}, {"1": "a"}], 1),
        ([{"year": None}, {}], 1),
    ],
)
def test_records_that_json_changes_are_read_as_json_gives_them_back(
    records: list[Any], keys: int
) -> None:
    fields = ["year", "1", "qty"]
    assert Table.from_records(records).unique_keys(fields) == keys
    assert Table.from_text(write_lines(records)).unique_keys(fields) == keys


def test_blank_lines_are_none_and_broken_ones_are_no_rows() -> None:
    table = Table.from_text('{"a": 1}\n\n  \r\n{"a"\n[1]\rnull\n{"b": "\u2028"}')
    assert (table.lines, len(table.rows)) == (5, 2)


def test_a_line_that_is_no_object_has_no_key() -> None:
    with pytest.raises(ValueError, match="1 lines"):
        Table.from_records([None, {"a": 1}]).unique_keys(["a", "b", "c"])


def test_a_record_that_is_not_json_is_refused() -> None:
    with pytest.raises(TypeError):
        Table.from_records([{"a": b"bytes"}])
