"""The rules on repeated runs: replay, reliability, and the table."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from benchaudit import statistics
from benchaudit.card.repeats import ALPHA, HEADER, reliability_table
from tests.card.build import (
    AGENTS,
    BROKEN,
    EARNS,
    FACTS,
    PROBES,
    SEEDS,
    SILENT,
    all_pass,
    card,
    change,
    column,
    drop,
    episode,
    forged,
    is_agent,
    is_probe,
    item,
    manifest,
    probe,
    view,
)

# -- replay --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "fields",
    [
        {"digest": "another"},
        {"score": 0.9},
        {"passed": False},
        {"steps": {"retry:retry:model": 2}},
        BROKEN,
        {"outcome": "unsubmitted", "digest": ""},
    ],
)
def test_episode_that_comes_out_differently_fails_replay(fields: dict[str, Any]) -> None:
    records = change(all_pass(), is_agent("careful", repeat=1), **fields)
    found = item("replay", records)
    assert found.verdict == "fail"
    assert found.deviations == {"careful": 1}
    assert found.figures["episodes that differ"] == 1


def test_failing_replay_voids_reliability_and_model_capability_and_says_so() -> None:
    found = column(change(all_pass(), is_agent("careful", repeat=1), digest="another"))
    assert found.item("reliability").verdict == "fail"
    assert found.claim.id == "model-scaffold"
    assert "replay fails, which voids reliability" in found.claim.sentence


def test_first_run_that_broke_and_then_came_out_is_a_difference() -> None:
    where = is_agent("careful", task="t1", seed=0, repeat=0)
    assert item("replay", change(all_pass(), where, **BROKEN)).verdict == "fail"


def test_score_of_the_same_submission_that_changes_fails_replay() -> None:
    records = change(all_pass(), is_probe("nothing", task="t2", repeat=1), score=0.1)
    found = item("replay", records)
    assert (found.verdict, found.figures["scores that differ"]) == ("fail", 1)


def test_correct_work_that_is_drawn_anew_fails_replay() -> None:
    where = is_probe("canonical", task="t1", repeat=1)
    assert item("replay", change(all_pass(), where, digest="another")).verdict == "fail"


def test_a_forgers_own_chance_is_not_held_against_the_benchmark() -> None:
    where = is_probe("made-up", task="t1", repeat=1)
    found = item("replay", change(all_pass(), where, digest="another", score=0.3))
    assert (found.verdict, found.figures["submissions scored again"]) == ("pass", 5)


@pytest.mark.parametrize("fields", [BROKEN, SILENT])
def test_what_never_came_out_did_not_come_out_the_same(fields: dict[str, Any]) -> None:
    records = [replace(r, **fields) if r.agent else r for r in all_pass()]
    found = item("replay", records)
    assert (found.verdict, found.reason) == ("not probed", "No episode was run again.")
    everything = [replace(r, **fields) for r in all_pass()]
    assert item("replay", everything).verdict == "not probed"


AFTER = {**PROBES, "after": probe("equivalent", "replay")}


@pytest.mark.parametrize(("score", "verdict"), [(1.0, "pass"), (1.0 - 1e-9, "fail"), (0.5, "fail")])
def test_correct_work_scored_after_other_work_scores_the_same(score: float, verdict: str) -> None:
    after = [replace(forged("rewritten", t), probe="after", score=score) for t in ("t1", "t2")]
    found = item("replay", all_pass() + after, probes=AFTER)
    assert found.verdict == verdict
    assert found.figures["submissions scored again"] == 8
    assert found.deviations == ({"after": 2} if verdict == "fail" else {})


def test_unwinnable_task_is_not_replayed_after_other_work() -> None:
    after = replace(forged("rewritten", "t1"), probe="after", score=0.5)
    records = change(all_pass(), is_probe("canonical", task="t1", repeat=None), passed=False)
    assert item("replay", [*records, after], probes=AFTER).verdict == "pass"


def test_replay_is_not_probed_when_nothing_was_run_again() -> None:
    assert item("replay", drop(all_pass(), lambda r: r.repeat == 1)).verdict == "not probed"
    no_episodes = drop(all_pass(), lambda r: r.repeat == 1 and bool(r.agent))
    assert item("replay", no_episodes).verdict == "not probed"


def test_column_without_a_scaffold_replays_its_scorer() -> None:
    records = [r for r in all_pass() if r.probe]
    found = item("replay", records, manifest({"scaffold": ""}))
    assert (found.verdict, found.figures["episodes run again"]) == ("pass", 0)


# -- reliability ---------------------------------------------------------------------------------


def test_reliability_counts_agents_tasks_and_seeds() -> None:
    figures = item("reliability", all_pass()).figures
    assert (figures["agents"], figures["tasks"], figures["seeds"]) == (2, 1, len(SEEDS))
    assert figures["runs"] == len(AGENTS) * len(SEEDS)


def test_largest_gap_of_mean_and_worst_case_is_told() -> None:
    where = is_agent("hasty", task="t2", scaffold="bare", scorer="truth", seed=2)
    found = item("reliability", change(all_pass(), where, score=0.2))
    assert found.verdict == "pass"
    assert found.figures["largest gap of mean and worst case"] == 0.2
    assert found.figures["largest gap at"] == "hasty on t2"


def test_one_seed_shows_no_spread() -> None:
    records = drop(all_pass(), lambda r: r.task == "t2" and r.seed in (1, 2))
    found = item("reliability", records)
    assert (found.verdict, found.figures["seeds"]) == ("not probed", 1)
    assert reliability_table(view(records)) is None


def test_the_agent_with_the_fewest_seeds_decides() -> None:
    records = drop(all_pass(), lambda r: r.agent == "hasty" and r.task == "t2" and r.seed != 0)
    assert item("reliability", records).verdict == "not probed"


def test_run_that_broke_is_not_dropped_from_the_denominator() -> None:
    where = is_agent("hasty", task="t2", scaffold="bare", scorer="truth", seed=1)
    records = change(all_pass(), where, **BROKEN)
    found = item("reliability", records)
    assert (found.verdict, found.figures["runs without a score"]) == ("fail", 1)
    table = reliability_table(view(records))
    assert table is not None
    assert [row[0] for row in table.rows] == ["careful"]


def test_run_that_a_hook_declines_is_not_held_against_the_benchmark() -> None:
    where = is_agent("hasty", task="t2", scaffold="bare", scorer="truth", seed=1)
    found = item("reliability", change(all_pass(), where, **SILENT))
    assert (found.verdict, found.reason) == ("not probed", "1 run could not be had: not here.")


def test_nothing_handed_in_is_a_run_with_a_score() -> None:
    where = is_agent("hasty", task="t2", scaffold="bare", scorer="truth", seed=1)
    withheld = {"outcome": "unsubmitted", "digest": "", "score": 0.0}
    found = item("reliability", change(all_pass(), where, **withheld))
    assert found.verdict == "pass"
    assert found.figures["largest gap of mean and worst case"] == 0.333333


def test_reliability_is_not_probed_without_a_plan_or_episodes() -> None:
    assert item("reliability", all_pass(), manifest(reliability=None)).verdict == "not probed"
    elsewhere = manifest(reliability={"tasks": ["t9"]})
    assert item("reliability", all_pass(), elsewhere).verdict == "not probed"
    assert item("reliability", [r for r in all_pass() if r.probe]).verdict == "not probed"


def test_table_holds_the_statistics_of_each_agent_and_task() -> None:
    scores = [0.9, 0.2, 1.0]
    records = [r for r in all_pass() if not (r.agent == "hasty" and r.task == "t2")]
    records += [episode("hasty", "t2", seed, score) for seed, score in enumerate(scores)]
    table = reliability_table(view(records))
    assert table is not None
    assert table.header == list(HEADER)
    (careful, hasty) = table.rows
    assert careful[:6] == ["careful", "t2", 3, 1.0, 0.0, 1.0]
    interval = statistics.bootstrap_mean_interval(scores, seed=0)
    expected = [
        "hasty",
        "t2",
        3,
        round(2.1 / 3, 6),
        round(statistics.population_deviation(scores), 6),
        0.2,
        round(statistics.cvar(scores, ALPHA), 6),
        round(2 / 3, 6),
        round(2 / 3, 6),
        round(interval.low, 6),
        round(interval.high, 6),
        0.5,
    ]
    assert hasty == expected


def test_tables_come_once_a_column_and_once_a_task() -> None:
    second = {**FACTS["columns"][0], "id": "again"}
    facts = manifest().model_copy(
        update={"columns": (*manifest().columns, manifest(second).columns[0])}
    )
    ids = [table.id for table in card(all_pass(), facts).tables]
    assert ids == ["reliability-repaired", "reliability-again", "intervention-t2", "decisions"]


def test_the_2x2_of_a_category_is_shown_wherever_its_column_stands() -> None:
    columns = [
        manifest({"id": "easy", "tasks": ["t1"]}).columns[0],
        manifest({"id": "hard", "tasks": ["t2"]}).columns[0],
    ]
    facts = manifest().model_copy(update={"columns": tuple(columns)})
    found = card(all_pass(), facts)
    (table,) = [t for t in found.tables if t.id == "intervention-t2"]
    assert table.header == ["agent", "full judge", "full truth", "bare judge", "bare truth"]
    assert table.rows == [
        ["careful", 1.0, 1.0, 1.0, 1.0],
        ["hasty", 1.0, 1.0, 0.5, 0.5],
        ["spread", 0.0, 0.0, 0.5, 0.5],
    ]
    assert EARNS["hasty"] == 0.5
    assert set(PROBES) == {r.probe for r in all_pass() if r.probe} - {"canonical"}
