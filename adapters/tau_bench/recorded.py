"""Released result files, replayed: does the recorded reward come out again?

A file is what ``tau_bench.run`` writes: a list of ``{"task_id", "trial", "reward", "traj"}``. Each
message of the assistant is one action, as the tool-calling agent reads it, and the recorded user
answers again. The environment is upstream's, unless ``faster`` is asked for.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from . import package, shared


class RecordError(Exception):
    """A file that holds no recorded trajectories; the message names it and says what it lacks."""


@dataclass(frozen=True)
class Replay:
    """One trajectory: the reward in the file, and the one that its actions earn now.

    ``replayed`` is 0 for a conversation that never ends, like upstream's own.
    """

    task: str
    trial: int
    recorded: float
    replayed: float

    @property
    def agrees(self) -> bool:
        return self.recorded == self.replayed


class _User:
    """Says what the user said then."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._texts = iter(texts)

    def reset(self, instruction: str | None = None) -> str:
        del instruction
        return next(self._texts, "")

    def step(self, content: str) -> str:
        del content
        return next(self._texts, "")

    def get_total_cost(self) -> float:
        return 0.0


def replay(path: Path, domain: str, *, faster: bool = False) -> Iterator[Replay]:
    """Replay every trajectory of a file, in its order.

    Raises:
        RecordError: when the file is no list of recorded trajectories.
    """
    for number, record in enumerate(_records(path)):
        try:
            index, trial = int(record["task_id"]), int(record["trial"])
            recorded, messages = float(record["reward"]), list(record["traj"])
        except (KeyError, TypeError, ValueError) as error:
            raise RecordError(f"{path}: record {number}: no trajectory ({error!r})") from None
        make = shared.environment if faster else shared.own_environment
        replayed = _reward(make(domain, "test", index), index, messages)
        yield Replay(f"{domain}/{index}", trial, recorded, replayed)


def _records(path: Path) -> list[Mapping[str, Any]]:
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise RecordError(f"{path}: cannot be read ({error})") from None
    if not isinstance(found, list):
        raise RecordError(f"{path}: holds no list of trajectories")
    return found


def _reward(environment: Any, index: int, messages: Sequence[Mapping[str, Any]]) -> float:
    said = [str(m["content"]) for m in messages if m["role"] == "user"]
    environment.user = _User(said)
    environment.reset(task_index=index)
    for message in messages:
        if message["role"] != "assistant":
            continue
        response = environment.step(package.tool_calling.message_to_action(message))
        if response.done:
            return float(response.reward)
    return 0.0
