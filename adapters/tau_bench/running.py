"""Steps carried out on the benchmark's own environment, with a scripted user."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from benchaudit.families.trajectory import Step, Steps, say

from . import package

TRANSFER = "transfer_to_human_agents"
RESPOND = package.types.RESPOND_ACTION_NAME
_STOP = "###STOP###"


class User:
    """Stands in for the simulated user: agrees to everything until it is time to leave."""

    def __init__(self) -> None:
        self.leaving = False

    def reset(self, instruction: str | None = None) -> str:
        del instruction
        return "Hello, I need your help."

    def step(self, content: str) -> str:
        del content
        return _STOP if self.leaving else "Yes, please go on."

    def get_total_cost(self) -> float:
        return 0.0


def action(step: Step) -> Any:
    """A step as one of upstream's actions; any value is passed on as it is."""
    if "say" in step:
        return package.types.Action.model_construct(name=RESPOND, kwargs={"content": step["say"]})
    return package.types.Action(name=step["call"], kwargs=step["arguments"])


def as_step(made: Any) -> Step:
    """One of upstream's actions as a step."""
    if made.name == RESPOND:
        return say(made.kwargs.get("content"))
    return {"by": "assistant", "call": made.name, "arguments": dict(made.kwargs)}


def converse(environment: Any, index: int, steps: Steps, *, open_: bool = False) -> Any:
    """Take the steps until the conversation ends; what the environment says last.

    The user leaves in reply to the last text when no call follows it, else in reply to an empty
    one; not at all when the conversation is left ``open``.
    """
    user = User()
    environment.user = user
    environment.reset(task_index=index)
    last = None
    closing = [] if open_ or (steps and "say" in steps[-1]) else [say("")]
    script = [*steps, *closing]
    for number, step in enumerate(script):
        user.leaving = not open_ and number == len(script) - 1
        last = environment.step(action(step))
        if last.done:
            break
    return last


def answers(environment: Any, index: int, steps: Steps) -> Iterator[tuple[int, Step, str]]:
    """The calls that are carried out, with what the tools answer; nothing is scored.

    A transfer ends the conversation, so nothing after it is carried out.
    """
    environment.user = User()
    environment.reset(task_index=index)
    for number, step in enumerate(steps):
        if "say" in step:
            continue
        if step["call"] == TRANSFER:
            yield number, step, ""
            return
        yield number, step, str(environment.step(action(step)).observation)


def is_refused(answer: str) -> bool:
    """Whether a tool answered with an error, by the benchmark's convention."""
    return answer.startswith(("Error", "Unknown action"))
