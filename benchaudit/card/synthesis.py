"""Evidence to card: run the rules on every column, then the lattice, then write it down."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial

from benchaudit.card import decisions, repeats, scoring
from benchaudit.card.decisions import Intervention
from benchaudit.card.lattice import CLAIMS, criterion_on_scope, license_claim, worse
from benchaudit.card.model import (
    ITEMS,
    Card,
    CardColumn,
    Claim,
    Excluded,
    Figure,
    Item,
    Scope,
    Table,
)
from benchaudit.card.scoring import Criterion, judge_criterion
from benchaudit.card.view import Finding, TaskFacts, View, count
from benchaudit.evidence import Evidence
from benchaudit.manifest import AdapterManifest, ProbeManifest

Lines = Callable[[Sequence[Evidence]], str]


def synthesise(
    manifest: AdapterManifest,
    tasks: Sequence[TaskFacts],
    probes: Mapping[str, ProbeManifest],
    evidence: Sequence[Evidence],
    *,
    partial_run: str = "",
) -> Card:
    """Build the card of one target.

    Args:
        manifest: the adapter's facts.
        tasks: the task registry.
        probes: the probes that were planned, by name.
        evidence: every record of the run, in any order.
        partial_run: what was left out at the user's wish.

    Raises:
        lattice.ContradictionError: when the adapter's facts contradict the evidence.
    """
    digest = _Digests()
    views = [View(manifest, column, tasks, probes, evidence) for column in manifest.columns]
    columns = [_column(view, digest) for view in views]
    tables = [table for view in views if (table := repeats.reliability_table(view))]
    found = {}
    for view in views:
        if swapped := decisions.intervene(view):
            found.update({table.id: table for table in intervention_tables(swapped)})
    tables += found.values()
    if table := decisions.decision_table(manifest, evidence):
        tables.append(table)
    return (
        _frame(manifest)
        .model_copy(
            update={
                "partial": partial_run,
                "columns": columns,
                "tables": tables,
                "cells": dict(sorted(Counter(r.outcome for r in evidence).items())),
                "evidence": digest.of(evidence),
            }
        )
        .sealed()
    )


def unavailable(manifest: AdapterManifest, reason: str) -> Card:
    """The card of a benchmark that could not be had: every item not probed, with the reason."""
    columns = [
        _column(View(manifest, column, (), {}, ()), _Digests(), unavailable=reason)
        for column in manifest.columns
    ]
    return _frame(manifest).model_copy(update={"columns": columns, "unavailable": reason}).sealed()


def _frame(manifest: AdapterManifest) -> Card:
    return Card(
        target=manifest.name,
        title=manifest.title,
        version=manifest.version,
        summary=manifest.summary,
        claims_to_measure=manifest.claim,
        cited=manifest.cited,
        notes=list(manifest.notes),
        columns=[],
    )


class _Digests:
    """Digests of sets of records; each record's line is made once."""

    def __init__(self) -> None:
        self._lines: dict[int, bytes] = {}

    def of(self, records: Iterable[Evidence]) -> str:
        unique = {id(record): record for record in records}
        if not unique:
            return ""
        for key, record in unique.items():
            if key not in self._lines:
                self._lines[key] = record.as_line().encode("utf-8") + b"\n"
        whole = hashlib.sha256()
        for line in sorted(self._lines[key] for key in unique):
            whole.update(line)
        return whole.hexdigest()


def _rules(view: View, judged: Criterion) -> dict[str, Callable[[], Finding]]:
    return {
        "criterion": partial(scoring.criterion, view, judged),
        "task-validity": partial(scoring.task_validity, view),
        "null-floor": partial(scoring.null_floor, view),
        "over-strictness": partial(scoring.over_strictness, view),
        "gaming-resistance": partial(scoring.gaming_resistance, view),
        "trace-preference": partial(scoring.trace_preference, view),
        "robustness": partial(scoring.robustness, view),
        "ownership": partial(decisions.ownership, view),
        "non-degeneracy": partial(decisions.non_degeneracy, view),
        "interface-floor": partial(decisions.interface_floor, view),
        "joint-intervention": partial(decisions.joint_intervention, view),
        "reliability": partial(repeats.reliability, view),
        "replay": partial(repeats.replay, view),
    }


def _column(view: View, digests: _Digests, unavailable: str = "") -> CardColumn:
    judged = judge_criterion(view)
    rules = _rules(view, judged)
    if unavailable:
        silent = Finding("not probed", unavailable)
        rules = {item: lambda: silent for item in ITEMS}
    items = [_item(view, item, rules[item](), digests) for item in ITEMS]
    shape, kind_reason = scoring.is_shape(view)
    scope = _scope(view, judged)
    verdicts = {item.id: item.verdict for item in items}
    kind = "shape" if shape else view.scorer.kind
    claim_id = license_claim(
        tasks_of_a_benchmark=not view.column.synthetic,
        criterion=scope.criterion,
        kind=kind,
        ownership=worse(verdicts["ownership"], verdicts["non-degeneracy"]),
        replay=verdicts["replay"],
    )
    return CardColumn(
        id=view.column.id,
        title=view.column.title,
        summary=view.column.summary,
        scaffold=view.column.scaffold,
        scorer=view.column.scorer,
        declared_kind=view.scorer.kind,
        scorer_kind=kind,
        kind_reason=kind_reason,
        items=items,
        scope=scope,
        claim=_claim(claim_id, scope, {item.id: item for item in items}),
    )


def _item(view: View, item: str, finding: Finding, digests: _Digests) -> Item:
    unique = {id(record) for record in finding.used}
    return Item(
        id=item,
        title=ITEMS[item],
        verdict=finding.verdict,
        reason=finding.reason[:1].upper() + finding.reason[1:],
        figures=dict(finding.figures),
        deviations=dict(finding.deviations),
        examples=list(finding.examples),
        cells=len(unique),
        evidence=digests.of(finding.used),
        published=view.column.published.get(item),
    )


def _scope(view: View, judged: Criterion) -> Scope:
    """Drop the tasks of which a score says nothing, each with its reasons."""
    cannot_win = scoring.unwinnable(view)
    nothing_wins = scoring.passed_by_null(view)
    excluded, failing, unprobed = [], 0, 0
    for task in view.tasks:
        status = judged.status[task]
        reasons = []
        if task in nothing_wins:
            reasons.append("a null submission passes it")
        if task in cannot_win:
            reasons.append(cannot_win[task])
        if status in ("tied", "inverted"):
            reasons.append(f"the criterion is {status} on it")
        failing += bool(reasons)
        if status == "not probed":
            unprobed += not reasons
            reasons.append("its criterion is not probed")
        if reasons:
            excluded.append(Excluded(task=task, reasons=reasons))
    gone = {e.task for e in excluded}
    return Scope(
        total=len(view.tasks),
        tasks=[task for task in view.tasks if task not in gone],
        excluded=excluded,
        criterion=criterion_on_scope(len(view.tasks), failing, unprobed),
    )


_NAMED = {
    "null-floor": "tasks passed by a null submission",
    "over-strictness": "deviating",
    "gaming-resistance": "reached",
}


def _claim(claim_id: str, scope: Scope, items: Mapping[str, Item]) -> Claim:
    licensed, name = CLAIMS[claim_id]
    noun = "gold" if claim_id == "scorer-alone" else "task"
    whole = count(scope.total, noun)
    where = f"{len(scope.tasks)} of {whole}" if scope.criterion == "pass" else f"all {whole}"
    said = {"pass": "holds", "fail": "fails"}.get(scope.criterion, "is not probed")
    sentence = f"{name}, on {where}"
    if claim_id == "scorer-alone":
        sentence = f"{name}; the criterion {said} on {where}"
    elif claim_id == "model-judged" and scope.criterion != "pass":
        sentence = f"none: the criterion {said} for the recorded judge, on {where}"
    return Claim(id=claim_id, licensed=licensed, sentence=sentence + _caveats(items) + ".")


def _caveats(items: Mapping[str, Item]) -> str:
    """Failures that a reader of the claim must know, with their counts."""
    said = []
    for item, figure in _NAMED.items():
        if items[item].verdict == "fail":
            said.append(f"{items[item].title.lower()} fails ({items[item].figures[figure]})")
    if items["robustness"].verdict == "fail":
        broken = sum(items["robustness"].deviations.values())
        said.append(f"scorer robustness fails ({broken})")
    if items["replay"].verdict == "fail":
        said.append("replay fails, which voids reliability")
    return f"; {', '.join(said)}" if said else ""


def intervention_tables(found: Intervention) -> list[Table]:
    """The 2×2, a table a task: mean score of each agent in each cell, then the spread."""
    cells = list(found.means)
    header = ["agent", *(f"{scaffold} {scorer}" for scaffold, scorer in cells)]
    tasks = sorted({task for means in found.means.values() for task, _ in means})
    tables = []
    for task in tasks:
        agents = sorted({a for means in found.means.values() for t, a in means if t == task})
        rows: list[list[Figure]] = [
            [agent, *(found.means[cell][task, agent] for cell in cells)] for agent in agents
        ]
        spread: list[Figure] = ["spread"]
        for cell in cells:
            values = [found.means[cell][task, agent] for agent in agents]
            spread.append(max(values) - min(values))
        tables.append(
            Table(
                id=f"intervention-{task}",
                title=f"Scaffold by scorer: {task}",
                header=header,
                rows=[*rows, spread],
                note="Mean over seeds of each scripted agent; nothing but scaffold and scorer is "
                "changed between the cells.",
            )
        )
    return tables
