"""The ``turns`` family: a submission is a conversation's calls, turn by turn and step by step.

Payload
    ``{"turns": [turn, ...]}``: a turn is a list of steps, a step a list of calls as in
    `benchaudit.families.calls`, or a text that the benchmark's own decoder reads. With ``after``,
    other turns, the submission is scored after these in the same process and under the same name.
Work
    The turns.
Task.data
    ``silent``: the turns that the benchmark labels as calling for no call.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from benchaudit.families.calls import Call
from benchaudit.hooks import Task

Turns = Sequence[Sequence[Any]]
Place = tuple[int, int, int]
"""Turn, step, and number of the call in the step."""


def calls(turns: Turns) -> Iterator[tuple[Place, Call]]:
    """Every call, and where it stands."""
    for turn, steps in enumerate(turns):
        for step, made in enumerate(steps):
            for number, call in enumerate(made):
                yield (turn, step, number), call


def with_calls(turns: Turns, place: Place, instead: Sequence[Call]) -> list[Any]:
    """The turns with one call replaced by these."""
    turn, step, number = place
    made = turns[turn][step]
    changed = [*made[:number], *instead, *made[number + 1 :]]
    return with_turn(turns, turn, [*turns[turn][:step], changed, *turns[turn][step + 1 :]])


def with_turn(turns: Turns, turn: int, steps: Sequence[Any]) -> list[Any]:
    """The turns with one of them replaced."""
    return [list(steps) if at == turn else kept for at, kept in enumerate(turns)]


def silent(task: Task) -> Sequence[int]:
    """The turns that the benchmark labels as calling for no call."""
    found: Sequence[int] = task.data["silent"]
    return found


def named(place: Place) -> str:
    """A place as text, for variants."""
    return ".".join(map(str, place))
