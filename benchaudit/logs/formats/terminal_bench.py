"""terminal-bench: a run's results.json (or <time>_results.json), its trials' and its metadata."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchaudit.logs.runs import Outcome, Run
from benchaudit.logs.source import Source

NAME = "terminal-bench"

_TRIAL_NAME = re.compile(r".*\.(?P<attempt>\d+)-of-\d+\.(?P<run>.+)")
_SUBMISSION = re.compile(r"\d{8}_(?P<agent>[^_]+)_(?P<model>.+)")
_RUN_ABOVE_TRIAL = 2
"""A trial's folder lies in its task's folder, which lies in the run's."""


def detect(source: Source) -> bool:
    """A run's or a trial's results, or a run's metadata."""
    head = source.head.lstrip()
    if source.name == "run_metadata.json":
        return '"dataset_name"' in head
    return source.name.endswith("results.json") and '"trial_name"' in head


def read(source: Source) -> Iterator[Run]:
    """The trials. A trial's own file is passed over where the run's file lists it as well."""
    if source.name == "run_metadata.json":
        source.note("metadata of a run: read together with its results.json")
        return
    told = source.json_values(("id",), ("results",))
    blank = _blank(source)
    seen: set[str] = set()
    for key, value in source.json_members(("results",)):
        if key == "results":
            seen.add(str(value["task_id"]))
            yield _run(blank, value, f"trial {value.get('trial_name', '')}")
        else:
            told[key] = value
    if "trial_name" in told:
        if (_folder_above(source.path, _RUN_ABOVE_TRIAL) / "results.json").is_file():
            source.note("a trial that its run's results.json lists as well: counted there")
        else:
            yield _run(blank, told, "")
        return
    yield from _missing(source, blank, seen)


def _blank(source: Source) -> Run:
    metadata = _metadata(source)
    agent, model = _submitted(source.path)
    if not metadata.get("model_name"):
        source.note("the model is known from a folder's name only")
    return Run(
        task="",
        model=str(metadata.get("model_name") or model),
        score=None,
        outcome=Outcome.MISSING,
        metric="is_resolved",
        suite=NAME,
        scaffold=str(agent or metadata.get("agent_name") or ""),
        batch=str(metadata.get("run_id") or source.name),
        repeat_kind="order",
        file=str(source.path),
    )


def _metadata(source: Source) -> dict[str, Any]:
    """The run's metadata, which some submissions lack; it may not name the model."""
    beside = source.beside(source.path.with_name("run_metadata.json"))
    return beside.json_object() if beside else {}


def _submitted(path: Path) -> tuple[str, str]:
    """Agent and model by the submission's folder, <date>_<agent>_<model>, else the folder."""
    folders = [parent.name for parent in path.absolute().parents]
    for folder in folders:
        if named := _SUBMISSION.fullmatch(folder):
            return named["agent"], named["model"]
    return "", folders[0]


def _folder_above(path: Path, levels: int) -> Path:
    return path.absolute().parents[levels]


def _run(blank: Run, trial: dict[str, Any], place: str) -> Run:
    named = _TRIAL_NAME.fullmatch(str(trial.get("trial_name") or ""))
    resolved = trial.get("is_resolved")
    mode = str(trial.get("failure_mode") or "unset")
    return blank._replace(
        task=str(trial["task_id"]),
        score=None if resolved is None else float(resolved),
        outcome=_ending(mode, resolved),
        batch=named["run"] if named else blank.batch,
        repeat=named["attempt"] if named else "",
        place=place,
        detail="" if mode == "unset" else mode,
    )


def _ending(mode: str, resolved: bool | None) -> Outcome:
    """A trial can time out and be resolved; without a verdict the mode says what went wrong."""
    if mode.endswith("timeout"):
        return Outcome.TIMEOUT
    if resolved is not None:
        return Outcome.OK
    return Outcome.UNSCORED if mode in ("unset", "parse_error") else Outcome.ERROR


def _missing(source: Source, blank: Run, seen: set[str]) -> Iterator[Run]:
    for task in _metadata(source).get("task_ids") or []:
        if task not in seen:
            yield blank._replace(task=str(task))
