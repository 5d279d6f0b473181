"""An agent by native tool calls; the first of several counts."""

# mypy: disable-error-code="import-not-found,misc"
from __future__ import annotations

import json
from typing import Any

from litellm import completion

from tau_bench.types import RESPOND_ACTION_NAME, Action, Solved

__all__ = ["completion"]


def message_to_action(message: Any) -> Action:
    if not message.get("tool_calls"):
        return Action(name=RESPOND_ACTION_NAME, kwargs={"content": message["content"]})
    function = message["tool_calls"][0]["function"]
    return Action(name=function["name"], kwargs=json.loads(function["arguments"]))


class ToolCallingAgent:
    def __init__(self, tools_info: Any, wiki: str, model: str, provider: str) -> None:
        self.given = {"tools": tools_info, "model": model, "custom_llm_provider": provider}
        self.messages: list[Any] = [{"role": "system", "content": wiki}]

    def solve(self, env: Any, task_index: int, max_num_steps: int = 30) -> Solved:
        reward = 0.0
        env.reset(task_index=task_index)
        for _ in range(max_num_steps):
            message = completion(messages=self.messages, **self.given).choices[0].message
            response = env.step(message_to_action(message.model_dump()))
            reward = response.reward
            if response.done:
                break
        return Solved(reward=reward)
