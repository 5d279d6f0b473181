"""Formulas in strings: whether two of them surely denote different functions.

A formula is read the way people write one (``^`` for power, ``2x`` for a product, ``lambda x:``
in front or not) and evaluated at fixed points. Formulas whose values differ there are different
functions; what cannot be read is left undecided.
"""

from __future__ import annotations

import ast
import math
import operator
import re
from collections.abc import Callable, Mapping
from functools import lru_cache

_BINARY: Mapping[type[ast.operator], Callable[[float, float], float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Pow: operator.pow,
}
_FUNCTIONS: Mapping[str, Callable[[float], float]] = {
    "sin": math.sin,
    "cos": math.cos,
    "tan": math.tan,
    "exp": math.exp,
    "log": math.log,
    "ln": math.log,
    "sqrt": math.sqrt,
    "abs": abs,
}
_CONSTANTS = {"pi": math.pi, "e": math.e}
_OPERATOR = re.compile(r"[\w)]\s*(\*\*|[-+*/^])\s*[\w(]")


class _UnreadableError(Exception):
    """The text is not a formula that this module can read."""


def differ(one: str, other: str) -> bool:
    """Whether both texts are formulas and their values differ at some point.

    The second may also use a variable that the first does not have (``x2`` for ``x^2``).
    """
    if not _OPERATOR.search(one):
        return False
    try:
        first, second = _parse(one.casefold()), _parse(other.casefold())
        known, used = _variables(first), _variables(second)
        # Renaming the only variable makes no other function, and so its case does not either.
        renamed = dict(zip(used, known)) if len(known) == len(used) == 1 else {}
        if used - known - renamed.keys():
            return len(used) > len(known) > 0 and not _is_product(used - known, known)
        return bool(known) and any(
            not _close(_value(first, p), _value(second, {n: p[renamed.get(n, n)] for n in used}))
            for p in _points(known)
        )
    except (_UnreadableError, ArithmeticError, ValueError, TypeError):
        return False


@lru_cache(maxsize=4096)
def _parse(text: str) -> ast.expr:
    text = re.sub(r"^\s*(lambda\s+\w+\s*:|\w\(\w\)\s*=|y\s*=)", "", text).replace("^", "**")
    text = re.sub(r"(?<![\w.])(\d+(?:\.\d+)?)\s*([A-Za-z(])", r"\1*\2", text)
    text = re.sub(r"\)\s*([\w(])", r")*\1", text)
    try:
        return ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise _UnreadableError(text) from None


def _variables(tree: ast.expr) -> set[str]:
    names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    return names - _FUNCTIONS.keys() - _CONSTANTS.keys()


def _is_product(strange: set[str], known: set[str]) -> bool:
    """Whether unknown names may be products of known variables: ``xy`` for ``x*y``."""
    return all(set(name) <= known for name in strange)


def _points(variables: set[str]) -> list[dict[str, float]]:
    ordered = sorted(variables)
    return [{name: x + 0.37 * at for at, name in enumerate(ordered)} for x in (1.3, 2.1, 3.7)]


def _value(tree: ast.expr, point: Mapping[str, float]) -> float:
    match tree:
        case ast.Constant(value=int() | float() as number):
            return float(number)
        case ast.Name(id=name) if name in point or name in _CONSTANTS:
            return point.get(name, _CONSTANTS.get(name, math.nan))
        case ast.UnaryOp(op=ast.USub(), operand=inner):
            return -_value(inner, point)
        case ast.UnaryOp(op=ast.UAdd(), operand=inner):
            return _value(inner, point)
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _BINARY:
            result = _BINARY[type(op)](_value(left, point), _value(right, point))
            if isinstance(result, complex):
                raise _UnreadableError("not a real number")
            return result
        case ast.Call(func=func, args=[inner]):
            return _FUNCTIONS[_function(func)](_value(inner, point))
    raise _UnreadableError(ast.dump(tree))


def _function(func: ast.expr) -> str:
    name = (
        func.id
        if isinstance(func, ast.Name)
        else func.attr
        if isinstance(func, ast.Attribute)
        else ""
    )
    if name not in _FUNCTIONS:
        raise _UnreadableError(name)
    return name


def _close(one: float, other: float) -> bool:
    return math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-12)
