"""Ground truth: what correct work is, and whether other work comes to the same.

Steps are carried out on the benchmark's tools, and the records they leave are compared with those
that the gold actions leave, by our own comparison. The benchmark's reward is not asked.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from benchaudit.families.calls import Path
from benchaudit.families.trajectory import Step, Steps
from benchaudit.families.trajectory_answers import told
from benchaudit.families.trajectory_state import Changes, differences

from .registry import HAND_OVER, Entry, entries
from .running import answers, is_refused
from .shared import as_at_start, changes, environment


@dataclass(frozen=True)
class World:
    """Answers forgers about the tools of one task; see `benchaudit.families.trajectory.World`."""

    entry: Entry

    def refused(self, steps: Steps) -> Sequence[int]:
        made = _fresh(self.entry)
        found = answers(made, self.entry.index, steps)
        return [number for number, _, answer in found if is_refused(answer)]

    def others(self, call: Step) -> Mapping[Path, Sequence[Any]]:
        return self.entry.domain.other_values(call)

    def stranger(self) -> Steps:
        return [self.entry.domain.stranger(self.entry.gold())]

    def undone(self) -> Steps:
        return self.entry.domain.undone(self.entry.gold())

    def lookups(self) -> Steps:
        return self.entry.domain.lookups(_gold_end(self.entry.id), self.entry.gold())


def quality(entry: Entry, steps: Steps) -> float:
    """1 when the records are as after the gold actions and every answer was told, else 0.

    What comes after a transfer did not happen: it ends the conversation.
    """
    heard = steps[: _ending(steps)]
    texts = [step["say"] for step in heard if step.get("say")]
    if not all(told(texts, answer) for answer in entry.answers):
        return 0.0
    domain = entry.domain
    differing = differences(
        _end(entry, steps),
        _gold_end(entry.id),
        lambda place: as_at_start(domain.name, place),
        sequences=domain.sequences,
        derived=domain.derived,
    )
    return 0.0 if differing else 1.0


def _ending(steps: Steps) -> int:
    transfers = (n for n, step in enumerate(steps) if step.get("call") == HAND_OVER["call"])
    return next(transfers, len(steps))


def _fresh(entry: Entry) -> Any:
    return environment(entry.domain.name, entry.split, entry.index)


@cache
def _gold_end(task_id: str) -> Changes:
    entry = entries()[task_id]
    return _end(entry, entry.gold())


def _end(entry: Entry, steps: Steps) -> Changes:
    made = _fresh(entry)
    for _ in answers(made, entry.index, steps):
        pass
    return changes(entry.domain.name, made)
