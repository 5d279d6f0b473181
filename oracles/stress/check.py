"""Run the published escalation experiments again, and compare with what was printed.

The instrument is `adapters/comtradebench/experiments`: the engine's conventions (the digits of a
step's seed, the order of draws, when the quota is squeezed, the request beyond the last page)
show in these figures, and each of them breaks some when it is altered.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from benchaudit import packs
from benchaudit.oracles import Check
from benchaudit.stress.calibration import usage
from benchaudit.stress.decisions import paths
from benchaudit.stress.experiment import Experiment
from benchaudit.stress.pairing import ARMS, CONSTANT, ESCALATING, Comparison
from benchaudit.stress.running import adjusted
from benchaudit.stress.trials import run_trials
from benchaudit.stress.verdicts import Estimate

ROWS = 75
"""True rows of the substrate; coverage moves in steps of one row."""

SLACKS = {
    "b2": "zero slack (quota 8, squeeze -3)",
    "b2-slack": "slack 2 (quota 10, squeeze -3)",
}
"""The preregistrations, and what the paper's tables call their conditions."""

TWINS = (
    ("always-retry", "b2", ESCALATING, "GPT-5", "A15"),
    ("always-retry", "b2", ESCALATING, "Llama-3.3-70B", "A15"),
    ("quota-aware", "b2", ESCALATING, "GPT-5", "A15"),
    ("quota-aware", "b2", CONSTANT, "GPT-5", "A15"),
    ("always-retry", "b2-slack", CONSTANT, "Llama-3.3-70B", "A16"),
    ("quota-aware", "b2-slack", ESCALATING, "Claude-Sonnet-4.6", "A16"),
    ("quota-aware", "b2-slack", CONSTANT, "GPT-5", "A17"),
)
"""Rules whose vector is a model's, seed by seed: rule, experiment, arm, model, table."""

_PUBLISHED_ARMS = {ESCALATING: "escalating", CONSTANT: "constant@mean"}


_EVENTS = ("skip", "deaths")


def checks() -> Iterator[Check]:
    """One check a published row."""
    b1 = _experiment("b1")
    quotas = {name: _experiment(name) for name in SLACKS}
    yield from rule_agents(quotas)
    yield from twins(quotas)
    yield from reachable(quotas)
    yield from models(quotas)
    yield from free_retries(b1)


def rule_agents(experiments: Mapping[str, Experiment]) -> Iterator[Check]:
    """Table A2: delta, interval, p, skips and deaths of every rule at both slacks."""
    table = _paper("other_tables")["table_a2_rule_agents"]
    for name, experiment in experiments.items():
        for rule, printed in table[SLACKS[name]].items():
            found = _comparison(experiment, rule)
            effect = found.effect("coverage")
            counts = [sum(found.arms[arm].figures[what] for arm in ARMS) for what in _EVENTS]
            got = [*_rounded(effect.delta, *effect.interval), round(effect.p, 4), *counts]
            yield Check(f"A2 {SLACKS[name]}, {rule}", printed, got, source="Table A2")


def twins(experiments: Mapping[str, Experiment]) -> Iterator[Check]:
    """Rules that reproduce a model's published vector, 20 of 20 integers."""
    for rule, name, arm, model, table in TWINS:
        got = _counts(_comparison(experiments[name], rule), arm)
        row = _row(name, model, arm)
        yield Check(
            f"{table} {model}, {arm}, quota {experiments[name].designs[0].quota}: {rule}",
            row["covered_rows_of_75"],
            got,
            source=f"Table {table}",
        )
    row = _row("b2-slack", "Llama-3.3-70B", CONSTANT)
    arm_found = _comparison(experiments["b2-slack"], "always-retry").arms[CONSTANT]
    yield Check(
        "A16 Llama-3.3-70B, constant: retries, skips and deaths of always-retry",
        [row["retries"], row["skips"], row["quota_deaths"]],
        [arm_found.figures[what] for what in ("retry", "skip", "deaths")],
        source="Table A16",
    )


def reachable(experiments: Mapping[str, Experiment]) -> Iterator[Check]:
    """Every model's row of A15 to A17 comes of some answers, with its counts of events."""
    for name, experiment in experiments.items():
        for row in _rows():
            if row["experiment"].endswith(f"({SLACKS[name].partition(' (')[2]}"):
                yield Check(
                    f"{row['table']} {row['model']}, {row['arm']}: reachable",
                    True,
                    _is_reachable(experiment, row),
                    source=f"Table {row['table']}: coverage, retries, skips, quota deaths",
                )


def models(experiments: Mapping[str, Experiment]) -> Iterator[Check]:
    """Table A1, from the published vectors, through the preregistrations and their family."""
    table = _paper("other_tables")["table_a1_effects"]
    exact = _paper("headlines")["exact_sign_flip_p"]
    for name, experiment in experiments.items():
        for subject in adjusted(experiment):
            row = f"{name.replace('b2', 'B2')} {subject.agent}"
            estimate = subject.estimates["coverage"]
            yield Check(f"A1 {row}", table[row][:8], _a1_row(estimate), source="Table A1")
            p_exact = round(_known(estimate.p_exact), 4)
            yield Check(f"A1 {row}: exact p", exact[row], p_exact, source=exact["source"])


def free_retries(b1: Experiment) -> Iterator[Check]:
    """B1: no effect on coverage, and no decision but to retry."""
    tables = _paper("other_tables")
    found = _comparison(b1, "always-retry")
    estimate = Estimate.of(found.effect("coverage"))
    row = tables["table_a1_effects"]["B1 all three models"]
    skips = [found.arms[arm].figures["skip"] for arm in ARMS]
    yield Check(
        "A1 B1, always-retry",
        [*row[:7], *row[-2:]],
        [*_a1_row(estimate)[:7], *skips],
        source="Table A1",
    )
    yield Check("A1 B1: exact p", row[6], round(_known(estimate.p_exact), 4), source="Table A1")
    delta = tables["b1_slim_rerun_judge_reward"]["gt_delta_gpt5"]
    got = round(found.effect("f1").delta, 5)
    yield Check("B1 slim re-run, GPT-5 under ground truth: always-retry", delta, got, source="text")
    design = b1.designs[0]
    trials = design.trials("always-retry") * 3
    used = usage(
        run_trials(b1.target, design.adversaries, trials, ["coverage"]), b1.actions, "coverage"
    )
    yield Check(
        "B1 decision channel: skips, episodes of three runs of 2 x 20",
        [0, 120],
        [used.actions["skip"], used.episodes - used.errors],
        source="text: SKIP 0 of 120",
    )
    level = tables["table_a19_levels"]["GPT-5"][1]
    scores = found.vectors["coverage"][CONSTANT]
    yield Check("A19 L1 coverage", level, round(sum(scores) / len(scores), 4), source="Table A19")


def _a1_row(estimate: Estimate) -> list[float | None]:
    """Delta and interval, Cliff's delta and interval, p, Holm p, as Table A1 prints them."""
    low, high = _known(estimate.interval)
    cliffs_low, cliffs_high = _known(estimate.cliffs_interval)
    holm = estimate.p_holm
    return [
        *_rounded(estimate.delta, low, high),
        *(round(value, 2) for value in (_known(estimate.cliffs), cliffs_low, cliffs_high)),
        round(_known(estimate.p), 4),
        None if holm is None else round(holm, 4),
    ]


def _rounded(*values: float) -> list[float]:
    return [round(value, 3) for value in values]


def _is_reachable(experiment: Experiment, row: Mapping[str, Any]) -> bool:
    """Whether some answers give the row's coverage on every seed and its totals of events."""
    design = experiment.designs[0]
    arm = next(arm for arm, name in _PUBLISHED_ARMS.items() if name == row["arm"])
    totals = {(0, 0, 0)}
    for seed, covered in zip(design.seeds, row["covered_rows_of_75"], strict=True):
        ways = paths(experiment.target, design.adversaries[arm], "coverage", seed, design.quota)
        events = {
            (w.actions.count("retry"), w.actions.count("skip"), int(w.ending == "budget spent"))
            for w in ways
            if round(w.score * ROWS) == covered
        }
        totals = {(a + x, b + y, c + z) for a, b, c in totals for x, y, z in events}
    return (row["retries"], row["skips"], row["quota_deaths"]) in totals


def _comparison(experiment: Experiment, rule: str) -> Comparison:
    return experiment.comparisons[rule, experiment.designs[0].quota]


def _counts(comparison: Comparison, arm: str) -> list[int]:
    return [round(score * ROWS) for score in comparison.vectors["coverage"][arm]]


def _known(value: Any) -> Any:
    if value is None:
        raise ValueError("an estimate that should be there is not")
    return value


def _experiment(name: str) -> Experiment:
    folder = packs.find("adapters", "comtradebench").folder / "experiments"
    return Experiment(folder / f"{name}.toml")


def _row(name: str, model: str, arm: str) -> Mapping[str, Any]:
    (row,) = (
        row
        for row in _rows()
        if SLACKS[name].partition(" (")[2] in row["experiment"]
        and row["model"] == model
        and row["arm"] == _PUBLISHED_ARMS[arm]
    )
    return row


def _rows() -> Sequence[Mapping[str, Any]]:
    rows: Sequence[Mapping[str, Any]] = _paper("tables_a15_a17_b2_coverage")["rows"]
    return rows


def _paper(name: str) -> Any:
    path = Path(__file__).parent.parent / "paper" / f"{name}.json"
    return json.loads(path.read_text(encoding="utf-8"))
