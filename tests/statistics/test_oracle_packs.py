"""Published figures come out, and every group of checks fails when what it checks is broken."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from benchaudit import oracles, packs, statistics
from benchaudit.statistics import Interval, SignFlip

PAPER_ROWS = {
    "A12 ": 49,
    "execution tasks ": 8,
    "A19 ": 4,
    "A1 ": 18,
    "dose response ": 6,
    "A2 ": 1,
    "A3 ": 6,
    "Wilson ": 1,
}
AGENTRELBENCH_CELLS = {
    "dev": 80,
    "heldout": 60,
    "frontier": 40,
    "heldout+frontier": 100,
    "armC": 6,
    "pinned": 1,
}


def failures(name: str) -> set[str]:
    return {check.id for check in oracles.run(packs.find("oracles", name)) if not check.ok}


@pytest.mark.parametrize("name", ["paper", "agentrelbench"])
def test_every_published_figure_is_reproduced(name: str) -> None:
    assert failures(name) == set()


def test_no_row_of_the_paper_is_left_out() -> None:
    ids = [check.id for check in oracles.run(packs.find("oracles", "paper"))]
    assert len(ids) == len(set(ids)) == sum(PAPER_ROWS.values())
    for prefix, count in PAPER_ROWS.items():
        assert sum(check_id.startswith(prefix) for check_id in ids) == count


def test_every_cell_and_estimate_of_agentrelbench_is_checked_from_both_sources() -> None:
    ids = [check.id for check in oracles.run(packs.find("oracles", "agentrelbench"))]
    assert len(ids) == len(set(ids))
    for pool, count in AGENTRELBENCH_CELLS.items():
        assert sum(check_id.startswith(f"{pool} cell ") for check_id in ids) == count
        rows = {i.removesuffix(", from the verdict rows") for i in ids if i.endswith("rows")}
        table = {i.removesuffix(", from the cell table") for i in ids if i.endswith("table")}
        assert rows == table


@dataclass(frozen=True)
class Break:
    """A statistic replaced by a wrong one: the group of checks that sees it, and which fail."""

    group: str
    function: str
    wrong: Callable[..., Any]
    fails: tuple[str, ...]


def shifted(name: str, by: float = 1.0) -> Callable[..., Any]:
    original = getattr(statistics, name)
    return lambda *args, **kwargs: original(*args, **kwargs) + by


def always(value: object) -> Callable[..., Any]:
    return lambda *_args, **_kwargs: value


def sample_deviation(values: list[float]) -> float:
    return float(np.std(values, ddof=1))


def tail_rounded_up(values: list[float], alpha: float) -> float:
    return float(np.mean(sorted(values)[: int(alpha * len(values)) + 1]))


def strictly_above(values: list[float], threshold: float) -> float:
    return float(np.mean(np.array(values) > threshold + 0.4))


def factors_swapped(values: Any, first: Any, second: Any) -> Any:
    return VARIANCE_SHARES(values, second, first)


def one_run_by_pair(failures: Any, runs: Any, **_: Any) -> float:
    return AUDIT_MISS_RATE(failures, runs)


def rule_of_three(runs: int) -> float:
    return 3 / runs


def any_failure(failures: Any, _runs: Any) -> Any:
    return np.asarray(failures) > 0


def more_than_five(failures: Any, _runs: Any) -> Any:
    return np.asarray(failures) > 5


def power_of_rate(hits: Any, runs: Any, k: int) -> float:
    return float(np.mean((hits / runs) ** k))


def power_of_safe_rate(failures: Any, runs: Any, k: int) -> float:
    return float(np.mean((1 - failures / runs) ** k))


def bonferroni(p_values: Any) -> Any:
    return len(p_values) * np.array(p_values)


VARIANCE_SHARES, AUDIT_MISS_RATE = statistics.variance_shares, statistics.audit_miss_rate
WRONG_INTERVAL = always(Interval(0.4, 0.5))

PAPER_BREAKS = [
    Break("per_cell_statistics", "mean", shifted("mean", 0.001), ("A12 GPT-5 T6",)),
    Break("per_cell_statistics", "population_deviation", sample_deviation, ("A12 GPT-5 T8",)),
    Break("per_cell_statistics", "worst_case", shifted("worst_case", 0.001), ("A12 GPT-5 T6",)),
    Break("per_cell_statistics", "cvar", tail_rounded_up, ("A12 GPT-5 T8",)),
    Break("per_cell_statistics", "reliability_at", strictly_above, ("A12 GPT-5 T6",)),
    Break("pooled_statistics", "mean", shifted("mean", 0.0001), ("execution tasks GPT-5", "A19 G")),
    Break("pooled_statistics", "cvar", tail_rounded_up, ("execution tasks GPT-4o",)),
    Break("pooled_statistics", "reliability_at", always(0.5), ("execution tasks GPT-5",)),
    Break("effect_sizes", "mean", shifted("mean", 0.001), ("A1 B2 GPT-5", "dose response B2 GPT")),
    Break("effect_sizes", "paper_mean_interval", WRONG_INTERVAL, ("A1 B2 GPT-5",)),
    Break("effect_sizes", "paper_sign_flip_p", always(0.002), ("A1 B2 GPT-5", "A1 B2 GPT-5 Holm")),
    Break("effect_sizes", "paired_cliffs_delta", always(0.3), ("A1 B2 Claude-Sonnet-4.6",)),
    Break("effect_sizes", "sign_flip_test", always(SignFlip(0.0076, 0)), ("A1 B2 GPT-5 exact p",)),
    Break("effect_sizes", "sign_flip_test", always(SignFlip(0.0074, 9)), ("A1 B2 GPT-5 exact p",)),
    Break("effect_sizes", "holm", bonferroni, ("A1 B2 GPT-5 Holm",)),
    Break("rule_agent_effects", "paper_mean_interval", WRONG_INTERVAL, ("A2 quota-aware",)),
    Break("scaffold_slice", "eta_squared", shifted("eta_squared", 1e-4), ("A3 eta squared sca",)),
    Break("scaffold_slice", "variance_shares", factors_swapped, ("A3 two-factor",)),
    Break("scaffold_slice", "sign_test", always(0.5), ("A3 sign test Sonnet",)),
    Break("solved_by_chance", "wilson", statistics.clopper_pearson, ("Wilson 14/30",)),
]
AGENTRELBENCH_BREAKS = [
    Break("pools", "clopper_pearson", statistics.wilson, ("dev cell",)),
    Break("pools", "audit_miss_rate", shifted("audit_miss_rate", 1e-8), ("heldout miss_pair",)),
    Break("pools", "audit_miss_rate", one_run_by_pair, ("heldout miss_event",)),
    Break("pools", "demonstrably_stochastic", any_failure, ("dev stochastic,",)),
    Break("pools", "stochastic_share", always(0.9), ("frontier stochastic_share",)),
    Break("pools", "always_fail", more_than_five, ("pinned always_fail",)),
    Break("pools", "zero_failure_upper", rule_of_three, ("dev trap_upper_all", "heldout trap")),
    Break(
        "pools",
        "beta_binomial_moments",
        statistics.beta_binomial_ml,
        ("heldout+frontier bb_all", "heldout bb_producing"),
    ),
    Break("pools", "damage_mass_share", always(1.0), ("dev mass_share 0.2",)),
    Break("pools", "pass_hat_k", power_of_rate, ("dev curves k = 2", "armC curves k = 16")),
    Break("pools", "safe_hat_k", power_of_safe_rate, ("dev curves k = 2", "armC curves k = 15")),
    Break("printed_figures", "clopper_pearson", statistics.wilson, ("decay cell interval",)),
    Break("printed_figures", "audit_miss_rate", one_run_by_pair, ("decay k = 2",)),
    Break("printed_figures", "demonstrably_stochastic", any_failure, ("band of 8",)),
    Break("printed_figures", "agentrelbench_cluster_interval", WRONG_INTERVAL, ("dev cluster",)),
    Break("printed_figures", "fisher_exact", always(1.0), ("Fisher [[12, 4], [1, 15]]",)),
    Break(
        "printed_figures",
        "beta_binomial_moments",
        statistics.beta_binomial_ml,
        ("heldout mistral-24b icc",),
    ),
]


@pytest.mark.parametrize(
    ("name", "case"),
    [("paper", case) for case in PAPER_BREAKS]
    + [("agentrelbench", case) for case in AGENTRELBENCH_BREAKS],
    ids=lambda value: value if isinstance(value, str) else f"{value.group}-{value.function}",
)
def test_a_broken_statistic_fails_its_checks(
    monkeypatch: pytest.MonkeyPatch, name: str, case: Break
) -> None:
    group = getattr(packs.find("oracles", name).module(), case.group)
    monkeypatch.setattr(statistics, case.function, case.wrong)
    failed = {check.id for check in group() if not check.ok}
    for prefix in case.fails:
        assert any(check_id.startswith(prefix) for check_id in failed), prefix


def test_a_verdict_row_that_is_read_wrongly_fails_the_tally(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    module = packs.find("oracles", "agentrelbench").module()
    rows = {file: [dict(row) for row in verdicts] for file, verdicts in module._verdicts().items()}
    rows["campaign-merged/mistral-24b.verdicts"][0]["counts_as_damage"] ^= True
    monkeypatch.setattr(module, "_verdicts", lambda: rows)
    failed = {check.id for check in module.pools() if not check.ok}
    assert any(check_id.startswith("heldout cell mistral-24b") for check_id in failed)
    assert "heldout miss_pair, from the verdict rows" in failed
    assert not any(check_id.endswith("from the cell table") for check_id in failed)
