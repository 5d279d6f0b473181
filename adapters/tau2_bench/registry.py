"""The base split of the three domains as tasks of the audit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from benchaudit.families.trajectory import Step, Steps, call, say
from benchaudit.families.trajectory_answers import tell
from benchaudit.hooks import Task

from . import package
from .domains import DOMAINS, Domain, tools_that_write

TRANSFER: Step = call("transfer_to_human_agents", {"summary": "The user asks for a person."})


@dataclass(frozen=True)
class Entry:
    """One of upstream's tasks: its domain, and the task as upstream has it."""

    domain: Domain
    task: Any

    @property
    def id(self) -> str:
        return f"{self.domain.name}/{self.task.id}"

    @property
    def criteria(self) -> Any:
        return self.task.evaluation_criteria

    @property
    def answers(self) -> Sequence[str]:
        return self.criteria.communicate_info or ()

    @property
    def basis(self) -> frozenset[str]:
        """What the reward is made of, by upstream's names."""
        return frozenset(kind.value for kind in self.criteria.reward_basis)

    def gold(self) -> Steps:
        """The expected actions, and the required answers while they can still be heard."""
        actions = [call(a.name, a.arguments, a.requestor) for a in self.criteria.actions or ()]
        names = [step["call"] for step in actions]
        at = names.index(TRANSFER["call"]) if TRANSFER["call"] in names else len(actions)
        told = [say(tell(answer)) for answer in self.answers]
        return [*actions[:at], *told, *actions[at:]]

    def no_action(self) -> str:
        """A citation, where upstream expects no action at all."""
        if self.criteria.actions or self.answers:
            return ""
        return f"tau2 {self.domain.name}/tasks.json: the expected actions of this task are none"


@cache
def entries() -> dict[str, Entry]:
    """Every task by id, domain by domain, in upstream's order."""
    return {
        entry.id: entry
        for domain in DOMAINS.values()
        for task in package.registry.get_tasks_loader(domain.name)("base")
        for entry in [Entry(domain, task)]
    }


@cache
def writing(domain: str) -> frozenset[str]:
    return frozenset(tools_that_write(domain))


def as_task(entry: Entry, seed: int | None, world: Any) -> Task:
    return Task(
        id=entry.id,
        family="trajectory",
        seed=seed,
        category=entry.domain.name,
        description=str(entry.task.user_scenario.instructions),
        no_action=entry.no_action(),
        data={
            "writes": writing(entry.domain.name),
            "answers": entry.answers,
            "transfer": TRANSFER,
            "world": world,
        },
    )
