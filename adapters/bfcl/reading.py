"""Text in the syntax that the benchmark asks for, read strictly and by ourselves.

``[name(parameter=value, ...), ...]`` with literal values. A call that passes an argument by
position or twice, or that holds anything but literals, is not the call it would have to be.
"""

from __future__ import annotations

import ast
import keyword
import re
from typing import Any

_RESERVED = re.compile(rf"([(,]\s*)({'|'.join(keyword.kwlist)})(?==[^=])")
_PREFIX = "reserved_"

UNREADABLE = {"name": "", "arguments": {}}
"""Stands for a call that is not one; no function has this name."""


def read_calls(text: str) -> list[dict[str, Any]] | None:
    """The calls in a text, with `UNREADABLE` for each that is none; None when it is no list."""
    tree = _parse(text.strip()) or _parse(_RESERVED.sub(rf"\1{_PREFIX}\2", text.strip()))
    match tree:
        case ast.Call():
            return [_call(tree)]
        case ast.List(elts=items) | ast.Tuple(elts=items):
            return [_call(item) for item in items]
    return None


def _parse(text: str) -> ast.expr | None:
    try:
        return ast.parse(text, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _call(node: ast.expr) -> dict[str, Any]:
    if not isinstance(node, ast.Call) or node.args:
        return UNREADABLE
    arguments = {}
    for one in node.keywords:
        name = (one.arg or "").removeprefix(_PREFIX)
        if not name or name in arguments:
            return UNREADABLE
        try:
            arguments[name] = ast.literal_eval(one.value)
        except (ValueError, TypeError):
            return UNREADABLE
    return {"name": ast.unparse(node.func), "arguments": arguments}
