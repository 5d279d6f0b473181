"""BFCL: a result file (what the model answered) and a score file (which answers failed).

Both are JSON lines under the name ``.json``, in mirrored folders:
``<run>/{result,score}/<model>/[group/]BFCL_v<n>_<category>_{result,score}.json``.
A score file lists the failures only, so that passes are known from the result file beside it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from benchaudit.logs.runs import Outcome, Run, digest
from benchaudit.logs.source import Source

NAME = "bfcl"

_FILE_NAME = re.compile(r"(?:BFCL_v\d+_)?(?P<category>.+)_(?P<kind>result|score)\.json")
_INFERENCE_ERROR = "Error during inference"


def detect(source: Source) -> bool:
    """The name of a result or score file, with the rows of one."""
    named = _FILE_NAME.fullmatch(source.name)
    if named is None:
        return False
    first = source.head.lstrip().partition("\n")[0]
    keys = ("id", "result") if named["kind"] == "result" else ("accuracy", "total_count")
    return all(f'"{key}"' in first for key in keys)


def read(source: Source) -> Iterator[Run]:
    """The runs of a pair, read at its score file; a result file alone gives unscored runs."""
    place = _Place.of(source)
    other = source.beside(place.other)
    if place.kind == "result":
        if other is not None:
            source.note(f"read together with its score file {other.path.name}")
            return
        source.note("no score file beside it: the runs are unscored")
        yield from _result_runs(source, place, None)
        return
    if other is None:
        raise source.error(
            "",
            "a score file lists the failures only, and its result file is not there",
            f"put {place.other.name} into the mirrored result folder",
        )
    yield from _result_runs(other, place, _Verdicts.of(source))


class _Place(NamedTuple):
    """What only the path tells."""

    kind: str
    category: str
    model: str
    run: str
    other: Path

    @classmethod
    def of(cls, source: Source) -> _Place:
        named = _FILE_NAME.fullmatch(source.name)
        kind, category = (named["kind"], named["category"]) if named else ("result", "")
        mirrored = {"result": "score", "score": "result"}[kind]
        parts = list(source.path.absolute().parts)
        parts[-1] = source.name.replace(f"_{kind}.json", f"_{mirrored}.json")
        if kind not in parts[:-1]:
            source.note("not in a result or score folder: model and run are unknown")
            return cls(kind, category, "", "", Path(*parts))
        at = len(parts) - 2 - parts[-2::-1].index(kind)
        parts[at] = mirrored
        return cls(kind, category, parts[at + 1], parts[at - 1], Path(*parts))


class _Verdicts(NamedTuple):
    """A score file: how many were right of how many, and why each failure failed."""

    correct: int
    total: int
    failed: dict[str, str]
    source: Source

    @classmethod
    def of(cls, source: Source) -> _Verdicts:
        failed: dict[str, str] = {}
        header: dict[str, Any] = {}
        for place, row in source.json_lines():
            if "id" in row:
                failed[str(row["id"])] = _error_type(row)
            elif "accuracy" in row:
                header = row
            else:
                source.give_up(place, "neither a summary nor a failure")
        return cls(header.get("correct_count", 0), header.get("total_count", 0), failed, source)

    def check(self, answered: int, passed: int) -> None:
        """Note where the summary and the rows disagree: some passes are then not real ones."""
        if (answered, passed) != (self.total, self.correct):
            self.source.note(
                f"the score file says {self.correct} right of {self.total}, its rows and the "
                f"result file say {passed} of {answered}"
            )


def _error_type(row: dict[str, Any]) -> str:
    error = row.get("error")
    kind = error.get("error_type") if isinstance(error, dict) else row.get("error_type")
    return str(kind or error or "")[:200]


def _result_runs(source: Source, place: _Place, verdicts: _Verdicts | None) -> Iterator[Run]:
    blank = Run(
        task="",
        model=place.model,
        score=None,
        outcome=Outcome.UNSCORED,
        metric="correct" if verdicts else "",
        suite=place.category,
        batch=place.run,
        file=str(verdicts.source.path if verdicts else source.path),
    )
    failed = verdicts.failed if verdicts else {}
    answered: set[str] = set()
    passed = 0
    for line, row in source.json_lines():
        task = str(row.get("id", ""))
        answered.add(task)
        why = failed.get(task)
        run = blank._replace(task=task, place=line, output=digest(row.get("result")))
        if _failed_in_inference(row):
            yield run._replace(outcome=Outcome.ERROR, detail=str(row.get("result"))[:200])
        elif verdicts is None:
            yield run
        else:
            passed += why is None
            score = 1.0 if why is None else 0.0
            yield run._replace(score=score, outcome=Outcome.OK, detail=why or "")
    for task, why in failed.items():
        if task not in answered:
            yield blank._replace(task=task, score=0.0, outcome=Outcome.OK, detail=why)
    if verdicts:
        verdicts.check(len(answered | failed.keys()), passed)


def _failed_in_inference(row: dict[str, Any]) -> bool:
    """An exception of the harness or the server; the checker counts it as a wrong answer."""
    result = row.get("result")
    return "traceback" in row or (isinstance(result, str) and result.startswith(_INFERENCE_ERROR))
