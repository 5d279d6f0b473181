"""tau-bench result files: one JSON list of {task_id, reward, info, traj, trial}."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from benchaudit.logs.runs import Outcome, Run, Serving, as_score, digest, sampling
from benchaudit.logs.source import Source

NAME = "tau-bench"

# The harness names its files <strategy>-<model>-<temperature>_range_<from>-<to>_user-<user
# model>-<user strategy>_<time>.json, and keeps the model nowhere else.
_FILE_NAME = re.compile(
    r"(?P<scaffold>tool-calling|act|react|few-shot)-(?P<model>.+)-(?P<temperature>\d+(?:\.\d+)?)"
    r"_range_-?\d+--?\d+_user-(?P<user>.+)_\d+\.json"
)


def detect(source: Source) -> bool:
    """A list of objects with a task_id, a reward and an info."""
    head = source.head.lstrip()
    return head.startswith("[") and all(f'"{k}"' in head for k in ("task_id", "reward", "info"))


def read(source: Source) -> Iterator[Run]:
    """The records. An errored one carries reward 0.0, which is a placeholder and not a score."""
    blank = _blank(source)
    for place, record in source.json_elements():
        if not isinstance(record, dict) or "task_id" not in record:
            source.give_up(place, "not a tau-bench record: no task_id")
            continue
        score, outcome, detail = _verdict(record)
        yield blank._replace(
            task=str(record["task_id"]),
            score=score,
            outcome=outcome,
            repeat=str(record.get("trial", "")),
            place=place,
            detail=detail,
            output=digest(record.get("traj") or []),
        )


def _blank(source: Source) -> Run:
    named = _FILE_NAME.fullmatch(source.name)
    source.note("the model is known from the file's name only")
    return Run(
        task="",
        model=named["model"] if named else source.name.removesuffix(".json"),
        score=None,
        outcome=Outcome.MISSING,
        metric="reward",
        scaffold=named["scaffold"] if named else "",
        repeat_kind="trial",
        serving=Serving(sampling=_named_sampling(named)),
        file=str(source.path),
    )


def _named_sampling(named: re.Match[str] | None) -> str:
    if named is None:
        return ""
    return sampling({"temperature": float(named["temperature"]), "user": named["user"]})


def _verdict(record: dict[str, Any]) -> tuple[float | None, Outcome, str]:
    info = record.get("info") or {}
    if "error" in info and not record.get("traj"):
        return None, Outcome.ERROR, str(info["error"])[:200]
    score = as_score(record.get("reward"))
    return score, Outcome.UNSCORED if score is None else Outcome.OK, ""
