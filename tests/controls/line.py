"""The whole line for one adapter of ours: hooks, stages, evidence, card."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from benchaudit import packs
from benchaudit.audit import STAGES
from benchaudit.card.model import Card, CardColumn
from benchaudit.card.synthesis import synthesise
from benchaudit.card.view import TaskFacts
from benchaudit.cells import Bench
from benchaudit.evidence import Evidence
from benchaudit.execution import InProcess
from benchaudit.hooks import Adapter
from benchaudit.manifest import AdapterManifest, ProbeManifest, read_probe
from benchaudit.stages import Target, plan_cells

_PACKS = packs.available("probes")
_READ = {name: read_probe(pack) for name, pack in _PACKS.items()}
PROBES: dict[str, ProbeManifest] = {n: p for n, p in _READ.items() if p.family == "records"}
FORGES = {name: packs.load_forge(_PACKS[name]) for name in PROBES}

SEEDS = 3

FACTS: dict[str, Any] = {
    "name": "control",
    "title": "Control",
    "version": "1",
    "summary": "A control of ours.",
    "claim": "what the control says",
    "cited": "this test",
    "scorers": {"ours": {"kind": "outcome", "reason": "It says so."}},
    "columns": [{"id": "only", "title": "Only", "summary": "All of it.", "scorer": "ours"}],
}


def facts(scorer: Mapping[str, Any] | None = None, **changes: Any) -> AdapterManifest:
    """The control's adapter.toml; ``scorer`` changes its scorer's entry."""
    ours = {**FACTS["scorers"]["ours"], **(scorer or {})}
    return AdapterManifest.model_validate({**FACTS, "scorers": {"ours": ours}, **changes})


def evidence_of(adapter: Adapter, manifest: AdapterManifest) -> list[Evidence]:
    """Every record of a run in this process."""
    ground_truth = frozenset(n for n, s in manifest.scorers.items() if s.ground_truth)
    bench = Bench(adapter, FORGES, manifest.unsubmitted, ground_truth)
    with InProcess(bench) as executor:
        tasks = executor.tasks(None)
        target = Target(manifest, tasks, PROBES, executor.agents(), SEEDS)
        return [r for batch in executor.run(plan_cells(target, STAGES)) for r in batch]


def card_of(adapter: Adapter, manifest: AdapterManifest, evidence: Sequence[Evidence] = ()) -> Card:
    tasks = [TaskFacts(t.id, t.category, t.no_action) for t in adapter.tasks(None)]
    return synthesise(manifest, tasks, PROBES, evidence or evidence_of(adapter, manifest))


def column_of(adapter: Adapter, manifest: AdapterManifest) -> CardColumn:
    (only,) = card_of(adapter, manifest).columns
    return only


def failing(column: CardColumn) -> set[str]:
    return {item.id for item in column.items if item.verdict == "fail"}
