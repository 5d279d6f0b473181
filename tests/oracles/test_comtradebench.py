"""Every oracle check of ComtradeBench passes, and fails when its subject is broken."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest

from benchaudit import packs
from benchaudit.hooks import Episode, Score, Submission, Task
from benchaudit.oracles import Check

CHECK = packs.find("oracles", "comtradebench").module()


class Broken(CHECK.Benchmark):  # type: ignore[misc, name-defined]
    """The benchmark with one thing about it changed."""

    def rescore(self, change: Callable[[Score, str], Score]) -> Broken:
        original = self.adapter.score

        def score(task: Task, submission: Submission, scorer: str) -> Score:
            return change(original(task, submission, scorer), scorer)

        self.adapter = replace(self.adapter, score=score)
        return self

    def replay(self, change: Callable[[dict[str, Any]], dict[str, Any]]) -> Broken:
        original = self.play

        def play(task_id: str, scaffold: str, agent: str, **options: Any) -> Episode:
            told = {"task_id": task_id, "scaffold": scaffold, "agent": agent, **options}
            return original(**change(told))

        self.play = play
        return self


def failing(checks: Iterator[Check]) -> list[str]:
    return [check.id for check in checks if not check.ok]


def test_all_checks_pass() -> None:
    assert failing(CHECK.checks()) == []


@pytest.mark.parametrize("kind", ["empty", "fabricated", "correct"])
def test_the_judge_probe_fails_for_a_judge_that_is_one_point_off(kind: str) -> None:
    benchmark = Broken().rescore(lambda s, _: replace(s, value=s.value + 0.01))
    assert f"A10 {kind} judge" in failing(CHECK.judge_probe(benchmark))


@pytest.mark.parametrize(
    "dimension",
    ["correctness", "completeness", "robustness", "efficiency", "data_quality", "observability"],
)
def test_the_judge_probe_fails_for_each_dimension_that_is_off(dimension: str) -> None:
    def change(score: Score, scorer: str) -> Score:
        if scorer != "judge":
            return score
        parts = {**score.breakdown, dimension: score.breakdown[dimension] + 0.1}
        return replace(score, breakdown=parts)

    found = failing(CHECK.judge_probe(Broken().rescore(change)))
    assert found == [f"A10 {kind} {dimension}" for kind in ("empty", "fabricated", "correct")]


def test_the_judge_probe_fails_when_fabrication_earns_ground_truth() -> None:
    def change(score: Score, scorer: str) -> Score:
        return replace(score, value=1.0) if scorer == "f1" else score

    found = failing(CHECK.judge_probe(Broken().rescore(change)))
    assert found == ["A10 empty f1", "A10 fabricated f1"]


def test_the_card_probe_fails_when_the_log_has_level_words() -> None:
    benchmark = Broken()
    benchmark.published["card_probe"]["log"] = "info"
    assert len(failing(CHECK.card_probe(benchmark))) == 3


def test_the_leaderboard_fails_when_the_agent_owns_the_run() -> None:
    bare = Broken().replay(lambda told: {**told, "scaffold": "L2", "agent": "first_page_only"})
    assert "L0 mean" in failing(CHECK.leaderboard(bare))


def test_the_reach_fails_for_an_agent_that_skips_faults() -> None:
    skipping = Broken().replay(lambda told: {**told, "agent": told["agent"] + " retry=skip"})
    found = failing(CHECK.reach(skipping))
    assert {"F1 careful T4_rate_limit_429", "F1 careful T8_mixed_faults"} <= set(found)


def test_two_passes_fail_for_an_agent_that_makes_one() -> None:
    single = Broken().replay(lambda told: {**told, "agent": "careful"})
    assert len(failing(CHECK.two_pass(single))) == 3


def test_the_intervention_fails_when_nothing_is_taken_from_the_agent() -> None:
    bare = Broken().replay(lambda told: {**told, "scaffold": "L2", "agent": "careful"})
    assert failing(CHECK.intervention(bare)) == ["T1 L2 F1 spread"]


def test_the_intervention_fails_when_the_production_scaffold_lets_agents_differ() -> None:
    open_ = Broken().replay(lambda told: {**told, "scaffold": "L2"})
    assert "T1 L0 identical pairs" in failing(CHECK.intervention(open_))


def test_the_interface_bound_fails_when_rows_are_cheaper(monkeypatch: pytest.MonkeyPatch) -> None:
    scaffolds = packs.find("adapters", "comtradebench").module("scaffolds")
    monkeypatch.setattr(scaffolds, "TOKENS_A_ROW", 40)
    assert len(failing(CHECK.interface(Broken()))) == 4


def test_the_interface_control_fails_when_it_is_cut_too() -> None:
    cut = Broken().replay(lambda told: {**told, "budget": 6000})
    assert "T7 f1 without a budget" in failing(CHECK.interface(cut))
