"""A faster way to the same environment: records are shared until a tool looks at them.

Upstream reads the whole database for every environment and again for every verdict, and hashes it
twice. Here it is read once. An environment gets tables that copy a record when it is looked at,
and hashes what changed. Tools, tasks, steps and the computation of the reward are upstream's.
"""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from functools import cache
from typing import Any

from benchaudit.families.trajectory_state import Change, Changes

from . import package

_MODULES = {"retail": package.retail, "airline": package.airline}
_ENVIRONMENTS = {"retail": "MockRetailDomainEnv", "airline": "MockAirlineDomainEnv"}
_LOADERS = {domain: module.load_data for domain, module in _MODULES.items()}
"""Upstream's own way to load each database."""


class Table(dict[str, Any]):
    """Records by key: those of ``base`` until one is looked at, from then on a copy of it."""

    def __init__(self, base: Mapping[str, Any]) -> None:
        super().__init__(base)
        self._base = base

    def __getitem__(self, key: str) -> Any:
        record = super().__getitem__(key)
        untouched = record is self._base.get(key)
        if untouched:
            record = deepcopy(record)
            self[key] = record
        return record

    def touched(self) -> dict[str, Any]:
        """The records that may have changed, by key; None for one that is gone."""
        mine = {key: value for key, value in self.items() if value is not self._base.get(key)}
        return {**mine, **{key: None for key in self._base if key not in self}}


@cache
def records(domain: str) -> Mapping[str, Mapping[str, Any]]:
    """The tables of a domain as they are at the start; not to be changed."""
    found: Mapping[str, Mapping[str, Any]] = _LOADERS[domain]()
    return found


def as_at_start(domain: str, place: Change) -> Any:
    """A record as the database file has it; None for one that is not there."""
    table, key = place
    return records(domain)[table].get(key)


def environment(domain: str, split: str, index: int) -> Any:
    """Upstream's environment for a task, on shared records; it makes no model call."""
    module = _MODULES[domain]
    module.load_data = lambda: {name: Table(base) for name, base in records(domain).items()}
    made = getattr(module, _ENVIRONMENTS[domain])(
        user_strategy="human", task_split=split, task_index=index
    )
    made.get_data_hash = lambda: package.base.consistent_hash(_text(_by_name(domain, made)))
    return made


def own_environment(domain: str, split: str, index: int) -> Any:
    """Upstream's environment with its own loader and hash."""
    made = environment(domain, split, index)
    del made.get_data_hash
    made.data_load_func = _LOADERS[domain]
    made.data = made.data_load_func()
    return made


def changes(domain: str, made: Any) -> Changes:
    """The records of a shared environment that are not as they were at the start."""
    return {
        (name, key): record
        for name, table in made.data.items()
        for key, record in table.touched().items()
        # As text, which is what upstream hashes: there 2 is not 2.0.
        if _text(record) != _text(as_at_start(domain, (name, key)))
    }


def is_intact(domain: str) -> bool:
    """Whether the records that environments share are still what the files hold."""
    return bool(_LOADERS[domain]() == records(domain))


def _by_name(domain: str, made: Any) -> dict[str, Any]:
    return {" ".join(place): record for place, record in changes(domain, made).items()}


def _text(record: Any) -> str:
    return str(package.base.to_hashable(record))
