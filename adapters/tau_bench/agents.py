"""Scripted agents: what each says, output by output, as a policy over the decisions that arise.

An agent does what the gold actions say except where it, or the stage that forces it, decides
otherwise. It is the same for every scaffold: an output is a `Move`, and a scaffold's format is put
on it elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from benchaudit.families.calls import leaves, other, replaced
from benchaudit.families.trajectory import Step, Steps, call, say
from benchaudit.hooks import Unsupported

from .domains import is_writing

AGENTS: Mapping[str, Mapping[str, str]] = {
    "careful": {},
    "forgetful": {"change": "leave"},
    "mistaken": {"values": "wrong"},
    "silent": {"answer": "withhold"},
    "bundling": {"several": "first"},
    "stumbling": {"feedback": "retry"},
    "giving-up": {"feedback": "give-up"},
    "garbling": {"malformed": "retry"},
    "garbled": {"malformed": "give-up"},
    "misshaping": {"shape": "retry"},
    "chatty": {"prose": "retry"},
    "trailing-off": {"prose": "give-up"},
    "hasty": {"stop": "leave"},
    "dawdling": {"limit": "dawdle"},
}
"""Each agent by the decisions that it takes in a way of its own; one set for every scaffold."""

CAP = 30
"""Outputs after which the shipped agents cut off: ``max_num_steps`` of ``solve``."""

FAREWELL = "Is there anything else? If not, goodbye."
"""The text after which the scripted user leaves."""

PROSE = "Let me look into that for you."
LOOKUP = call("list_all_product_types", {})

Kind = Literal["act", "several", "malformed", "shape", "prose"]


@dataclass(frozen=True)
class Move:
    """One output of an agent.

    Attributes:
        kind: ``act``: one step, well-formed. ``several``: calls in one output. ``malformed``: a
            call whose arguments are no JSON. ``shape``: one whose arguments are JSON, and not an
            object. ``prose``: a text that is no action.
        steps: what the output means.
        decision: the decision it answers, or "".
    """

    kind: Kind
    steps: Steps
    decision: str = ""


def moves(gold: Steps, chosen: Mapping[str, str]) -> list[Move]:
    """The outputs of an agent that knows the work and has chosen so.

    Raises:
        Unsupported: for a decision that does not arise on this work.
    """
    work = _altered(gold, chosen)
    firsts = [n for n, step in enumerate(work) if _is_write(step)]
    first = firsts[0] if firsts else None
    script = list(_played(work, first, chosen))
    if chosen.get("limit") == "dawdle":
        script = [Move("act", [LOOKUP], "limit")] * CAP + script
    if "prose" in chosen:
        script = [Move("prose", [say(PROSE)], "prose"), *script]
        script = script if chosen["prose"] == "retry" else script[:1]
    return [*script, Move("act", [say(FAREWELL)])]


def _altered(gold: Steps, chosen: Mapping[str, str]) -> Steps:
    """The work that the agent means to do."""
    work = list(gold)
    writes = [n for n, step in enumerate(work) if _is_write(step)]
    if {"change", "values", "feedback", "malformed", "shape", "stop"} & set(chosen) and not writes:
        raise Unsupported("the work changes nothing")
    if chosen.get("values") == "wrong":
        work[writes[0]] = _wrong(work[writes[0]])
    if chosen.get("change") == "leave":
        del work[writes[-1]]
    if "answer" in chosen and not any("say" in step for step in work):
        raise Unsupported("the task asks for no answer")
    if chosen.get("answer") == "withhold":
        work = [step for step in work if "say" not in step]
    return work


def _played(work: Steps, first: int | None, chosen: Mapping[str, str]) -> Iterator[Move]:
    """One output a step, with what goes wrong at the first write."""
    last = [n for n, step in enumerate(work) if "call" in step][-2:]
    if "several" in chosen and len(last) < 2:
        raise Unsupported("fewer than two calls")
    for number, step in enumerate(work):
        if number == first and chosen.get("stop") == "leave":
            return
        if "several" in chosen and number in last:
            if number == last[0]:
                yield Move("several", [work[n] for n in last], "several")
            continue
        slips = list(_slips(step, chosen)) if number == first else []
        yield from (move for move, _ in slips)
        if all(again for _, again in slips):
            yield Move("act", [step])


def _slips(write: Step, chosen: Mapping[str, str]) -> Iterator[tuple[Move, bool]]:
    """What the agent gets wrong before a write, and whether it then tries again."""
    if "feedback" in chosen:
        failing = {**write, "arguments": {**write["arguments"], "thoroughly": True}}
        yield Move("act", [failing], "feedback"), chosen["feedback"] == "retry"
    for decision in ("malformed", "shape"):
        if decision in chosen:
            move = Move("malformed" if decision == "malformed" else "shape", [write], decision)
            yield move, chosen[decision] == "retry"


def _wrong(write: Step) -> Step:
    path, value = list(leaves(write["arguments"]))[-1]
    return {**write, "arguments": replaced(write["arguments"], path, other(value))}


def _is_write(step: Step) -> bool:
    return "call" in step and is_writing(step["call"])


def taken(chosen: Mapping[str, str], gold: Steps) -> Sequence[tuple[str, str]]:
    """The decisions that arise for an agent on this work, with what it does about each."""
    always = {"stop": "finish", "limit": "hurry"}
    if any(map(_is_write, gold)):
        always |= {"change": "make", "values": "right"}
    if any("say" in step for step in gold):
        always |= {"answer": "tell"}
    return sorted({**always, **chosen}.items())
