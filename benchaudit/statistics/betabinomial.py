"""Overdispersion: do failures cluster in some cells more than one common rate would make them?

A beta-binomial model: a cell's failure rate is drawn from Beta(alpha, beta), its failures are
binomial at that rate. The intraclass correlation icc = 1 / (alpha + beta + 1) is 0 when all
cells share one rate and 1 when every cell always or never fails.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from benchaudit.statistics._checks import tallies
from benchaudit.statistics._types import FloatArray, IntArray

_ICC_CAP = 0.999  # the published estimate's, which keeps its alpha and beta above 0
_ALMOST_ONE = 1 - 1e-12  # the likelihood's limit at 1, without 0 / 0
_NO_GAIN = 1e-9  # a likelihood ratio that is rounding error


@dataclass(frozen=True, slots=True)
class BetaBinomial:
    """A fitted model beside the binomial one with the same data.

    Attributes:
        rate: mean failure rate, alpha / (alpha + beta).
        icc: intraclass correlation, 0 to 1.
        icc_raw: the estimate before it is clipped to that range; negative for cells more alike
            than chance makes them.
        alpha, beta: of the beta distribution; both infinite for icc 0.
        likelihood_ratio: twice the gain in log likelihood over the binomial model, >= 0.
        p: of the likelihood ratio, see the function that made the fit.
    """

    rate: float
    icc: float
    icc_raw: float
    alpha: float
    beta: float
    likelihood_ratio: float
    p: float


def beta_binomial_moments(failures: ArrayLike, runs: ArrayLike) -> BetaBinomial | None:
    """Fit by the method of moments, as AgentRelBench publishes it.

    With mean runs n, pooled rate m and the variance v of the T cells' rates about m (divisor
    T - 1): icc = (v / (m (1 - m) / n) - 1) / (n - 1). ``p`` is the survival function of
    chi-squared with one degree of freedom, which is conservative at the boundary; the likelihood
    is taken at these estimates, not at its maximum.

    Args:
        failures, runs: counts, one entry a cell.

    Returns:
        The fit, or None where the data cannot show overdispersion: a single cell, or one run
        in every cell.
    """
    x, n = tallies("failures", failures, "runs", runs)
    if not _identifiable(n):
        return None
    rate = int(x.sum()) / int(n.sum())
    if rate in (0, 1):
        return _binomial(rate, icc_raw=0.0)
    typical = float(n.mean())
    variance = math.fsum((x / n - rate) ** 2) / (len(x) - 1)
    raw = (variance / (rate * (1 - rate) / typical) - 1) / (typical - 1)
    if raw <= 0:
        return _binomial(rate, icc_raw=raw)
    capped = min(raw, _ICC_CAP)
    ratio = _likelihood_ratio(x, n, rate, capped, rate)
    return BetaBinomial(
        rate=rate,
        icc=min(raw, 1.0),
        icc_raw=raw,
        alpha=rate * (1 - capped) / capped,
        beta=(1 - rate) * (1 - capped) / capped,
        likelihood_ratio=ratio,
        p=_chi2_survival(ratio),
    )


def beta_binomial_ml(failures: ArrayLike, runs: ArrayLike) -> BetaBinomial | None:
    """Fit by maximum likelihood, icc >= 0.

    ``p`` is half the survival function of chi-squared with one degree of freedom, as icc = 0 lies
    on the boundary of the model (Self and Liang 1987); 1 when the best icc is 0.

    Args, Returns: as for `beta_binomial_moments`.
    """
    x, n = tallies("failures", failures, "runs", runs)
    if not _identifiable(n):
        return None
    pooled = int(x.sum()) / int(n.sum())
    if pooled in (0, 1):
        return _binomial(pooled, icc_raw=0.0)
    if bool(np.all((x == 0) | (x == n))):
        rate, icc = float((x > 0).mean()), 1.0  # E[q^n] <= E[q]: no other icc is as likely
    else:
        rate, icc = _most_likely(x, n, pooled)
    ratio = _likelihood_ratio(x, n, rate, min(icc, _ALMOST_ONE), pooled)
    if ratio < _NO_GAIN:
        return _binomial(pooled, icc_raw=0.0)
    return BetaBinomial(
        rate=rate,
        icc=icc,
        icc_raw=icc,
        alpha=rate * (1 - icc) / icc,
        beta=(1 - rate) * (1 - icc) / icc,
        likelihood_ratio=ratio,
        p=_chi2_survival(ratio) / 2,
    )


def _identifiable(runs: IntArray) -> bool:
    return len(runs) > 1 and int(runs.max()) > 1


def _binomial(rate: float, *, icc_raw: float) -> BetaBinomial:
    return BetaBinomial(rate, 0.0, icc_raw, math.inf, math.inf, 0.0, 1.0)


def _most_likely(x: IntArray, n: IntArray, pooled: float) -> tuple[float, float]:
    from scipy.optimize import minimize
    from scipy.special import expit, logit

    def loss(logits: FloatArray) -> float:
        rate, icc = expit(logits)
        return -_log_likelihood(x, n, float(rate), float(icc))

    start = np.array([logit(pooled), logit(0.1)])
    fit = minimize(loss, start, method="Nelder-Mead", options={"xatol": 1e-9, "fatol": 1e-12})
    rate, icc = expit(fit.x)
    return float(rate), float(icc)


def _likelihood_ratio(
    x: IntArray, n: IntArray, rate: float, icc: float, binomial_rate: float
) -> float:
    gain = _log_likelihood(x, n, rate, icc) - _log_likelihood(x, n, binomial_rate, 0.0)
    return max(0.0, 2 * gain)


def _log_likelihood(x: IntArray, n: IntArray, rate: float, icc: float) -> float:
    """Log likelihood without the binomial coefficients; binomial at icc 0.

    Written as a product of urn draws (Griffiths 1973) rather than with gamma functions, which
    lose all digits for icc near 0.
    """
    failed = _urn(rate * (1 - icc), icc, int(x.max()))[x]
    passed = _urn((1 - rate) * (1 - icc), icc, int((n - x).max()))[n - x]
    return math.fsum(failed + passed - _urn(1 - icc, icc, int(n.max()))[n])


def _urn(start: float, step: float, most: int) -> FloatArray:
    """Sum of log(start + j step) over j < count, for every count from 0 to ``most``."""
    with np.errstate(divide="ignore"):
        terms = np.log(start + step * np.arange(most))
    return np.concatenate([[0.0], np.cumsum(terms)])


def _chi2_survival(ratio: float) -> float:
    """Of chi-squared with one degree of freedom."""
    return math.erfc(math.sqrt(ratio / 2))
