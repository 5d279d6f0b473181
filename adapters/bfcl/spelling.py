"""Values as Java and JavaScript source: how an agent writes arguments of those categories.

Their parameters are shown to the model as strings ("This is Java integer type parameter in string
representation"), while the answer key holds plain values. A value has several honest spellings;
the first is the plainest one.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

_SUFFIX = {"long": "L", "float": "f", "Bigint": "n"}
_BOXED = {
    "integer": "Integer",
    "long": "Long",
    "float": "Float",
    "double": "Double",
    "boolean": "Boolean",
    "char": "Character",
    "String": "String",
    "any": "Object",
}
_PRIMITIVE = {"integer": "int", "any": "Object"}


def spellings(value: Any, schema: Mapping[str, Any], language: str) -> Iterator[str]:
    """Ways to write a value of the answer key as source text of a parameter with this schema.

    Args:
        value: an allowed value, already taken out of the key's nested lists.
        schema: the parameter's schema: ``type``, and ``items`` for collections.
        language: ``java`` or ``javascript``.
    """
    if isinstance(value, str):
        yield value
        return
    kind = str(schema.get("type", "any"))
    inner = str(schema.get("items", {}).get("type", "any"))
    if isinstance(value, list):
        yield from _lists(value, kind, inner, language)
    elif isinstance(value, dict):
        yield from _maps(value, language)
    else:
        yield _scalar(value, kind, language)


def _scalar(value: Any, kind: str, language: str) -> str:
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    if value is None or isinstance(value, bool):
        return json.dumps(value)
    if language == "java" and kind in ("float", "double"):
        return f"{float(value)}{_SUFFIX.get(kind, '')}"
    if language == "javascript" and isinstance(value, float) and value.is_integer():
        value = int(value)
    return f"{value}{_SUFFIX.get(kind, '') if kind != 'float' else ''}"


def _lists(value: list[Any], kind: str, inner: str, language: str) -> Iterator[str]:
    if language == "javascript":
        yield f"[{', '.join(_nested(item, language) for item in value)}]"
        return
    items = ", ".join(_scalar(item, inner, language) for item in value)
    as_array = f"new {_PRIMITIVE.get(inner, inner)}[]{{{items}}}"
    as_list = f"new ArrayList<{_BOXED.get(inner, inner)}>(Arrays.asList({items}))"
    yield from (as_array, as_list) if kind == "Array" else (as_list, as_array)
    yield f"new {_BOXED.get(inner, inner)}[]{{{items}}}"
    yield f"Arrays.asList({items})"


def _maps(value: dict[str, Any], language: str) -> Iterator[str]:
    if language == "javascript":
        yield _nested(value, language)
        yield json.dumps(value, ensure_ascii=False)
        return
    puts = "".join(
        f" put({json.dumps(key)}, {_nested(item, language)});" for key, item in value.items()
    )
    yield f"new HashMap<String, Object>() {{{{{puts} }}}}"
    yield f"new HashMap<>() {{{{{puts} }}}}"


def _nested(value: Any, language: str) -> str:
    if isinstance(value, dict):
        pairs = (f"{key}: {_nested(item, language)}" for key, item in value.items())
        return f"{{{', '.join(pairs)}}}"
    if isinstance(value, list):
        return f"[{', '.join(_nested(item, language) for item in value)}]"
    return _scalar(value, "any", language)
