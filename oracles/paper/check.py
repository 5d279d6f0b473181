"""Recompute the paper's statistics from its published per-seed values.

A figure agrees when it rounds to the printed digits.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchaudit import statistics
from benchaudit.oracles import Check

ROWS = 75  # true rows of the coverage experiments' task
A3_TASKS = 15
SCAFFOLDS = ("tool-calling", "few-shot", "act", "react")


def checks() -> Iterator[Check]:
    """One check a published row."""
    yield from per_cell_statistics()
    yield from pooled_statistics()
    yield from effect_sizes()
    yield from rule_agent_effects()
    yield from scaffold_slice()
    yield from solved_by_chance()


def per_cell_statistics() -> Iterator[Check]:
    """Table A12 from the vectors of Table A13."""
    vectors = {(row["model"], row["task"]): row["f1_by_seed"] for row in _rows("table_a13")}
    for row in _rows("table_a12"):
        values = vectors[row["model"], row["task"]]
        yield Check(
            f"A12 {row['model']} {row['task']}",
            [row[c] for c in ("n", "mean", "std", "worst", "cvar", "reliability_at_0_5")],
            [
                len(values),
                round(statistics.mean(values), 3),
                round(statistics.population_deviation(values), 3),
                round(statistics.worst_case(values), 3),
                round(statistics.cvar(values, 0.2), 3),
                round(statistics.reliability_at(values, 0.5), 3),
            ],
            source="Table A12: n, mean, std, worst, CVaR@0.2, Reliability@0.5",
        )


def pooled_statistics() -> Iterator[Check]:
    """The headline statistics over the execution tasks, and the ground-truth column of A19."""
    headline = _data("headlines")["execution_tasks"]
    levels = _data("other_tables")["table_a19_levels"]
    for model, expected in headline["rows"].items():
        values = [
            score
            for row in _rows("table_a13")
            if row["model"] == model and row["task"] in headline["tasks"]
            for score in row["f1_by_seed"]
        ]
        yield Check(
            f"execution tasks {model}",
            [50, *expected],
            [
                len(values),
                round(statistics.mean(values), 4),
                round(statistics.worst_case(values), 3),
                round(statistics.cvar(values, 0.2), 3),
                round(statistics.reliability_at(values, 0.9), 2),
            ],
            source="text: n, mean, worst, CVaR@0.2, Reliability@0.9 over T3 to T6 and T8",
        )
        if model in levels:
            mean = round(statistics.mean(values), 4)
            yield Check(f"A19 {model} L2 F1", levels[model][2], mean, source="Table A19")


def effect_sizes() -> Iterator[Check]:
    """Table A1's model rows and the dose response's measured ends, from Tables A15 to A17."""
    table = _data("other_tables")["table_a1_effects"]
    exact = _data("headlines")["exact_sign_flip_p"]
    doses = _data("other_tables")["dose_response_slack_0_1_2_4"]
    differences = coverage_differences()
    adjusted = statistics.holm([statistics.paper_sign_flip_p(d) for d in differences.values()])
    for (name, shares), p_holm in zip(differences.items(), adjusted, strict=True):
        yield Check(
            f"A1 {name}",
            table[name][:7],
            _effect_row(shares),
            source="Table A1: delta and interval, Cliff's delta and interval, p",
        )
        yield Check(
            f"A1 {name} Holm", table[name][7], round(float(p_holm), 4), source="Table A1: p_holm"
        )
        test = statistics.sign_flip_test(shares, unit=1 / ROWS)
        yield Check(
            f"A1 {name} exact p",
            [exact[name], True],
            [round(test.p, 4), test.exact],
            source=exact["source"],
        )
        experiment, model = name.split(" ", 1)
        yield Check(
            f"dose response {name}",
            doses[model][0 if experiment == "B2" else 2],
            round(statistics.mean(shares), 3),
            source="dose response at slack 0 and 2",
        )


def rule_agent_effects() -> Iterator[Check]:
    """Table A2's quota-aware agent at zero slack, whose vectors are those of GPT-5 in A15."""
    table = _data("other_tables")["table_a2_rule_agents"]["zero slack (quota 8, squeeze -3)"]
    shares = coverage_differences()["B2 GPT-5"]
    delta, low, high, *_, p = _effect_row(shares)
    yield Check(
        "A2 quota-aware at zero slack",
        table["quota-aware"][:4],
        [delta, low, high, p],
        source="Table A2: delta and interval, p",
    )


def scaffold_slice() -> Iterator[Check]:
    """Table A3: variance shares of scaffold and model, and the sign tests."""
    table = _data("other_tables")["table_a3_tau_bench_retail_slice"]
    rewards: list[int] = []
    scaffolds: list[str] = []
    models: list[str] = []
    for scaffold in SCAFFOLDS:
        for model, rate in zip(table["columns"], table[scaffold], strict=True):
            solved = round(rate * A3_TASKS)
            rewards += [1] * solved + [0] * (A3_TASKS - solved)
            scaffolds += [scaffold] * A3_TASKS
            models += [model] * A3_TASKS
    source = "Table A3: eta squared"
    for factor, labels in (("scaffold", scaffolds), ("model", models)):
        share = round(statistics.eta_squared(rewards, labels), 4)
        yield Check(f"A3 eta squared {factor}", table[f"eta2_{factor}"], share, source=source)
    shares = statistics.variance_shares(rewards, scaffolds, models)
    yield Check(
        "A3 two-factor shares",
        [table["eta2_scaffold"], table["eta2_model"]],
        [round(shares.eta_first, 4), round(shares.eta_second, 4)],
        source=source,
    )
    for model, (wins, losses, p) in table["sign_tests_extreme_scaffolds"].items():
        got = round(statistics.sign_test(wins, losses), 3)
        yield Check(f"A3 sign test {model}", p, got, source="Table A3: sign tests")


def solved_by_chance() -> Iterator[Check]:
    """GPT-4o on T3: 14 solved of 30."""
    facts = _data("other_tables")["gpt4o_t3_forensics"]
    low, high = statistics.wilson(facts["solved"], facts["n"])
    got = [round(float(low), 3), round(float(high), 3)]
    yield Check("Wilson 14/30", facts["wilson_95"], got, source="text: GPT-4o on T3")


def coverage_differences() -> dict[str, list[float]]:
    """Constant minus escalating coverage by seed, in the order and by the names of Table A1."""
    arms: dict[str, dict[str, list[int]]] = {}
    for row in _rows("tables_a15_a17"):
        experiment = "B2" if row["table"] == "A15" else "B2-slack"
        arms.setdefault(f"{experiment} {row['model']}", {})[row["arm"]] = row["covered_rows_of_75"]
    return {
        name: [
            (constant - escalating) / ROWS
            for constant, escalating in zip(
                arms[name]["constant@mean"], arms[name]["escalating"], strict=True
            )
        ]
        for name in _data("headlines")["exact_sign_flip_p"]
        if name in arms
    }


def _effect_row(shares: list[float]) -> list[float]:
    signs = [(share > 0) - (share < 0) for share in shares]
    delta, cliff = statistics.paper_mean_interval(shares), statistics.paper_mean_interval(signs)
    return [
        round(statistics.mean(shares), 3),
        *(round(bound, 3) for bound in delta),
        statistics.paired_cliffs_delta(shares),
        *(round(bound, 2) for bound in cliff),
        round(statistics.paper_sign_flip_p(shares), 4),
    ]


def _data(name: str) -> Any:
    (path,) = Path(__file__).parent.glob(f"{name}*.json")
    return json.loads(path.read_text(encoding="utf-8"))


def _rows(name: str) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = _data(name)["rows"]
    return rows
