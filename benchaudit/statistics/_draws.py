"""Seeded chance that is the same on every machine and numpy.

numpy promises the stream of ``PCG64(seed).random_raw()`` for all versions (NEP 19), unlike what
``Generator`` makes of it. So everything random here is made from those 64-bit words:

- row r of the resample indices of n items takes ceil(n / 2) words, each split into its high and
  then its low 32 bits u; an index is (u n) >> 32, with a bias below n / 2^32;
- a uniform number is the high 52 bits of a word, as the middle of its 2^-52 wide step, so
  that neither 0 nor 1 comes up.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
from numpy.random import PCG64

from benchaudit.statistics._checks import at_least
from benchaudit.statistics._types import FloatArray, IntArray

CHUNK = 1 << 22
"""Elements of a working array: 32 MB of floats."""


def stream(seed: int) -> PCG64:
    """The bits that a whole number ``seed`` >= 0 stands for."""
    return PCG64(at_least("seed", seed, 0))


def index_chunks(n: int, bits: PCG64, rows: int, step: int) -> Iterator[tuple[int, IntArray]]:
    """Resample indices of n items in ``rows`` rows, ``step`` of them at a time.

    Yields the number of a chunk's first row, and the chunk (step x n). The size of the chunks
    does not change the indices.
    """
    for start in range(0, rows, step):
        some = min(step, rows - start)
        words = bits.random_raw(some * ((n + 1) // 2)).reshape(some, -1)
        halves = np.stack([words >> np.uint64(32), words & np.uint64(0xFFFFFFFF)], axis=-1)
        drawn = halves.reshape(some, -1)[:, :n] * np.uint64(n)
        yield start, (drawn >> np.uint64(32)).astype(np.int64)


def uniforms(bits: PCG64, shape: tuple[int, ...]) -> FloatArray:
    """Uniform numbers in the open interval (0, 1)."""
    words = bits.random_raw(math.prod(shape)).reshape(shape)
    return np.asarray(((words >> np.uint64(12)) + 0.5) * 2.0**-52, dtype=np.float64)
