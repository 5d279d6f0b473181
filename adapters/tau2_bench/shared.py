"""A faster way to the same environment: records are shared until a tool looks at them.

Upstream reads, checks and hashes the whole database for every environment, and the evaluator
makes two of them for a verdict. Here the database is read once. An environment gets tables that
copy a record when it is looked at, and answers the evaluator's question after its hash with a
digest of what changed. Constructor, tools, tasks and evaluator are upstream's; the domains are
registered beside upstream's own through its registry.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache, partial
from typing import Any

from benchaudit.families.trajectory_state import Change, Changes

from . import package

_SOURCES = {
    "retail": (package.retail, "RetailDB", "RETAIL_DB_PATH"),
    "airline": (package.airline, "FlightDB", "AIRLINE_DB_PATH"),
}
"""Domains with a database worth sharing: upstream's module, its model and its file."""


class Table(dict[str, Any]):
    """Records by key: those of ``base`` until one is looked at, from then on a copy of it."""

    def __init__(self, base: Mapping[str, Any]) -> None:
        super().__init__(base)
        self._base = base

    def __getitem__(self, key: str) -> Any:
        record = super().__getitem__(key)
        untouched = record is self._base.get(key)
        if untouched:
            record = record.model_copy(deep=True)
            self[key] = record
        return record

    def touched(self) -> dict[str, Any]:
        """The records that may have changed, by key; None for one that is gone."""
        mine = {key: value for key, value in self.items() if value is not self._base.get(key)}
        return {**mine, **{key: None for key in self._base if key not in self}}


@cache
def _base(domain: str) -> Any:
    module, model, path = _SOURCES[domain]
    return getattr(module, model).load(getattr(module, path))


@cache
def as_at_start(domain: str, place: Change) -> Any:
    """A record as the database file has it; None for one that is not there."""
    table, key = place
    record = getattr(_base(domain), table).get(key)
    return None if record is None else record.model_dump()


def _construct(domain: str, solo_mode: bool = False) -> Any:
    module, _, _ = _SOURCES[domain]
    base = _base(domain)
    tables = {name: Table(getattr(base, name)) for name in type(base).model_fields}
    environment = module.get_environment(db=base.model_construct(**tables), solo_mode=solo_mode)
    environment.tools.get_db_hash = lambda: package.utils.get_dict_hash(
        {str(place): record for place, record in changes(domain, environment).items()}
    )
    return environment


def changes(domain: str, environment: Any) -> Changes:
    """The records of a shared environment that are not as they were at the start."""
    tables = vars(environment.tools.db)
    found = {}
    for name, table in tables.items():
        for key, record in table.touched().items():
            now = None if record is None else record.model_dump()
            # As text, which is what upstream hashes: there 2 is not 2.0.
            if _text(now) != _text(as_at_start(domain, (name, key))):
                found[name, key] = now
    return found


def _text(record: Any) -> str:
    return json.dumps(record, sort_keys=True, default=str)


def name_of(domain: str) -> str:
    """The name under which a domain's faster environment is registered; its own without one."""
    return f"{domain} shared" if domain in _SOURCES else domain


def records(domain: str) -> Any:
    """The tables of a domain as they were at the start; not to be changed."""
    return _base(domain)


def is_intact(domain: str) -> bool:
    """Whether the records that environments share are still what the file holds."""
    module, model, path = _SOURCES[domain]
    fresh = getattr(module, model).load(getattr(module, path))
    return bool(fresh == _base(domain))


def _register() -> None:
    for domain in _SOURCES:
        package.registry.register_domain(partial(_construct, domain), name_of(domain))
        _base(domain)


_register()
