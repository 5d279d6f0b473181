"""Recompute what is published of τ-bench: its scorer's answers, and the spread of a slice."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from benchaudit import audit, environments, packs
from benchaudit.cells import CANONICAL, Cell
from benchaudit.evidence import Evidence
from benchaudit.execution import Workers
from benchaudit.installers import Unavailable
from benchaudit.manifest import read_adapter
from benchaudit.oracles import Check

PROBED = {
    "verbatim": (CANONICAL, CANONICAL),
    "corrupted_write": ("trajectory-write-corrupted", "degraded"),
    "wrong_answer": ("trajectory-answer-wrong", "degraded"),
}


def checks() -> Iterator[Check]:
    facts = packs.find("oracles", "tau-bench").manifest()
    yield from scaffold_slice(facts["slice"])
    workers = benchmark(os.environ.get(facts["variable"], ""))
    if workers is not None:
        with workers:
            yield from probe(facts["probe"], workers)


def scaffold_slice(said: Mapping[str, Any]) -> Iterator[Check]:
    """The spread over scaffolds within a model; the variance shares are the paper pack's."""
    by_model = zip(*said["rates"].values(), strict=True)
    spread = round(max(max(rates) - min(rates) for rates in by_model), 3)
    yield Check("A3 largest spread", said["largest_spread"], spread, 0.0, said["source"])


def benchmark(checkout: str) -> Workers | None:
    """Workers of the adapter; None where there is neither a checkout nor a way to clone one."""
    pack = packs.find("adapters", "tau-bench")
    manifest = read_adapter(pack)
    assert manifest.environment is not None
    source = Path(checkout).resolve() if checkout else None
    try:
        if source is None and environments.find(pack.name, manifest.environment) is None:
            return None
        built = environments.build(pack.name, manifest.environment, source=source)
    except Unavailable:
        return None
    settings = audit.bench_settings(pack, manifest, audit.applicable_probes(pack, manifest))
    reads = [built.folder]
    return Workers(settings, python=built.interpreter, reads=reads, source=built.source)


def probe(said: Mapping[str, Any], workers: Workers) -> Iterator[Check]:
    """The three published answers of the scorer, and the count of tasks that ask for nothing."""
    tasks = [f"retail/{number}" for number in range(said["tasks"])]
    for name, (forger, kind) in PROBED.items():
        cells = [Cell(task=t, probe=forger, kind=kind, scorers=("reward",)) for t in tasks]
        scores = sorted({r.score for r in _scored(workers, cells)} - {None}, key=str)
        yield Check(f"probe {name}", [said[name]], scores, 0.0, said["source"])
    yield Check("do-nothing tasks", said["do_nothing"], _do_nothing(workers), 0.0, said["source"])


def _scored(workers: Workers, cells: Sequence[Cell]) -> list[Evidence]:
    records = [record for found in workers.run([cells]) for record in found]
    return [record for record in records if record.outcome == "ok"]


def _do_nothing(workers: Workers) -> list[int]:
    """Retail tasks without a gold write and without an output, of all: nothing is run."""
    retail = [task.id for task in workers.tasks(None) if task.category == "retail"]
    forgers = ("trajectory-write-dropped", "trajectory-answer-wrong")
    cells = [
        Cell(task=task, probe=forger, kind="policy", scorers=("reward",))
        for task in retail
        for forger in forgers
    ]
    asked = {
        cell.task
        for cell, found in zip(cells, workers.run([cell] for cell in cells), strict=True)
        if any(record.outcome != "unsupported" for record in found)
    }
    return [len(retail) - len(asked), len(retail)]
