"""What the adversary means to do at a step, before any environment knows how to do it.

An adversary turns a schedule's intensity into *intents*: "a transient fault", "duplicate 24 % of
what is returned". Intents name no benchmark; an environment adapter realises them.

All chance comes from one number a step, `step_seed`. Every draw starts a fresh generator from it,
so what happens at step k of seed s depends on nothing that happened before: the same seed gives
the same sequence bit for bit, whatever the agent did in between.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar, Literal, Protocol, get_args

from benchaudit.stress.schedules import Schedule

Kind = Literal["fault", "duplicate", "reorder", "noise", "drop", "budget", "latency", "distractor"]
"""What an intent does, and the unit of its amount.

fault: the attempt fails, and would work if repeated (no amount). duplicate, reorder, noise, drop:
the share (0 to 1) of the reply's items that are overwritten by copies of others, moved, altered,
or left out. distractor: items added that are not part of the work, such as a totals row.
budget: attempts given, negative for taken. latency: simulated seconds.
"""

KINDS: tuple[Kind, ...] = get_args(Kind)

_SEED_DIGITS = 16


@lru_cache(maxsize=4096)
def step_seed(seed: int, step: int, stream: str = "") -> int:
    """The seed of a step's draws: the first 16 hex digits of SHA-256 of ``"{seed}:{step}"``.

    A named stream appends ``":{stream}"`` and is independent of the others. The unnamed stream
    is the published convention, under which a step's draws of all kinds share their bits.
    """
    text = f"{seed}:{step}:{stream}" if stream else f"{seed}:{step}"
    return int(hashlib.sha256(text.encode()).hexdigest()[:_SEED_DIGITS], 16)


@lru_cache(maxsize=4096)
def _uniform(seed: int) -> float:
    """The first number of a fresh generator; kept, as the agents of a comparison share seeds."""
    return random.Random(seed).random()


@dataclass(frozen=True, slots=True)
class Intent:
    """One perturbation of one step: its kind, its amount (see `Kind`), the seed of its draws."""

    kind: Kind
    amount: float
    seed: int

    def rng(self) -> random.Random:
        """A fresh generator: what an adapter draws from to realise the intent."""
        return random.Random(self.seed)


@dataclass(frozen=True, slots=True)
class Line:
    """A quantity that follows intensity: ``base + scale · intensity``."""

    __pydantic_config__: ClassVar = {"extra": "forbid"}

    base: float = 0.0
    scale: float = 0.0

    def at(self, intensity: float) -> float:
        return self.base + self.scale * intensity


ALWAYS = Line(base=1.0)


@dataclass(frozen=True, slots=True)
class Pressure:
    """One thing the adversary does, as data.

    Attributes:
        kind: what it does.
        amount: how much, by intensity, in the unit of the kind.
        chance: the probability that it happens at a step; drawn as ``random() < chance``.
        from_intensity: it needs at least this intensity.
        once: at most once an episode.
        stream: the stream of its draws; None for one named after the kind.
    """

    __pydantic_config__: ClassVar = {"extra": "forbid"}

    kind: Kind
    amount: Line = ALWAYS
    chance: Line = ALWAYS
    from_intensity: float = 0.0
    once: bool = False
    stream: str | None = None

    def intent(self, moment: Moment, intensity: float) -> Intent | None:
        """The intent at this moment, or None when the pressure does not act."""
        if intensity < self.from_intensity or (self.once and self.kind in moment.applied):
            return None
        stream = self.kind if self.stream is None else self.stream
        seed = step_seed(moment.seed, moment.step, stream)
        chance = self.chance.at(intensity)
        if chance < 1.0 and not _uniform(seed) < chance:
            return None
        return Intent(self.kind, self.amount.at(intensity), seed)


@dataclass(frozen=True, slots=True)
class Moment:
    """What an adversary may know when it plans a step.

    Attributes:
        seed: the episode's seed.
        step: this attempt's number, from 1; failed attempts count.
        successes: attempts that succeeded before this one.
        applied: the kinds of intent that were realised before in this episode.
    """

    seed: int
    step: int
    successes: int
    applied: frozenset[Kind] = frozenset()


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to happen at a step, and the intensity (0 to 1) it follows from."""

    intensity: float
    intents: tuple[Intent, ...] = ()


class AdversaryPolicy(Protocol):
    """Anything that plans steps. It must be a pure function of the moment."""

    def plan(self, moment: Moment) -> Plan: ...


@dataclass(frozen=True, slots=True)
class Adversary:
    """The reference adversary: pressures whose strength follows a schedule.

    A rising schedule gives the escalating reference, a flat one the constant reference; the
    pressures are the same, so that the two arms of a comparison differ in their schedule alone.
    """

    schedule: Schedule
    pressures: Sequence[Pressure]

    def plan(self, moment: Moment) -> Plan:
        attempts = moment.step - 1
        progress = moment.successes if self.schedule.driver == "successes" else attempts
        intensity = self.schedule.at(progress)
        intents = [pressure.intent(moment, intensity) for pressure in self.pressures]
        return Plan(intensity, tuple([intent for intent in intents if intent is not None]))
