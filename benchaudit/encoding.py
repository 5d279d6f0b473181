"""Submissions as text: JSON with tags for what JSON lacks, so nothing is lost between processes.

A tagged value is an object with one key: ``$tuple`` (list), ``$bytes`` (base64), ``$float``
(``nan``, ``inf``, ``-inf``) or ``$dict`` (list of pairs, for keys that are not strings and for
objects that would otherwise read as a tag). Order of keys is kept: it can carry meaning.

Standard library only: this module runs inside benchmark environments.
"""

from __future__ import annotations

import base64
import hashlib
import json
import math
from typing import Any

MAX_DEPTH = 200
"""Deepest nesting that is encoded or decoded; both ends of a pipe enforce the same bound."""

_CONTAINERS = (list, dict)
_TAGS = ("$tuple", "$bytes", "$float", "$dict")


class EncodingError(ValueError):
    """A value that cannot be carried: a type without a tag, or nesting beyond MAX_DEPTH."""


def dumps(value: Any) -> str:
    """Encode a value as one line of ASCII JSON.

    Raises:
        EncodingError: for a type without a tag or nesting deeper than MAX_DEPTH.
    """
    return encode(value)[0]


def encode(value: Any) -> tuple[str, Any]:
    """The line of a value, and what the line decodes to: a copy that shares nothing with it.

    Raises:
        EncodingError: for a type without a tag or nesting deeper than MAX_DEPTH.
    """
    plain = _encode_plain(value)
    if plain is not None:
        return plain
    text = json.dumps(_tag(value, MAX_DEPTH), allow_nan=False, separators=(",", ":"))
    return text, loads(text)


def loads(text: str) -> Any:
    """Decode what `dumps` wrote.

    Raises:
        EncodingError: when the text is not JSON, is nested too deep or holds a malformed tag.
    """
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise EncodingError(f"not an encoded value: {error}") from None
    return _untag(value, 2 * MAX_DEPTH) if '"$' in text else value


def digest(text: str) -> str:
    """SHA-256 of an encoded value, 64 hexadecimal digits."""
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def _encode_plain(value: Any) -> tuple[str, Any] | None:
    """Encode in C when plain JSON holds the value exactly; None when it needs tags.

    The round trip is compared instead of walking the value in Python, which is what makes a
    submission of thousands of records cheap. Tuples, NaN and non-string keys all compare unequal.
    """
    try:
        text = json.dumps(value, allow_nan=False, separators=(",", ":"))
        if '"$' in text:
            return None
        copy = json.loads(text)
        return (text, copy) if copy == value and not _is_deep(copy) else None
    except (TypeError, ValueError, RecursionError):
        return None


def _is_deep(value: Any) -> bool:
    """Whether plain lists and objects nest deeper than MAX_DEPTH; without recursion."""
    level = [value] if type(value) in _CONTAINERS else []
    for _ in range(MAX_DEPTH + 1):
        if not level:
            return False
        level = [
            child
            for parent in level
            for child in (parent.values() if type(parent) is dict else parent)
            if type(child) in _CONTAINERS
        ]
    return bool(level)


def _tag(value: Any, room: int) -> Any:
    if room < 0:
        raise EncodingError(f"nested deeper than {MAX_DEPTH} levels")
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else {"$float": str(value)}
    if isinstance(value, list):
        return [_tag(item, room - 1) for item in value]
    if isinstance(value, tuple):
        return {"$tuple": [_tag(item, room - 1) for item in value]}
    if isinstance(value, bytes):
        return {"$bytes": base64.b64encode(value).decode("ascii")}
    if isinstance(value, dict):
        return _tag_dict(value, room)
    raise EncodingError(f"a submission cannot hold a {type(value).__name__}")


def _tag_dict(value: dict[Any, Any], room: int) -> Any:
    plain = all(isinstance(key, str) for key in value)
    if plain and not (len(value) == 1 and next(iter(value)) in _TAGS):
        return {key: _tag(item, room - 1) for key, item in value.items()}
    return {"$dict": [[_tag(k, room - 1), _tag(v, room - 1)] for k, v in value.items()]}


def _untag(value: Any, room: int) -> Any:
    if room < 0:
        raise EncodingError(f"nested deeper than {2 * MAX_DEPTH} levels")
    if isinstance(value, list):
        return [_untag(item, room - 1) for item in value]
    if not isinstance(value, dict):
        return value
    if len(value) == 1:
        ((tag, content),) = value.items()
        if tag in _TAGS:
            return _from_tag(tag, content, room - 1)
    return {key: _untag(item, room - 1) for key, item in value.items()}


def _from_tag(tag: str, content: Any, room: int) -> Any:
    try:
        if tag == "$tuple":
            return tuple(_untag(item, room) for item in content)
        if tag == "$bytes":
            return base64.b64decode(content, validate=True)
        if tag == "$float":
            return float(content)
        return {_untag(key, room): _untag(item, room) for key, item in content}
    except (TypeError, ValueError) as error:
        if isinstance(error, EncodingError):
            raise
        raise EncodingError(f"malformed {tag}: {error}") from None
