"""Where cells run: an executor takes batches of cells and gives back their evidence, in order.

The order of results is the order of batches whatever runs at once, so that the evidence file is
the same bytes for any number of jobs.
"""

from __future__ import annotations

import sys
import tempfile
import threading
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, Protocol, Self

from benchaudit import folders
from benchaudit.cells import Bench, Cell, failed
from benchaudit.evidence import Evidence
from benchaudit.hooks import Task
from benchaudit.process import (
    Attempt,
    Failure,
    Launch,
    Limits,
    Process,
    WorkerError,
    WorkerLostError,
)

__all__ = ["Batch", "Executor", "InProcess", "Limits", "WorkerError", "Workers"]

Batch = Sequence[Cell]

_ATTEMPTS = 4
"""Processes that one order may lose to a kill from outside before it is blamed itself."""


class Executor(Protocol):
    """Runs cells of one adapter. Used as a context manager; leaving it ends its workers."""

    def tasks(self, seed: int | None) -> Sequence[Task]:
        """The task registry for one seed."""

    def agents(self) -> Sequence[str]:
        """The scripted agents by name, the careful one first; none where no episode can be run."""

    def submissions(self, cell: Cell) -> dict[str, str]:
        """The encoded submissions of a cell, by variant: what `run` would score."""

    def watch(self, controls: Sequence[Cell]) -> None:
        """Cells whose records are known: scored again now and then, where it can be told why.

        They should hold one submission that the scorer accepts and one that it rejects.
        """

    def provenance(self) -> dict[str, Any]:
        """What names this run and not its result."""

    def __enter__(self) -> Self: ...

    def __exit__(self, *error: object) -> None: ...

    def run(self, batches: Iterable[Batch]) -> Iterator[list[Evidence]]:
        """One list of records a batch, in the order of the batches."""


class InProcess:
    """Runs cells in this process: for adapters that need nothing of their own."""

    def __init__(self, bench: Bench) -> None:
        self._bench = bench

    def tasks(self, seed: int | None) -> Sequence[Task]:
        return list(self._bench.tasks(seed).values())

    def agents(self) -> Sequence[str]:
        ownership = self._bench.adapter.ownership
        return tuple(ownership.agents) if ownership is not None else ()

    def submissions(self, cell: Cell) -> dict[str, str]:
        return self._bench.submissions(cell)

    def watch(self, controls: Sequence[Cell]) -> None:
        """Nothing to watch for: whatever a submission does here, it does to this process."""

    def provenance(self) -> dict[str, Any]:
        return {"isolation": "none: in this process"}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        pass

    def run(self, batches: Iterable[Batch]) -> Iterator[list[Evidence]]:
        for batch in batches:
            yield [record for cell in batch for record in self._bench.run(cell)]


class Workers:
    """Runs cells in worker processes, where a crash, a hang or a flood is an outcome.

    Groups of batches share a fresh process of the benchmark. When one ends before its time, or
    when a control no longer comes out as it did in a fresh process, its group is run again cell
    by cell, and a cell that still misbehaves record by record, each in a process of its own: what
    a submission does there is its own outcome, and no other's.
    """

    def __init__(
        self,
        settings: Mapping[str, Any],
        *,
        python: Path | str = sys.executable,
        jobs: int = 1,
        limits: Limits | None = None,
        reads: Iterable[Path] = (),
        source: Path | None = None,
        isolate: bool = True,
        hash_seed: int = 0,
    ) -> None:
        """Nothing is started before it is needed.

        Args:
            settings: what `Bench.load` takes.
            python: the interpreter of the benchmark's environment.
            jobs: processes at once, 1 or more.
            limits: what each may use.
            reads: further files and folders that the benchmark may read.
            source: a checkout whose packages the adapter imports.
            isolate: cut the workers off from the network and the user's files, as far as the
                system can.
            hash_seed: Python's hash seed in the workers, 0 to 2^32 - 1: another one shows what
                depends on the order of sets.
        """
        self._limits = limits or Limits()
        self._launch = Launch(
            # Not resolved: a virtual environment's python is a link, and is known by its place.
            python=Path(python).absolute(),
            bench=settings,
            limits=self._limits,
            reads=tuple(str(path) for path in (*reads, *([source] if source else []))),
            source=str(source or ""),
            isolate=isolate,
            hash_seed=hash_seed,
        )
        self._jobs = jobs
        self._pool = ThreadPoolExecutor(jobs, thread_name_prefix="benchaudit-worker")
        self._controls: tuple[Cell, ...] = ()
        self._expected: list[Any] | None = None
        self._incidents: Counter[str] = Counter()
        self._idle: list[Process] = []
        self._all: list[Process] = []
        self._closed = False
        self._lock = threading.Lock()
        self._calibrating = threading.Lock()
        self._folders = ExitStack()
        self._scratch: Path | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        """End every worker at once; orders under way are given up."""
        with self._lock:
            self._closed = True
            for process in self._all:
                process.kill()
        self._pool.shutdown(cancel_futures=True)
        for process in self._all:
            process.close()
        self._folders.close()

    def tasks(self, seed: int | None) -> Sequence[Task]:
        """The task registry for one seed; the data of the tasks stays with the workers.

        Raises:
            WorkerError: when the adapter cannot be loaded, or cannot list its tasks.
        """
        with self._borrowed() as process:
            return process.tasks(seed)

    def agents(self) -> Sequence[str]:
        with self._borrowed() as process:
            return process.agents

    def watch(self, controls: Sequence[Cell]) -> None:
        """Score these after every group of batches; a change there sends the group back.

        One should be accepted by a sound scorer and one rejected: a scorer that was rewritten to
        accept everything still answers the first as before.
        """
        self._controls, self._expected = tuple(controls), None

    def submissions(self, cell: Cell) -> dict[str, str]:
        with self._borrowed() as process:
            return process.submissions(cell)

    def provenance(self) -> dict[str, Any]:
        """What names this run and not its result: the Python, the isolation, what went wrong."""
        with self._borrowed() as process:
            return {
                "python": process.python,
                "isolation": process.isolation or dict.fromkeys(("network", "files"), "not asked"),
                "controls": len(self._controls),
                "incidents": dict(sorted(self._incidents.items())),
            }

    def run(self, batches: Iterable[Batch]) -> Iterator[list[Evidence]]:
        """One list of records a batch, in the order of the batches.

        Raises:
            WorkerError: when the adapter cannot be loaded.
        """
        under_way: deque[tuple[list[Batch], Future[list[list[Evidence]]]]] = deque()
        try:
            for group in _grouped(batches, self._limits.cells):
                cells = [cell for batch in group for cell in batch]
                under_way.append((group, self._pool.submit(self._settle, cells)))
                if len(under_way) > 2 * self._jobs:
                    yield from _by_batch(*under_way.popleft())
            while under_way:
                yield from _by_batch(*under_way.popleft())
        finally:
            for _, future in under_way:
                future.cancel()

    # -- one group -------------------------------------------------------------------------------

    def _settle(self, cells: Sequence[Cell]) -> list[list[Evidence]]:
        """The records of each cell, whatever the cells do to their process."""
        if len(cells) > 1:
            attempt = self._attempt(cells, self._sound_controls())
            if self._is_sound(attempt):
                return attempt.records
        return [self._settle_cell(cell) for cell in cells]

    def _settle_cell(self, cell: Cell) -> list[Evidence]:
        attempt = self._attempt([cell], self._sound_controls(), drafts=True)
        if self._is_sound(attempt):
            return attempt.records[0]
        if attempt.drafts is None:
            return _without_drafts(cell, attempt.failure)
        pending = [i for i, draft in enumerate(attempt.drafts) if draft.outcome == "ok"]
        if len(pending) == 1 and attempt.records:
            return attempt.records[0]
        records = list(attempt.drafts)
        for number in pending:
            if len(pending) > 1:
                attempt = self._attempt([cell], only=number)
            scored = attempt.records[0] if attempt.records else []
            records[number] = scored[0] if scored else _blamed(records[number], attempt.failure)
        return records

    def _attempt(self, cells: Sequence[Cell], *args: Any, **options: Any) -> Attempt:
        """Carry out an order; again when its process may have been killed from outside."""
        for _ in range(_ATTEMPTS):
            with self._borrowed() as process:
                attempt = process.run(cells, *args, **options)
            if attempt.failure is not None:
                self._count(attempt.failure.reason)
            if attempt.failure is None or not attempt.failure.outside:
                break
        return attempt

    def _is_sound(self, attempt: Attempt) -> bool:
        if attempt.failure is not None:
            return False
        if attempt.controls == (self._expected or []):
            return True
        self._count("a control came out differently afterwards")
        return False

    def _sound_controls(self) -> Sequence[Cell]:
        """The controls that come out the same in two fresh processes; found once."""
        with self._calibrating:
            if self._expected is None:
                kept = []
                for control in self._controls:
                    first, second = (self._attempt([], [control]).controls for _ in range(2))
                    if first == second != []:
                        kept.append((control, first[0]))
                self._controls = tuple(control for control, _ in kept)
                self._expected = [records for _, records in kept]
        return self._controls

    def _count(self, incident: str) -> None:
        with self._lock:
            self._incidents[incident] += 1

    # -- processes -------------------------------------------------------------------------------

    @contextmanager
    def _borrowed(self) -> Iterator[Process]:
        """A worker for the time being: an idle one, else a new one."""
        with self._lock:
            process = self._idle.pop() if self._idle else None
        if process is None:
            try:
                process = self._start()
            except WorkerLostError:
                process = self._start()
        try:
            yield process
        finally:
            if process.usable:
                with self._lock:
                    self._idle.append(process)
            else:
                self._discard(process)

    def _start(self) -> Process:
        with self._lock:
            if self._closed:
                raise WorkerError("the executor is closed")
            process = Process(self._launch, self._new_scratch())
            self._all.append(process)
        try:
            process.get_ready()
        except WorkerError:
            self._discard(process)
            raise
        return process

    def _new_scratch(self) -> Path:
        if self._scratch is None:
            parent = folders.cache() / "scratch"
            self._scratch = self._folders.enter_context(folders.temporary(parent))
        return Path(tempfile.mkdtemp(dir=self._scratch))

    def _discard(self, process: Process) -> None:
        with self._lock:
            self._all.remove(process)
        process.close()


def _grouped(batches: Iterable[Batch], size: int) -> Iterator[list[Batch]]:
    """Consecutive batches until they hold ``size`` cells; independent of the number of jobs."""
    group: list[Batch] = []
    for batch in batches:
        group.append(batch)
        if sum(map(len, group)) >= size:
            yield group
            group = []
    if group:
        yield group


def _by_batch(
    group: Sequence[Batch], future: Future[list[list[Evidence]]]
) -> Iterator[list[Evidence]]:
    of_cell = iter(future.result())
    for batch in group:
        yield [record for _ in batch for record in next(of_cell)]


def _without_drafts(cell: Cell, failure: Failure | None) -> list[Evidence]:
    """A cell whose process ended before anything was handed in.

    In an episode that is the benchmark's doing; a probe was still being forged.
    """
    assert failure is not None
    return failed(cell, "unforged" if cell.probe else failure.outcome, failure.reason)


def _blamed(draft: Evidence, failure: Failure | None) -> Evidence:
    assert failure is not None
    return replace(draft, outcome=failure.outcome, detail=failure.reason)
