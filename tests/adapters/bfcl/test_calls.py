"""From the answer key to calls, and what calls are worth: without the benchmark's package."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from benchaudit import packs

BFCL = packs.find("adapters", "bfcl")
Entry = BFCL.module("entry").Entry
answers = BFCL.module("answers")
quality = BFCL.module("meaning").quality
read_calls = BFCL.module("reading").read_calls
spellings = BFCL.module("spelling").spellings


def entry(
    key: Sequence[Mapping[str, Any]],
    properties: Mapping[str, Any],
    required: Sequence[str] = (),
    category: str = "simple_python",
) -> Any:
    """An entry whose functions all have these parameters."""
    names = {name for one in key for name in one}
    functions = [
        {"name": name, "parameters": {"properties": properties, "required": list(required)}}
        for name in sorted(names)
    ]
    return Entry(category, {"id": f"{category}_0", "function": functions}, list(key))


def call(name: str, **arguments: Any) -> dict[str, Any]:
    return {"name": name, "arguments": arguments}


STRING, INTEGER, FLOAT, BOOLEAN = (
    {"type": kind} for kind in ("string", "integer", "float", "boolean")
)
AREA = entry([{"area": {"base": [10], "unit": ["units", ""]}}], {"base": INTEGER, "unit": STRING})


# -- the canonical calls --------------------------------------------------------------------------


def test_first_calls_take_the_first_value_that_is_not_blank() -> None:
    one = entry([{"f": {"a": ["", 5, 6], "b": [""], "c": ["x"]}}], {})
    assert answers.first_calls(one) == [call("f", a=5, c="x")]


def test_a_key_without_values_leaves_the_parameter_out() -> None:
    assert answers.first_calls(entry([{"f": {"a": []}}], {})) == [call("f")]


def test_dictionaries_in_the_key_are_unwrapped_at_every_level() -> None:
    key = [{"f": {"a": [{"b": [{"c": [1, 2], "d": ["", 3]}], "e": [[4, 5]]}]}}]
    assert answers.first_calls(entry(key, {})) == [
        call("f", a={"b": {"c": 1, "d": 3}, "e": [4, 5]})
    ]


def test_winning_calls_find_for_each_parameter_a_value_that_passes() -> None:
    one = entry([{"f": {"a": [1, 2], "b": [1, 2, ""]}}, {"g": {"c": ["x", ""]}}], {})

    def passes(_: Any, calls: Sequence[Mapping[str, Any]]) -> bool:
        return all(
            (c["arguments"].get("a", 2), c["arguments"].get("b", None)) in ((2, None), (2, 2))
            for c in calls
        )

    assert answers.winning_calls(one, passes) == [call("f", a=2, b=2), call("g", c="x")]


def test_an_entry_that_no_allowed_value_wins_has_no_winning_calls() -> None:
    assert answers.winning_calls(AREA, lambda _entry, _calls: False) is None


def test_the_blank_itself_is_the_last_resort() -> None:
    one = entry([{"f": {"a": [""]}}], {"a": STRING}, ["a"])
    assert answers.winning_calls(one, lambda _, c: "a" in c[0]["arguments"]) == [call("f", a="")]


@pytest.mark.parametrize(
    ("value", "schema", "language", "expected"),
    [
        (True, {"type": "boolean"}, "java", "true"),
        (5, {"type": "long"}, "java", "5L"),
        (20.5, {"type": "float"}, "java", "20.5f"),
        (3, {"type": "double"}, "java", "3.0"),
        ([1, 2], {"type": "Array", "items": {"type": "integer"}}, "java", "new int[]{1, 2}"),
        (
            ["a"],
            {"type": "ArrayList", "items": {"type": "String"}},
            "java",
            'new ArrayList<String>(Arrays.asList("a"))',
        ),
        (
            {"k": 1},
            {"type": "HashMap"},
            "java",
            'new HashMap<String, Object>() {{ put("k", 1); }}',
        ),
        (4.0, {"type": "float"}, "javascript", "4"),
        (["a", 1], {"type": "array"}, "javascript", '["a", 1]'),
        ({"k": {"n": True}}, {"type": "dict"}, "javascript", "{k: {n: true}}"),
        ("anyName", {"type": "any"}, "javascript", "anyName"),
    ],
)
def test_values_are_written_in_the_language_of_the_category(
    value: Any, schema: Any, language: str, expected: str
) -> None:
    assert next(spellings(value, schema, language)) == expected


# -- what calls are worth -------------------------------------------------------------------------


@pytest.mark.parametrize(
    "calls",
    [
        [call("area", base=10, unit="units")],
        [call("area", base=10)],
        [call("area", base=10.0, unit="Units")],
        [call("area", base=10, unit="")],
    ],
)
def test_calls_that_may_mean_the_same_are_worth_one(calls: Any) -> None:
    assert quality(AREA, calls) == 1.0


@pytest.mark.parametrize(
    "calls",
    [
        [],
        [call("areas", base=10)],
        [call("area", base=11)],
        [call("area", base="10")],
        [call("area", base=True)],
        [call("area", base=None)],
        [call("area", base=[10])],
        [call("area", unit="units")],
        [call("area", base=10, unit="metres")],
        [call("area", base=10, more=1)],
        [call("area", base=10), call("area", base=10)],
    ],
)
def test_calls_that_surely_differ_are_worth_less(calls: Any) -> None:
    assert quality(AREA, calls) < 1.0


def test_half_of_two_calls_is_worth_two_thirds() -> None:
    one = entry([{"f": {"a": [1]}}, {"f": {"a": [2]}}], {"a": INTEGER})
    assert quality(one, [call("f", a=2)]) == pytest.approx(2 / 3)


def test_calls_are_matched_one_to_one_whatever_their_order() -> None:
    one = entry([{"f": {"a": [1, 2]}}, {"f": {"a": [1]}}], {"a": INTEGER})
    assert quality(one, [call("f", a=1), call("f", a=2)]) == 1.0
    assert quality(one, [call("f", a=2), call("f", a=1)]) == 1.0
    assert quality(one, [call("f", a=2), call("f", a=2)]) == pytest.approx(0.5)


def test_a_default_may_be_stated_or_left_out() -> None:
    unit = {"type": "string", "default": "metres"}
    stated = entry([{"f": {"unit": ["feet", ""]}}], {"unit": unit})
    assert quality(stated, [call("f", unit="metres")]) == 1.0
    assert quality(stated, [call("f", unit="")]) < 1.0
    wanted = entry([{"f": {"unit": ["metres"]}}], {"unit": unit})
    assert quality(wanted, [call("f")]) == 1.0
    needed = entry([{"f": {"unit": ["metres"]}}], {"unit": unit}, ["unit"])
    assert quality(needed, [call("f")]) < 1.0


def test_an_empty_list_may_say_no_more_than_leaving_out_unless_the_default_says_otherwise() -> None:
    plain = entry([{"f": {"a": [["x"], ""]}}], {"a": {"type": "array"}})
    assert quality(plain, [call("f", a=[])]) == 1.0
    filled = entry([{"f": {"a": [["x"], ""]}}], {"a": {"type": "array", "default": ["x"]}})
    assert quality(filled, [call("f", a=[])]) < 1.0


def test_a_blank_that_the_schema_does_not_list_is_worth_less() -> None:
    one = entry([{"f": {"a": ["x", ""]}}], {"a": {"type": "string", "enum": ["x", "y"]}})
    assert quality(one, [call("f", a="")]) < 1.0


def test_values_inside_dictionaries_are_compared_key_by_key() -> None:
    one = entry(
        [{"f": {"a": [{"on": [True], "n": [1, 2], "o": ["", 3]}]}}], {"a": {"type": "dict"}}
    )
    assert quality(one, [call("f", a={"on": True, "n": 2})]) == 1.0
    for wrong in ({"on": 1, "n": 2}, {"on": True}, {"on": True, "n": 2, "z": 1}, {"on": [True]}):
        assert quality(one, [call("f", a=wrong)]) < 1.0


def test_source_text_is_compared_with_every_spelling() -> None:
    array = {"type": "Array", "items": {"type": "integer"}}
    one = entry([{"f": {"a": [[1, 2]]}}], {"a": array}, category="simple_java")
    assert quality(one, [call("f", a="new int[]{1, 2}")]) == 1.0
    assert quality(one, [call("f", a="Arrays.asList(1, 2)")]) == 1.0
    assert quality(one, [call("f", a="new int[]{2, 3}")]) < 1.0


# -- text -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "calls"),
    [
        ("[f(a=1), g.h(b='x')]", [call("f", a=1), call("g.h", b="x")]),
        ("f(a=+5, b=-5)", [call("f", a=5, b=-5)]),
        ("[f(from='x', class=1)]", [call("f", **{"from": "x", "class": 1})]),
        ("[]", []),
    ],
)
def test_text_is_read_as_it_is_written(text: str, calls: Any) -> None:
    assert read_calls(text) == calls


@pytest.mark.parametrize(
    "text", ["[f('x', a=1)]", "[f(a=1, a=2)]", "[f(a=g(1))]", "[f(a=x)]", "[1]"]
)
def test_what_is_no_plain_call_is_not_taken_for_one(text: str) -> None:
    assert [one["name"] for one in read_calls(text)] == [""]


@pytest.mark.parametrize("text", ["I would call f(a=1).", "f(a=", "", "'f(a=1)'", "[" * 9999])
def test_what_is_no_list_of_calls_is_none(text: str) -> None:
    assert read_calls(text) is None
