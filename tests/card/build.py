"""Evidence by hand: a benchmark that passes every item, to be broken one cell at a time."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any

from benchaudit.card.model import Card, CardColumn, Item
from benchaudit.card.synthesis import synthesise
from benchaudit.card.view import TaskFacts, View
from benchaudit.evidence import Evidence
from benchaudit.manifest import AdapterManifest, ProbeManifest

TASKS = (TaskFacts("t1", "easy"), TaskFacts("t2", "hard"))
SEEDS = range(3)
AGENTS = ("careful", "hasty")

FACTS: dict[str, Any] = {
    "name": "toy",
    "title": "Toy",
    "version": "1",
    "summary": "A benchmark by hand.",
    "claim": "retrying",
    "cited": "its README",
    "scaffolds": {"full": "the harness does it", "bare": "the agent does it"},
    "scorers": {
        "judge": {"kind": "specification", "reason": "It reads a rubric.", "resolution": 0.01},
        "truth": {"kind": "outcome", "reason": "It compares with the truth.", "resolution": 0.01},
    },
    "decisions": {
        "retry": {
            "title": "whether a fault is retried",
            "actions": ["retry", "skip"],
            "claimed": "its README, first line",
            "levels": {
                "full": {"owner": "harness", "seen": "loop.py"},
                "bare": {"owner": "model", "seen": "loop.py"},
            },
        }
    },
    "columns": [
        {
            "id": "repaired",
            "title": "Repaired",
            "summary": "Bare scaffold, ground truth.",
            "scaffold": "bare",
            "scorer": "truth",
        }
    ],
    "ownership": {"tasks": ["t1"], "seeds": 2},
    "intervention": {
        "scaffolds": ["full", "bare"],
        "scorers": ["judge", "truth"],
        "tasks": ["t2"],
    },
    "reliability": {"tasks": ["t2"]},
    "interface": [{"scaffold": "bare", "task": "t1", "tokens": [100, 200], "cited": "its README"}],
}


def manifest(column: dict[str, Any] | None = None, **changes: Any) -> AdapterManifest:
    """The toy's facts; ``column`` changes its only column, ``changes`` the rest."""
    columns = [{**FACTS["columns"][0], **(column or {})}]
    return AdapterManifest.model_validate({**FACTS, "columns": columns, **changes})


def scored_by(**changes: Any) -> AdapterManifest:
    """The toy with another ground-truth scorer."""
    truth = {**FACTS["scorers"]["truth"], **changes}
    return manifest(scorers={**FACTS["scorers"], "truth": truth})


def probe(kind: str, *feeds: str, **more: Any) -> ProbeManifest:
    words = dict.fromkeys(("title", "motivation", "forges", "expects", "remedy"), "Text.")
    return ProbeManifest.model_validate(
        {**words, "kind": kind, "family": "records", "feeds": feeds, **more}
    )


PROBES: dict[str, ProbeManifest] = {
    "partial": probe("degraded", "criterion"),
    "nothing": probe("degraded", "criterion", "null-floor", null=True),
    "made-up": probe("degraded", "criterion", "trace-preference", fabrication=True),
    "rewritten": probe("equivalent", "over-strictness", without_oracle="same"),
    "stuffed": probe("gaming", "gaming-resistance"),
    "misreported": probe("policy", "trace-preference"),
}

SCORES = {
    "canonical": 1.0,
    "partial": 0.5,
    "nothing": 0.0,
    "made-up": 0.0,
    "rewritten": 1.0,
    "stuffed": 0.3,
    "misreported": 0.9,
}
QUALITY = {**SCORES, "stuffed": 0.2, "misreported": 1.0}


def digest(*parts: object) -> str:
    return hashlib.sha256(repr(parts).encode()).hexdigest()


def forged(name: str, task: str, repeat: int = 0, **fields: Any) -> Evidence:
    """A probe cell as a sound scorer answers it."""
    return Evidence(
        **{
            "task": task,
            "outcome": "ok",
            "scorer": "truth",
            "probe": name,
            "kind": PROBES[name].kind if name in PROBES else name,
            "repeat": repeat,
            "score": SCORES[name],
            "quality": QUALITY[name],
            "digest": digest(name, task),
            **fields,
        }
    )


def episode(agent: str, task: str, seed: int | None, score: float, **fields: Any) -> Evidence:
    """An episode cell: what was handed in follows from the score."""
    return Evidence(
        **{
            "task": task,
            "outcome": "ok",
            "scorer": "truth",
            "scaffold": "bare",
            "agent": agent,
            "seed": seed,
            "score": score,
            "digest": digest("episode", task, seed, score),
            **fields,
        }
    )


STEPS = {
    "careful": {"retry:retry:model": 1},
    "hasty": {"retry:skip:model": 1},
    "careful retry=retry": {"retry:retry:model": 1},
    "careful retry=skip": {"retry:skip:model": 1},
}
EARNS = {"careful": 1.0, "hasty": 0.5, "careful retry=retry": 1.0, "careful retry=skip": 0.5}


def all_pass() -> list[Evidence]:
    """Evidence on which every item of the toy's column passes."""
    records = [forged(name, task) for task in ("t1", "t2") for name in SCORES]
    for name in ("canonical", "nothing", "made-up"):
        records += [forged(name, task, repeat=1) for task in ("t1", "t2")]
    for agent, steps in STEPS.items():
        runs = [episode(agent, "t1", seed, EARNS[agent], steps=steps) for seed in (0, 1)]
        records += [*runs, replace(runs[0], repeat=1)]
    records += [episode("careful", "t1", None, 1.0, budget=b) for b in (None, 100, 200)]
    for seed in SEEDS:
        for agent in AGENTS:
            for scorer in ("judge", "truth"):
                bare = episode(agent, "t2", seed, EARNS[agent], steps=STEPS[agent])
                full = episode(agent, "t2", seed, 1.0, scaffold="full")
                records += [replace(bare, scorer=scorer), replace(full, scorer=scorer)]
    return records


Where = Callable[[Evidence], bool]


def is_probe(*names: str, task: str | None = None, repeat: int | None = 0) -> Where:
    return lambda r: (
        r.probe in names and task in (None, r.task) and (repeat is None or r.repeat == repeat)
    )


def is_agent(agent: str, **fields: Any) -> Where:
    return lambda r: r.agent == agent and all(getattr(r, k) == v for k, v in fields.items())


def any_of(*conditions: Where) -> Where:
    return lambda r: any(condition(r) for condition in conditions)


def change(records: Iterable[Evidence], where: Where, **fields: Any) -> list[Evidence]:
    """The records, with fields of some of them changed; that none is, is the test's error."""
    records = list(records)
    assert any(where(r) for r in records), "nothing to change"
    return [replace(r, **fields) if where(r) else r for r in records]


def drop(records: Iterable[Evidence], where: Where) -> list[Evidence]:
    records = list(records)
    assert any(where(r) for r in records), "nothing to drop"
    return [r for r in records if not where(r)]


BROKEN: dict[str, Any] = {"outcome": "error", "score": None, "detail": "ValueError: no"}
SILENT: dict[str, Any] = {"outcome": "unsupported", "score": None, "detail": "not here"}


def card(
    records: Sequence[Evidence],
    facts: AdapterManifest | None = None,
    *,
    tasks: Sequence[TaskFacts] = TASKS,
    probes: dict[str, ProbeManifest] | None = None,
) -> Card:
    return synthesise(facts or manifest(), tasks, PROBES if probes is None else probes, records)


def column(records: Sequence[Evidence], facts: AdapterManifest | None = None) -> CardColumn:
    (only,) = card(records, facts).columns
    return only


def item(
    name: str,
    records: Sequence[Evidence],
    facts: AdapterManifest | None = None,
    *,
    tasks: Sequence[TaskFacts] = TASKS,
    probes: dict[str, ProbeManifest] | None = None,
) -> Item:
    return card(records, facts, tasks=tasks, probes=probes).columns[0].item(name)


def verdicts(records: Sequence[Evidence], facts: AdapterManifest | None = None) -> dict[str, str]:
    return {item.id: item.verdict for item in column(records, facts).items}


def view(records: Sequence[Evidence], facts: AdapterManifest | None = None) -> View:
    facts = facts or manifest()
    return View(facts, facts.columns[0], TASKS, PROBES, records)
