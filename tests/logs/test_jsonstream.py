from __future__ import annotations

import io
import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchaudit.logs import jsonstream
from benchaudit.logs.inflate import Corrupt, Cut

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


class Dripping(io.StringIO):
    """A stream that gives a few characters at a time, so that every value is cut somewhere."""

    def __init__(self, text, step):
        super().__init__(text)
        self.step = step

    def read(self, size=-1):
        return super().read(min(self.step, size))


@given(st.lists(VALUES, max_size=6), st.integers(1, 9), st.sampled_from([None, 1]))
def test_a_list_comes_out_element_by_element_wherever_the_text_is_cut(values, step, indent):
    text = json.dumps(values, indent=indent)
    assert list(jsonstream.elements(Dripping(text, step))) == values


@given(st.dictionaries(st.text(), VALUES, max_size=5), st.integers(1, 9))
def test_an_object_comes_out_key_by_key(values, step):
    assert dict(jsonstream.members(Dripping(json.dumps(values), step))) == values


def test_split_values_come_in_pieces_and_the_others_whole():
    text = json.dumps({"a": [1, 2], "b": {"x": 1, "y": [2]}, "c": [3, 4], "d": []})
    found = list(jsonstream.members(io.StringIO(text), ("a", "b", "d")))
    assert found == [("a", 1), ("a", 2), ("b", ("x", 1)), ("b", ("y", [2])), ("c", [3, 4])]


def test_nan_and_infinity_are_read_as_python_writes_them():
    nan, infinity = jsonstream.elements(Dripping("[NaN, -Infinity]", 2))
    assert math.isnan(nan)
    assert infinity == -math.inf


@pytest.mark.parametrize("length", range(1, 30))
def test_every_cut_is_told_from_damage(length):
    text = '[{"a": [1.25, "x\\u00e9"]}, tru'
    with pytest.raises(Cut):
        list(jsonstream.elements(io.StringIO(text[:length])))


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ('{"a": 1}', "expected a list"),
        ("[1 2]", "expected ',' or ']'"),
        ('[{"a" 1}' + " " * 50 + "]", "delimiter"),
        ("[1] [2]", "after the end"),
        ("[" + "9" * 5000 + "]", "digits"),
        ("[" * 100_000, "nested too deep"),
    ],
)
def test_damage_is_told_with_its_place(text, what):
    with pytest.raises(Corrupt, match="not JSON at character") as told:
        list(jsonstream.elements(io.StringIO(text)))
    assert what in str(told.value)


def test_a_key_that_is_not_text_is_told():
    with pytest.raises(Corrupt, match="key that is not text"):
        list(jsonstream.members(io.StringIO("{1: 2}")))


def test_a_value_beyond_the_bound_is_refused(monkeypatch):
    monkeypatch.setattr(jsonstream, "MAX_VALUE", 100_000)
    text = json.dumps(["x" * 1_000_000])
    with pytest.raises(Corrupt, match="a single value of more than"):
        list(jsonstream.elements(io.StringIO(text)))


def test_what_came_before_damage_was_given_out():
    values = jsonstream.elements(io.StringIO("[1, 2, }, 4]" + " " * 50))
    assert [next(values), next(values)] == [1, 2]
    with pytest.raises(Corrupt):
        next(values)
