"""The same with demonstrations."""

# mypy: disable-error-code="import-not-found,misc"
from __future__ import annotations

import random
from typing import Any

from litellm import completion

from tau_bench.agents import tool_calling_agent


class FewShotToolCallingAgent(tool_calling_agent.ToolCallingAgent):
    def __init__(self, few_shot_displays: list[str], **given: Any) -> None:
        super().__init__(**given)
        self.messages += [{"role": "system", "content": random.choice(few_shot_displays)}]


__all__ = ["completion"]
