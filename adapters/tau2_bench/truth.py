"""Ground truth: what correct work is, and whether other work comes to the same.

Steps are carried out on the benchmark's tools, and the records they leave are compared with those
that the gold actions leave, by our own comparison. The evaluator is not asked.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from benchaudit.families.calls import Path
from benchaudit.families.trajectory import ASSISTANT, Step, Steps
from benchaudit.families.trajectory_answers import told
from benchaudit.families.trajectory_state import Change, Changes, differences

from . import shared
from .registry import TRANSFER, Entry, entries
from .running import respond, start


@dataclass(frozen=True)
class End:
    """What a conversation leaves.

    Attributes:
        changes: the records that are not as they were.
        handed_over: whether the user was transferred to a person.
        phone: in telecom, what the user's phone then does.
    """

    changes: Changes
    handed_over: bool
    phone: Sequence[str] = ()


@dataclass(frozen=True)
class World:
    """Answers forgers about the tools of one task; see `benchaudit.families.trajectory.World`."""

    entry: Entry

    def refused(self, steps: Steps) -> Sequence[int]:
        responses = respond(_start(self.entry), steps)
        return [n for n, answer in enumerate(responses) if answer is not None and answer.error]

    def others(self, call: Step) -> Mapping[Path, Sequence[Any]]:
        return self.entry.domain.other_values(call)

    def stranger(self) -> Steps:
        return [self.entry.domain.stranger(self.entry.gold())]

    def undone(self) -> Steps:
        return self.entry.domain.undone(self.entry.gold())

    def lookups(self) -> Steps:
        return self.entry.domain.lookups(_gold_end(self.entry.id).changes, self.entry.gold())


def quality(entry: Entry, steps: Steps) -> float:
    """1 when the user is as well off as after the gold actions, else 0.

    The records must be the same, every required answer told, the user handed over where the
    reward asks for it, and in telecom the phone must do the same: be connected, at this speed,
    able to send pictures. Settings that make no difference to that are no difference.
    """
    texts = [s["say"] for s in steps if s.get("say") and s["by"] == ASSISTANT]
    if not all(told(texts, answer) for answer in entry.answers):
        return 0.0
    end, gold = _end(entry, steps), _gold_end(entry.id)
    if "ACTION" in entry.basis and gold.handed_over and not end.handed_over:
        return 0.0
    if end.phone != gold.phone or _differ(entry, end.changes, gold.changes):
        return 0.0
    return 1.0


def _differ(entry: Entry, one: Changes, other: Changes) -> list[Change]:
    domain = entry.domain
    return differences(
        one,
        other,
        lambda place: _at_start(domain.name, place),
        sequences=domain.sequences,
        derived=domain.derived,
    )


def _at_start(domain: str, place: Change) -> Any:
    return None if domain == "telecom" else shared.as_at_start(domain, place)


def _start(entry: Entry) -> Any:
    return start(shared.name_of(entry.domain.name), entry.task)


@cache
def _gold_end(task_id: str) -> End:
    entry = entries()[task_id]
    return _end(entry, entry.gold())


def _end(entry: Entry, steps: Steps) -> End:
    environment = _start(entry)
    answers = respond(environment, steps)
    handed_over = any(
        step.get("call") == TRANSFER["call"] and step["by"] == ASSISTANT and not answer.error
        for step, answer in zip(steps, answers, strict=True)
    )
    if entry.domain.name != "telecom":
        return End(shared.changes(entry.domain.name, environment), handed_over)
    phone = environment.user_tools
    state = phone.device.network_connection_status.value
    return End(
        _carrier_records(environment),
        handed_over,
        (state, phone.run_speed_test(), phone.can_send_mms()),
    )


def _carrier_records(environment: Any) -> Changes:
    """Every record of the carrier; the database is small, and keeps them in lists."""
    tables = environment.tools.db.model_dump()
    return {(name, str(n)): record for name in tables for n, record in enumerate(tables[name])}
