"""The evaluator's own verdict on a submission.

Nothing is judged here: a payload is put into the form that the evaluator reads, and one of its
``_evaluate_single_*`` functions answers. It gets copies, since it may change what it is given, and
each multi-turn submission a model name of its own, since the state of executed calls is kept under
that name for as long as the process lives.
"""

from __future__ import annotations

import itertools
import pickle
from collections.abc import Mapping, Sequence
from types import SimpleNamespace
from typing import Any

from benchaudit.families.calls import as_python
from benchaudit.hooks import Score, Submission, Task

from .entry import FAMILIES, Entry
from .isolation import forget, restore
from .package import DOTTED, UNDERSCORED, enums, evaluator
from .registry import entries
from .scaffolds import SCAFFOLDS, Scaffold

_LANGUAGES = {
    "python": (enums.Language.PYTHON, enums.ReturnFormat.PYTHON),
    "java": (enums.Language.JAVA, enums.ReturnFormat.JAVA),
    "javascript": (enums.Language.JAVASCRIPT, enums.ReturnFormat.JAVASCRIPT),
}
_PROMPT = SCAFFOLDS["prompt"]
_DECODED = SimpleNamespace(decode_ast=lambda result, *_, **__: result)
"""A handler for output that is decoded already."""

_serial = itertools.count()


def score(task: Task, submission: Submission, scorer: str) -> Score:
    """1 when the evaluator holds the submission valid, else 0; ``scorer`` only names the column."""
    del scorer
    entry = entries()[task.id]
    valid = bool(_EVALUATE[FAMILIES[entry.category]](entry, submission.payload)["valid"])
    return Score(float(valid), passed=valid)


def passes(entry: Entry, calls: Sequence[Mapping[str, Any]]) -> bool:
    """Whether these calls are valid for an entry of the AST categories."""
    return bool(_evaluate_calls(entry, {"calls": calls})["valid"])


def _evaluate_calls(entry: Entry, payload: Mapping[str, Any]) -> Any:
    record, answer = entry.fresh()
    language, return_format = _LANGUAGES[entry.language]
    scaffold = _scaffold(payload)
    if entry.language == "python" and not scaffold.fc:
        return_format = scaffold.return_format
    handler, result = _output(payload, scaffold)
    return evaluator._evaluate_single_ast_entry(
        handler,
        entry.id,
        result,
        answer,
        record,
        UNDERSCORED if scaffold.fc else DOTTED,
        entry.category,
        language,
        return_format,
        scaffold.tagged,
    )


def _evaluate_relevance(entry: Entry, payload: Mapping[str, Any]) -> Any:
    record, _ = entry.fresh()
    handler, result = _output(payload, _scaffold(payload))
    return evaluator._evaluate_single_relevance_entry(
        handler, entry.id, result, record, DOTTED, entry.category
    )


def _evaluate_turns(entry: Entry, payload: Mapping[str, Any]) -> Any:
    """Score the turns; where the payload says ``after``, those turns first, in the same process."""
    name = f"{DOTTED}{next(_serial)}"
    restore()
    try:
        if "after" in payload:
            _evaluate_turns_as(name, entry, payload["after"])
        return _evaluate_turns_as(name, entry, payload["turns"])
    finally:
        forget(name)


def _evaluate_turns_as(name: str, entry: Entry, turns: Sequence[Sequence[Any]]) -> Any:
    record, answer = entry.fresh()
    written = [[s if isinstance(s, str) else as_python(s) for s in turn] for turn in turns]
    return evaluator._evaluate_single_multi_turn_entry(
        _PROMPT.handler(), entry.id, written, answer, record, name, entry.category
    )


def _evaluate_answer(entry: Entry, payload: Mapping[str, Any]) -> Any:
    record, answer = entry.fresh()
    return evaluator._evaluate_single_agentic_entry(
        _PROMPT.handler(), entry.id, [[payload["text"]]], answer, record, DOTTED, entry.category
    )


def _scaffold(payload: Mapping[str, Any]) -> Scaffold:
    return SCAFFOLDS[payload.get("as", _PROMPT.name)]


def _output(payload: Mapping[str, Any], scaffold: Scaffold) -> tuple[Any, Any]:
    """The handler that reads a payload, and the payload as the model's output."""
    if "calls" not in payload:
        return scaffold.handler(), payload["text"]
    calls = pickle.loads(pickle.dumps(payload["calls"]))
    return _DECODED, [{one["name"]: one["arguments"]} for one in calls]


_EVALUATE = {
    "calls": _evaluate_calls,
    "abstention": _evaluate_relevance,
    "turns": _evaluate_turns,
    "agentic": _evaluate_answer,
}
