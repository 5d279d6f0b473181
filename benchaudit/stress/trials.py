"""Many episodes: what to run, and what came of each, whatever the order and number of jobs."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field, replace
from multiprocessing import get_context
from pathlib import Path

from benchaudit.stress.adversary import Adversary
from benchaudit.stress.environment import Policy, Target
from benchaudit.stress.episode import Ending, run_episode
from benchaudit.stress.errors import CannotRunError, InputError
from benchaudit.stress.loading import absolute_ref, load_target
from benchaudit.stress.policies import find_policy

_CHUNK = 500


@dataclass(frozen=True)  # no slots: without them the many that cross processes pickle in C
class Trial:
    """One episode to run.

    Attributes:
        agent: the policy's name; see `find_policy`.
        arm: a label for the adversary.
        seed: of the episode.
        quota: attempts that may be made, or None for no limit.
    """

    agent: str
    arm: str
    seed: int
    quota: int | None = None


@dataclass(frozen=True)
class Result:
    """What came of a trial.

    Attributes:
        trial: the trial.
        scores: by scorer.
        unscored: what a scorer raised, by scorer; it has no score then, and that is not a zero.
        actions: how often the agent answered with each action.
        ending: how the episode ended; None when it raised.
        attempts, failures, successes: counts of attempts.
        intensity: mean over the attempts, 0 to 1; the dose that was really given.
        digest: of the whole trace.
        error: what the episode raised, in one line; it has no scores then.
    """

    trial: Trial
    scores: Mapping[str, float] = field(default_factory=dict)
    unscored: Mapping[str, str] = field(default_factory=dict)
    actions: Mapping[str, int] = field(default_factory=dict)
    ending: Ending | None = None
    attempts: int = 0
    failures: int = 0
    successes: int = 0
    intensity: float = 0.0
    digest: str = ""
    error: str = ""

    @property
    def died(self) -> bool:
        """Whether an attempt was due and none was left."""
        return self.ending == "budget spent"

    def missing(self, scorer: str) -> str:
        """Why there is no score under a scorer, or "" when there is one."""
        return self.error or self.unscored.get(scorer, "")


def run_trials(
    target: Target,
    adversaries: Mapping[str, Adversary],
    trials: Sequence[Trial],
    scorers: Sequence[str] = (),
    *,
    base: Path | None = None,
    jobs: int = 1,
    digests: bool = False,
) -> list[Result]:
    """Run every trial; one result a trial, in their order.

    Args:
        target: what is stressed.
        adversaries: by arm.
        trials: what to run.
        scorers: names among the target's scorers; none for all.
        base: the folder that users' rules are relative to.
        jobs: processes to use. More than one needs a target that was loaded by `load_target`.
        digests: whether to digest the traces, which takes as long as the episodes.

    Raises:
        InputError: for an unknown scorer, agent or kind of intent, and for jobs without a ref.
        CannotRunError: when a worker process dies.
    """
    names = tuple(scorers or target.scorers)
    check_target(target, adversaries.values(), names)
    base = (base or Path()).resolve()
    _policies(target, trials, base)
    job = _Job(target.ref, dict(adversaries), names, digests, str(base))
    chunks = [trials[i : i + _CHUNK] for i in range(0, len(trials), _CHUNK)]
    if jobs == 1 or len(chunks) < 2:
        return [result for chunk in chunks for result in _run(job, target, chunk)]
    if not target.ref:
        raise InputError(f"{target.name}: more than one job needs a target given by name or file")
    return list(_in_processes(job, chunks, jobs))


def check_target(target: Target, adversaries: Iterable[Adversary], scorers: Iterable[str]) -> None:
    """Refuse scorers that the target lacks and intents that it cannot realise.

    Raises:
        InputError: naming what is missing, and what there is.
    """
    for name in scorers:
        if name not in target.scorers:
            raise InputError(
                f"{target.name} has no scorer {name!r}; it has {', '.join(target.scorers)}"
            )
    realised = target.realises | {"fault", "budget", "latency"}
    wanted = {pressure.kind for adversary in adversaries for pressure in adversary.pressures}
    if missing := sorted(wanted - realised):
        raise InputError(
            f"{target.name} cannot realise {', '.join(missing)}; "
            f"it realises {', '.join(sorted(realised))}"
        )


@dataclass(frozen=True, slots=True)
class _Job:
    """What every trial of a run shares; all of it can be sent to another process."""

    ref: str
    adversaries: Mapping[str, Adversary]
    scorers: tuple[str, ...]
    digests: bool
    base: str


def _in_processes(job: _Job, chunks: Sequence[Sequence[Trial]], jobs: int) -> Iterator[Result]:
    """Run chunks in worker processes; results keep the order of the chunks."""
    job = replace(job, ref=absolute_ref(job.ref, Path(job.base)))
    try:
        with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
            for results in pool.map(_run_loaded, [job] * len(chunks), chunks):
                yield from results
    except BrokenProcessPool as error:
        raise CannotRunError(f"a worker process died: {error}") from None


def _run_loaded(job: _Job, trials: Sequence[Trial]) -> list[Result]:
    return _run(job, load_target(job.ref), trials)


def _run(job: _Job, target: Target, trials: Sequence[Trial]) -> list[Result]:
    policies = _policies(target, trials, Path(job.base))
    return [_run_one(job, target, policies[trial.agent], trial) for trial in trials]


def _policies(target: Target, trials: Iterable[Trial], base: Path) -> dict[str, Policy]:
    agents = sorted({trial.agent for trial in trials})
    if not agents:
        return {}
    actions = target.actions()
    return {agent: find_policy(agent, actions, base) for agent in agents}


def _message(error: Exception) -> str:
    """Type and text of an exception on one line, bounded."""
    return " ".join(f"{type(error).__name__}: {error}".split())[:300]


def _run_one(job: _Job, target: Target, policy: Policy, trial: Trial) -> Result:
    """Run and score one episode. What the policy or the environment raises is the outcome."""
    adversary = job.adversaries[trial.arm]
    try:
        environment = target.start(trial.seed)
        episode = run_episode(environment, adversary, policy, trial.seed, trial.quota)
    except Exception as error:
        return Result(trial, error=_message(error))
    scores, unscored = {}, {}
    for name in job.scorers:
        try:
            scores[name] = target.score(name, environment)
        except Exception as error:
            unscored[name] = _message(error)
    trace = episode.trace
    successes = sum(step.succeeded for step in trace)
    return Result(
        trial,
        scores,
        unscored,
        dict(Counter([decision.action for decision in episode.decisions])),
        episode.ending,
        attempts=len(trace),
        failures=len(trace) - successes,
        successes=successes,
        intensity=math.fsum(step.intensity for step in trace) / max(1, len(trace)),
        digest=episode.digest if job.digests else "",
    )
