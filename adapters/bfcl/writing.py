"""Calls as a model writes them: tool calls, and text in each of the benchmark's formats."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from types import SimpleNamespace
from typing import Any
from xml.sax.saxutils import escape, quoteattr

from benchaudit.families.calls import as_python

from .scaffolds import Scaffold

Calls = Sequence[Mapping[str, Any]]


def spoken(text: str) -> Any:
    """A chat message without tool calls."""
    return SimpleNamespace(content=text, tool_calls=None)


def tool_calls(calls: Calls) -> Any:
    """A chat message with tool calls."""
    made = [
        SimpleNamespace(
            id=f"call_{number}",
            function=SimpleNamespace(name=one["name"], arguments=json.dumps(one["arguments"])),
        )
        for number, one in enumerate(calls)
    ]
    return SimpleNamespace(content=None, tool_calls=made)


def as_text(calls: Calls, scaffold: Scaffold) -> str:
    """Calls in the form that the scaffold's system prompt asks for."""
    text = _FORMATS[scaffold.text_format](calls)
    return f"<TOOLCALL>{text}</TOOLCALL>" if scaffold.tagged else text


def _as_json(calls: Calls) -> str:
    written = [{"function": one["name"], "parameters": one["arguments"]} for one in calls]
    return f"```json\n{json.dumps(written)}\n```"


def _as_verbose_xml(calls: Calls) -> str:
    def parameter(name: str, value: Any) -> str:
        kind, text = _typed(value)
        return f"<param name={quoteattr(name)} value={quoteattr(text)} type={quoteattr(kind)}/>"

    written = (
        f"<function name={quoteattr(one['name'])}><params>"
        + "".join(parameter(*pair) for pair in one["arguments"].items())
        + "</params></function>"
        for one in calls
    )
    return f"<functions>{''.join(written)}</functions>"


def _as_concise_xml(calls: Calls) -> str:
    def parameter(name: str, value: Any) -> str:
        kind, text = _typed(value)
        return f"<param name={quoteattr(name)} type={quoteattr(kind)}>{escape(text)}</param>"

    written = (
        f"<function name={quoteattr(one['name'])}>"
        + "".join(parameter(*pair) for pair in one["arguments"].items())
        + "</function>"
        for one in calls
    )
    return f"<functions>{''.join(written)}</functions>"


def _typed(value: Any) -> tuple[str, str]:
    """A value's type, by the names that the prompt lists, and its text."""
    if isinstance(value, str):
        return "string", value
    kinds = {bool: "boolean", int: "integer", float: "float", list: "array", tuple: "tuple"}
    return kinds.get(type(value), "dict"), repr(value)


_FORMATS = {
    "python": as_python,
    "json": _as_json,
    "verbose_xml": _as_verbose_xml,
    "concise_xml": _as_concise_xml,
}
