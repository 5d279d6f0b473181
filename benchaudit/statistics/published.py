"""Published conventions, where they differ from ours: to reproduce printed figures to the digit.

Each draws from Python's ``random.Random``, whose ``random`` and ``choice`` streams Python keeps.
For new work use `bootstrap_mean_interval`, `sign_flip_test` and `cluster_bootstrap_mean_interval`.
"""

from __future__ import annotations

import random

import numpy as np
from numpy.typing import ArrayLike

from benchaudit.statistics._checks import at_least, finite
from benchaudit.statistics._types import Interval
from benchaudit.statistics.bootstrap import Statistic

_PAPER_RESAMPLES = 2000
_PAPER_BOUNDS = (50, 1949)
_PAPER_PATTERNS = 10_000
_PAPER_TIE = 1e-12


def paper_mean_interval(values: ArrayLike) -> Interval[float]:
    """95 % interval of a mean as in Tables A1 and A2 of the BenchAudit paper.

    ``random.Random(0)``; 2000 times the mean of n draws by ``choice``; sorted; the bounds are
    those at index 50 and 1949. Depends on the order of the values. Cliff's delta of pairs has its
    interval by the same function, on the signs of the differences.
    """
    numbers = finite("values", values).tolist()
    rng = random.Random(0)
    n = len(numbers)
    means = sorted(sum(rng.choice(numbers) for _ in range(n)) / n for _ in range(_PAPER_RESAMPLES))
    low, high = _PAPER_BOUNDS
    return Interval(means[low], means[high])


def paper_sign_flip_p(differences: ArrayLike) -> float:
    """Monte Carlo sign-flip p as in Tables A1 and A2 of the BenchAudit paper.

    ``random.Random(0)``; 10,000 times each value is kept if ``random() < .5`` and else negated;
    p is the share of means at least as far from 0 as the observed one, less 1e-12. It can be 0,
    which no p value of a test should be: `sign_flip_test` counts all patterns.
    """
    numbers = finite("differences", differences).tolist()
    rng = random.Random(0)
    n = len(numbers)
    bound = abs(sum(numbers) / n) - _PAPER_TIE
    extreme = 0
    for _ in range(_PAPER_PATTERNS):
        flipped = sum(x if rng.random() < 0.5 else -x for x in numbers) / n
        extreme += abs(flipped) >= bound
    return extreme / _PAPER_PATTERNS


def agentrelbench_cluster_interval(
    cells: ArrayLike, statistic: Statistic, *, seed: int = 0, resamples: int = 10_000
) -> Interval[float]:
    """95 % cluster bootstrap interval as AgentRelBench computes it, cells as clusters.

    ``random.Random(seed)``; each time as many cells as there are, by ``choices``; bounds are the
    2.5 and 97.5 percentiles, linear between order statistics.

    Args:
        cells: one row a cell (cells x columns), such as (failures, runs).
        statistic: maps m samples, an array (m, cells, columns), to m numbers.
        seed, resamples: of the draws.
    """
    rows = finite("cells", cells, ndim=2)
    rng = random.Random(at_least("seed", seed, 0))
    keys = range(len(rows))
    drawn = [rng.choices(keys, k=len(rows)) for _ in range(at_least("resamples", resamples, 1))]
    estimates = finite("statistic of a resample", statistic(rows[np.array(drawn)]))
    low, high = np.quantile(estimates, [0.025, 0.975])
    return Interval(float(low), float(high))
