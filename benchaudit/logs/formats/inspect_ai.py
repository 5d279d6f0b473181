"""Inspect logs: ``.eval`` (a zip of JSON members) and ``.json``, of log versions 1 and 2."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any
from urllib.parse import urlsplit

from benchaudit.logs.archive import Archive
from benchaudit.logs.runs import Outcome, Run, Serving, as_score, digest, sampling
from benchaudit.logs.source import Source

NAME = "inspect"

LETTERS = {"C": 1.0, "P": 0.5, "I": 0.0, "N": 0.0}
"""Inspect's own values of its grades: correct, partial, incorrect, no answer."""

_VERSION = re.compile(r'\s*\{\s*"version"\s*:\s*[12]\s*,')
_SPLIT = ("messages", "events", "attachments", "store", "events_data", "input", "metadata")
"""Parts of a sample that can be large and that nothing here needs: passed over in pieces."""

_WANTED = ("id", "epoch", "scores", "score", "error", "limit", "error_retries", "output")
_OWN_STACKS = ("hf", "vllm", "vllm-completions", "sglang", "ollama", "llama-cpp-python")
_QUANTISATION = ("quantization", "load_in_4bit", "load_in_8bit", "torch_dtype", "dtype")
_NOT_SAMPLING = ("max_connections", "max_retries", "timeout", "attempt_timeout")
_TIME_LIMITS = ("time", "working")


def detect(source: Source) -> bool:
    """A name that ends in ``.eval``, or a JSON log that begins with its version."""
    if source.name.endswith(".eval"):
        return bool(source.head)
    return bool(_VERSION.match(source.head)) and '"eval"' in source.head


def read(source: Source) -> Iterator[Run]:
    """The samples, then the ones that the log declares and does not hold.

    A sample is a run for each of its scorers, or for each key of a scorer's dictionary. ``.eval``
    members are read one at a time, the samples of a ``.json`` log element by element.
    """
    header: dict[str, Any] = {}
    samples = _from_zip if source.name.endswith(".eval") else _from_json
    seen: set[tuple[str, str]] = set()
    spellings: dict[str, set[str]] = {}
    for place, sample in samples(source, header):
        seen.add((str(sample["id"]), str(sample.get("epoch", 1))))
        for metric, value in _scores(sample):
            spellings.setdefault(metric, set()).add("letters" if value in LETTERS else "numbers")
        yield from _runs(source, header, sample, place)
    _note_status(source, header)
    for metric, kinds in spellings.items():
        if len(kinds) > 1:
            source.note(f"{metric} mixes letters and numbers: C is taken as 1, P as .5, I, N as 0")
    yield from _missing(source, header, seen)


def _from_zip(source: Source, header: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    archive = Archive(source)
    if "header.json" in archive:
        header.update(archive.json_members("header.json"))
    elif "_journal/start.json" in archive:
        source.give_up("", "no header.json yet: the evaluation is running, or was killed")
        header.update(archive.json_members("_journal/start.json"), status="started")
    else:
        raise source.error("", "neither header.json nor _journal/start.json inside: not a log")
    for name in archive:
        if name.startswith("samples/"):
            sample = _wanted(archive.json_members(name, _SPLIT))
            if "id" in sample:
                yield f"member {name}", sample


def _from_json(source: Source, header: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    number = 0
    for key, value in source.json_members(("samples",)):
        if key != "samples":
            header[key] = value
            continue
        if "eval" not in header:
            header.update(source.json_values(("eval",), ("samples",)))
        if isinstance(value, dict) and "id" in value:
            yield f"sample {number}", _wanted(value.items())
        number += 1
    if "eval" not in header:
        raise source.error("", "no 'eval' in it: not an Inspect log")


def _wanted(pairs: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    return {key: value for key, value in pairs if key in _WANTED}


def _runs(
    source: Source, header: dict[str, Any], sample: dict[str, Any], place: str
) -> Iterator[Run]:
    outcome, detail = _ending(sample)
    if sample.get("error_retries"):
        source.note("samples were run again after an error; only the last try is in the log", place)
    run = _blank(source, header)._replace(
        task=str(sample["id"]),
        repeat=str(sample.get("epoch", 1)),
        outcome=outcome,
        detail=detail,
        place=place,
        output=_output(sample),
    )
    scores = list(_scores(sample))
    if not scores:
        yield run._replace(outcome=Outcome.UNSCORED) if outcome == Outcome.OK else run
    for metric, value in scores:
        score = as_score(value, LETTERS)
        if score is None and outcome == Outcome.OK:
            source.note(f"scores of {metric} that are not numbers: unscored", place)
            detail = f"score is {str(value)[:40]!r}"
            yield run._replace(metric=metric, outcome=Outcome.UNSCORED, detail=detail)
        else:
            yield run._replace(metric=metric, score=score)


def _ending(sample: dict[str, Any]) -> tuple[Outcome, str]:
    if error := sample.get("error"):
        return Outcome.ERROR, str(error.get("message", ""))[:200]
    kind = (sample.get("limit") or {}).get("type", "")
    outcome = Outcome.TIMEOUT if kind in _TIME_LIMITS else Outcome.OK
    return outcome, f"stopped at its {kind} limit" if kind else ""


def _scores(sample: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """Metric and value; version 1 has one nameless score, a dictionary gives one for each key."""
    scores = sample.get("scores") or ({"score": sample["score"]} if sample.get("score") else {})
    for scorer, score in scores.items():
        value = score.get("value")
        if isinstance(value, dict):
            yield from ((f"{scorer}/{key}", part) for key, part in value.items())
        else:
            yield scorer, value


def _spelling(value: Any) -> str:
    return "letters" if isinstance(value, str) and value in LETTERS else "numbers"


def _output(sample: dict[str, Any]) -> str:
    choices = (sample.get("output") or {}).get("choices") or []
    return digest([choice.get("message", {}).get("content") for choice in choices])


def _blank(source: Source, header: dict[str, Any]) -> Run:
    """What all runs of the log share."""
    told = header["eval"]
    return Run(
        task="",
        model=str(told.get("model", "")),
        score=None,
        outcome=Outcome.MISSING,
        suite=str(told.get("task", "")),
        scaffold=str(told.get("solver") or ""),
        batch=str(told.get("run_id", "")),
        repeat_kind="epoch",
        serving=_serving(header),
        file=str(source.path),
    )


def _serving(header: dict[str, Any]) -> Serving:
    told = header["eval"]
    prefix = str(told.get("model", "")).partition("/")
    provider = urlsplit(told.get("model_base_url") or "").hostname or (
        prefix[0] if prefix[1] else ""
    )
    arguments = told.get("model_args") or {}
    quantisation = next((f"{k}={arguments[k]}" for k in _QUANTISATION if k in arguments), "")
    settings = {
        **((header.get("plan") or {}).get("config") or {}),
        **(told.get("model_generate_config") or {}),
    }
    return Serving(
        provider,
        prefix[0] if prefix[0] in _OWN_STACKS else "",
        quantisation,
        sampling({key: settings[key] for key in settings if key not in _NOT_SAMPLING}),
    )


def _note_status(source: Source, header: dict[str, Any]) -> None:
    status = header.get("status", "unknown")
    if status != "success":
        message = (header.get("error") or {}).get("message", "")
        source.note(f"status of the log: {status}{f' ({message[:120]})' if message else ''}")
    if header.get("invalidated"):
        source.note("the log is marked as invalidated")


def _missing(source: Source, header: dict[str, Any], seen: set[tuple[str, str]]) -> Iterator[Run]:
    """The samples that were to run and are not in the log.

    ``dataset.samples`` is the size before ``limit``, and useless here; ``sample_ids`` is taken
    after it. A finished log's own ``total_samples`` decides where they disagree: samples can have
    been taken out of a log later.
    """
    told, results = header["eval"], header.get("results") or {}
    epochs = (told.get("config") or {}).get("epochs") or 1
    ids = (told.get("dataset") or {}).get("sample_ids") or []
    planned = [(str(task), str(epoch)) for task in ids for epoch in range(1, epochs + 1)]
    total = results.get("total_samples")
    lost = [pair for pair in planned if pair not in seen]
    blank = _blank(source, header)
    if total is None or total == len(planned):
        yield from (blank._replace(task=task, repeat=epoch) for task, epoch in lost)
        return
    if planned:
        source.note(f"{len(planned)} samples were planned, the log reports on {total} of them")
    yield from (
        blank._replace(task=f"(unnamed {number} of {source.name})")
        for number in range(1, total - len(seen) + 1)
    )
