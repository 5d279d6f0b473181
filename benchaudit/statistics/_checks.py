"""What every function here asks of its arguments, and the errors a caller sees otherwise."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from benchaudit.statistics._types import BoolArray, FloatArray, IntArray


def finite(name: str, values: ArrayLike, *, ndim: int | None = 1, least: int = 1) -> FloatArray:
    """The argument as finite floats of ``ndim`` dimensions (None: any), at least ``least`` long.

    Raises:
        ValueError: naming the argument, and the index of the first value that will not do.
    """
    try:
        array = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{name}: expected numbers: {error}") from None
    if ndim is not None and array.ndim != ndim:
        raise ValueError(f"{name}: expected {ndim} dimension(s), got {array.ndim}")
    if array.size == 0 or (array.ndim and len(array) < least):
        found = "nothing" if array.size == 0 else str(len(array))
        raise ValueError(f"{name}: expected at least {least} value(s), got {found}")
    refuse(name, array, ~np.isfinite(array), "every value must be finite")
    return array


def whole(name: str, values: ArrayLike, *, ndim: int | None = 1) -> IntArray:
    """The argument as counts: whole numbers, none below zero, not empty.

    Raises:
        ValueError: naming the argument, and the index of the first value that will not do.
    """
    array = finite(name, values, ndim=ndim)
    refuse(name, array, (array < 0) | (array != np.floor(array)), "expected a count: 0, 1, 2, ...")
    return array.astype(np.int64)


def tallies(
    name: str, hits: ArrayLike, runs_name: str, runs: ArrayLike
) -> tuple[IntArray, IntArray]:
    """Counts out of counts of any shape, broadcast together: 0 <= hits <= runs, runs >= 1.

    Raises:
        ValueError: naming the argument, and the index of the first value that will not do.
    """
    some, all_ = whole(name, hits, ndim=None), whole(runs_name, runs, ndim=None)
    refuse(runs_name, all_, all_ < 1, "expected at least one run")
    try:
        some, all_ = np.broadcast_arrays(some, all_)
    except ValueError:
        raise ValueError(
            f"{name} and {runs_name} must have the same shape: {some.shape} and {all_.shape}"
        ) from None
    refuse(name, some, some > all_, f"more than {runs_name}")
    return some, all_


def labels(name: str, given: Sequence[object], n: int) -> IntArray:
    """n labels, by any hashable value, as 0, 1, 2, ... in order of first appearance.

    Raises:
        ValueError: naming the argument, when there are not n.
    """
    if len(given) != n:
        raise ValueError(f"{name}: expected one label a value ({n}), got {len(given)}")
    seen: dict[object, int] = {}
    return np.array([seen.setdefault(label, len(seen)) for label in given], dtype=np.int64)


def fraction(name: str, value: float) -> float:
    """A number strictly between 0 and 1: a confidence level, a tail share, a probability.

    Raises:
        ValueError: naming the argument.
    """
    if not 0 < value < 1:
        raise ValueError(f"{name}: expected a number between 0 and 1, got {value}")
    return float(value)


def positive(name: str, value: float, *, zero: bool = False) -> float:
    """A finite number above 0, or with ``zero`` not below it.

    Raises:
        ValueError: naming the argument.
    """
    if not (math.isfinite(value) and (value > 0 or (zero and value == 0))):
        raise ValueError(f"{name}: expected a number {'>=' if zero else '>'} 0, got {value}")
    return float(value)


def at_least(name: str, value: int, least: int) -> int:
    """A whole number that is ``least`` or more.

    Raises:
        ValueError: naming the argument.
    """
    if not math.isfinite(value) or value != int(value) or value < least:
        raise ValueError(f"{name}: expected a whole number >= {least}, got {value}")
    return int(value)


def refuse(name: str, array: NDArray[np.generic], bad: BoolArray, why: str) -> None:
    """Raise ValueError for the first ``bad`` place of the argument, if there is one."""
    if not bad.any():
        return
    if array.ndim == 0:
        raise ValueError(f"{name} is {array[()]!s}: {why}")
    place = tuple(int(i) for i in np.argwhere(bad)[0])
    raise ValueError(f"{name}[{', '.join(map(str, place))}] is {array[place]!s}: {why}")
