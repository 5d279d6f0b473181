"""An environment: records, tools, a user, and a reward when the conversation ends."""

# mypy: disable-error-code="import-not-found,misc"
from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256
from typing import Any

from tau_bench.types import (
    RESPOND_ACTION_NAME,
    Action,
    DataPart,
    Info,
    OutputPart,
    Response,
    Result,
    Task,
)

Tool = Callable[..., str]
TRANSFER = "transfer_to_human_agents"


def to_hashable(value: Any) -> Any:
    if isinstance(value, dict):
        return tuple((k, to_hashable(v)) for k, v in sorted(value.items()))
    if isinstance(value, list):
        return tuple(map(to_hashable, value))
    return value


def consistent_hash(value: Any) -> str:
    return sha256(str(value).encode()).hexdigest()


class Env:
    def __init__(
        self,
        load: Callable[[], dict[str, Any]],
        tools: Mapping[str, Tool],
        tasks: Sequence[Task],
        index: int,
    ) -> None:
        self.data_load_func = load
        self.data = load()
        self.tools_map = tools
        self.tools_info = [{"function": {"name": name}} for name in tools]
        self.wiki = "Be kind."
        self.tasks = tasks
        self.task = tasks[index]
        self.user: Any = None
        self.actions: list[Action] = []

    def reset(self, task_index: int) -> Response:
        self.data = self.data_load_func()
        self.task = self.tasks[task_index]
        self.actions = []
        return Response(observation=self.user.reset(instruction=self.task.instruction))

    def step(self, action: Action) -> Response:
        self.actions.append(action)
        if action.name == RESPOND_ACTION_NAME:
            observation = self.user.step(action.kwargs["content"])
        else:
            observation = self._use(action)
        if "###STOP###" not in observation and action.name != TRANSFER:
            return Response(observation=observation)
        result = self.calculate_reward()
        info = Info(reward_info=result)
        return Response(observation=observation, reward=result.reward, done=True, info=info)

    def _use(self, action: Action) -> str:
        if action.name not in self.tools_map:
            return f"Unknown action {action.name}"
        try:
            return self.tools_map[action.name](self.data, **action.kwargs)
        except Exception as error:
            return f"Error: {error}"

    def get_data_hash(self) -> str:
        return consistent_hash(to_hashable(self.data))

    def calculate_reward(self) -> Result:
        left = self.get_data_hash()
        said = [a.kwargs["content"] for a in self.actions if a.name == RESPOND_ACTION_NAME]
        self.data = self.data_load_func()
        for action in self.task.actions:
            if action.name != TRANSFER:
                self.step(action)
        same = left == self.get_data_hash()
        told = all(any(o in text.replace(",", "") for text in said) for o in self.task.outputs)
        part = OutputPart(r_outputs=told) if self.task.outputs else DataPart(r_actions=same)
        return Result(reward=float(same and told), info=part)
