"""Small logs of our own making, and the shortest way to read them."""

from __future__ import annotations

import json
import sys
import zipfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from benchaudit.logs import Run, read_logs
from benchaudit.logs.reading import LogFile
from benchaudit.logs.source import Columns, Options

LONG = "a long answer " * 20
"""An output that is long enough to tell something when it comes again."""


def read(
    *paths: Path, format_: str | None = None, **options: Any
) -> tuple[list[Run], list[LogFile]]:
    """All runs, and the files that were looked at."""
    logs = read_logs(list(paths), format=format_, options=Options(**options))
    return list(logs), logs.files


def notes(files: Iterable[LogFile]) -> str:
    """All notes on the files, a line each."""
    return "\n".join(note.text for file in files for note in file.notes)


def table(path: Path, rows: str, **columns: str) -> tuple[Path, dict[str, Any]]:
    """A CSV file and the options that read it."""
    path.write_text(rows, encoding="utf-8")
    named = {"task": "task", "score": "score", **columns}
    return path, {"columns": Columns(**named)}


def write_json(path: Path, value: Any) -> Path:
    """A JSON document."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value), encoding="utf-8")
    return path


def write_lines(path: Path, rows: Iterable[Any]) -> Path:
    """A JSON lines file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def write_zip(path: Path, members: dict[str, Any], method: int = zipfile.ZIP_DEFLATED) -> Path:
    """A zip file with JSON members; method 93 is Zstandard."""
    library: Any = zipfile
    if method == 93 and sys.version_info < (3, 14):
        from backports.zstd import zipfile as library  # type: ignore[no-redef]
    with library.ZipFile(path, "w", method) as archive:
        for name, value in members.items():
            content = value if isinstance(value, bytes) else json.dumps(value).encode()
            archive.writestr(name, content)
    return path


def inspect_header(status: str = "success", **changes: Any) -> dict[str, Any]:
    """The header of an Inspect log of three samples, before its results."""
    told = {
        "task": "sums",
        "run_id": "run-1",
        "model": "openai/gpt-x",
        "dataset": {"samples": 100, "sample_ids": [1, 2, 3]},
        "config": {"epochs": 1, "limit": 3},
        **changes.pop("eval", {}),
    }
    return {"version": 2, "status": status, "eval": told, **changes}


def inspect_sample(task: Any, value: Any = None, epoch: int = 1, **changes: Any) -> dict[str, Any]:
    """A sample with one score, or with none."""
    scores = {} if value is None else {"match": {"value": value}}
    return {
        "id": task,
        "epoch": epoch,
        "input": "?",
        "messages": [{"role": "user", "content": LONG}] * 3,
        "output": {"choices": [{"message": {"content": f"{LONG}{task}{epoch}"}}]},
        "scores": scores,
        "events": [],
        **changes,
    }


def inspect_zip(
    path: Path, header: dict[str, Any] | None, samples: Iterable[dict[str, Any]], method: int = 8
) -> Path:
    """An Inspect ``.eval`` file; without a header it is one that is being written."""
    members: dict[str, Any] = {"_journal/start.json": inspect_header()}
    for sample in samples:
        members[f"samples/{sample['id']}_epoch_{sample['epoch']}.json"] = sample
    if header is not None:
        members["header.json"] = header
    return write_zip(path, members, method)


def summary(runs: Iterable[Run]) -> list[tuple[str, float | None, str]]:
    """Task, score and outcome of each run, sorted by task."""
    return sorted((run.task, run.score, run.outcome.value) for run in runs)
