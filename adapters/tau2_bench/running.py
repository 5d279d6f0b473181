"""Steps carried out on the benchmark's own environment."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from benchaudit.families.trajectory import Step, Steps
from benchaudit.hooks import Unsupported

from . import package

_WHEN = "2026-01-01T00:00:00"
"""The time of every message; the evaluator does not look at it."""

_GREETING = "Hi! How can I help you today?"
"""Upstream's orchestrator opens every conversation with this."""


def start(name: str, task: Any) -> Any:
    """The environment registered under a name, in the state in which a task begins."""
    environment = package.registry.get_env_constructor(name)()
    begin = task.initial_state
    environment.set_state(
        initialization_data=begin.initialization_data if begin else None,
        initialization_actions=begin.initialization_actions if begin else None,
        message_history=(begin.message_history or []) if begin else [],
    )
    return environment


def respond(environment: Any, steps: Steps) -> list[Any]:
    """What the tools answer to each call, in order; None for a text."""
    return [
        environment.get_response(_call(number, step)) if "call" in step else None
        for number, step in enumerate(steps)
    ]


def recorded(steps: Steps, responses: Sequence[Any]) -> list[Any]:
    """The messages of a conversation in which these steps were taken and answered so.

    Raises:
        Unsupported: for a step that no message can hold.
    """
    conversation = [_text("assistant", _GREETING), _text("user", "I need your help.")]
    for number, (step, response) in enumerate(zip(steps, responses, strict=True)):
        if response is None:
            conversation.append(_text(step["by"], step["say"]))
            continue
        conversation.append(_message(step["by"], tool_calls=[_call(number, step)]))
        conversation.append(
            package.messages.ToolMessage(
                role="tool",
                id=str(number),
                content=step.get("result", response.content),
                requestor=step["by"],
                error=response.error,
                timestamp=_WHEN,
            )
        )
    return [*conversation, _text("user", "###STOP###")]


def _call(number: int, step: Step) -> Any:
    if not isinstance(step["arguments"], dict):
        raise Unsupported("the arguments of a tool call are an object here")
    return package.messages.ToolCall(
        id=str(number), name=step["call"], arguments=step["arguments"], requestor=step["by"]
    )


def _text(by: str, text: str | None) -> Any:
    return _message(by, content=text)


def _message(by: str, **fields: Any) -> Any:
    kind = {
        "assistant": package.messages.AssistantMessage,
        "user": package.messages.UserMessage,
    }[by]
    return kind(role=by, timestamp=_WHEN, **fields)
