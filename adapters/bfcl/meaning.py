"""What calls are worth, by what they mean: the quality of a submission of the AST categories.

Our own reading of the answer key, not the evaluator's: a call is right when a function with this
schema would be asked for what the key asks for. Where the two could be held the same, they are;
so a submission rated lower is one that a sceptic cannot call correct.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from .answers import concrete_values
from .entry import Entry
from .texts import difference


def quality(entry: Entry, calls: Sequence[Mapping[str, Any]]) -> float:
    """F1 of the right calls among those made and those asked for, each counted once; 0 to 1."""
    rights = [
        [number for number, call in enumerate(calls) if _is_right(entry, call, one)]
        for one in entry.answer
    ]
    return 2 * _matched(rights) / ((len(calls) + len(entry.answer)) or 1)


def _matched(options: Sequence[Sequence[int]]) -> int:
    """The largest number of rows that can each have an option of their own."""
    taken: dict[int, int] = {}

    def place(row: int, seen: set[int]) -> bool:
        for option in options[row]:
            if option not in seen:
                seen.add(option)
                if option not in taken or place(taken[option], seen):
                    taken[option] = row
                    return True
        return False

    return sum(place(row, set()) for row in range(len(options)))


def _is_right(entry: Entry, call: Mapping[str, Any], one: Mapping[str, Any]) -> bool:
    ((name, allowed),) = one.items()
    if call["name"] != name:
        return False
    function = next((f for f in entry.functions if f["name"] == name), None)
    schemas = function["parameters"].get("properties", {}) if function else {}
    arguments = call["arguments"]
    for parameter, values in allowed.items():
        schema = schemas.get(parameter, {})
        if parameter not in arguments:
            if "" not in values and not _is_default(values, schema, function, parameter):
                return False
        elif not _is_allowed(arguments[parameter], values, parameter, schema, entry.language):
            return False
    extra = [parameter for parameter in arguments if parameter not in allowed]
    return all(
        "default" in schemas.get(p, {}) and _same(arguments[p], schemas[p]["default"], p, {}, "")
        for p in extra
    )


def _is_default(
    values: Sequence[Any], schema: Mapping[str, Any], function: Any, parameter: str
) -> bool:
    """Whether leaving an optional parameter out means one of its allowed values."""
    optional = parameter not in function["parameters"].get("required", ())
    return optional and "default" in schema and schema["default"] in values


def _is_allowed(
    value: Any, values: Sequence[Any], name: str, schema: Mapping[str, Any], language: str
) -> bool:
    if value in ("", [], {}) and "" in values and _may_be_blank(value, schema):
        return True
    if any(v != "" and _same(value, v, name, schema, language) for v in values):
        return True
    # Where the key lets a parameter be left out, saying its default says the same.
    return "" in values and "default" in schema and _same(value, schema["default"], name, {}, "")


def _may_be_blank(value: Any, schema: Mapping[str, Any]) -> bool:
    """Whether an empty value may say no more than leaving the parameter out, which is allowed."""
    if isinstance(value, str) and schema.get("type", "string") not in ("string", "String", "any"):
        return False
    if isinstance(value, str) and "enum" in schema:
        return "" in schema["enum"]
    return schema.get("default") in (None, value)


def _same(value: Any, key: Any, name: str, schema: Mapping[str, Any], language: str) -> bool:
    """Whether a value may mean the same as one of the key's."""
    if language in ("java", "javascript") and not isinstance(key, str):
        return _same_source(value, key, name, schema, language)
    if isinstance(key, dict):
        return isinstance(value, dict) and _same_dict(value, key, schema, language)
    if isinstance(key, list):
        items = schema.get("items", {})
        return (
            isinstance(value, list | tuple)
            and len(value) == len(key)
            and all(_same(v, k, name, items, language) for v, k in zip(value, key))
        )
    if isinstance(key, str):
        return isinstance(value, str) and not difference(key, value, name, schema, language)
    if isinstance(key, bool) or isinstance(value, bool) or key is None:
        return type(value) is type(key) and bool(value == key)
    return isinstance(value, int | float) and bool(value == key)


def _same_dict(
    value: Mapping[str, Any], key: Mapping[str, Any], schema: Mapping[str, Any], language: str
) -> bool:
    schemas = schema.get("properties", {})
    if not value.keys() <= key.keys():
        return False
    for name, allowed in key.items():
        values = allowed if isinstance(allowed, list) else [allowed]
        if name not in value:
            if "" not in values:
                return False
        elif not _is_allowed(value[name], values, name, schemas.get(name, {}), language):
            return False
    return True


def _same_source(value: Any, key: Any, name: str, schema: Mapping[str, Any], language: str) -> bool:
    """A plain value of the key against source text, or against the plain value itself."""
    if not isinstance(value, str):
        return _same(value, key, name, schema, "")
    written = concrete_values([key], schema, language)
    return any(not difference(s, value, name, schema, language) for s in written)
