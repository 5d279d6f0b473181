"""Submissions as text: nothing is lost, nothing is accepted that was not written."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchaudit.encoding import MAX_DEPTH, EncodingError, digest, dumps, loads

TAGS = ["$tuple", "$bytes", "$float", "$dict"]
TEXT = st.text() | st.text(st.characters(categories=["Cs", "Cc", "Lo"])) | st.sampled_from(TAGS)
SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | TEXT | st.binary(max_size=20)
KEYS = TEXT | st.integers() | st.booleans() | st.none() | st.floats() | st.binary(max_size=4)


def containers(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return (
        st.lists(inner, max_size=4)
        | st.lists(inner, max_size=4).map(tuple)
        | st.dictionaries(KEYS, inner, max_size=4)
        | st.dictionaries(st.sampled_from(TAGS), inner, max_size=2)
        | st.dictionaries(st.tuples(st.integers(), TEXT), inner, max_size=2)
    )


VALUES = st.recursive(SCALARS, containers, max_leaves=12)


def same(one: Any, other: Any) -> bool:
    """Equal in value, type and order of keys; NaN equals NaN and -0.0 is not 0.0."""
    if type(one) is not type(other):
        return False
    if isinstance(one, float):
        if math.isnan(one):
            return math.isnan(other)
        return one == other and math.copysign(1, one) == math.copysign(1, other)
    if isinstance(one, list | tuple):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, dict):
        return len(one) == len(other) and all(
            same(k, m) and same(v, w) for (k, v), (m, w) in zip(one.items(), other.items())
        )
    return bool(one == other)


@given(VALUES)
@settings(max_examples=150, deadline=None)
def test_what_is_written_is_read_back_to_the_type_and_the_order(value: Any) -> None:
    text = dumps(value)
    assert text.isascii()
    assert "\n" not in text
    assert same(loads(text), value)
    assert dumps(loads(text)) == text


@given(VALUES)
@settings(max_examples=50, deadline=None)
def test_text_is_plain_json(value: Any) -> None:
    def refuse(name: str) -> Any:
        raise AssertionError(f"{name} is not JSON")

    json.loads(dumps(value), parse_constant=refuse)


@given(VALUES, VALUES)
@settings(max_examples=50, deadline=None)
def test_different_values_have_different_texts(one: Any, other: Any) -> None:
    assert (dumps(one) == dumps(other)) == same(one, other)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ((1, 2), '{"$tuple":[1,2]}'),
        (b"\x00\xff", '{"$bytes":"AP8="}'),
        (math.nan, '{"$float":"nan"}'),
        (-math.inf, '{"$float":"-inf"}'),
        ({1: "a"}, '{"$dict":[[1,"a"]]}'),
        ({"$tuple": [1]}, '{"$dict":[["$tuple",[1]]]}'),
        ({"$tuple": [1], "b": 2}, '{"$tuple":[1],"b":2}'),
        ({"$other": [1]}, '{"$other":[1]}'),
        ("\ud800", '"\\ud800"'),
        ([True, 1, 1.0, None], "[true,1,1.0,null]"),
        ({"b": 1, "a": 2}, '{"b":1,"a":2}'),
        (10**400, "1" + "0" * 400),
    ],
)
def test_form_of_each_kind_of_value(value: Any, text: str) -> None:
    assert dumps(value) == text
    assert same(loads(text), value)


def test_keys_that_json_would_merge_stay_apart() -> None:
    value = {1: "number", "1": "text", 2.0: "float"}
    assert same(loads(dumps(value)), value)
    assert loads(dumps({None: 1})) == {None: 1}


@pytest.mark.parametrize("value", [{1, 2}, object(), [complex(1, 2)]])
def test_types_without_a_tag_are_refused_by_name(value: Any) -> None:
    inner = value[0] if isinstance(value, list) else value
    with pytest.raises(EncodingError, match=f"cannot hold a {type(inner).__name__}"):
        dumps(value)


def nested(depth: int, wrap: Any, core: Any = 0) -> Any:
    for _ in range(depth):
        core = wrap(core)
    return core


WRAPS = {
    "list": lambda v: [v],
    "object": lambda v: {"a": v},
    "tuple": lambda v: (v,),
    "dict": lambda v: {1: v},
    "tag-like": lambda v: {"$tuple": v},
}


@pytest.mark.parametrize("wrap", WRAPS)
@pytest.mark.parametrize("depth", [1, 60, MAX_DEPTH - 1, MAX_DEPTH])
def test_nesting_up_to_the_bound_is_carried(depth: int, wrap: str) -> None:
    value = nested(depth, WRAPS[wrap])
    assert loads(dumps(value)) == value


@pytest.mark.parametrize("wrap", WRAPS)
@pytest.mark.parametrize("depth", [MAX_DEPTH + 2, 5 * MAX_DEPTH])
def test_nesting_beyond_the_bound_is_refused_when_written(depth: int, wrap: str) -> None:
    with pytest.raises(EncodingError, match=r"nested|deep"):
        dumps(nested(depth, WRAPS[wrap]))


def test_nesting_in_foreign_text_is_bounded_too() -> None:
    with pytest.raises(EncodingError):
        loads("[" * 200_000 + "]" * 200_000)
    with pytest.raises(EncodingError, match="nested"):
        loads("[" * 900 + '"$"' + "]" * 900)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "nope",
        '{"$bytes":"not base64!"}',
        '{"$bytes":3}',
        '{"$float":"one"}',
        '{"$float":[1]}',
        '{"$dict":[[1]]}',
        '{"$dict":3}',
        '{"$dict":[[{"a":1},2]]}',
        '{"$tuple":3}',
    ],
)
def test_text_that_was_not_written_here_is_refused(text: str) -> None:
    with pytest.raises(EncodingError):
        loads(text)


def test_digest_is_the_sha256_of_the_text() -> None:
    assert digest("[]") == "4f53cda18c2baa0c0354bb5f9a3ecbe5ed12ab4d8e11ba873c2f11161202b945"
    assert digest(dumps([1])) != digest(dumps([1.0]))
