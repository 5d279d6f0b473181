"""From the answer key to calls: the canonical ones, and every other value that the key allows.

The key gives each parameter a list of allowed values, where ``""`` means that the parameter may be
left out. A dictionary among the values maps its keys to such lists again, at every level.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from .entry import Entry
from .spelling import spellings

ABSENT = object()
"""A parameter that is left out."""

MOST_TRIED = 512
"""Values tried for one parameter before it counts as one that cannot be satisfied."""

Calls = list[dict[str, Any]]
Passes = Callable[[Entry, Calls], bool]


def first_calls(entry: Entry) -> Calls:
    """Every parameter with its first allowed value that is not ``""``."""
    return [
        _call(name, {p: next(_choices(entry, name, p, v), ABSENT) for p, v in allowed.items()})
        for name, allowed in _key(entry)
    ]


def winning_calls(entry: Entry, passes: Passes) -> Calls | None:
    """The first allowed values that pass, parameter by parameter; None when none do.

    The evaluator holds a call right when each parameter is, so each is tried alone: against the
    entry cut down to that one call and parameter. The whole is tried at the end.
    """
    calls = []
    for name, allowed in _key(entry):
        chosen = {}
        for parameter, values in allowed.items():
            narrow = _narrowed(entry, name, parameter, values)
            for value in itertools.islice(_choices(entry, name, parameter, values), MOST_TRIED):
                if passes(narrow, [_call(name, {parameter: value})]):
                    chosen[parameter] = value
                    break
            else:
                return None
        calls.append(_call(name, chosen))
    return calls if passes(entry, calls) else None


def concrete_values(
    values: Sequence[Any], schema: Mapping[str, Any], language: str
) -> Iterator[Any]:
    """Every value that a list of allowed values stands for, without ``""``, in the key's order."""
    for value in values:
        if value == "":
            continue
        for plain in _plain(value):
            if language == "python":
                yield plain
            else:
                yield from spellings(plain, schema, language)


def _key(entry: Entry) -> Iterator[tuple[str, Mapping[str, Sequence[Any]]]]:
    for one in entry.answer:
        yield next(iter(one.items()))


def _call(name: str, chosen: Mapping[str, Any]) -> dict[str, Any]:
    return {"name": name, "arguments": {p: v for p, v in chosen.items() if v is not ABSENT}}


def _choices(entry: Entry, name: str, parameter: str, values: Sequence[Any]) -> Iterator[Any]:
    """What a parameter may be: an allowed value, absent, or in the last place ``""`` itself."""
    function: Any = next((f for f in entry.functions if f["name"] == name), {"parameters": {}})
    schema = function["parameters"].get("properties", {}).get(parameter, {})
    yield from concrete_values(values, schema, entry.language)
    if "" in values:
        yield ABSENT
        yield ""


def _plain(value: Any) -> Iterator[Any]:
    """An allowed value without the key's inner lists of allowed values."""
    if isinstance(value, dict):
        parts = [list(_members(inner)) for inner in value.values()]
        for chosen in itertools.product(*parts):
            yield {k: v for k, v in zip(value, chosen) if v is not ABSENT}
    elif isinstance(value, list):
        yield from map(list, itertools.product(*(list(_plain(item)) for item in value)))
    else:
        yield value


def _members(allowed: Any) -> Iterator[Any]:
    """What one key of a dictionary may hold; some entries hold the value instead of a list."""
    if not isinstance(allowed, list):
        yield from _plain(allowed)
        return
    for value in allowed:
        if value != "":
            yield from _plain(value)
    if "" in allowed:
        yield ABSENT


def _narrowed(entry: Entry, name: str, parameter: str, values: Sequence[Any]) -> Entry:
    """The entry as if one call with one parameter were all there is to it."""
    functions = []
    for function in entry.functions:
        if function["name"] == name:
            parameters = function["parameters"]
            kept = {p: s for p, s in parameters["properties"].items() if p == parameter}
            needed = [p for p in parameters["required"] if p == parameter]
            cut = {**parameters, "properties": kept, "required": needed}
            functions.append({**function, "parameters": cut})
    record = {**entry.record, "function": functions}
    return replace(entry, record=record, answer=[{name: {parameter: values}}])
