"""Recompute from the package: the sizes of the splits, and what gold actions earn."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from benchaudit import audit, environments, packs
from benchaudit.cells import CANONICAL, Cell
from benchaudit.execution import Workers
from benchaudit.manifest import read_adapter
from benchaudit.oracles import Check


def checks() -> Iterator[Check]:
    facts = packs.find("oracles", "tau2-bench").manifest()
    with benchmark() as workers:
        tasks = workers.tasks(None)
        sizes = Counter(task.category for task in tasks)
        for domain, expected in facts["splits"].items():
            yield Check(f"{domain} tasks", expected, sizes[domain], source=facts["source"])
        gold = facts["gold"]
        for domain in facts["splits"]:
            ids = [task.id for task in tasks if task.category == domain]
            earned = rewards(workers, ids, CANONICAL, CANONICAL)
            yield Check(f"{domain} gold", [gold["reward"]], earned, source="the benchmark's claim")
        earned = rewards(workers, gold["tasks"], "trajectory-write-dropped", "degraded")
        yield Check("gold with a write left out", [gold["dropped"]], earned, source="control")


def benchmark() -> Workers:
    """Workers of the adapter.

    Raises:
        Unavailable: when the package cannot be had.
    """
    pack = packs.find("adapters", "tau2-bench")
    manifest = read_adapter(pack)
    assert manifest.environment is not None
    built = environments.build(pack.name, manifest.environment)
    settings = audit.bench_settings(pack, manifest, audit.applicable_probes(pack, manifest))
    return Workers(settings, python=built.interpreter, reads=[built.folder])


def rewards(workers: Workers, tasks: list[str], probe: str, kind: str) -> list[object]:
    """The different scores that come out, with the outcome where there is none."""
    cells = [Cell(task=task, probe=probe, kind=kind, scorers=("reward",)) for task in tasks]
    records = [record for found in workers.run([cells]) for record in found]
    said = {r.score if r.outcome == "ok" else r.outcome for r in records}
    return sorted(said, key=str)
