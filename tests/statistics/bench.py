"""Speed of the statistics: ``python tests/statistics/bench.py``. Ratios are of runs in turn.

Nothing here asserts: a number on a shared machine is a figure, not a test.
"""

from __future__ import annotations

import resource
import statistics as standard
import time
from collections.abc import Callable, Iterator

import numpy as np
from scipy import stats

from benchaudit import statistics

ROUNDS = 9


def report() -> Iterator[str]:
    """One line a figure."""
    random = np.random.default_rng(0)
    million = random.random((100_000, 10))
    spent = _seconds(lambda: statistics.summarise_cells(million, seed=0))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    yield (
        f"a million runs (100,000 cells of 10) with percentile intervals: {spent:.2f} s, "
        f"peak memory of the process {peak:.0f} MB (aim under 10 s and 1 GB)"
    )
    runs = random.integers(1, 100, 100_000)
    failures = random.integers(0, runs + 1)
    spent = _seconds(lambda: statistics.clopper_pearson(failures, runs))
    yield f"Clopper-Pearson for 100,000 cells: {spent:.2f} s (aim under 1)"
    cells = million[:2000]
    over = _ratio(lambda: _scipy_at_once(cells), lambda: statistics.summarise_cells(cells, seed=0))
    yield f"scipy.stats.bootstrap vectorised over 2,000 cells, over ours: {over:.1f} (aim 5)"
    cells = million[:100]
    over = _ratio(lambda: _scipy_each(cells), lambda: statistics.summarise_cells(cells, seed=0))
    yield f"scipy.stats.bootstrap cell by cell over 100 cells, over ours: {over:.1f} (aim 5)"


def _scipy_at_once(cells: np.ndarray) -> None:
    stats.bootstrap((cells,), np.mean, axis=1, method="percentile", n_resamples=2000)


def _scipy_each(cells: np.ndarray) -> None:
    for cell in cells:
        stats.bootstrap((cell,), np.mean, method="percentile", n_resamples=2000)


def _ratio(one: Callable[[], object], other: Callable[[], object]) -> float:
    return standard.median(_seconds(one) / _seconds(other) for _ in range(ROUNDS))


def _seconds(action: Callable[[], object]) -> float:
    start = time.perf_counter()
    action()
    return time.perf_counter() - start


if __name__ == "__main__":
    for line in report():
        print(line)
