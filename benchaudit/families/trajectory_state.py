"""The same state of the world, record by record: ground truth for trajectories.

Two states are the same when each record that one of them changes is changed alike in the other.
Numbers are compared by value, to `DIGITS` decimals; lists as collections, save those that the
benchmark's facts name as sequences.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping
from typing import Any

DIGITS = 6

Change = tuple[str, str]
"""A collection and the key of a record in it."""

Changes = Mapping[Change, Any]
"""Each record that is not as it was at the start; None for one that is gone."""


def differences(
    one: Changes,
    other: Changes,
    start: Callable[[Change], Any],
    *,
    sequences: Collection[str] = (),
    derived: Mapping[str, Collection[str]] | None = None,
) -> list[Change]:
    """The records that are not the same in both states, in order.

    Args:
        one: a state, as what changed.
        other: another one, from the same start.
        start: a record as it was at the start; None for one that was not there.
        sequences: names of the fields whose lists have an order that matters.
        derived: for the name of a field that holds records, the fields of these that follow from
            the others, and are left out.
    """

    def normal(record: Any) -> str:
        return json.dumps(_normal("", record, sequences, derived or {}), sort_keys=True)

    def record(state: Changes, place: Change) -> str:
        return normal(state[place] if place in state else start(place))

    places = sorted({*one, *other})
    return [place for place in places if record(one, place) != record(other, place)]


def _normal(
    name: str, value: Any, sequences: Collection[str], derived: Mapping[str, Collection[str]]
) -> Any:
    if isinstance(value, bool) or value is None or isinstance(value, str):
        return value
    if isinstance(value, int | float):
        return round(float(value), DIGITS) + 0.0
    if isinstance(value, Mapping):
        left_out = derived.get(name, ())
        return {
            str(key): _normal(str(key), item, sequences, derived)
            for key, item in value.items()
            if key not in left_out
        }
    if isinstance(value, list | tuple):
        items = [_normal(name, item, sequences, derived) for item in value]
        if name in sequences:
            return items
        return sorted(items, key=lambda item: json.dumps(item, sort_keys=True))
    return str(value)
