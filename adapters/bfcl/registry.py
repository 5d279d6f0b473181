"""The entries of the benchmark as tasks, and what the hooks need of each beside the task.

A category is read with the evaluator's own loaders, in the evaluator's own form. Answers that share
their entry's position rather than its id (memory, web search) are joined as the evaluator joins
them, by position.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from benchaudit.hooks import Task

from .entry import FAMILIES, IRRELEVANCE, Entry
from .package import utils

_NO_ACTION = (
    "category {category}: 'none of the provided functions are relevant ... We expect the model's "
    "output to be a non-function-call response' (bfcl_eval/data/README.md, Function Relevance "
    "Detection and Irrelevance Detection)"
)


@cache
def entries() -> dict[str, Entry]:
    """Every entry by id."""
    return {entry.id: entry for category in FAMILIES for entry in _load(category)}


def _load(category: str) -> list[Entry]:
    records = utils.load_dataset_entry(
        category, include_prereq=False, include_language_specific_hint=False
    )
    if FAMILIES[category] == "abstention":
        return [Entry(category, record, None) for record in records]
    answers = utils.load_ground_truth_entry(category)
    if [_tail(r) for r in records] != [_tail(a) for a in answers]:
        raise RuntimeError(f"{category}: entries and answers are not in the same order")
    return [
        Entry(category, record, answer["ground_truth"]) for record, answer in zip(records, answers)
    ]


def _tail(record: Mapping[str, Any]) -> str:
    return str(record["id"]).rsplit("_", 1)[1]


def tasks(seed: int | None) -> list[Task]:
    """The entries as tasks; the benchmark draws nothing, so every seed gives the same ones."""
    return [_task(entry, seed) for entry in entries().values()]


def _task(entry: Entry, seed: int | None) -> Task:
    return Task(
        id=entry.id,
        family=FAMILIES[entry.category],
        seed=seed,
        category=entry.category,
        description=_question(entry.record),
        no_action=_NO_ACTION.format(category=entry.category)
        if entry.category in IRRELEVANCE
        else "",
        data=_data(entry),
    )


def _question(record: Mapping[str, Any]) -> str:
    """What the user says, turn by turn."""
    said = [
        message["content"]
        for turn in record["question"]
        for message in turn
        if message["role"] == "user"
    ]
    return "\n".join(said)


def _data(entry: Entry) -> Mapping[str, Any]:
    family = FAMILIES[entry.category]
    if family == "calls":
        return {
            "functions": entry.functions,
            "allowed": [next(iter(one.values())) for one in entry.answer],
            "language": entry.language,
        }
    if family == "abstention":
        return {"functions": entry.functions}
    if family == "turns":
        return {"silent": list(entry.silent_turns)}
    return {}
