"""One audit from a target's name to its card: plan, run, write, judge."""

from __future__ import annotations

import hashlib
import json
import os
import platform
import re
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, NamedTuple

from benchaudit import __version__, environments, packs, store
from benchaudit.card import synthesis
from benchaudit.card.model import Card
from benchaudit.card.view import TaskFacts
from benchaudit.cells import CANONICAL, Bench, Cell
from benchaudit.evidence import Evidence, Writer, read
from benchaudit.execution import Executor, InProcess, Workers
from benchaudit.hooks import Task
from benchaudit.installers import Unavailable
from benchaudit.manifest import AdapterManifest, ProbeManifest, read_adapter, read_probe
from benchaudit.packs import Pack
from benchaudit.stages import (
    Target,
    interface,
    intervention,
    ownership,
    plan_cells,
    probe,
    reliability,
    replay,
)

STAGES = (
    probe.plan,
    ownership.plan,
    interface.plan,
    intervention.plan,
    reliability.plan,
    replay.plan,
)
DEFAULT_SEEDS = 5

Progress = Callable[[int, int], None]
"""Called with cells done and cells in all."""

Say = Callable[[str], None]
"""Called with a line of progress."""


def _silent(_line: str) -> None:
    pass


def processors() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class Probe(NamedTuple):
    """A probe: where it is, and its facts."""

    pack: Pack
    facts: ProbeManifest


class UsageError(Exception):
    """The user asked for something that cannot be; the message says what can."""


@dataclass(frozen=True, kw_only=True)
class Options:
    """What a user may choose.

    Attributes:
        tasks: patterns over task ids and categories; empty for all.
        seeds: seeds of the repeated stages, 1 or more.
        jobs: worker processes.
        resume: continue the run that the folder holds.
        in_process: run hooks in this process, to debug an adapter; nothing is isolated then.
        source: a checkout of the benchmark, instead of a clone.
    """

    tasks: Sequence[str] = ()
    seeds: int = DEFAULT_SEEDS
    jobs: int = 1
    resume: bool = False
    in_process: bool = False
    source: Path | None = None


@dataclass(frozen=True)
class Prepared:
    """A target ready to run: its facts, probes and plan."""

    pack: Pack
    manifest: AdapterManifest
    probes: Mapping[str, ProbeManifest]
    tasks: Sequence[Task]
    batches: Sequence[Sequence[Cell]]
    partial: str = ""

    @property
    def plan_digest(self) -> str:
        """Identifies the plan: a run can only be resumed into the same one."""
        cells = [[cell.as_json() for cell in batch] for batch in self.batches]
        adapter = [self.pack.name, _folder_digest(self.pack.folder)]
        text = json.dumps([__version__, adapter, cells], sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()


@dataclass
class Clock:
    """Wall time by part, for provenance only."""

    parts: dict[str, float] = field(default_factory=dict)
    _last: float = field(default_factory=time.perf_counter)

    def mark(self, part: str) -> None:
        now = time.perf_counter()
        self.parts[part] = round(now - self._last, 3)
        self._last = now


def audit(
    target: str, folder: Path, options: Options, progress: Progress, say: Say = _silent
) -> Card:
    """Audit a target and leave evidence, card and provenance in the folder.

    Args:
        target: an adapter's name or folder.
        folder: where card, evidence and provenance go.
        options: what the user chose.
        progress: called as cells are done.
        say: called with lines of progress while an environment is built.

    Raises:
        PackError: an unknown target or a broken pack.
        UsageError: options that cannot be met.
        store.StoreError: a folder that cannot be used.
        WorkerError: an adapter that cannot be loaded in a worker.
        lattice.ContradictionError: an adapter that contradicts its evidence.
    """
    clock = Clock()
    pack = packs.find("adapters", target)
    manifest = read_adapter(pack)
    store.prepare(folder, manifest.name)
    probes = applicable_probes(pack, manifest)
    try:
        opened = open_executor(pack, manifest, probes, options, say)
    except Unavailable as gone:
        say(str(gone))
        card = synthesis.unavailable(manifest, gone.reason)
        store.write_provenance(folder, {"tool": "benchaudit", "target": manifest.name})
        _write_card(folder, card)
        return card
    with opened as executor:
        prepared = prepare(pack, manifest, probes, executor, options)
        executor.watch(controls(prepared))
        clock.mark("prepare")
        store.write_provenance(folder, _provenance(prepared, options, clock, {}))
        records = collect(prepared, executor, folder, options, progress)
        ran = executor.provenance()
    clock.mark("run")
    card = synthesise(prepared, records)
    _write_card(folder, card)
    clock.mark("card")
    store.write_provenance(folder, _provenance(prepared, options, clock, ran))
    (folder / store.JOURNAL).unlink(missing_ok=True)
    return card


def _write_card(folder: Path, card: Card) -> None:
    from benchaudit.render.markdown import render

    store.write_card(folder / store.CARD, card)
    store.write_text(folder / store.MARKDOWN, render(card))


def controls(prepared: Prepared) -> list[Cell]:
    """Two cells whose records are known: the first task's canonical and a null submission."""
    first = [cell for batch in prepared.batches[:1] for cell in batch if not cell.repeat]
    nulls = [c for c in first if c.probe in prepared.probes and prepared.probes[c.probe].null]
    return [*(c for c in first if c.probe == CANONICAL), *nulls[:1]]


def applicable_probes(pack: Pack, manifest: AdapterManifest) -> dict[str, Probe]:
    """Every probe that can be found, and those that the adapter names, by name.

    A name that is none of them is a path, from the adapter's folder on.

    Raises:
        PackError: when a probe cannot be found or read.
    """
    found = packs.available("probes")
    for name in manifest.probes:
        if name not in found:
            own = packs.find("probes", str(pack.folder / name))
            found[own.name] = own
    return {name: Probe(probe, read_probe(probe)) for name, probe in found.items()}


def open_executor(
    pack: Pack, manifest: AdapterManifest, probes: Mapping[str, Probe], options: Options, say: Say
) -> Executor:
    """The executor for a target: workers in its own environment, built if it is not there.

    Raises:
        Unavailable: when the benchmark cannot be had.
    """
    settings = bench_settings(pack, manifest, probes)
    wanted = manifest.environment
    if options.in_process:
        if wanted is not None:
            raise UsageError(f"{manifest.name} needs an environment of its own: no --in-process")
        return InProcess(Bench.load(settings))
    if wanted is None:
        return Workers(settings, jobs=options.jobs)
    built = environments.build(pack.name, wanted, source=options.source, say=say)
    return Workers(
        settings,
        python=built.interpreter,
        jobs=options.jobs,
        limits=environments.limits(wanted),
        reads=[built.folder],
        source=built.source,
    )


def bench_settings(
    pack: Pack, manifest: AdapterManifest, probes: Mapping[str, Probe]
) -> dict[str, Any]:
    """What a worker needs to get ready, as plain JSON."""
    return {
        "name": pack.name,
        "folder": str(pack.folder),
        "probes": {name: str(probe.pack.folder) for name, probe in probes.items()},
        "unsubmitted": manifest.unsubmitted,
        "ground_truth": sorted(n for n, s in manifest.scorers.items() if s.ground_truth),
    }


def prepare(
    pack: Pack,
    manifest: AdapterManifest,
    probes: Mapping[str, Probe],
    executor: Executor,
    options: Options,
) -> Prepared:
    """Choose the tasks and plan the cells.

    Raises:
        UsageError: when a pattern matches no task, there is no seed, or the adapter lists no task
            or gives a name that cannot be told apart.
    """
    if options.seeds < 1:
        raise UsageError("--seeds must be 1 or more")
    known, agents = executor.tasks(None), executor.agents()
    if not known:
        raise UsageError(f"{pack.folder}: the adapter lists no tasks")
    _check_names(pack, manifest, agents)
    tasks = [t for t in known if not options.tasks or _matches(t, options.tasks)]
    for pattern in options.tasks:
        if not any(_matches(t, [pattern]) for t in known):
            some = ", ".join(t.id for t in known[:4])
            raise UsageError(f"--tasks {pattern!r} matches none of {len(known)} tasks ({some}, …)")
    families = {task.family for task in tasks}
    mine = {name: p.facts for name, p in probes.items() if p.facts.family in families}
    target = Target(manifest, tasks, mine, agents, options.seeds)
    return Prepared(
        pack,
        manifest,
        mine,
        tasks,
        plan_cells(target, STAGES),
        _partial(options, len(tasks), len(known)),
    )


def _check_names(pack: Pack, manifest: AdapterManifest, agents: Sequence[str]) -> None:
    """An agent and what it is forced to are written as ``agent decision=action``."""
    decisions = manifest.decisions
    actions = [action for decision in decisions.values() for action in decision.actions]
    for kind, names in {"agent": agents, "decision": decisions, "action": actions}.items():
        for name in names:
            if not re.fullmatch(r"[^\s=:]+", name):
                raise UsageError(
                    f"{pack.folder}: the {kind} {name!r} must be one word without '=' and ':'"
                )


def _matches(task: Task, patterns: Sequence[str]) -> bool:
    return any(fnmatchcase(task.id, p) or fnmatchcase(task.category, p) for p in patterns)


def _partial(options: Options, chosen: int, known: int) -> str:
    left_out = []
    if chosen < known:
        left_out.append(f"{chosen} of {known} tasks (--tasks {' '.join(options.tasks)})")
    if options.seeds != DEFAULT_SEEDS:
        left_out.append(f"{options.seeds} seeds instead of {DEFAULT_SEEDS}")
    return "; ".join(left_out)


def collect(
    prepared: Prepared, executor: Executor, folder: Path, options: Options, progress: Progress
) -> list[Evidence]:
    """Run the batches and write their evidence, batch by batch; return every record."""
    path, journal = folder / store.EVIDENCE, folder / store.JOURNAL
    sizes = _resumable(prepared, folder) if options.resume else []
    done, keep = len(sizes), sizes[-1] if sizes else 0
    records = list(_first_bytes(path, keep)) if keep else []
    total = sum(len(batch) for batch in prepared.batches)
    cells = sum(len(batch) for batch in prepared.batches[:done])
    rest = prepared.batches[done:]
    with Writer(path, keep=keep) as writer, journal.open("w") as log:
        log.write(json.dumps({"plan": prepared.plan_digest}) + "\n")
        log.writelines(json.dumps({"bytes": size}) + "\n" for size in sizes)
        log.flush()
        progress(cells, total)
        for batch, found in zip(rest, executor.run(rest), strict=True):
            writer.append(found)
            records += found
            log.write(json.dumps({"bytes": path.stat().st_size}) + "\n")
            log.flush()
            cells += len(batch)
            progress(cells, total)
    return records


def _first_bytes(path: Path, keep: int) -> Iterator[Evidence]:
    """The records in the first bytes of an evidence file, which is cut there."""
    with path.open("r+b") as file:
        file.truncate(keep)
    yield from read(path)


def _resumable(prepared: Prepared, folder: Path) -> list[int]:
    """The size of the evidence file after each batch that the folder's run has finished.

    Raises:
        UsageError: when the folder holds no unfinished run of this plan.
    """
    try:
        lines = (folder / store.JOURNAL).read_text(encoding="utf-8").split("\n")[:-1]
        entries = [json.loads(line) for line in lines]
        plan, sizes = entries[0]["plan"], [int(entry["bytes"]) for entry in entries[1:]]
    except (OSError, ValueError, KeyError, IndexError, TypeError, RecursionError):
        raise UsageError(f"{folder}: holds no unfinished run; leave out --resume") from None
    if plan != prepared.plan_digest:
        raise UsageError(
            f"{folder}: the unfinished run there had another adapter, tasks, seeds or probes; "
            "repeat its options, or leave out --resume to start anew"
        )
    evidence = folder / store.EVIDENCE
    held = evidence.stat().st_size if evidence.exists() else 0
    return [size for size in sizes if size <= held]


def synthesise(prepared: Prepared, records: Sequence[Evidence]) -> Card:
    """The card of a run's records."""
    facts = [TaskFacts(t.id, t.category, t.no_action) for t in prepared.tasks]
    return synthesis.synthesise(
        prepared.manifest, facts, prepared.probes, records, partial_run=prepared.partial
    )


def _provenance(
    prepared: Prepared, options: Options, clock: Clock, ran: Mapping[str, Any]
) -> dict[str, Any]:
    """What names the run and not its result."""
    return {
        "tool": "benchaudit",
        "version": __version__,
        "target": prepared.manifest.name,
        "adapter": _folder_digest(prepared.pack.folder),
        "plan": prepared.plan_digest,
        "options": {
            "tasks": list(options.tasks),
            "seeds": options.seeds,
            "jobs": options.jobs,
        },
        "execution": dict(ran),
        "python": platform.python_version(),
        "platform": platform.platform(),
        "command": [Path(sys.argv[0]).name, *sys.argv[1:]],
        "seconds": clock.parts,
    }


def _folder_digest(folder: Path) -> str:
    """SHA-256 over the names and bytes of an adapter's own files."""
    whole = hashlib.sha256()
    for path in sorted(
        p for p in folder.rglob("*") if p.is_file() and "__pycache__" not in p.parts
    ):
        whole.update(str(path.relative_to(folder)).encode() + b"\0" + path.read_bytes())
    return whole.hexdigest()
