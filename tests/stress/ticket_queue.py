"""A second environment of another kind, to show that the engine knows no benchmark.

A help desk works through a queue of tickets. An attempt opens a ticket's thread; when the desk is
overloaded the agent repeats at once or defers the ticket to the end of the queue, where it is
tried once more. The thread must be read whole for the ticket to be resolved. Nothing here is
paged, and no action leaves work out for good at first.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace

from benchaudit.stress.adversary import Intent
from benchaudit.stress.environment import Target

TICKETS = 6
NOTES = 5
AGAIN, DEFER = "again", "defer"


@dataclass(frozen=True)
class Thread:
    """A ticket's notes as shown, or an overload."""

    ticket: int
    notes: tuple[str, ...] = ()
    overloaded: bool = False


class Desk:
    """One shift at the desk; the seed decides which tickets are urgent."""

    actions: Sequence[str] = (AGAIN, DEFER)

    def __init__(self, seed: int) -> None:
        self.urgent = set(random.Random(seed).sample(range(TICKETS), 2))
        self.waiting = list(range(1, TICKETS))
        self.deferred: set[int] = set()
        self.read: dict[int, set[str]] = {}
        self.handled: list[int] = []

    def call(self, request: int) -> Thread:
        return Thread(request, tuple(f"{request}:{n}" for n in range(NOTES)))

    def fault(self, request: int) -> Thread:
        return Thread(request, overloaded=True)

    def perturb(self, reply: Thread, intent: Intent) -> Thread:
        rng = intent.rng()
        notes = list(reply.notes)
        places = rng.sample(range(len(notes)), min(len(notes), round(len(notes) * intent.amount)))
        if intent.kind == "drop":
            notes = [note for place, note in enumerate(notes) if place not in places]
        elif intent.kind == "noise":
            notes = [f"{note}?" if place in places else note for place, note in enumerate(notes)]
        else:
            rng.shuffle(notes)
        return replace(reply, notes=tuple(notes))

    def succeeded(self, reply: Thread) -> bool:
        return not reply.overloaded

    def first(self) -> int:
        return 0

    def after(self, request: int, reply: Thread) -> int | None:
        self.handled.append(request)
        self.read[request] = set(reply.notes)
        return self._next()

    def decided(self, request: int, action: str) -> int | None:
        if action == AGAIN:
            return request
        if request not in self.deferred:
            self.deferred.add(request)
            self.waiting.append(request)
        return self._next()

    def units_left(self, request: int) -> int:
        return len(self.waiting) + (request not in self.waiting)

    def _next(self) -> int | None:
        return self.waiting.pop(0) if self.waiting else None


def resolved(desk: Desk) -> float:
    """Share of tickets whose notes were all read, unaltered."""
    whole = [set(desk.call(ticket).notes) for ticket in range(TICKETS)]
    return sum(desk.read.get(t) == notes for t, notes in enumerate(whole)) / TICKETS


def handled(desk: Desk) -> float:
    """Share of tickets that were opened at all: what the desk would say of itself."""
    return len(set(desk.handled)) / TICKETS


def broken(desk: Desk) -> float:
    """A scorer that raises on some shifts."""
    if 0 in desk.urgent:
        raise RuntimeError("no such ticket")
    return 1.0


TARGET = Target(
    name="ticket queue",
    start=Desk,
    scorers={"resolved": resolved, "handled": handled},
    units=TICKETS,
    realises=frozenset({"drop", "noise", "reorder"}),
    resolution={"resolved": 1 / TICKETS, "handled": 1 / TICKETS},
)

FRAGILE = replace(TARGET, scorers={"broken": broken})


def impatient(observation: object) -> str:
    """A user's own rule: never asks twice."""
    del observation
    return DEFER
