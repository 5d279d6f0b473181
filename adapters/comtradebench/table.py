"""Submitted records as the judge reads them: the lines of ``data.jsonl``, parsed once.

Rows are grouped by the fields they carry, so that each check runs over whole columns: an audit
judges some thirty submissions of up to 2,345 rows for every task.
"""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain
from typing import Any

_UNCHANGED_BY_JSON = {str, int, bool, type(None)}
_SURROGATE = re.compile("[\ud800-\udfff]")


class Table:
    """The rows of a submission.

    Attributes:
        lines: non-blank lines, whatever they hold.
        rows: the lines that hold a JSON object.
    """

    def __init__(self, lines: int, rows: Sequence[Mapping[str, Any]]) -> None:
        self.lines = lines
        self.rows = rows
        self._shapes = _by_shape(rows)

    @classmethod
    def from_text(cls, data_jsonl: str) -> Table:
        """Read ``data.jsonl``. A line that is no JSON counts as a line and as no row."""
        lines = [line for line in io.StringIO(data_jsonl, newline=None) if line.strip()]
        values = [_parse(line) for line in lines]
        return cls(len(lines), [value for value in values if isinstance(value, dict)])

    @classmethod
    def from_records(cls, records: Sequence[Any]) -> Table:
        """The same table as ``from_text(write_lines(records))``, without the text where it can be.

        Raises:
            TypeError, ValueError: when a record cannot be written as JSON.
        """
        if set(map(type, records)) <= {dict}:
            table = cls(len(records), records)
            if table._survives_json():
                return table
        return cls.from_text(write_lines(records))

    @cached_property
    def types(self) -> dict[str, set[type]]:
        """For every field that occurs, the types of its values."""
        types: dict[str, set[type]] = {}
        for _, columns in self._shapes:
            for field, values in columns.items():
                types.setdefault(field, set()).update(map(type, values))
        return types

    def unique_keys(self, fields: Sequence[Any]) -> int:
        """Distinct tuples of these fields' values over all lines; an absent field is null.

        Raises:
            TypeError: when a field or a value is a list or an object.
            ValueError: when a line holds no JSON object.
        """
        if len(self.rows) < self.lines:
            raise ValueError(f"{self.lines - len(self.rows)} lines of data.jsonl hold no object")
        keys: set[Any] = set()
        for count, columns in self._shapes:
            keys.update(zip(*(columns.get(field, (None,) * count) for field in fields)))
        return len(keys)

    def carrying(self, fields: Sequence[Any]) -> int:
        """Rows that carry at least half of these fields.

        Raises:
            TypeError: when a field is a list or an object.
        """
        return sum(
            count
            for count, columns in self._shapes
            if 2 * sum(field in columns for field in fields) >= len(fields)
        )

    def column(self, field: str) -> Iterator[Any]:
        """The values of a field, over the rows that carry it."""
        return chain.from_iterable(columns.get(field, ()) for _, columns in self._shapes)

    def _survives_json(self) -> bool:
        """Whether writing the rows as JSON and reading them back is sure to give the same.

        Floats are left out for the sake of NaN, which is equal only to the very same object, of
        which reading makes one; surrogates because a written pair is read back as one character.
        """
        if not all(isinstance(field, str) for field in self.types):
            return False
        if not all(types <= _UNCHANGED_BY_JSON for types in self.types.values()):
            return False
        return not any(map(_has_surrogate, self._texts()))

    def _texts(self) -> Iterator[str]:
        """All text in the rows, in long pieces."""
        yield "".join(self.types)
        for field, types in self.types.items():
            if types == {str}:
                yield "".join(self.column(field))
            elif str in types:
                yield "".join(value for value in self.column(field) if isinstance(value, str))


def write_lines(records: Iterable[Any]) -> str:
    """The text of ``data.jsonl``: one record a line, ASCII.

    Raises:
        TypeError, ValueError: when a record cannot be written as JSON.
    """
    return "".join(f"{json.dumps(record)}\n" for record in records)


def _parse(line: str) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None


def _by_shape(rows: Iterable[Mapping[str, Any]]) -> list[tuple[int, dict[str, tuple[Any, ...]]]]:
    """Rows as columns: one (number of rows, values by field) for each sequence of fields."""
    groups: dict[tuple[str, ...], list[Any]] = {}
    for row in rows:
        groups.setdefault(tuple(row), []).append(row.values())
    return [(len(group), dict(zip(fields, zip(*group)))) for fields, group in groups.items()]


def _has_surrogate(text: str) -> bool:
    return not text.isascii() and _SURROGATE.search(text) is not None
