"""ComtradeBench as a target, and the experiments that come with it."""

from __future__ import annotations

import json
import tomllib
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from benchaudit import packs
from benchaudit.stress.adversary import Adversary, Intent, Kind, Line, Pressure
from benchaudit.stress.catalogue import locate, shipped
from benchaudit.stress.decisions import paths
from benchaudit.stress.environment import Target
from benchaudit.stress.episode import run_episode
from benchaudit.stress.experiment import Experiment
from benchaudit.stress.loading import load_target
from benchaudit.stress.pairing import ARMS
from benchaudit.stress.policies import always
from benchaudit.stress.preregistration import load
from benchaudit.stress.running import Report, run
from benchaudit.stress.schedules import constant

NAMES = ("b1", "b2", "b2-slack", "dose")
PACK = packs.find("adapters", "comtradebench")
MODELS = {"Llama-3.3-70B", "GPT-5", "Claude-Sonnet-4.6"}


@pytest.fixture
def module() -> ModuleType:
    return PACK.module("stress")


@pytest.fixture
def target() -> Target:
    return load_target("comtradebench")


@cache
def report(name: str) -> Report:
    return run(locate(f"comtradebench/{name}"))


def episode(target: Target, *pressures: Pressure, seed: int = 0, level: float = 1.0) -> Any:
    environment = target.start(seed)
    run_episode(environment, Adversary(constant(level), pressures), always("retry"), seed)
    return environment


def test_a_clean_run_fetches_everything_and_scores_full_under_ground_truth(target: Target) -> None:
    done = episode(target)
    assert target.scorers["coverage"](done) == 1.0
    assert target.scorers["f1"](done) == 1.0
    assert target.scorers["judge"](done) == pytest.approx(0.987)
    assert len(done.rows) == 75


@pytest.mark.parametrize("kind", ["duplicate", "reorder", "noise", "drop", "distractor"])
def test_each_perturbation_does_what_it_says(target: Target, kind: Kind) -> None:
    amount = Line(base=2.0 if kind == "distractor" else 0.4)
    clean = [row["record_id"] for row in episode(target).rows]
    done = episode(target, Pressure(kind, amount=amount))
    ids = [row["record_id"] for row in done.rows]
    coverage = target.scorers["coverage"](done)
    match kind:
        case "duplicate":
            assert len(ids) == 75 > len(set(ids))
            assert coverage == len(set(ids)) / 75
        case "reorder":
            assert ids != clean and sorted(ids) == clean
            assert coverage == 1.0
        case "noise":
            assert ids == clean
            assert coverage == (75 - 5 * 6) / 75
        case "drop":
            assert len(ids) == 75 - 5 * 6
            assert coverage == len(ids) / 75
        case _:
            assert len(ids) == 75 + 5 * 2
            assert coverage == 1.0
            assert not any(record.get("isTotal") for record in done.records())


def test_a_perturbation_leaves_no_trace_in_the_next_episode(target: Target) -> None:
    before = [dict(row) for row in episode(target).rows]
    for kind in ("duplicate", "noise", "drop", "reorder", "distractor"):
        episode(target, Pressure(kind, amount=Line(base=1.0)))
    assert episode(target).rows == before


def test_coverage_is_the_recall_of_the_ground_truth_module(
    target: Target, module: ModuleType
) -> None:
    pressures = [
        Pressure("duplicate", amount=Line(base=0.3)),
        Pressure("noise", amount=Line(base=0.2)),
        Pressure("distractor"),
        Pressure("fault", chance=Line(base=0.2)),
    ]
    for seed in range(20):
        done = episode(target, *pressures, seed=seed)
        match = module.match_records(module.TASK, None, done.rows)
        assert module.coverage(done) == match.recall < 1


def test_duplicates_follow_the_published_draws(target: Target) -> None:
    page = target.start(0).call(1)
    intent = Intent("duplicate", 0.4, seed=17)
    rows, rng = list(page.rows), intent.rng()
    for _ in range(6):
        source = rng.randrange(15)
        destination = rng.randrange(15)
        rows[destination] = rows[source]
    assert target.start(0).perturb(page, intent).rows == rows


def test_skipping_the_last_page_leads_to_one_that_is_not_there(target: Target) -> None:
    desk = target.start(0)
    assert desk.decided(5, "skip") == 6
    beyond = desk.call(6)
    assert desk.succeeded(beyond) and beyond.rows == []
    assert desk.after(6, beyond) is None
    assert desk.units_left(6) == 0


def test_the_report_tells_of_faults_and_what_was_done(target: Target) -> None:
    done = episode(target, Pressure("fault", chance=Line(base=0.5)), seed=3)
    assert done.trace.faults == done.trace.retries > 0
    assert len(done.trace.requests) == 5 + done.trace.faults


def test_the_four_experiments_are_found_by_name() -> None:
    names = [name for name in shipped() if name.startswith("comtradebench/")]
    assert names == [f"comtradebench/{name}" for name in NAMES]
    assert locate("comtradebench/b2").name == "b2.toml"


def test_the_experiments_differ_in_nothing_but_what_they_are_about() -> None:
    plans = {name: load(locate(f"comtradebench/{name}")) for name in NAMES}
    for plan in plans.values():
        assert plan.design.seeds == plans["b1"].design.seeds
        assert plan.design.escalating == plans["b1"].design.escalating
        assert plan.design.constant == plans["b1"].design.constant
        assert plan.design.pressures[:3] == plans["b1"].design.pressures
        assert plan.agents == plans["b1"].agents
    assert [plans[name].design.quotas for name in NAMES] == [(), (8,), (10,), (8, 9, 10, 12)]


@pytest.mark.parametrize("name", NAMES)
def test_a_shipped_experiment_runs_as_frozen_and_reproduces_what_is_published(name: str) -> None:
    ran = report(name)
    assert ran.digest
    assert ran.deviations == []
    assert all(one.agrees for one in ran.reproductions)
    assert not ran.failed
    assert {finding.subject.agent for finding in ran.findings} == MODELS


def test_the_verdicts_on_the_published_models() -> None:
    """B1 lives in one scorer and used one action; B2 needs no model; the rest is not there."""
    verdicts = {
        (name, finding.subject.agent): finding
        for name in ("b1", "b2", "b2-slack")
        for finding in report(name).findings
    }
    assert {key: finding.verdict for key, finding in verdicts.items()} == {
        ("b1", "Llama-3.3-70B"): "not confirmed",
        ("b1", "GPT-5"): "demoted",
        ("b1", "Claude-Sonnet-4.6"): "not confirmed",
        ("b2", "Llama-3.3-70B"): "confirmed",
        ("b2", "GPT-5"): "confirmed",
        ("b2", "Claude-Sonnet-4.6"): "not confirmed",
        ("b2-slack", "Llama-3.3-70B"): "not confirmed",
        ("b2-slack", "GPT-5"): "not confirmed",
        ("b2-slack", "Claude-Sonnet-4.6"): "not confirmed",
    }
    flags = " ".join(verdicts["b1", "GPT-5"].flags)
    assert verdicts["b1", "GPT-5"].met
    assert "lives in one scorer only: confirmed under judge, not under" in flags
    assert "never took skip" in flags
    needs_none = "needs no model: the same rule confirms it for always-retry, quota-aware"
    assert needs_none in verdicts["b2", "Llama-3.3-70B"].flags


def test_published_vectors_are_those_of_the_papers_tables() -> None:
    table = packs.root() / "oracles" / "paper" / "tables_a15_a17_b2_coverage.json"
    rows = json.loads(table.read_text(encoding="utf-8"))["rows"]
    printed = {
        (r["model"], r["table"] == "A15", r["arm"].partition("@")[0]): (
            r["covered_rows_of_75"],
            {"retry": r["retries"], "skip": r["skips"], "deaths": r["quota_deaths"]},
        )
        for r in rows
    }
    shipped_rows = {}
    for name in ("b2", "b2-slack"):
        path = PACK.folder / "experiments" / f"{name}.published.toml"
        for record in tomllib.loads(path.read_text(encoding="utf-8"))["records"]:
            for arm in ARMS:
                if "vector" in record.get(arm, {}):
                    key = (record["agent"], name == "b2", arm)
                    shipped_rows[key] = (record[arm]["vector"], record[arm]["figures"])
    assert shipped_rows == printed


def test_retrying_is_never_beaten_whatever_the_quota(target: Target) -> None:
    """The remark of the predictions page, on seeds beyond the published ones."""
    design = Experiment(locate("comtradebench/dose")).designs[0]
    for seed in range(100, 140):
        for quota in (7, 8, 9, 10, 12, None):
            for arm in ARMS:
                ways = paths(target, design.adversaries[arm], "coverage", seed, quota)
                assert ways[0].score == max(way.score for way in ways)


def test_the_published_vectors_are_the_same_wherever_the_data_leave_the_scales_free() -> None:
    """What the predictions page says of its ranges."""
    predictions = packs.find("oracles", "stress").module("predictions")
    for name in ("b2", "b2-slack"):
        experiment = Experiment(locate(f"comtradebench/{name}"))
        (nominal,) = experiment.designs
        for corner in predictions._corners(nominal.constant.pressures):
            design = predictions._altered(nominal, corner)
            for rule in experiment.plan.agents.rules:
                vectors = [
                    predictions._compared(experiment, one, rule).vectors
                    for one in (nominal, design)
                ]
                assert vectors[0] == vectors[1]


def test_the_predictions_page_is_current() -> None:
    page = Path("docs/reference/stress-predictions.md")
    root = packs.root()
    if not (root / page).is_file():
        pytest.skip("the docs are not shipped")
    written = (root / page).read_text(encoding="utf-8")
    assert packs.find("oracles", "stress").module("predictions").page() == written
