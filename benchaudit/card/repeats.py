"""The rules that read repeated runs, and the table of reliability figures."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping

from benchaudit.card.model import Figure, Table
from benchaudit.card.view import CANONICAL, SCORED, Finding, View, count, not_probed, unforced
from benchaudit.evidence import Evidence
from benchaudit.statistics import (
    bootstrap_mean_interval,
    cvar,
    mean,
    population_deviation,
    reliability_at,
    reliability_gap,
    worst_case,
)

ALPHA = 0.2
"""The tail of CVaR: the worst fifth of the runs."""

HEADER = (
    *("agent", "task", "n", "mean", "std", "worst"),
    *("CVaR@.2", "R@.9", "R@.5", "low", "high", "gap"),
)

Series = Mapping[tuple[str, str], list[Evidence]]
"""Seeded runs by (agent, task), in the order of seeds."""


def seeded_runs(view: View) -> Series:
    """The seeded episodes of the reliability plan at the column's scaffold."""
    plan = view.manifest.reliability
    series: dict[tuple[str, str], list[Evidence]] = defaultdict(list)
    for record in unforced(view.episodes()):
        if plan is not None and record.task in plan.tasks and record.seed is not None:
            series[record.agent, record.task].append(record)
    return {
        key: sorted(runs, key=lambda r: -1 if r.seed is None else r.seed)
        for key, runs in sorted(series.items())
    }


def reliability(view: View) -> Finding:
    """Seeded repeats with worst case and tail; a replay that differs voids them."""
    series = seeded_runs(view)
    used = [r for runs in series.values() for r in runs]
    if not series:
        return not_probed("no seeded episode was run at this level.")
    fewest = min(len(runs) for runs in series.values())
    declined = [r for r in used if r.outcome == "unsupported"]
    lost = [r for r in used if r.outcome not in (*SCORED, "unsupported")]
    figures: dict[str, Figure] = {
        "agents": len({agent for agent, _ in series}),
        "tasks": len({task for _, task in series}),
        "seeds": fewest,
        "runs": len(used),
        "runs without a score": len(lost),
    }
    if replay(view).verdict == "fail":
        reason = "runs do not reproduce from (task, seed), so their spread is not the agent's."
        return Finding("fail", reason, figures, used=used)
    if fewest < 2:
        reason = f"{count(fewest, 'seed')} a cell: spread, worst case and tail need two or more."
        return Finding("not probed", reason, figures, used=used)
    if lost:
        reason = f"{count(len(lost), 'run')} ended without a score."
        return Finding("fail", reason, figures, examples=view.examples(lost), used=used)
    if declined:
        reason = f"{count(len(declined), 'run')} could not be had: {declined[0].detail}."
        return Finding("not probed", reason, figures, used=used)
    gaps = {key: reliability_gap(_values(runs)) for key, runs in series.items()}
    (agent, task), widest = max(gaps.items(), key=lambda item: (item[1], item[0]))
    figures["largest gap of mean and worst case"] = widest
    figures["largest gap at"] = f"{agent} on {task}"
    return Finding(
        "pass",
        f"worst case, tail and intervals are reported over {fewest} seeds for "
        f"{count(len(series), 'agent and task pair')}; the mean hides up to {widest:.3f}.",
        figures,
        used=used,
    )


def _values(runs: list[Evidence]) -> list[float]:
    return [r.score for r in runs if r.score is not None]


def replay(view: View) -> Finding:
    """Runs reproduce bit for bit from (task, seed)."""
    repeated = [(a, b) for a, b in view.repeated if a.outcome in SCORED or b.outcome in SCORED]
    pairs = [(a, b) for a, b in repeated if a.agent]
    # A forged submission that differs is the forger's; a correct one that differs is not.
    forged = [(a, b) for a, b in repeated if a.digest == b.digest or a.probe == CANONICAL]
    forged = [(a, b) for a, b in forged if a.probe]
    # A probe may score the correct submission after others, in one process.
    after = [r for r in view.cells("replay", "equivalent") if r.score is not None]
    after = [r for r in after if view.winnable(r)]
    used = [r for pair in (*pairs, *forged) for r in pair] + after
    differing = [b for a, b in pairs if _outcome(a) != _outcome(b)]
    reforged = [b for a, b in forged if _outcome(a) != _outcome(b)]
    reforged += [r for r in after if r.score != view.canonical_score(r)]
    again = len(forged) + len(after)
    figures: dict[str, Figure] = {
        "episodes run again": len(pairs),
        "episodes that differ": len(differing),
        "submissions scored again": again,
        "scores that differ": len(reforged),
    }
    if differing or reforged:
        bad = [*differing, *reforged]
        names = Counter(r.agent or r.probe for r in bad)
        return Finding(
            "fail",
            f"{count(len(bad), 'cell')} of {len(pairs) + again} came out differently when run "
            "again.",
            figures,
            dict(sorted(names.items())),
            view.examples(bad),
            used,
        )
    if not used:
        return not_probed("nothing was run again.")
    if view.column.scaffold and not pairs:
        return Finding("not probed", "no episode was run again.", figures, used=used)
    reason = (
        f"{count(len(pairs), 'episode')} and {count(again, 'scored submission')} came out the same "
        "when run again."
    )
    return Finding("pass", reason, figures, used=used)


def _outcome(record: Evidence) -> tuple[object, ...]:
    return record.outcome, record.digest, record.score, record.passed, dict(record.steps)


def reliability_table(view: View) -> Table | None:
    """Mean, deviation, worst case, tail and interval of every agent on every repeated task."""
    rows: list[list[Figure]] = []
    for (agent, task), runs in seeded_runs(view).items():
        values = _values(runs)
        if len(values) < 2 or len(values) < len(runs):
            continue
        interval = bootstrap_mean_interval(values, seed=0)
        rows.append(
            [
                agent,
                task,
                len(values),
                mean(values),
                population_deviation(values),
                worst_case(values),
                cvar(values, ALPHA),
                reliability_at(values, 0.9),
                reliability_at(values, 0.5),
                interval.low,
                interval.high,
                reliability_gap(values),
            ]
        )
    if not rows:
        return None
    return Table(
        id=f"reliability-{view.column.id}",
        title=f"Reliability: {view.column.title}",
        header=list(HEADER),
        rows=rows,
        note=(
            "std: population standard deviation. CVaR@.2: mean of the worst max(1, floor(.2 n)) "
            "runs. R@t: share of runs that score t or more. low, high: seeded bootstrap 95 % "
            "interval of the mean, 2,000 resamples. gap: mean minus worst case."
        ),
    )
