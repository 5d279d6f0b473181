"""Degradation curves: constant intensity, dose after dose, from none to the most."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from benchaudit.statistics import degradation_curve
from benchaudit.stress.adversary import Adversary, Pressure
from benchaudit.stress.environment import Target
from benchaudit.stress.errors import InputError
from benchaudit.stress.pairing import Convention, mean_interval
from benchaudit.stress.schedules import constant
from benchaudit.stress.trials import Trial, run_trials

DOSES = tuple(tenth / 10 for tenth in range(11))
"""No perturbation, and ten doses."""


@dataclass(frozen=True, slots=True)
class Dose:
    """The scores of one agent at one dose: mean, 95 % interval, and how far below dose 0."""

    dose: float
    runs: int
    mean: float
    interval: tuple[float, float]
    drop: float


@dataclass(frozen=True, slots=True)
class Curve:
    """An agent's scores over the doses, lowest first; ``mean_drop`` averages over their range."""

    agent: str
    scorer: str
    doses: Sequence[Dose]
    mean_drop: float


def degrade(
    target: Target,
    pressures: Sequence[Pressure],
    agents: Sequence[str],
    seeds: Sequence[int],
    scorer: str,
    *,
    doses: Sequence[float] = DOSES,
    quota: int | None = None,
    convention: Convention = "standard",
    base: Path | None = None,
    jobs: int = 1,
) -> list[Curve]:
    """One curve an agent: its score under the same pressures at each constant intensity.

    Raises:
        InputError: also when an episode raises: a curve has no holes.
    """
    adversaries = {str(dose): Adversary(constant(dose), tuple(pressures)) for dose in doses}
    trials = [
        Trial(agent, str(dose), seed, quota) for agent in agents for dose in doses for seed in seeds
    ]
    results = run_trials(target, adversaries, trials, [scorer], base=base, jobs=jobs)
    for result in results:
        if why := result.missing(scorer):
            at = f"{result.trial.agent}, dose {result.trial.arm}, seed {result.trial.seed}"
            raise InputError(f"{at}: {why}; a degradation curve needs every episode")
    size = len(doses) * len(seeds)
    return [
        _curve(agent, scorer, doses, [r.scores[scorer] for r in part], convention)
        for agent, part in (
            (agent, results[i * size : (i + 1) * size]) for i, agent in enumerate(agents)
        )
    ]


def _curve(
    agent: str, scorer: str, doses: Sequence[float], scores: Sequence[float], convention: Convention
) -> Curve:
    runs = len(scores) // len(doses)
    curve = degradation_curve([dose for dose in doses for _ in range(runs)], scores)
    by_dose = sorted((dose, scores[i * runs : (i + 1) * runs]) for i, dose in enumerate(doses))
    return Curve(
        agent,
        scorer,
        [
            Dose(dose, runs, float(mean), mean_interval(at, convention), float(drop))
            for (dose, at), mean, drop in zip(by_dose, curve.mean, curve.drop, strict=True)
        ],
        curve.mean_drop,
    )
