"""The ``trajectory`` family: a submission is what was said and done in a conversation.

Payload
    ``{"steps": [step, ...]}``. A step is a call, ``{"by": who, "call": tool, "arguments": {...}}``,
    or a text, ``{"by": who, "say": text or None}``. ``who`` is ``assistant``, or ``user`` where
    users have tools of their own. A call with ``"result"``, a text, claims that the tool answered
    this. What the user says is not part of it; the user leaves after the last step. With
    ``after``, a list of other steps, the submission is scored after these in the same process. With
    ``open``, true, the conversation was cut off before the user left.
Work
    The steps.
Task.data
    ``writes``: names of the tools that change the world. ``answers``: what the user must be told,
    each a short text. ``transfer``: the call that hands the user over to a person. ``world``: a
    `World`, which answers forgers' questions about the tools and never about the score.

What counts as telling an answer is in `benchaudit.families.trajectory_answers`; what counts as
the same state of the world, in `benchaudit.families.trajectory_state`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Protocol, cast

from benchaudit.families.calls import Path
from benchaudit.hooks import Submission, Task, Unsupported

Step = Mapping[str, Any]
Steps = Sequence[Step]

ASSISTANT = "assistant"


class World(Protocol):
    """The benchmark's tools and records, as far as forgers need to know them."""

    def refused(self, steps: Steps) -> Sequence[int]:
        """The numbers of the steps that are calls which the tools answer with an error."""

    def others(self, call: Step) -> Mapping[Path, Sequence[Any]]:
        """For arguments of a call, by path: other values that exist and would fit in form."""

    def stranger(self) -> Steps:
        """Calls that the tools accept, and that change records of a customer not concerned."""

    def undone(self) -> Steps:
        """Calls that change a record and then put it back as it was."""

    def lookups(self) -> Steps:
        """Calls that read the records which the work is about."""


def call(name: str, arguments: Mapping[str, Any], by: str = ASSISTANT) -> Step:
    return {"by": by, "call": name, "arguments": dict(arguments)}


def say(text: str | None, by: str = ASSISTANT) -> Step:
    return {"by": by, "say": text}


def submission(steps: Steps) -> Submission:
    """Steps as a payload."""
    return Submission({"steps": list(steps)})


def world(task: Task) -> World:
    return cast(World, task.data["world"])


def answers(task: Task) -> Sequence[str]:
    """What the user must be told; may be nothing."""
    found: Sequence[str] = task.data["answers"]
    return found


def wanted_answers(task: Task) -> Sequence[str]:
    """What the user must be told.

    Raises:
        Unsupported: when it is nothing.
    """
    if not answers(task):
        raise Unsupported("the task asks for no answer")
    return answers(task)


def is_write(task: Task, step: Step) -> bool:
    return step.get("call") in task.data["writes"]


def writes(task: Task, steps: Steps) -> list[tuple[int, Step]]:
    """The calls that change the world, with their numbers.

    Raises:
        Unsupported: when there is none.
    """
    found = [(number, step) for number, step in enumerate(steps) if is_write(task, step)]
    if not found:
        raise Unsupported("the work changes nothing")
    return found


def instead(steps: Steps, number: int, *others: Step) -> list[Step]:
    """The steps, with one of them replaced by these."""
    return [*steps[:number], *others, *steps[number + 1 :]]


def unspoken(steps: Steps) -> list[Step]:
    """The steps without what the assistant says."""
    return [step for step in steps if "say" not in step]


def ending(task: Task, steps: Steps) -> int:
    """Where a text can still be heard: before the user is handed over, else at the end."""
    transfer = task.data["transfer"]["call"]
    return next((n for n, step in enumerate(steps) if step.get("call") == transfer), len(steps))


def telling(task: Task, steps: Steps, *texts: str | None) -> list[Step]:
    """The steps, with these texts said where they can still be heard."""
    at = ending(task, steps)
    return [*steps[:at], *map(say, texts), *steps[at:]]


def named(step: Step) -> str:
    """A step as text, for notes: ``cancel_order(order_id='#W1')``."""
    if "say" in step:
        return repr(step["say"])
    arguments = ", ".join(f"{key}={value!r}" for key, value in step["arguments"].items())
    return f"{step['call']}({arguments})"


def verdicts(task: Task, steps: Steps) -> Iterator[tuple[int, bool]]:
    """For each call, its number and whether the tools accept it."""
    refused = set(world(task).refused(steps))
    for number, step in enumerate(steps):
        if "call" in step:
            yield number, number not in refused
