"""The test tasks of both domains as tasks of the audit; other splits for controls."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from benchaudit.families.trajectory import Step, Steps, call, say
from benchaudit.families.trajectory_answers import tell
from benchaudit.hooks import Task

from .domains import DOMAINS, Domain, is_writing
from .running import RESPOND, TRANSFER
from .shared import environment

HAND_OVER: Step = call(TRANSFER, {"summary": "The user asks for a person."})


@dataclass(frozen=True)
class Entry:
    """One of upstream's tasks: domain, split and number, and the task as upstream has it."""

    domain: Domain
    split: str
    index: int
    task: Any

    @property
    def id(self) -> str:
        return f"{self.domain.name}/{self.index}"

    @property
    def answers(self) -> Sequence[str]:
        return tuple(self.task.outputs)

    def gold(self) -> Steps:
        """The gold actions, and the required outputs while they can still be heard."""
        actions = [call(a.name, a.kwargs) for a in self.task.actions if a.name != RESPOND]
        names = [step["call"] for step in actions]
        at = names.index(TRANSFER) if TRANSFER in names else len(actions)
        told = [say(tell(answer)) for answer in self.answers]
        return [*actions[:at], *told, *actions[at:]]

    def no_action(self) -> str:
        """A citation, where upstream expects no action at all."""
        if self.task.actions or self.answers:
            return ""
        return f"tau_bench/envs/{self.domain.name}/tasks_{self.split}.py: actions=[], outputs=[]"


def split(domain: str, name: str) -> list[Entry]:
    """The tasks of a split, in upstream's order.

    Raises:
        ValueError: by upstream, for a split that the domain does not have.
    """
    tasks = environment(domain, name, 0).tasks
    return [Entry(DOMAINS[domain], name, number, task) for number, task in enumerate(tasks)]


@cache
def entries() -> dict[str, Entry]:
    """Every test task by id."""
    return {entry.id: entry for domain in DOMAINS for entry in split(domain, "test")}


@cache
def writing(domain: str) -> frozenset[str]:
    return frozenset(name for name in environment(domain, "test", 0).tools_map if is_writing(name))


def as_task(entry: Entry, seed: int | None, world: Any) -> Task:
    return Task(
        id=entry.id,
        family="trajectory",
        seed=seed,
        category=entry.domain.name,
        description=entry.task.instruction,
        no_action=entry.no_action(),
        data={
            "writes": writing(entry.domain.name),
            "answers": entry.answers,
            "transfer": HAND_OVER,
            "world": world,
        },
    )
