"""Is there anything to decide? Asked of rules, before any model is run.

Two questions. Is the decision channel alive: do agents use more than one action, and does the
outcome depend on it? And where over the slack of the quota do decisions matter: every way an
episode can go is tried, which tells decisions that are forced from those that are free and those
that count.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from benchaudit.stress.decisions import TooManyPathsError, paths
from benchaudit.stress.environment import Target
from benchaudit.stress.pairing import ARMS, Design
from benchaudit.stress.policies import standard_rules
from benchaudit.stress.trials import Result, run_trials

Sense = Literal["none", "forced", "free", "counts", "not enumerated", "error"]
"""What the decisions of an episode are worth.

none: no attempt failed, so nothing was decided. forced: every way gives the same score. free: ways
differ, and repeating every time is as good as any: a fixed rule needs no judgement. counts: some
way beats repeating every time. not enumerated: too many ways to try. error: one of them raised.
"""

SENSES: tuple[Sense, ...] = ("none", "forced", "free", "counts", "not enumerated", "error")

_SAME = 1e-9


@dataclass(frozen=True, slots=True)
class Usage:
    """How an agent used the decision: episodes it ran, those without a score, times by action."""

    episodes: int
    errors: int
    actions: Mapping[str, int]

    @property
    def used(self) -> tuple[str, ...]:
        """The actions that it took at all."""
        return tuple(action for action, times in self.actions.items() if times)


@dataclass(frozen=True, slots=True)
class Slack:
    """One quota and arm.

    Attributes:
        quota: attempts that may be made, or None for no limit.
        arm: the arm.
        scores: mean score by rule.
        senses: episodes by what their decisions are worth.
        stake: best score minus worst, averaged over episodes with something to decide.
        regret: best score minus that of repeating every time, averaged over the same.
    """

    quota: int | None
    arm: str
    scores: Mapping[str, float]
    senses: Mapping[Sense, int]
    stake: float
    regret: float


@dataclass(frozen=True, slots=True)
class Calibration:
    """What rules say of an experiment.

    Attributes:
        scorer: whose scores these are.
        usage: by rule.
        slack: by quota and arm.
    """

    scorer: str
    usage: Mapping[str, Usage]
    slack: Sequence[Slack]

    def _episodes(self, *senses: Sense) -> int:
        return sum(row.senses[sense] for row in self.slack for sense in senses)

    @property
    def sensitive(self) -> int:
        """Episodes whose score depends on the decisions."""
        return self._episodes("free", "counts")

    @property
    def alive(self) -> bool:
        """Some rule uses more than one action, and some score depends on which."""
        return self.sensitive > 0 and any(len(u.used) > 1 for u in self.usage.values())

    @property
    def finding(self) -> str:
        """The state of the decision channel in one sentence."""
        if unknown := self._episodes("not enumerated", "error"):
            return f"not known: {unknown} episodes raised, or can go in too many ways to try"
        if not self._episodes("forced", "free", "counts"):
            return "no attempt failed: there is nothing to decide"
        if not self.sensitive:
            return "degenerate: whatever is decided, the score is the same"
        if not self.alive:
            return "degenerate: no rule uses more than one action"
        if not self._episodes("counts"):
            return (
                f"alive: {self.sensitive} episodes depend on the decisions, but repeating every "
                "time is best in each, so that a fixed rule does as well as any model can"
            )
        counting = self._episodes("counts")
        return f"alive: in {counting} episodes the best decisions differ from repeating every time"


def calibrate(
    target: Target,
    designs: Sequence[Design],
    scorer: str,
    rules: Sequence[str] = (),
    *,
    base: Path | None = None,
    jobs: int = 1,
) -> Calibration:
    """Run rules over the designs, one a quota, and try every way each of their episodes can go.

    Args:
        target: what is to be stressed.
        designs: the same design at several quotas.
        scorer: one of the target's.
        rules: `find_policy` names beside the standard ones.
        base: the folder that users' rules are relative to.
        jobs: processes to use for the rules.

    Raises:
        InputError, CannotRunError: as `run_trials`.
    """
    actions = target.actions()
    names = list(dict.fromkeys([*standard_rules(actions), *rules]))
    results: dict[str, list[Result]] = {name: [] for name in names}
    rows = []
    for design in designs:
        trials = [trial for name in names for trial in design.trials(name)]
        ran = run_trials(target, design.adversaries, trials, [scorer], base=base, jobs=jobs)
        for result in ran:
            results[result.trial.agent].append(result)
        rows += [_slack(target, design, arm, scorer, ran) for arm in ARMS]
    return Calibration(
        scorer, {name: usage(results[name], actions, scorer) for name in names}, tuple(rows)
    )


def usage(results: Sequence[Result], actions: Sequence[str], scorer: str) -> Usage:
    """How the agent of these results used the decision."""
    taken = {action: sum(r.actions.get(action, 0) for r in results) for action in actions}
    return Usage(len(results), sum(bool(r.missing(scorer)) for r in results), taken)


def _slack(
    target: Target, design: Design, arm: str, scorer: str, results: Sequence[Result]
) -> Slack:
    stakes, regrets = [], []
    senses: dict[Sense, int] = dict.fromkeys(SENSES, 0)
    for seed in design.seeds:
        sense, stake, regret = _worth(target, design, arm, scorer, seed)
        senses[sense] += 1
        if sense in ("forced", "free", "counts"):
            stakes.append(stake)
            regrets.append(regret)
    scores: dict[str, list[float]] = {}
    for result in results:
        if result.trial.arm == arm and not result.missing(scorer):
            scores.setdefault(result.trial.agent, []).append(result.scores[scorer])
    return Slack(
        design.quota,
        arm,
        {name: _mean(values) for name, values in scores.items()},
        senses,
        _mean(stakes),
        _mean(regrets),
    )


def _worth(
    target: Target, design: Design, arm: str, scorer: str, seed: int
) -> tuple[Sense, float, float]:
    """What an episode's decisions are worth: the sense, the stake and the regret."""
    adversary = design.adversaries[arm]
    try:
        ways = paths(target, adversary, scorer, seed, design.quota)
    except TooManyPathsError:
        return "not enumerated", 0.0, 0.0
    except Exception:
        return "error", 0.0, 0.0
    if len(ways) == 1:
        return "none", 0.0, 0.0
    scores = [way.score for way in ways]
    stake, regret = max(scores) - min(scores), max(scores) - ways[0].score
    if stake <= _SAME:
        return "forced", stake, regret
    return ("free" if regret <= _SAME else "counts"), stake, regret


def _mean(values: Sequence[float]) -> float:
    return math.fsum(values) / max(1, len(values))
