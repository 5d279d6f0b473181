"""AgentRelBench verdicts.jsonl with the manifest beside it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from benchaudit.logs.runs import Outcome, Run, Serving, sampling
from benchaudit.logs.source import Source

NAME = "agentrelbench"


def detect(source: Source) -> bool:
    """The name of a verdict file or of its manifest, with the content of one."""
    if source.name.endswith("verdicts.manifest.json"):
        return '"k_by_task"' in source.head
    return source.name.endswith("verdicts.jsonl") and '"counts_as_damage"' in source.head


def read(source: Source) -> Iterator[Run]:
    """Each verdict under three metrics, all higher is better.

    ``success`` (the goal was reached), ``no_damage`` (nothing was changed that must not be), and
    ``no_damage_upper``, where a run that errored before it changed anything counts as damage. The
    labeller judges the state of the database, so that an errored run has a verdict as well.
    """
    if source.name.endswith(".json"):
        source.note("manifest: read together with its verdict file")
        return
    stem = source.name.removesuffix(".jsonl")
    manifest = source.beside(source.path.with_name(f"{stem}.manifest.json"))
    told = manifest.json_object() if manifest else {}
    if manifest is None:
        source.note("no manifest beside it: model and provider are unknown")
    if told.get("provenance", "complete") != "complete":
        unrecorded = ", ".join(told.get("unrecorded_fields") or [])
        source.note(f"the manifest says that its provenance is {told['provenance']}: {unrecorded}")
    blank = _blank(source, told)
    rows: Counter[str] = Counter()
    for place, row in source.json_lines():
        if "counts_as_damage" not in row:
            source.give_up(place, "not a verdict: no counts_as_damage")
            continue
        rows[str(row["task_id"])] += 1
        yield from _runs(blank, row, place)
    for task, declared in (told.get("k_by_task") or {}).items():
        for _ in range(declared - rows[task]):
            yield blank._replace(task=task)


def _blank(source: Source, told: dict[str, Any]) -> Run:
    provider = [told.get("provider"), told.get("provider_pin")]
    return Run(
        task="",
        model=str(told.get("model") or ""),
        score=None,
        outcome=Outcome.MISSING,
        suite=NAME,
        batch=source.path.absolute().parent.name,
        repeat_kind="order",
        serving=Serving(
            "/".join(str(part) for part in provider if part),
            sampling=sampling(told.get("sampling_params")),
        ),
        file=str(source.path),
    )


def _runs(blank: Run, row: dict[str, Any], place: str) -> Iterator[Run]:
    label = str(row.get("sub_label") or "")
    run = blank._replace(
        task=str(row["task_id"]),
        outcome=Outcome.ERROR if label.startswith("errored") else Outcome.OK,
        repeat=str(row.get("run", "")),
        place=place,
        detail=label,
    )
    yield run._replace(metric="success", score=float(bool(row.get("eog_success"))))
    yield run._replace(metric="no_damage", score=float(not row["counts_as_damage"]))
    upper = row.get("counts_as_damage_upper", row["counts_as_damage"])
    yield run._replace(metric="no_damage_upper", score=float(not upper))
