"""The few types that the functions share."""

from __future__ import annotations

from typing import Generic, Literal, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]
BoolArray = NDArray[np.bool_]

Method = Literal["percentile", "bca"]
"""How bootstrap estimates become an interval; see `benchaudit.statistics.bootstrap`."""

T = TypeVar("T")


class Interval(NamedTuple, Generic[T]):
    """A lower and an upper bound: floats, or arrays where the function is vectorised."""

    low: T
    high: T
