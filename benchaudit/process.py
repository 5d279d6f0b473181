"""The host's end of one worker process: start it, ask it, end it.

Whatever a worker does, its host gets an answer within the limits: an `Attempt` that says how far
it came and why no further.
"""

from __future__ import annotations

import dataclasses
import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchaudit import bootstrap, wire
from benchaudit.cells import Cell
from benchaudit.evidence import Evidence, EvidenceError
from benchaudit.hooks import Task
from benchaudit.worker import Settings

_GRACE = 5.0
"""Seconds that a worker has to kill a fork when it is told to."""

_PASSED_ON = ("LD_LIBRARY_PATH", "OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE")
"""Variables without which some machines cannot run the benchmark's Python at all, or wrongly."""

_LAST_LINES = 15


class WorkerError(Exception):
    """A worker that cannot be used at all; the message says why."""


class WorkerLostError(WorkerError):
    """A worker that ended instead of answering, which may have come from outside."""


@dataclass(frozen=True, kw_only=True)
class Limits:
    """What a worker may use.

    Attributes:
        seconds: wall time a cell may take before it counts as hanging.
        load: wall time in seconds to load the adapter, or to list its tasks.
        memory: bytes of address space a batch may map beyond what loading took.
        output: bytes a batch may print.
        disk: bytes a file may grow to.
        cells: cells that share a process, so that starting one costs little beside them.
    """

    seconds: float = 60.0
    load: float = 300.0
    memory: int = 4 * 2**30
    output: int = 16 * 2**20
    disk: int = 2**30
    cells: int = 64


@dataclass(frozen=True, slots=True)
class Failure:
    """Why an order was not carried out.

    Attributes:
        outcome: ``error`` or ``timeout``.
        reason: one phrase, the same on every run.
        outside: it may have come from outside (SIGKILL): the order itself may be sound.
    """

    outcome: str
    reason: str
    outside: bool = False


@dataclass
class Attempt:
    """How far an order came.

    Attributes:
        records: of each cell, as many cells as were finished.
        drafts: the first cell's records before scoring, where they were asked for and made.
        controls: the records of each control, as plain JSON, as they came out at the end.
        failure: why it was not carried out, or None when it was.
    """

    records: list[list[Evidence]] = field(default_factory=list)
    drafts: list[Evidence] | None = None
    controls: list[Any] = field(default_factory=list)
    failure: Failure | None = None


@dataclass(frozen=True, kw_only=True)
class Launch:
    """What every worker of an executor is started with; `Settings` but for the scratch folder."""

    python: Path
    bench: Mapping[str, Any]
    limits: Limits
    reads: tuple[str, ...] = ()
    source: str = ""
    isolate: bool = True
    hash_seed: int = 0


class Process:
    """A worker process. Not for use by two threads at once, except `kill`."""

    def __init__(self, launch: Launch, scratch: Path) -> None:
        """Start a worker; `get_ready` waits for it.

        Raises:
            WorkerError: when its Python cannot be started.
        """
        self._launch = launch
        self._limits = launch.limits
        self._scratch = scratch
        self._log = tempfile.TemporaryFile()  # noqa: SIM115 - closed with the process
        # Not -I, which would ignore the hash seed: nothing of the host's environment is passed on,
        # and -P and -s are the rest of what -I does.
        command = [str(launch.python), "-P", "-s", bootstrap.__file__]
        try:
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._log,
                cwd=scratch,
                env=_environment(launch, scratch),
                bufsize=0,
                start_new_session=True,
            )
        except OSError as error:
            raise WorkerError(f"{launch.python}: cannot be started ({error})") from None
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._to = self._process.stdin.fileno()
        self._reader = wire.Reader(self._process.stdout.fileno())
        self.usable = True
        self.isolation: Mapping[str, str] = {}
        self.agents: tuple[str, ...] = ()
        self.python = ""

    def get_ready(self) -> None:
        """Wait until the adapter is loaded.

        Raises:
            WorkerError: when it cannot be.
        """
        ready = self._ask(_settings(self._launch, self._scratch), "load the adapter")
        self.isolation = {str(k): str(v) for k, v in dict(ready["ready"]).items()}
        self.agents = tuple(str(name) for name in ready["agents"])
        self.python = str(ready["python"])

    # -- questions -------------------------------------------------------------------------------

    def tasks(self, seed: int | None) -> list[Task]:
        """The task registry for one seed, without the tasks' data.

        Raises:
            WorkerError: when the adapter cannot list them.
        """
        tasks = []
        message = self._ask({"do": "tasks", "seed": seed}, "list its tasks")
        while "task" in message:
            tasks.append(Task(**message["task"]))
            message = self._answer("list its tasks")
        return tasks

    def submissions(self, cell: Cell) -> dict[str, str]:
        """The encoded submissions of a cell, by variant.

        Raises:
            WorkerError: when they cannot be made.
        """
        what = "make the submissions"
        message = self._ask({"do": "submissions", "cell": cell.as_json()}, what)
        if "submissions" not in message:
            raise WorkerError(f"the worker could not {what}: it ended")
        self._answer(what)
        return {str(variant): str(text) for variant, text in message["submissions"].items()}

    def _ask(self, message: dict[str, Any], what: str) -> dict[str, Any]:
        self._send(message)
        return self._answer(what)

    def _answer(self, what: str) -> dict[str, Any]:
        try:
            message = self._reader.read(self._limits.load)
        except (TimeoutError, EOFError, wire.WireError) as error:
            self.kill()
            why = {TimeoutError: f"no answer within {self._limits.load:g} s", EOFError: "it ended"}
            text = why.get(type(error), str(error))
            kind = WorkerLostError if isinstance(error, EOFError) else WorkerError
            raise kind(f"the worker could not {what}: {text}{self._last_words()}") from None
        if "failed" in message:
            raise WorkerError(f"the worker could not {what}: {message['failed']}")
        return message

    def _last_words(self) -> str:
        end = self._log.seek(0, os.SEEK_END)
        self._log.seek(max(0, end - 2**14))
        lines = self._log.read().decode("utf-8", "replace").strip().splitlines()
        return "".join(f"\n  {line}" for line in lines[-_LAST_LINES:])

    # -- orders ----------------------------------------------------------------------------------

    def run(
        self,
        cells: Sequence[Cell],
        controls: Sequence[Cell] = (),
        *,
        drafts: bool = False,
        only: int | None = None,
    ) -> Attempt:
        """Have cells run in a fresh state, then the controls. Never raises for what they do.

        Args:
            cells: what to run, in order.
            controls: cells to run last, in the same process.
            drafts: also tell the first cell's records before they are scored.
            only: score only the record of this number, of a single cell.
        """
        self._send(
            {
                "do": "run",
                "cells": [cell.as_json() for cell in cells],
                "controls": [cell.as_json() for cell in controls],
                "drafts": drafts,
                "only": only,
            }
        )
        attempt = Attempt()
        try:
            ending = self._follow(attempt, cells)
        except TimeoutError:
            attempt.failure = Failure("timeout", f"no answer within {self._limits.seconds:g} s")
            self._stop()
        except EOFError:
            self.kill()
            attempt.failure = Failure("error", "ended its worker", outside=True)
        except (wire.WireError, EvidenceError, KeyError, TypeError, ValueError, AttributeError):
            self.kill()
            attempt.records.clear()
            attempt.failure = Failure("error", "wrote into the worker's own pipe")
        else:
            whole = len(attempt.records) == len(cells) and len(attempt.controls) == len(controls)
            attempt.failure = _failure(ending, whole, self._limits)
        return attempt

    def _follow(self, attempt: Attempt, cells: Sequence[Cell]) -> dict[str, Any]:
        """Take in messages until the fork has ended; the message that says so."""
        while True:
            message = self._reader.read(self._limits.seconds)
            if "ended" in message:
                return message
            if "drafts" in message:
                attempt.drafts = _records(message["drafts"], cells[0])
            elif "controls" in message:
                attempt.controls = list(message["controls"])
            else:
                number = len(attempt.records)
                if message["cell"] != number:
                    raise ValueError(f"cell {message['cell']!r} out of turn")
                attempt.records.append(_records(message["records"], cells[number]))

    def _stop(self) -> None:
        """Have the worker kill its fork, or kill the worker when it does not."""
        try:
            self._send({"do": "stop"})
            while "ended" not in self._reader.read(_GRACE):
                pass
        except (TimeoutError, EOFError, wire.WireError):
            self.kill()

    def _send(self, message: dict[str, Any]) -> None:
        # A worker that is gone is noticed when its answer is read.
        with suppress(BrokenPipeError):
            wire.send(self._to, message)

    # -- the end ---------------------------------------------------------------------------------

    def kill(self) -> None:
        """End the worker and its fork at once; may be called by any thread, and again."""
        self.usable = False
        if self._process.poll() is None:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, signal.SIGKILL)

    def close(self) -> None:
        """End the worker and remove its scratch folder."""
        self.kill()
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout, self._log):
            assert stream is not None
            with suppress(BrokenPipeError):
                stream.close()
        shutil.rmtree(self._scratch, ignore_errors=True)


def _settings(launch: Launch, scratch: Path) -> dict[str, Any]:
    limits = launch.limits
    return dataclasses.asdict(
        Settings(
            bench=launch.bench,
            scratch=str(scratch),
            reads=(*launch.reads, launch.bench["folder"], *launch.bench["probes"].values()),
            source=launch.source,
            isolate=launch.isolate,
            memory=limits.memory,
            output=limits.output,
            disk=limits.disk,
        )
    )


def _environment(launch: Launch, scratch: Path) -> dict[str, str]:
    """The variables of a worker: none of the host's but what its Python cannot run without.

    One thread for numeric libraries: more would compete with the other workers, and a fork does
    not have the threads that loading started.
    """
    threads = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
    return {
        "PATH": f"{launch.python.parent}:/usr/local/bin:/usr/bin:/bin",
        "HOME": str(scratch),
        "TMPDIR": str(scratch),
        "LANG": "C.UTF-8",
        "LC_ALL": "C.UTF-8",
        "TZ": "UTC",
        "PYTHONHASHSEED": str(launch.hash_seed),
        "PYTHONNOUSERSITE": "1",
        **dict.fromkeys(threads, "1"),
        **{name: os.environ[name] for name in _PASSED_ON if name in os.environ},
    }


def _records(data: Any, cell: Cell) -> list[Evidence]:
    """Records that a worker sent, which may speak only for the cell it was given.

    Raises:
        EvidenceError: when one is no record, or another cell's.
    """
    records = [Evidence.from_json(item) for item in data]
    for record in records:
        if (record.task, record.seed, record.probe) != (cell.task, cell.seed, cell.probe):
            raise EvidenceError("a record of another cell")
    return records


def _failure(ending: Mapping[str, Any], whole: bool, limits: Limits) -> Failure | None:
    status = int(ending["ended"])
    if ending["cut"] == "output":
        return Failure("error", f"printed more than {limits.output} bytes")
    if status < 0:
        name = signal.Signals(-status).name
        return Failure("error", f"ended its process: {name}", outside=-status == signal.SIGKILL)
    if status > 0 or not whole:
        return Failure("error", f"ended its process with exit status {status}")
    return None
