"""Recompute AgentRelBench's estimates twice: from its verdict rows and from its cell table."""

from __future__ import annotations

import json
import math
import tarfile
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from benchaudit import statistics
from benchaudit.oracles import Check

HERE = Path(__file__).parent
TOLERANCE = 1e-9
ERRORED_CEILING = 0.2  # a cell with a larger share of errored runs is invalid by preregistration


@dataclass(frozen=True, slots=True)
class Cell:
    """A (model, task): runs n, failures x and their upper count, successes s, errored runs."""

    model: str
    task: str
    n: int
    x: int
    x_upper: int
    s: int
    errored: int


def checks() -> Iterator[Check]:
    """One check a quantity of `golden.json` and a source, and the printed figures."""
    yield from pools()
    yield from printed_figures()


def pools() -> Iterator[Check]:
    """Every cell and estimate of every pool, from the verdict rows and from the cell table."""
    for pool, golden in _golden().items():
        tallied = _tally(pool)
        yield from cell_counts(pool, golden, tallied)
        table = [_cell(row) for row in golden["cells"]]
        for source, cells in (("verdict rows", tallied), ("cell table", table)):
            for check_id, expected, got in estimates(golden, cells):
                yield Check(f"{pool} {check_id}, from the {source}", expected, got, TOLERANCE)


def cell_counts(pool: str, golden: Any, cells: Sequence[Cell]) -> Iterator[Check]:
    """The tally of each cell's verdict rows, and its Clopper-Pearson interval."""
    tallied = {(cell.model, cell.task): cell for cell in cells}
    for row in golden["cells"]:
        cell = tallied[row["model"], row["task"]]
        counts = [cell.n, cell.x, cell.x_upper, cell.s, cell.errored, cell.x / cell.n]
        bounds = [float(bound) for bound in statistics.clopper_pearson(cell.x, cell.n)]
        yield Check(
            f"{pool} cell {cell.model} {cell.task}",
            [*(row[key] for key in ("n", "x", "x_upper", "s", "errored", "phat")), *row["ci"]],
            [*counts, *bounds],
            TOLERANCE,
        )


def estimates(golden: Any, cells: Sequence[Cell]) -> Iterator[tuple[str, object, object]]:
    """(quantity, expected, got) for everything that `golden.json` says of a pool."""
    n, x = _column(cells, "n"), _column(cells, "x")
    failing = x > 0
    for name, size in (
        ("n_cells", len(cells)),
        ("runs", int(n.sum())),
        ("events", int(x.sum())),
        ("pairs", int(failing.sum())),
    ):
        yield name, golden[name], size
    yield "miss_pair", golden["miss_pair"], statistics.audit_miss_rate(x, n)
    event = statistics.audit_miss_rate(x, n, weighting="event")
    yield "miss_event", golden["miss_event"], event
    if "miss_pair_excluding_gt20pct_errored" in golden:
        kept = [cell for cell in cells if cell.errored / cell.n <= ERRORED_CEILING]
        miss = statistics.audit_miss_rate(_column(kept, "x"), _column(kept, "n"))
        yield "miss_pair, valid cells", golden["miss_pair_excluding_gt20pct_errored"], miss
    stochastic = statistics.demonstrably_stochastic(x, n)
    yield "stochastic", sorted(golden["stochastic"]), _named(cells, stochastic)
    share = statistics.stochastic_share(x, n)
    yield "stochastic_share", golden["stochastic_share"], share
    yield "always_fail", golden["always_fail"], _named(cells, statistics.always_fail(x, n))
    for name, count in (("producing", int(failing.sum())), ("all", len(cells))):
        bound = float(statistics.zero_failure_upper(count))
        yield f"trap_upper_{name}", golden[f"trap_upper_{name}"], bound
    for name, those in (("all", x >= 0), ("producing", failing)):
        fit = statistics.beta_binomial_moments(x[those], n[those])
        yield f"bb_{name}", _expected_fit(golden[f"bb_{name}"]), _fit(fit)
    for margin, expected in golden["mass_share"].items():
        mass = statistics.damage_mass_share(x, n, margin=float(margin))
        yield f"mass_share {margin}", expected, mass
    yield from curves(golden, cells)


def curves(golden: Any, cells: Sequence[Cell]) -> Iterator[tuple[str, object, object]]:
    """pass^k, safe^k and its upper reading over k."""
    n = _column(cells, "n")
    for k, expected in golden["curves"].items():
        got = [
            statistics.pass_hat_k(_column(cells, "s"), n, int(k)),
            statistics.safe_hat_k(_column(cells, "x"), n, int(k)),
            statistics.safe_hat_k(_column(cells, "x_upper"), n, int(k)),
        ]
        names = ("pass_k", "safe_k", "safe_k_upper")
        yield f"curves k = {k}", [expected[name] for name in names], got


def printed_figures() -> Iterator[Check]:
    """Figures of the release's documents that are not in `golden.json`, to their printed digits."""
    published = json.loads((HERE / "published.json").read_text(encoding="utf-8"))
    source = published["source"]
    bootstrap = published["cluster_bootstrap_miss_pair"]
    for pool in ("dev", "heldout"):
        failing = [(cell.x, cell.n) for cell in _tally(pool) if cell.x]
        bounds = statistics.agentrelbench_cluster_interval(
            failing, _miss_pair, seed=bootstrap["seed"], resamples=bootstrap["resamples"]
        )
        yield Check(f"{pool} cluster bootstrap", bootstrap[pool], list(bounds), 5e-8, source)
    decay = published["decay"]
    x, n = decay["failures"], decay["runs"]
    interval = [float(bound) for bound in statistics.clopper_pearson(x, n)]
    yield Check("decay cell interval", decay["ci"], interval, 5e-11, source)
    for k, expected in decay["by_k"].items():
        miss = statistics.audit_miss_rate([x], [n], k=int(k))
        yield Check(f"decay k = {k}", expected, miss, 5e-7, source)
    for case in published["fisher_exact"]:
        p = statistics.fisher_exact(case["table"])
        yield Check(f"Fisher {case['table']}", case["p"], p, 5e-7, source)
    for runs, band in published["stochastic_failures"].items():
        count = np.arange(int(runs) + 1)
        inside = np.flatnonzero(statistics.demonstrably_stochastic(count, int(runs)))
        got = [int(inside[0]), int(inside[-1]), len(inside)]
        yield Check(f"band of {runs}", [*band, band[1] - band[0] + 1], got, source=source)
    yield from per_model_fits(published["icc_by_model"], source)


def per_model_fits(published: Any, source: str) -> Iterator[Check]:
    """Overdispersion of each model's cells: icc, and p where it is printed."""
    for pool, models in published.items():
        for model, (icc, p) in models.items():
            mine = [cell for cell in _tally(pool) if cell.model == model]
            fit = statistics.beta_binomial_moments(_column(mine, "x"), _column(mine, "n"))
            got = [fit.icc, None if p is None else fit.p] if fit else None
            yield Check(f"{pool} {model} icc", [icc, p], got, 5e-7, source)


def _golden() -> dict[str, Any]:
    golden: dict[str, Any] = json.loads((HERE / "golden.json").read_text(encoding="utf-8"))
    return golden


def _cell(row: Any) -> Cell:
    return Cell(**{name: row[name] for name in Cell.__slots__})


@cache
def _verdicts() -> dict[str, list[dict[str, Any]]]:
    """The verdict rows of every released file."""
    with tarfile.open(HERE / "runs.tar.gz") as archive:
        return {
            member.name.removeprefix("runs/").removesuffix(".jsonl"): [
                json.loads(line) for line in stream.read().decode().splitlines()
            ]
            for member in archive
            if member.name.endswith(".jsonl") and (stream := archive.extractfile(member))
        }


def _tally(pool: str) -> list[Cell]:
    """Cells of a pool, counted from its verdict rows."""
    manifest = tomllib.loads((HERE / "oracle.toml").read_text(encoding="utf-8"))
    cells = []
    for file, model in manifest["pools"][pool].items():
        by_task: dict[str, list[dict[str, Any]]] = {}
        for row in _verdicts()[file]:
            by_task.setdefault(row["task_id"], []).append(row)
        cells += [
            Cell(
                model=model,
                task=task,
                n=len(rows),
                x=sum(row["counts_as_damage"] for row in rows),
                x_upper=sum(row["counts_as_damage_upper"] for row in rows),
                s=sum(row["eog_success"] for row in rows),
                errored=sum((row["sub_label"] or "").startswith("errored_") for row in rows),
            )
            for task, rows in by_task.items()
        ]
    return cells


def _column(cells: Sequence[Cell], name: str) -> Any:
    return np.array([getattr(cell, name) for cell in cells])


def _named(cells: Sequence[Cell], chosen: Iterable[object]) -> list[list[str]]:
    return sorted([cell.model, cell.task] for cell, yes in zip(cells, chosen, strict=True) if yes)


def _expected_fit(golden: Any) -> list[float] | None:
    """icc, raw icc, log p, and where there is overdispersion alpha, beta and likelihood ratio."""
    if golden is None:
        return None
    rest = [golden[key] for key in ("alpha", "beta", "lr") if golden[key] is not None]
    return [golden["icc"], golden["icc_raw"], math.log(golden["p"]), *rest]


def _fit(fit: statistics.BetaBinomial | None) -> list[float] | None:
    if fit is None:
        return None
    rest = [fit.alpha, fit.beta, fit.likelihood_ratio] if fit.icc > 0 else []
    return [fit.icc, fit.icc_raw, math.log(fit.p), *rest]


def _miss_pair(samples: Any) -> Any:
    return (1 - samples[..., 0] / samples[..., 1]).mean(axis=1)
