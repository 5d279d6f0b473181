"""What the engine needs of an environment: the only part that knows a benchmark.

`EnvironmentAdapter` is the boundary between agent and environment; it is all that an agent with
its own loop needs. `Scaffolded` adds a harness that walks the work and leaves one decision to the
agent: what to do when an attempt failed. `Target` names an environment and its scorers.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeVar

from benchaudit.stress.adversary import Intent, Kind
from benchaudit.stress.errors import CannotRunError

Request = TypeVar("Request")
Reply = TypeVar("Reply")
Asked = TypeVar("Asked", contravariant=True)


class EnvironmentAdapter(Protocol[Asked, Reply]):
    """One episode of a seeded environment, as an agent meets it.

    The ``repr`` of a request must say what it asks and nothing else: traces are compared by it.
    """

    def call(self, request: Asked) -> Reply:
        """The environment's own answer, unperturbed."""
        ...

    def fault(self, request: Asked) -> Reply:
        """What a transient fault looks like here. The environment itself is not called."""
        ...

    def perturb(self, reply: Reply, intent: Intent) -> Reply:
        """Realise one intent on an answer, drawing from ``intent.rng()`` and nothing else.

        The answer came from ``call`` a moment ago; it may be changed in place and handed back.
        """
        ...

    def succeeded(self, reply: Reply) -> bool:
        """Whether the attempt did what was asked; False for ``fault``'s reply."""
        ...


class Scaffolded(EnvironmentAdapter[Request, Reply], Protocol[Request, Reply]):
    """An episode whose harness walks the work; the agent decides only what follows a failure."""

    @property
    def actions(self) -> Sequence[str]:
        """What the agent may answer; the first repeats the attempt."""
        ...

    def first(self) -> Request:
        """The request the episode opens with."""
        ...

    def after(self, request: Request, reply: Reply) -> Request | None:
        """Keep a successful reply; the next request, or None when the work is over."""
        ...

    def decided(self, request: Request, action: str) -> Request | None:
        """The request that an action leads to after a failure, or None to stop."""
        ...

    def units_left(self, request: Request) -> int:
        """Units of work from this request to the end, this one included; 0 beyond the end."""
        ...


@dataclass(frozen=True, slots=True)
class Observation:
    """What the agent sees when it decides.

    Attributes:
        successes: units that succeeded so far.
        remaining: attempts left, or None without a quota.
        units_left: units of work left, the current one included.
        attempts: attempts made so far.
        tries: attempts in a row that failed on this request.
    """

    successes: int
    remaining: int | None
    units_left: int
    attempts: int
    tries: int


Policy = Callable[[Observation], str]
"""An agent's decision rule: an observation to one of the environment's actions."""

Scorer = Callable[[Any], float]
"""Scores a finished episode, given its environment."""


@dataclass(frozen=True, slots=True)
class Target:
    """A seeded environment that can be stressed.

    Attributes:
        name: how reports call it.
        start: ``start(seed)`` opens a fresh episode. It must not depend on anything else.
        scorers: ways to score a finished episode, by name.
        units: units of work of a clean run: what means are matched over.
        realises: the kinds of intent that ``perturb`` can realise. Faults, budget and latency
            need not be among them: every environment has those.
        resolution: the step in which the scorers' values move, by scorer; exact p values are
            counted in it. Scorers that move in no fixed step are left out.
        ref: where it was loaded from, so that another process can load it again.
    """

    name: str
    start: Callable[[int], Scaffolded[Any, Any]]
    scorers: Mapping[str, Scorer]
    units: int
    realises: frozenset[Kind]
    resolution: Mapping[str, float] = field(default_factory=dict)
    ref: str = ""

    def actions(self) -> tuple[str, ...]:
        """What the agent may answer, the repeating action first.

        Raises:
            CannotRunError: when no episode can be opened, or there are not two actions.
        """
        try:
            actions = tuple(self.start(0).actions)
        except Exception as error:
            text = f"{type(error).__name__}: {error}"
            raise CannotRunError(f"{self.name}: no episode can be opened: {text}") from error
        if len(actions) < 2:
            raise CannotRunError(f"{self.name}: with {len(actions)} actions nothing is decided")
        return actions

    def score(self, scorer: str, environment: Any) -> float:
        """Score a finished episode.

        Raises:
            ValueError: when the scorer's answer is no finite number; also what the scorer raises.
        """
        value = float(self.scorers[scorer](environment))
        if not math.isfinite(value):
            raise ValueError(f"the score is {value}")
        return value
