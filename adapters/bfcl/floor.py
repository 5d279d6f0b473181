"""The floor under the leaderboard: what agents without any ability score on the whole benchmark.

Each null agent's outputs are written as the benchmark's own result files, scored by its own
evaluator and put together by its own leaderboard code. Run it in the adapter's environment::

    from benchaudit import packs
    packs.find("adapters", "bfcl").module("floor").main()
"""

from __future__ import annotations

import csv
import json
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from benchaudit import packs

from .package import evaluator, quiet, utils

Outputs = Callable[[Mapping[str, Any]], Sequence[str]]
"""What an agent puts out at each step of a turn, from the evaluator's record of the entry."""

UNLISTED = "[perform_requested_task()]"


def _first_function(record: Mapping[str, Any]) -> Sequence[str]:
    offered = record["function"]
    return [f"[{offered[0]['name']}()]", ""] if offered else [""]


def _text_of(probe: str, name: str) -> str:
    return str(getattr(packs.find("probes", probe).module(), name))


def agents() -> dict[str, Outputs]:
    """The null agents by name."""
    numbers = _text_of("agentic-numbers", "NUMBERS")
    constant = _text_of("agentic-constant", "TEXT")
    return {
        "nothing": lambda _: [""],
        "first-function": _first_function,
        "unlisted-function": lambda _: [UNLISTED, ""],
        "numbers": lambda _: [numbers],
        "constant": lambda _: [constant],
    }


def floor(folder: Path, known: Mapping[str, Outputs]) -> dict[str, dict[str, str]]:
    """Score agents on every scored category, with ``folder`` for the files.

    Returns:
        The rows of the overall leaderboard by agent, each by the leaderboard's column names.
    """
    results, scores = folder / "result", folder / "score"
    for path in (results, scores):
        path.mkdir(parents=True)
    for category in utils.ALL_SCORING_CATEGORIES:
        records = utils.load_dataset_entry(
            category, include_prereq=False, include_language_specific_hint=False
        )
        for name, outputs in known.items():
            _write(results / name, category, records, outputs)
    with quiet():
        evaluator.runner(list(known), utils.ALL_SCORING_CATEGORIES, results, scores)
    with (scores / "data_overall.csv").open(encoding="utf-8") as rows:
        return {row["Model"]: row for row in csv.DictReader(rows)}


def _write(
    folder: Path, category: str, records: Sequence[Mapping[str, Any]], outputs: Outputs
) -> None:
    """Write a result file as the benchmark's own generation would."""
    group = folder / utils.get_directory_structure_by_category(category)
    group.mkdir(parents=True, exist_ok=True)
    lines = []
    for record in records:
        said = list(outputs(record))
        result: Any = said[0]
        if utils.is_multi_turn(category) or utils.is_agentic(category):
            result = [said for _ in record["question"]]
        lines.append(json.dumps({"id": record["id"], "result": result}))
    name = utils.get_file_name_by_category(category, is_result_file=True)
    (group / name).write_text("\n".join(lines) + "\n", encoding="utf-8")


def main() -> None:
    """Print the rows as JSON, each agent's on a line of its own."""
    with tempfile.TemporaryDirectory() as folder:
        for name, row in sorted(floor(Path(folder), agents()).items()):
            print(json.dumps({"agent": name, **row}, sort_keys=True))
