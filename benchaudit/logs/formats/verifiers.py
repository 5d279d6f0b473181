"""verifiers: results.jsonl with a reward a rollout, and metadata.json beside it.

Both the files of ``vf-eval`` and the export of hosted training, which names the task otherwise,
keeps its metrics as JSON text and mixes training steps.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from typing import Any

from benchaudit.logs.runs import Outcome, Run, Serving, as_score, digest, sampling
from benchaudit.logs.source import Source

NAME = "verifiers"

_TASK_KEYS = ("problem_id", "example_id", "id")
_METADATA = ('"num_examples"', '"rollouts_per_example"')


def detect(source: Source) -> bool:
    """Rows with a reward and a completion, or the metadata of such."""
    if source.name == "metadata.json":
        return all(key in source.head for key in _METADATA)
    first = source.head.lstrip().partition("\n")[0]
    keys = ('"reward"', '"completion"', '"prompt"')
    return source.name.endswith(".jsonl") and all(key in first for key in keys)


def read(source: Source) -> Iterator[Run]:
    """A run for each row: its reward, and the functions that the reward is made of."""
    if source.name == "metadata.json":
        source.note("metadata: read together with its results.jsonl")
        return
    beside = source.beside(source.path.with_name("metadata.json"))
    told = beside.json_object() if beside else {}
    if beside is None:
        source.note("no metadata.json beside it: the model is unknown")
    blank = _blank(source, told)
    rollouts: Counter[str] = Counter()
    for place, row in source.json_lines():
        task = next((str(row[key]) for key in _TASK_KEYS if row.get(key) is not None), "")
        if not task or "reward" not in row:
            source.give_up(place, "not a rollout: no task id or no reward")
            continue
        rollouts[task] += 1
        run = blank._replace(
            task=task,
            model=f"{blank.model} at step {row['step']}" if "step" in row else blank.model,
            repeat=str(rollouts[task]),
            place=place,
            output=digest(row.get("completion")),
        )
        yield from _scored(run, row, told)
    yield from _missing(source, blank, told, sum(rollouts.values()))


def _blank(source: Source, told: dict[str, Any]) -> Run:
    hosted = told.get("run") or {}
    return Run(
        task="",
        model=str(told.get("model") or hosted.get("base_model") or ""),
        score=None,
        outcome=Outcome.MISSING,
        metric="reward",
        suite=str(told.get("env") or told.get("env_id") or ""),
        batch=source.path.absolute().parent.name,
        repeat_kind="order",
        serving=Serving(sampling=sampling(told.get("sampling_args"))),
        file=str(source.path),
    )


def _scored(run: Run, row: dict[str, Any], told: dict[str, Any]) -> Iterator[Run]:
    if error := row.get("error"):
        yield run._replace(outcome=Outcome.ERROR, metric="", detail=str(error)[:200])
        return
    for metric, value in {"reward": row["reward"], **_parts(row, told)}.items():
        score = as_score(value)
        outcome = Outcome.UNSCORED if score is None else Outcome.OK
        yield run._replace(metric=metric, score=score, outcome=outcome)


def _parts(row: dict[str, Any], told: dict[str, Any]) -> dict[str, Any]:
    """The reward functions: what the metadata averages, or the export's own ``metrics``."""
    metrics = row.get("metrics")
    if isinstance(metrics, str):
        try:
            metrics = json.loads(metrics)
        except (ValueError, RecursionError):
            metrics = None
    named = {key: row[key] for key in row if key != "reward" and f"avg_{key}" in told}
    return {**named, **metrics} if isinstance(metrics, dict) else named


def _missing(source: Source, blank: Run, told: dict[str, Any], rows: int) -> Iterator[Run]:
    declared = (told.get("num_examples") or 0) * (told.get("rollouts_per_example") or 0)
    for number in range(1, declared - rows + 1):
        yield blank._replace(task=f"(unnamed {number} of {source.name})")
