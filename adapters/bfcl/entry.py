"""One entry of the benchmark, as the evaluator reads it, and the categories that there are.

Imports nothing of the benchmark's package.
"""

from __future__ import annotations

import pickle
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

AST = (
    "simple_python",
    "simple_java",
    "simple_javascript",
    "multiple",
    "parallel",
    "parallel_multiple",
    "live_simple",
    "live_multiple",
    "live_parallel",
    "live_parallel_multiple",
)
TURNS = (
    "multi_turn_base",
    "multi_turn_miss_func",
    "multi_turn_miss_param",
    "multi_turn_long_context",
)
IRRELEVANCE = ("irrelevance", "live_irrelevance")
RELEVANCE = ("live_relevance",)
AGENTIC = ("web_search_base", "memory_kv")
"""The other web search and memory categories ask the same questions and accept the same answers."""

FAMILIES = {
    **dict.fromkeys(AST, "calls"),
    **dict.fromkeys(TURNS, "turns"),
    **dict.fromkeys(IRRELEVANCE + RELEVANCE, "abstention"),
    **dict.fromkeys(AGENTIC, "agentic"),
}

_SILENT = ("multi_turn_miss_func", "multi_turn_miss_param")


@dataclass(frozen=True)
class Entry:
    """One entry: its category, the evaluator's record of it, and its answer.

    ``answer`` is a list of ``{function: {parameter: [allowed value, ...]}}`` for the AST
    categories, a list of turns of call expressions for multi-turn, a list of accepted texts for
    the agentic ones, and None where the benchmark has none.
    """

    category: str
    record: Mapping[str, Any]
    answer: Any

    @property
    def id(self) -> str:
        return str(self.record["id"])

    @property
    def functions(self) -> Sequence[Mapping[str, Any]]:
        found: Sequence[Mapping[str, Any]] = self.record["function"]
        return found

    @property
    def language(self) -> str:
        return self.category.removeprefix("simple_") if "_java" in self.category else "python"

    def offered(self, turn: int) -> frozenset[str]:
        """The functions shown in a turn: those held out at first are added by then."""
        held_out = self.record.get("missed_function", {})
        later = [f for at, docs in held_out.items() if int(at) <= turn for f in docs]
        return frozenset(function["name"] for function in [*self.functions, *later])

    @cached_property
    def silent_turns(self) -> Sequence[int]:
        """Turns labelled as calling for no call.

        Each entry of the two augmented categories has one, its first without an answer: "we expect
        the model to recognize that no action should be taken given the lack of functions", "to ask
        for a follow-up" (bfcl_eval/data/README.md, Missing Functions and Missing Parameters).
        """
        empty = [turn for turn, calls in enumerate(self.answer) if not calls]
        return empty[:1] if self.category in _SILENT else []

    @cached_property
    def _frozen(self) -> bytes:
        return pickle.dumps((self.record, self.answer))

    def fresh(self) -> tuple[dict[str, Any], Any]:
        """A copy of the record and the answer that the benchmark's code may change as it likes."""
        record, answer = pickle.loads(self._frozen)
        return record, answer
