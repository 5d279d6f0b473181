"""The evidence record, and the append-only file that holds it.

One record a cell: a submission (forged, or handed in by an episode) under one scorer. A record
says what happened, never what it means; `benchaudit.card` reads meaning from records alone.

The record half is standard library only: it runs inside benchmark environments.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any, Self

OUTCOMES = (
    "ok",
    "unsubmitted",
    "vacuous",
    "unsupported",
    "unforged",
    "invalid",
    "error",
    "timeout",
)
"""What became of a cell.

ok: scored. unsubmitted: the episode handed nothing in, and the benchmark scores that.
vacuous: a forged submission that is not what its probe means it to be here (equal to the
canonical one, or no worse); it says nothing. unsupported: a hook declined, with the reason.
unforged: our own forger or oracle raised; never held against the benchmark.
invalid: the scorer answered with something that is no score. error, timeout: the benchmark's
code raised or did not answer.
"""

ORIGINS = ("measured", "published", "derived")


class EvidenceError(Exception):
    """Evidence that cannot be read or written; the message names the file, place and remedy."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """One cell.

    A probe cell has a ``probe`` (and its ``kind``), an episode cell an ``agent`` and a
    ``scaffold``. ``digest`` identifies the submission. ``quality`` is 0 to 1; ``score`` is on the
    scorer's own scale. ``repeat`` counts further runs of the same cell, 0 for the first.
    ``steps`` counts an episode's decisions as ``"decision:action:owner": times``.
    """

    task: str
    outcome: str
    scorer: str = ""
    seed: int | None = None
    probe: str = ""
    variant: str = ""
    kind: str = ""
    scaffold: str = ""
    agent: str = ""
    budget: int | None = None
    repeat: int = 0
    score: float | None = None
    passed: bool | None = None
    quality: float | None = None
    digest: str = ""
    breakdown: Mapping[str, float] = field(default_factory=dict)
    steps: Mapping[str, int] = field(default_factory=dict)
    figures: Mapping[str, float] = field(default_factory=dict)
    detail: str = ""
    origin: str = "measured"
    source: str = ""

    def as_json(self) -> dict[str, Any]:
        """The record as plain JSON, without the fields that hold their default."""
        return {
            name: value if not isinstance(value, Mapping) else dict(value)
            for name in _FIELDS
            if (value := getattr(self, name)) != _DEFAULTS[name]
        }

    def as_line(self) -> str:
        """The record as one line of JSON: the same bytes for the same record."""
        return json.dumps(self.as_json(), sort_keys=True, allow_nan=False, separators=(",", ":"))

    @classmethod
    def from_json(cls, data: Any) -> Evidence:
        """Read a record back.

        Raises:
            EvidenceError: for anything that `as_json` would not have written.
        """
        if not isinstance(data, dict):
            raise EvidenceError(f"a record must be an object, not {type(data).__name__}")
        if unknown := sorted(set(data) - set(_FIELDS)):
            raise EvidenceError(f"unknown field {unknown[0]!r}")
        if missing := sorted({"task", "outcome"} - set(data)):
            raise EvidenceError(f"missing field {missing[0]!r}")
        for name, value in data.items():
            if not isinstance(value, _TYPES[name]) or (
                isinstance(value, bool) and bool not in _TYPES[name]
            ):
                raise EvidenceError(f"field {name!r} holds {value!r}")
        if data["outcome"] not in OUTCOMES:
            raise EvidenceError(f"unknown outcome {data['outcome']!r}")
        if data.get("origin", "measured") not in ORIGINS:
            raise EvidenceError(f"unknown origin {data['origin']!r}")
        return cls(**data)


_FIELDS = tuple(f.name for f in dataclasses.fields(Evidence))
_DEFAULTS: dict[str, Any] = {
    f.name: f.default_factory()
    if f.default_factory is not dataclasses.MISSING
    else (None if f.default is dataclasses.MISSING else f.default)
    for f in dataclasses.fields(Evidence)
}
_TYPES: dict[str, tuple[type, ...]] = {
    name: (int, type(None))
    if name in ("seed", "budget")
    else (int,)
    if name == "repeat"
    else (int, float, type(None))
    if name in ("score", "quality")
    else (bool, type(None))
    if name == "passed"
    else (dict,)
    if name in ("breakdown", "steps", "figures")
    else (str,)
    for name in _FIELDS
}


def digest_of(records: Iterable[Evidence]) -> str:
    """SHA-256 over the records' lines in sorted order: independent of how they were run."""
    whole = hashlib.sha256()
    for line in sorted(record.as_line() for record in records):
        whole.update(line.encode("utf-8") + b"\n")
    return whole.hexdigest()


def read(path: Path) -> Iterator[Evidence]:
    """Read an evidence file.

    Raises:
        EvidenceError: naming the file, the line and the remedy.
    """
    remedy = "run the audit again into a new folder"
    try:
        with path.open(encoding="utf-8") as lines:
            for number, line in enumerate(lines, 1):
                if not line.endswith("\n"):
                    raise EvidenceError(f"{path}:{number}: the last line is cut off; {remedy}")
                try:
                    yield Evidence.from_json(json.loads(line))
                except (ValueError, RecursionError, EvidenceError) as error:
                    raise EvidenceError(
                        f"{path}:{number}: not an evidence record ({error}); {remedy}"
                    ) from None
    except (OSError, UnicodeDecodeError) as error:
        raise EvidenceError(f"{path}: cannot be read ({error}); {remedy}") from None


class Writer:
    """Appends records to an evidence file, batch by batch; one writer a file.

    A batch is handed to the system before `append` returns, so killing the process loses at most
    the batch under way. (Syncing to disk, against a failing machine, would cost more than scoring.)
    """

    def __init__(self, path: Path, *, keep: int = 0) -> None:
        """Open the file, keeping its first ``keep`` bytes (0 starts anew)."""
        self._file = path.open("r+b" if keep else "wb")
        self._file.truncate(keep)
        self._file.seek(keep)

    def append(self, records: Iterable[Evidence]) -> None:
        self._file.write("".join(record.as_line() + "\n" for record in records).encode("utf-8"))
        self._file.flush()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._file.close()
