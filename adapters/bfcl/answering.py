"""What is right in the categories that have no calls to compare: abstention and final answers."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from typing import Any

from .entry import IRRELEVANCE, Entry
from .reading import read_calls
from .texts import difference

REFUSAL = "None of the given functions can be used to answer this question."

_LEAD = re.compile(r"(the )?(final )?answer( is|:)|it is", re.IGNORECASE)
_PLACEHOLDERS: Mapping[str, Any] = {
    "integer": 1,
    "float": 1.0,
    "number": 1.0,
    "boolean": True,
    "array": [],
    "tuple": [],
    "dict": {},
    "object": {},
}


def fitting_calls(entry: Entry) -> list[dict[str, Any]]:
    """The calls that the label of an (ir)relevance entry asks for: none, or a listed function.

    The benchmark gives relevance entries no answer: it says that some listed function applies, not
    which, and asks for nothing more. So the first one stands here, its required parameters filled
    by type.
    """
    if entry.category in IRRELEVANCE:
        return []
    return [plain_call(entry, entry.functions[0]["name"])]


def plain_call(entry: Entry, name: str) -> dict[str, Any]:
    """A call of a function on offer, its required parameters filled by type."""
    parameters = next(f["parameters"] for f in entry.functions if f["name"] == name)
    schemas = parameters["properties"]
    arguments = {p: _placeholder(schemas[p]) for p in parameters["required"]}
    return {"name": name, "arguments": arguments}


def fitting_quality(entry: Entry, payload: Mapping[str, Any]) -> float:
    """Whether nothing is called where nothing applies; else the share of calls that are on offer.

    The benchmark says that it does not check the arguments of relevance entries, so they do not
    count here either.

    A text that names a listed function with an opening bracket is an attempt to call it, whether
    or not it can be decoded.
    """
    calls = payload.get("calls")
    if calls is None:
        calls = read_calls(payload["text"]) or []
    if entry.category in IRRELEVANCE:
        attempted = any(f"{f['name']}(" in payload.get("text", "") for f in entry.functions)
        return float(not calls and not attempted)
    names = {function["name"] for function in entry.functions}
    return sum(call["name"] in names for call in calls) / len(calls) if calls else 0.0


def answer_text(answer: str) -> str:
    """A final answer in the form that the benchmark asks for."""
    return repr({"answer": answer, "context": "This is what the sources say."})


def answer_quality(entry: Entry, text: str) -> float:
    """1 when the answer given is one of those accepted, or may mean the same; else 0.

    The answer is the ``answer`` field where there is one, else the whole text. A text that holds an
    accepted answer among others, or denies it, does not give it.
    """
    given = _LEAD.sub("", _answer_field(text), count=1).strip(" .\n")
    return float(any(not difference(key, given, "answer", {}, "python") for key in entry.answer))


def _answer_field(text: str) -> str:
    try:
        read = ast.literal_eval(text.strip())
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        return text
    return str(read.get("answer", "")) if isinstance(read, dict) else text


def _placeholder(schema: Mapping[str, Any]) -> Any:
    if schema.get("enum"):
        return schema["enum"][0]
    return _PLACEHOLDERS.get(str(schema.get("type")), "unknown")
