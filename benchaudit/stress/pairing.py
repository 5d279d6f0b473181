"""Escalating against constant, paired by seed, with the mean dose matched.

The two arms press equally hard on average and differ only in when. The difference of a pair is
constant minus escalating: positive when escalation costs more than its mean.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np

from benchaudit.statistics import (
    bootstrap_mean_interval,
    paired_cliffs_delta,
    paper_mean_interval,
    paper_sign_flip_p,
    sign_flip_test,
)
from benchaudit.stress.adversary import Adversary
from benchaudit.stress.environment import Target
from benchaudit.stress.schedules import assert_matched_means
from benchaudit.stress.trials import Result, Trial

ESCALATING: Final = "escalating"
CONSTANT: Final = "constant"
ARMS = (ESCALATING, CONSTANT)

Convention = Literal["published", "standard"]
"""How intervals are drawn and which p decides.

published: `paper_mean_interval`, and the Monte Carlo p. standard: `bootstrap_mean_interval` with
seed 0 and 2,000 resamples, and the exact p.
"""


@dataclass(frozen=True, slots=True)
class Design:
    """The two arms of a comparison, and the seeds and quota that they share.

    Raises:
        ScheduleError: when the arms' mean intensities over ``units`` are not the same.
    """

    escalating: Adversary
    constant: Adversary
    seeds: tuple[int, ...]
    units: int
    quota: int | None = None

    def __post_init__(self) -> None:
        assert_matched_means([a.schedule for a in self.adversaries.values()], self.units)

    @property
    def adversaries(self) -> dict[str, Adversary]:
        return {ESCALATING: self.escalating, CONSTANT: self.constant}

    def trials(self, agent: str) -> list[Trial]:
        """Both arms on every seed."""
        return [Trial(agent, arm, seed, self.quota) for arm in ARMS for seed in self.seeds]


@dataclass(frozen=True, slots=True)
class Effect:
    """The paired effect of escalation on a score.

    Attributes:
        n: pairs.
        delta: mean difference, constant minus escalating, in the score's unit.
        interval: 95 % bootstrap interval of it.
        cliffs: share of pairs with a positive difference minus the share with a negative one.
        cliffs_interval: 95 % bootstrap interval of it.
        p: Monte Carlo sign-flip p, by the published convention.
        p_exact: the same over all sign patterns.
        exact: False when there were too many patterns to count, and ``p_exact`` is drawn too.
    """

    n: int
    delta: float
    interval: tuple[float, float]
    cliffs: float
    cliffs_interval: tuple[float, float]
    p: float
    p_exact: float
    exact: bool = True


def paired_effect(
    differences: Sequence[float], unit: float | None, convention: Convention
) -> Effect:
    """The effect over one difference a seed, in the order of the seeds.

    Args:
        differences: constant minus escalating.
        unit: the step in which the score moves, where it has one: it keeps the exact p quick.
        convention: how the intervals are drawn.

    Raises:
        ValueError: without differences.
    """
    signs = np.sign(differences)
    flips = sign_flip_test(differences, unit=unit or 1.0)
    return Effect(
        n=len(differences),
        delta=float(np.mean(differences)),
        interval=mean_interval(differences, convention),
        cliffs=paired_cliffs_delta(differences),
        cliffs_interval=mean_interval(signs.tolist(), convention),
        p=paper_sign_flip_p(differences),
        p_exact=flips.p,
        exact=flips.exact,
    )


def mean_interval(values: Sequence[float], convention: Convention) -> tuple[float, float]:
    """95 % bootstrap interval of a mean."""
    if convention == "published":
        bounds = paper_mean_interval(values)
    else:
        bounds = bootstrap_mean_interval(values, seed=0)
    return bounds.low, bounds.high


@dataclass(frozen=True, slots=True)
class Arm:
    """What the agent did, and what was done to it, over the episodes of one arm.

    Attributes:
        episodes: episodes that ran to an end.
        actions: how often each action was taken, by name.
        deaths: episodes that ended because nothing was left of the quota.
        failures: attempts that failed.
        depth: mean number of units that succeeded: how far up the schedule the episodes came.
        intensity: mean over episodes of the mean intensity of their attempts; the dose given.
    """

    episodes: int
    actions: Mapping[str, int]
    deaths: int
    failures: int
    depth: float
    intensity: float

    @property
    def figures(self) -> dict[str, float]:
        """Every figure that a criterion can read, by name; actions by their own."""
        return {
            **self.actions,
            "deaths": self.deaths,
            "failures": self.failures,
            "depth": self.depth,
            "intensity": self.intensity,
        }


@dataclass(frozen=True, slots=True)
class Comparison:
    """One agent under both arms of a design.

    Attributes:
        agent: its name.
        quota: the quota of both arms.
        arms: what happened, by arm.
        vectors: scores by scorer and arm, in the order of the seeds that are complete; a scorer
            without any is left out.
        units: the step in which a score moves, by scorer, where it has one.
        convention: how intervals are drawn.
        incomplete: why a seed has no pair, by scorer and seed.
    """

    agent: str
    quota: int | None
    arms: Mapping[str, Arm]
    vectors: Mapping[str, Mapping[str, Sequence[float]]]
    units: Mapping[str, float]
    convention: Convention
    incomplete: Mapping[str, Mapping[int, str]]

    def differences(self, scorer: str) -> list[float]:
        """Constant minus escalating by seed."""
        arms = self.vectors[scorer]
        return [c - e for e, c in zip(arms[ESCALATING], arms[CONSTANT], strict=True)]

    def effect(self, scorer: str) -> Effect:
        """The paired effect on one scorer; computed when asked for, as it takes some time."""
        return paired_effect(self.differences(scorer), self.units.get(scorer), self.convention)


def compare(
    target: Target,
    results: Sequence[Result],
    scorers: Sequence[str],
    convention: Convention = "standard",
) -> Comparison:
    """Pair up the results of one agent and quota, as `Design.trials` planned them.

    A pair of which either episode has no score is incomplete under that scorer: listed with the
    reason, never a zero.
    """
    by_arm = {arm: {r.trial.seed: r for r in results if r.trial.arm == arm} for arm in ARMS}
    incomplete = {
        scorer: {
            r.trial.seed: f"{r.trial.arm}: {why}" for r in results if (why := r.missing(scorer))
        }
        for scorer in scorers
    }
    vectors = {
        scorer: {
            arm: [r.scores[scorer] for seed, r in by_arm[arm].items() if seed not in missing]
            for arm in ARMS
        }
        for scorer, missing in incomplete.items()
        if len(missing) < len(by_arm[CONSTANT])
    }
    ran = {arm: [result for result in by_arm[arm].values() if not result.error] for arm in ARMS}
    return Comparison(
        agent=results[0].trial.agent,
        quota=results[0].trial.quota,
        arms={arm: _summary(ran[arm], target.actions()) for arm in ARMS},
        vectors=vectors,
        units=target.resolution,
        convention=convention,
        incomplete=incomplete,
    )


def _summary(results: Sequence[Result], actions: Sequence[str]) -> Arm:
    n = max(1, len(results))
    return Arm(
        episodes=len(results),
        actions={action: sum(r.actions.get(action, 0) for r in results) for action in actions},
        deaths=sum(result.died for result in results),
        failures=sum(result.failures for result in results),
        depth=sum(result.successes for result in results) / n,
        intensity=math.fsum(result.intensity for result in results) / n,
    )
