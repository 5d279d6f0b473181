"""One episode: a harness that walks the work under an adversary, and a policy that decides."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeVar

from benchaudit.stress.adversary import AdversaryPolicy
from benchaudit.stress.environment import Observation, Policy, Scaffolded
from benchaudit.stress.wrapper import AdversarialWrapper, BudgetSpent, TraceStep

ATTEMPT_LIMIT = 1000
"""Attempts after which an episode is stopped: a policy may repeat a request for ever."""

Ending = Literal["finished", "budget spent", "attempt limit"]
"""How an episode ended. Finishing with nothing left is not ``budget spent``: that is a death."""

R = TypeVar("R")


class PolicyError(Exception):
    """A policy that answered with something that is no action of the environment."""


@dataclass(frozen=True, slots=True)
class Decision:
    """What the agent answered after the step of this number failed."""

    step: int
    action: str


@dataclass(frozen=True, slots=True)
class Episode:
    """What happened.

    Attributes:
        trace: every attempt, in order.
        decisions: the agent's answers, in order.
        ending: how it ended.
        latency: simulated seconds that the adversary added.
    """

    trace: Sequence[TraceStep]
    decisions: Sequence[Decision]
    ending: Ending
    latency: float = 0.0

    @property
    def digest(self) -> str:
        """SHA-256 over the whole trace: two episodes are the same iff it is the same."""
        steps = [
            [s.step, repr(s.request), s.intensity, s.succeeded, s.remaining]
            + [[i.kind, i.amount, i.seed] for i in s.intents]
            for s in self.trace
        ]
        decisions = [[d.step, d.action] for d in self.decisions]
        text = json.dumps([steps, decisions, self.ending, self.latency])
        return hashlib.sha256(text.encode()).hexdigest()


def run_episode(
    environment: Scaffolded[R, Any],
    adversary: AdversaryPolicy,
    policy: Policy,
    seed: int,
    quota: int | None = None,
) -> Episode:
    """Walk the work until it is over, the quota is spent, or the attempt limit is reached.

    ``environment`` must be fresh; afterwards it holds what the episode brought in.

    Raises:
        PolicyError: when the policy's answer is no action of the environment.
    """
    wrapper = AdversarialWrapper(environment, adversary, seed, quota)
    decisions: list[Decision] = []
    request: R | None = environment.first()
    tries = 0
    ending: Ending = "finished"
    while request is not None:
        if len(wrapper.trace) == ATTEMPT_LIMIT:
            ending = "attempt limit"
            break
        try:
            reply = wrapper.call(request)
        except BudgetSpent:
            ending = "budget spent"
            break
        if wrapper.trace[-1].succeeded:
            request, tries = environment.after(request, reply), 0
            continue
        tries += 1
        action = policy(_observe(wrapper, environment.units_left(request), tries))
        if action not in environment.actions:
            listed = ", ".join(environment.actions)
            raise PolicyError(f"the policy answered {action!r}; the actions are {listed}")
        decisions.append(Decision(len(wrapper.trace), action))
        following = environment.decided(request, action)
        tries = tries if following == request else 0
        request = following
    return Episode(wrapper.trace, decisions, ending, wrapper.latency)


def _observe(wrapper: AdversarialWrapper[Any, Any], units_left: int, tries: int) -> Observation:
    return Observation(
        successes=wrapper.successes,
        remaining=wrapper.remaining,
        units_left=units_left,
        attempts=len(wrapper.trace),
        tries=tries,
    )
