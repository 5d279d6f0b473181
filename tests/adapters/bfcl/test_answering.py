"""Abstention and final answers: what counts as right, without the benchmark's package."""

from __future__ import annotations

from typing import Any

import pytest

from benchaudit import packs

BFCL = packs.find("adapters", "bfcl")
Entry = BFCL.module("entry").Entry
answering = BFCL.module("answering")

WEATHER = {
    "name": "weather",
    "parameters": {
        "properties": {"city": {"type": "string"}, "unit": {"type": "string", "enum": ["C", "F"]}},
        "required": ["city", "unit"],
    },
}


def entry(category: str, functions: Any = (WEATHER,), answer: Any = None) -> Any:
    return Entry(category, {"id": f"{category}_0", "function": list(functions)}, answer)


IRRELEVANT, RELEVANT = entry("irrelevance"), entry("live_relevance")
CALL = {"name": "weather", "arguments": {}}


def test_where_nothing_applies_the_right_thing_is_no_call() -> None:
    assert answering.fitting_calls(IRRELEVANT) == []


def test_where_something_applies_it_is_a_call_of_a_listed_function() -> None:
    assert answering.fitting_calls(RELEVANT) == [
        {"name": "weather", "arguments": {"city": "unknown", "unit": "C"}}
    ]


@pytest.mark.parametrize(
    "payload",
    [{"calls": []}, {"text": ""}, {"text": answering.REFUSAL}, {"text": "The weather (in May)?"}],
)
def test_saying_anything_but_a_call_is_abstaining(payload: Any) -> None:
    assert answering.fitting_quality(IRRELEVANT, payload) == 1.0
    assert answering.fitting_quality(RELEVANT, payload) == 0.0


@pytest.mark.parametrize(
    "payload",
    [
        {"calls": [CALL]},
        {"text": "[weather(city='x')]"},
        {"text": "[weather(city='x'"},
        {"text": "I will use weather(city='x')."},
        {"text": "[no_such_function()]"},
    ],
)
def test_an_attempt_at_a_call_is_not_abstaining(payload: Any) -> None:
    assert answering.fitting_quality(IRRELEVANT, payload) == 0.0


def test_a_call_of_a_function_that_is_not_listed_fits_nothing() -> None:
    unlisted = {"calls": [{"name": "no_such_function", "arguments": {}}]}
    assert answering.fitting_quality(RELEVANT, unlisted) == 0.0
    assert answering.fitting_quality(RELEVANT, {"calls": [CALL]}) == 1.0


ANSWER = entry("memory_kv", (), ["35", "thirty five"])


@pytest.mark.parametrize(
    "text",
    [
        answering.answer_text("35"),
        "35",
        "Thirty five.",
        "The answer is 35.",
        "{'answer': 35, 'context': ''}",
    ],
)
def test_an_accepted_answer_in_any_wording_is_right(text: str) -> None:
    assert answering.answer_quality(ANSWER, text) == 1.0


@pytest.mark.parametrize(
    "text",
    [
        "",
        "36",
        "not 35",
        "34 or 35",
        " ".join(map(str, range(99))),
        answering.answer_text("I do not know"),
        "{'answer': '36', 'context': '35'}",
    ],
)
def test_a_text_that_only_holds_an_accepted_answer_is_not_one(text: str) -> None:
    assert answering.answer_quality(ANSWER, text) == 0.0
