"""An agent by actions in text; the last of several counts."""

# mypy: disable-error-code="import-not-found,misc"
from __future__ import annotations

import json
from typing import Any

from litellm import completion

from tau_bench.types import RESPOND_ACTION_NAME, Action, Solved


def _action(text: str) -> Action:
    last = text.split("Action:")[-1].strip()
    try:
        read = json.loads(last)
    except ValueError:
        read = {"name": RESPOND_ACTION_NAME, "arguments": {"content": last}}
    return Action(name=read["name"], kwargs=read["arguments"])


class ChatReActAgent:
    def __init__(
        self, tools_info: Any, wiki: str, model: str, provider: str, use_reasoning: bool
    ) -> None:
        del tools_info, wiki, model, provider, use_reasoning

    def solve(self, env: Any, task_index: int, max_num_steps: int = 30) -> Solved:
        reward = 0.0
        env.reset(task_index=task_index)
        for _ in range(max_num_steps):
            response = env.step(_action(completion(messages=[]).choices[0].message.content))
            reward = response.reward
            if response.done:
                break
        return Solved(reward=reward)
