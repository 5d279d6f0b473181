"""The shipped agents with a scripted completion function in the model's place.

Everything between the script and the environment is the benchmark's: prompt, parsing, choice
among several calls, error handling, step limit. What is handed in is what reached the
environment.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from benchaudit.families.trajectory import Step as Taken
from benchaudit.families.trajectory import Steps
from benchaudit.hooks import Agent, Episode, Step, Submission, Task, Unsupported

from . import package
from .agents import AGENTS, FAREWELL, Move, moves, taken
from .registry import Entry, entries
from .running import RESPOND, as_step
from .shared import environment

SCAFFOLDS = ("tool-calling", "few-shot", "act", "react")


@dataclass
class Model:
    """A completion function that reads from a script, and notes what became of each output."""

    script: Sequence[Move]
    write: Callable[[Move], Any]
    said: list[Move] = field(default_factory=list)

    def __call__(self, **_: Any) -> Any:
        # A script that is over and is asked again can only repeat its last word.
        move = self.script[min(len(self.said), len(self.script) - 1)]
        self.said.append(move)
        message = self.write(move)
        return SimpleNamespace(
            choices=[SimpleNamespace(message=message)], _hidden_params={"response_cost": 0.0}
        )


@dataclass
class User:
    """Leaves when the agent says goodbye."""

    def reset(self, instruction: str | None = None) -> str:
        del instruction
        return "Hello, I need your help."

    def step(self, content: str) -> str:
        return "###STOP###" if FAREWELL in str(content) else "Yes, please go on."

    def get_total_cost(self) -> float:
        return 0.0


def episode(task: Task, scaffold: str, agent: Agent, budget: int | None) -> Episode:
    """Run one shipped agent on a task with a scripted agent's outputs.

    A shipped agent that raises ends without a submission: ``tau_bench.run`` then writes a reward
    of 0 and an empty trajectory.

    Raises:
        Unsupported: for a budget, or a decision that does not arise on the task.
    """
    if budget is not None:
        raise Unsupported("the scripted agents have no budget")
    entry = entries()[task.id]
    chosen = {**AGENTS[agent.name], **agent.forced}
    gold = entry.gold()
    model = Model(moves(gold, chosen), WRITERS[scaffold])
    reached, outcome = _solve(entry, scaffold, model, task.seed or 0)
    steps = list(_owners(taken(chosen, gold), model.said, reached, raised=outcome is None))
    figures = {"outputs": float(len(model.said)), "reached": float(len(reached))}
    if outcome is None:
        return Episode(None, steps, figures)
    done, reward = outcome
    payload: dict[str, Any] = {"steps": reached}
    if not done:
        payload["open"] = True
    return Episode(Submission(payload), steps, {**figures, "reward": reward})


def _solve(
    entry: Entry, scaffold: str, model: Model, seed: int
) -> tuple[list[Taken], tuple[bool, float] | None]:
    """What reached the environment; whether the conversation ended, and the reward.

    None for the latter where the shipped agent raised.
    """
    made = environment(entry.domain.name, entry.split, entry.index)
    made.user = User()
    reached: list[Taken] = []
    ended = False
    original = made.step

    def step(action: Any) -> Any:
        nonlocal ended
        if made.step is step:
            reached.append(as_step(action))
        response = original(action)
        ended = ended or response.done
        return response

    def scored() -> Any:
        # The reward replays the gold actions through the same method.
        made.step = original
        return reward()

    reward, made.calculate_reward = made.calculate_reward, scored
    made.step = step
    random.seed(seed)
    with _completing(model):
        try:
            result = _agent(scaffold, entry.domain.name, made).solve(made, entry.index)
        except Exception:  # tau_bench.run takes every exception for a reward of 0
            return reached, None
    return reached, (ended, float(result.reward))


@contextmanager
def _completing(model: Model) -> Iterator[None]:
    """Put the model where the shipped agents look for one."""
    modules = (package.tool_calling, package.few_shot, package.chat)
    for module in modules:
        module.completion = model
    try:
        yield
    finally:
        for module in modules:
            module.completion = package.no_model


def _agent(scaffold: str, domain: str, made: Any) -> Any:
    common = {
        "tools_info": made.tools_info,
        "wiki": made.wiki,
        "model": "scripted",
        "provider": "none",
    }
    if scaffold == "tool-calling":
        return package.tool_calling.ToolCallingAgent(**common)
    if scaffold == "few-shot":
        return package.few_shot.FewShotToolCallingAgent(
            **common, few_shot_displays=demonstrations(domain)
        )
    return package.chat.ChatReActAgent(**common, use_reasoning=scaffold == "react")


def demonstrations(domain: str) -> list[str]:
    """The demonstrations that the few-shot scaffold draws from."""
    root = Path(package.base.__file__).parents[2]
    path = root / "few_shot_data" / f"Mock{domain.capitalize()}DomainEnv-few_shot.jsonl"
    lines = path.read_text(encoding="utf-8").splitlines()
    return [json.loads(line)["messages_display"] for line in lines]


# -- who decided ---------------------------------------------------------------------------------


def _owners(
    decided: Sequence[tuple[str, str]], said: Sequence[Move], reached: Steps, *, raised: bool
) -> Iterator[Step]:
    """The trace: the agent's decisions, and where something else was done with its output."""
    for decision, action in decided:
        answered = [move for move in said if move.decision == decision]
        if decision in ("malformed", "shape") and answered and raised:
            yield Step(decision, "episode ended", "harness")
        elif decision == "several" and answered:
            yield Step(decision, _carried_out(answered[0], said, reached), "harness")
        elif decision == "limit" and action == "dawdle":
            yield Step(decision, action, "model")
            yield Step(decision, "cut off", "harness")
        elif decision in ("malformed", "prose") and answered:
            yield Step(decision, "sent to the user", "harness")
            yield Step(decision, action, "model")
        else:
            yield Step(decision, action, "model")


def _carried_out(several: Move, said: Sequence[Move], reached: Steps) -> str:
    """Which of several calls reached the environment, beside those that were made one by one."""
    left = list(reached)
    for move in said:
        if move is not several and move.steps[0] in left:
            left.remove(move.steps[0])
    names = ("first", "last")
    found = [name for name, step in zip(names, several.steps, strict=True) if step in left]
    return " and ".join(found) or "none"


# -- formats -------------------------------------------------------------------------------------


@dataclass
class Message:
    """A completion's message, as far as the shipped agents look at one."""

    content: str | None
    tool_calls: list[dict[str, Any]] | None = None

    def model_dump(self) -> dict[str, Any]:
        return {"role": "assistant", "content": self.content, "tool_calls": self.tool_calls}


def as_tool_calls(move: Move) -> Message:
    """An output as native tool calls; a text is the content of the message."""
    if "say" in move.steps[0]:
        return Message(move.steps[0]["say"])
    calls = [_tool_call(number, step, move.kind) for number, step in enumerate(move.steps)]
    return Message(None, calls)


def _tool_call(number: int, step: Mapping[str, Any], kind: str) -> dict[str, Any]:
    arguments = json.dumps([step["arguments"]] if kind == "shape" else step["arguments"])
    if kind == "malformed":
        arguments = arguments[:-1]
    function = {"name": step["call"], "arguments": arguments}
    return {"id": f"call_{number}", "type": "function", "function": function}


def as_action_text(move: Move) -> Message:
    """An output as text with one ``Action:`` for each step; prose stays what it is."""
    if move.kind == "prose":
        return Message(move.steps[0]["say"])
    return Message("\n".join(f"Action:\n{_action(step, move.kind)}" for step in move.steps))


def as_thought_text(move: Move) -> Message:
    """The same with a thought before it."""
    message = as_action_text(move)
    return message if move.kind == "prose" else Message(f"Thought:\nNext.\n{message.content}")


def _action(step: Mapping[str, Any], kind: str) -> str:
    if "say" in step:
        body: Any = {"name": RESPOND, "arguments": {"content": step["say"]}}
    else:
        body = {"name": step["call"], "arguments": step["arguments"]}
    if kind == "shape":
        body = [body]
    text = json.dumps(body)
    return text[:-1] if kind == "malformed" else text


WRITERS: Mapping[str, Callable[[Move], Message]] = {
    "tool-calling": as_tool_calls,
    "few-shot": as_tool_calls,
    "act": as_action_text,
    "react": as_thought_text,
}
