"""What every reader yields: runs, in one shape for all formats, and the error a reader raises."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from typing import Any, NamedTuple

UNRECORDED = ""
"""What a log does not say. Shown as *unrecorded*, never guessed."""

SHORT_ANSWER = 200
"""Outputs of fewer characters, as JSON, tell nothing when they are the same."""


class Outcome(StrEnum):
    """How a run ended.

    ``ok``: it ended and was scored. ``error``: it raised, or its provider did. ``timeout``: it ran
    out of time. ``unscored``: it ended and has no number for a score. ``missing``: the log
    declares it and does not hold it.
    """

    OK = "ok"
    ERROR = "error"
    TIMEOUT = "timeout"
    UNSCORED = "unscored"
    MISSING = "missing"

    __hash__ = str.__hash__  # Enum's own is a Python function: a microsecond a run


class Serving(NamedTuple):
    """What served the model, as far as the log says; `UNRECORDED` where it does not.

    Attributes:
        provider: who served it (``openai``, ``openrouter``, a host name, a hardware).
        stack: the serving software (``vllm``, ``hf``).
        quantisation: of the weights (``bfloat16``, ``int4``).
        sampling: the sampling parameters, as one line of JSON with sorted keys.
    """

    provider: str = UNRECORDED
    stack: str = UNRECORDED
    quantisation: str = UNRECORDED
    sampling: str = UNRECORDED


NOTHING_RECORDED = Serving()


class Run(NamedTuple):
    """One run of one task by one model, under one metric.

    A log with several metrics a run yields the run once for each.

    Attributes:
        task: the task's id within its suite.
        model: the model's name as the log gives it.
        score: the benchmark's own score, finite, on its own scale; None where there is none. A
            run that raised or ran out of time may still have been scored by the benchmark; a
            placeholder that a harness writes for an error is not a score.
        outcome: how the run ended. ``ok`` has a score; ``unscored`` and ``missing`` have none.
        metric: the score's name; "" for a run without any score.
        suite: the benchmark, split or category that the task id belongs to.
        scaffold: the agent or solver around the model.
        batch: which execution of the suite this is, by the log's own name (run id, folder).
        repeat: which repeat of the task within the batch, by the log's own name.
        repeat_kind: what `repeat` is: ``seed``, ``trial``, ``epoch`` (each comparable between
            models) or ``order`` (a running number that says nothing).
        serving: what served the model.
        file: path of the file, as given.
        place: where in the file (a line, a member, an index).
        detail: a phrase about the outcome.
        output: digest of what the model produced; "" where the log does not keep it or it is
            short.
    """

    task: str
    model: str
    score: float | None
    outcome: Outcome
    metric: str = ""
    suite: str = UNRECORDED
    scaffold: str = UNRECORDED
    batch: str = UNRECORDED
    repeat: str = UNRECORDED
    repeat_kind: str = UNRECORDED
    serving: Serving = NOTHING_RECORDED
    file: str = ""
    place: str = ""
    detail: str = ""
    output: str = ""


class Note(NamedTuple):
    """Something about a file that a reader of its figures must know.

    Attributes:
        text: one sentence.
        times: how often it holds in the file.
        place: where it held first; "" for the whole file.
    """

    text: str
    times: int = 1
    place: str = ""


class LogError(Exception):
    """A log that cannot be read, with what a user needs to act on it.

    Attributes:
        path: the file or folder.
        place: where in it: a line, a member, an offset; "" for the whole.
        what: what is wrong.
        remedy: what to do about it.
    """

    def __init__(self, path: Path | str, place: str, what: str, remedy: str) -> None:
        self.path, self.place, self.what, self.remedy = Path(path), place, what, remedy
        where = f"{path}, {place}" if place else str(path)
        super().__init__(f"{where}: {what}; {remedy}")


def as_score(value: Any, letters: Mapping[str, float] | None = None) -> float | None:
    """The number that a logged score stands for, or None: text, lists, NaN and infinities.

    Args:
        value: as the log has it; booleans and numeric text are numbers.
        letters: grades that stand for numbers.
    """
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        text = value.strip() if isinstance(value, str) else ""
        return (letters or {}).get(text, _TRUTH.get(text.lower()))
    return number if math.isfinite(number) else None


_TRUTH = {"true": 1.0, "false": 0.0}


def digest(output: Any) -> str:
    """Digest of what a model produced, 16 hexadecimal digits; "" for a short answer.

    Short answers coincide by chance; long ones that are the same to the byte were copied, cached
    or decoded greedily.
    """
    text = json.dumps(output, sort_keys=True, separators=(",", ":"))
    if len(text) < SHORT_ANSWER:
        return ""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def sampling(parameters: Mapping[str, Any] | None) -> str:
    """Sampling parameters as one line of JSON, nulls left out; `UNRECORDED` if none is left."""
    kept = {key: value for key, value in (parameters or {}).items() if value is not None}
    return json.dumps(kept, sort_keys=True) if kept else UNRECORDED
