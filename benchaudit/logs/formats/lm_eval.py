"""lm-evaluation-harness: samples_<task>_<time>.jsonl (``.json`` in 2024), results_<time>.json."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from benchaudit.logs.runs import Outcome, Run, Serving, as_score, digest, sampling
from benchaudit.logs.source import Source

NAME = "lm-eval"

_SAMPLES = re.compile(r"samples_(?P<task>.+)_(?P<time>\d{4}-\d\d-\d\dT[\d.:-]+)\.jsonl?")
_SAMPLE_KEYS = ("doc_id", "doc", "target", "arguments", "resps", "filtered_resps", "filter")
_OTHER_KEYS = ("metrics", "doc_hash", "prompt_hash", "target_hash")
_NOT_METRICS = {*_SAMPLE_KEYS, *_OTHER_KEYS}
_SEEDS = ("random_seed", "numpy_seed", "torch_seed", "fewshot_seed")
_DTYPE = re.compile(r"(?:^|,)((?:dtype|load_in_4bit|load_in_8bit|quantization)=[^,]+)")


def detect(source: Source) -> bool:
    """A samples file with rows of documents, or a results file with versions of its tasks."""
    if _SAMPLES.fullmatch(source.name):
        return '"doc_id"' in source.head
    return source.name.startswith("results_") and _is_results(source.head)


def _is_results(head: str) -> bool:
    return head.lstrip().startswith("{") and '"results"' in head and '"configs"' in head


def read(source: Source) -> Iterator[Run]:
    """A run for each row and metric. Filters of one document are metrics of their own."""
    named = _SAMPLES.fullmatch(source.name)
    if named is None:
        source.note("aggregate results: model, limit and seeds are taken from it")
        return
    results = source.beside(source.path.with_name(f"results_{named['time']}.json"))
    told = results.json_object() if results else {}
    if results is None:
        source.note("no results file beside it: model known from the folder only")
    blank = _blank(source, named, told)
    rows: dict[str, int] = {}
    for place, row in source.json_lines():
        if "doc_id" not in row:
            source.give_up(place, "not a sample: no doc_id")
            continue
        kind = _filter(row)
        rows[kind] = rows.get(kind, 0) + 1
        yield from _runs(source, blank, row, kind, place)
    yield from _missing(source, blank, told, max(rows.values(), default=0))


def _blank(source: Source, named: re.Match[str], told: dict[str, Any]) -> Run:
    config = told.get("config") or {}
    arguments = str(config.get("model_args") or "")
    dtype = _DTYPE.search(arguments)
    settings = {
        **(config.get("gen_kwargs") or {} if isinstance(config.get("gen_kwargs"), dict) else {}),
        **{seed: config.get(seed) for seed in _SEEDS},
    }
    return Run(
        task="",
        model=str(told.get("model_name") or source.path.absolute().parent.name),
        score=None,
        outcome=Outcome.MISSING,
        suite=named["task"],
        batch=named["time"],
        serving=Serving(
            stack=str(config.get("model") or ""),
            quantisation=dtype[1] if dtype else str(config.get("model_dtype") or ""),
            sampling=sampling(settings),
        ),
        file=str(source.path),
    )


def _filter(row: dict[str, Any]) -> str:
    kind = row.get("filter")
    return "" if kind in (None, "none") else str(kind)


def _runs(source: Source, blank: Run, row: dict[str, Any], kind: str, place: str) -> Iterator[Run]:
    run = blank._replace(
        task=str(row["doc_id"]),
        outcome=Outcome.UNSCORED,
        place=place,
        output=digest([row.get("arguments"), row.get("resps")]),
    )
    named = row.get("metrics") or [key for key in row if key not in _NOT_METRICS]
    scored = False
    for metric in named:
        value = row.get(metric)
        if isinstance(value, list | dict | str):
            source.note(f"{metric} has no number for a single run: it counts in aggregate only")
            continue
        scored = True
        score = as_score(value)
        outcome = Outcome.UNSCORED if score is None else Outcome.OK
        name = f"{metric},{kind}" if kind else metric
        yield run._replace(metric=name, score=score, outcome=outcome)
    if not scored:
        yield run


def _missing(source: Source, blank: Run, told: dict[str, Any], rows: int) -> Iterator[Run]:
    declared = ((told.get("n-samples") or {}).get(blank.suite) or {}).get("effective", rows)
    for number in range(1, declared - rows + 1):
        yield blank._replace(task=f"(unnamed {number} of {source.name})")
