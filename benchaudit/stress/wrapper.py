"""The adversary between an agent and its environment, with a trace of every step."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic

from benchaudit.stress.adversary import AdversaryPolicy, Intent, Kind, Moment
from benchaudit.stress.environment import EnvironmentAdapter, Reply, Request


class BudgetSpent(Exception):  # noqa: N818 - an outcome, not an error
    """Raised by a call when no attempt is left."""


@dataclass(frozen=True, slots=True)
class TraceStep:
    """One attempt.

    Attributes:
        step: its number, from 1.
        request: what was asked.
        intensity: the adversary's intensity, 0 to 1.
        intents: what was realised, in order.
        succeeded: whether the attempt did what was asked.
        remaining: attempts left after it, None without a quota.
    """

    step: int
    request: object
    intensity: float
    intents: tuple[Intent, ...]
    succeeded: bool
    remaining: int | None


class AdversarialWrapper(Generic[Request, Reply]):
    """Stands in for the environment. Each call plans, realises and records one step.

    Attributes:
        trace: the steps so far.
        successes: how many of them succeeded.
        remaining: attempts left, or None without a quota.
        latency: simulated seconds that the adversary has added.
    """

    def __init__(
        self,
        environment: EnvironmentAdapter[Request, Reply],
        adversary: AdversaryPolicy,
        seed: int,
        quota: int | None = None,
    ) -> None:
        self._environment = environment
        self._adversary = adversary
        self._seed = seed
        self._applied: frozenset[Kind] = frozenset()
        self.trace: list[TraceStep] = []
        self.successes = 0
        self.remaining = quota
        self.latency = 0.0

    def call(self, request: Request) -> Reply:
        """One attempt: charged first, then squeezed, then failed or perturbed.

        Raises:
            BudgetSpent: when no attempt is left; nothing is charged or recorded then.
        """
        if self.remaining == 0:
            raise BudgetSpent
        self._charge(1)
        step = len(self.trace) + 1
        plan = self._adversary.plan(Moment(self._seed, step, self.successes, self._applied))
        reply, realised = self._realise(request, plan.intents)
        succeeded = self._environment.succeeded(reply)
        self.successes += succeeded
        if realised:
            self._applied = self._applied.union([intent.kind for intent in realised])
        self.trace.append(
            TraceStep(step, request, plan.intensity, realised, succeeded, self.remaining)
        )
        return reply

    def _realise(
        self, request: Request, intents: tuple[Intent, ...]
    ) -> tuple[Reply, tuple[Intent, ...]]:
        """The reply, and the intents that took effect: a fault leaves no answer to perturb."""
        faulted = any(intent.kind == "fault" for intent in intents)
        if faulted:
            intents = tuple(i for i in intents if i.kind in ("fault", "budget", "latency"))
        reply = self._environment.fault(request) if faulted else self._environment.call(request)
        for intent in intents:
            match intent.kind:
                case "fault":
                    pass
                case "budget":
                    self._charge(-round(intent.amount))
                case "latency":
                    self.latency += intent.amount
                case _:
                    reply = self._environment.perturb(reply, intent)
        return reply, intents

    def _charge(self, attempts: int) -> None:
        if self.remaining is not None:
            self.remaining = max(0, self.remaining - attempts)
