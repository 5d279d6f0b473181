"""The worker: runs cells where the benchmark runs, and tells its host what became of them.

The process that is started loads the adapter and lists its tasks; it scores nothing. Each order
is run by a fork of it, so that every order starts from the same state, whatever was run before
and whoever ran it, and a crash costs a fork and not the loading. While a fork runs, the parent
reads its output and waits for its end or for the word to stop it.

Messages of the host (the first is `Settings`):

- ``{"do": "tasks", "seed": s}``: one ``{"task": …}`` each, then ``{"done": n}``;
- ``{"do": "run", "cells": […], "controls": […], "drafts": b, "only": i}``: with ``drafts`` first
  ``{"drafts": […]}``, the first cell's records before scoring; ``{"cell": i, "records": […]}``
  after each cell, or only the record numbered ``only`` of the first; ``{"controls": [[…], …]}``,
  the records of each control, scored last; ``{"ended": status, "cut": why}`` when the fork is
  gone;
- ``{"do": "submissions", "cell": …}``: ``{"submissions": {…}}``, then ``{"ended": …}``;
- ``{"do": "stop"}`` while a fork runs: it is killed.

``{"failed": message}`` instead of any answer: the adapter's own code raised.

Standard library only: this module runs inside benchmark environments.
"""

from __future__ import annotations

import contextlib
import gc
import os
import resource
import select
import shutil
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NoReturn

from benchaudit import isolation, wire
from benchaudit.cells import Bench, Cell
from benchaudit.packs import PackError

_RAISED = (Exception, SystemExit)
_POLL = 0.05
"""Seconds between looks at a fork whose output pipe says nothing of its end."""


@dataclass(frozen=True, kw_only=True)
class Settings:
    """What a worker needs to get ready.

    Attributes:
        bench: the settings of `Bench.load`.
        scratch: a folder of the worker's own, the only place where it may write.
        reads: files and folders it may read, beside Python's and the system's.
        source: a checkout whose packages can be imported, or "".
        isolate: cut it off from the network and from other files, as far as the system can.
        memory: bytes that a fork may map beyond what loading took.
        output: bytes that a fork may print.
        disk: bytes a file may grow to.
    """

    bench: Mapping[str, Any]
    scratch: str
    reads: tuple[str, ...] = ()
    source: str = ""
    isolate: bool = True
    memory: int
    output: int
    disk: int


def main() -> None:
    """Take the pipes away from where the benchmark prints, and serve until the host is gone."""
    control, out = os.dup(0), os.dup(1)
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, 0)
    os.dup2(2, 1)
    reader = wire.Reader(control)
    settings = Settings(**reader.read())
    # Reading is what ends the worker: its host closes the pipe, or is gone.
    with contextlib.suppress(EOFError):
        _Worker(settings, reader, control, out).serve()


@dataclass
class _Worker:
    settings: Settings
    reader: wire.Reader
    control: int
    out: int
    bench: Bench = field(init=False)

    def serve(self) -> None:
        try:
            self._get_ready()
        except _RAISED as error:
            self._failed(error)
            return
        while True:
            message = self.reader.read()
            if message["do"] == "tasks":
                self._tasks(message["seed"])
            elif message["do"] == "submissions":
                self._fork(lambda: self._submissions(message))  # noqa: B023 - run at once
            elif message["do"] == "run":
                self._load_tasks(message["cells"])
                self._fork(lambda: self._run(message))  # noqa: B023 - run at once

    def _get_ready(self) -> None:
        settings = self.settings
        sys.dont_write_bytecode = True
        _lower(resource.RLIMIT_CORE, 0)
        _lower(resource.RLIMIT_FSIZE, settings.disk)
        isolation.adopt_orphans()
        state = {}
        if settings.isolate:
            reads = [*settings.reads, sys.prefix, sys.base_prefix, str(Path(__file__).parent)]
            state = isolation.isolate(reads, [settings.scratch])
        if settings.source:
            sys.path.insert(0, settings.source)
        places = {settings.scratch: "<scratch>"}
        if settings.source:
            places[settings.source] = "<source>"
        self.bench = Bench.load({**settings.bench, "places": places})
        ownership = self.bench.adapter.ownership
        agents = list(ownership.agents) if ownership else []
        version = ".".join(map(str, sys.version_info[:3]))
        wire.send(self.out, {"ready": state, "agents": agents, "python": version})

    def _failed(self, error: BaseException) -> None:
        text = str(error) if isinstance(error, PackError) else f"{type(error).__name__}: {error}"
        wire.send(self.out, {"failed": text})
        traceback.print_exception(error)

    # -- orders ----------------------------------------------------------------------------------

    def _tasks(self, seed: int | None) -> None:
        try:
            tasks = self.bench.tasks(seed).values()
        except _RAISED as error:
            self._failed(error)
            return
        for task in tasks:
            # The data of a task stays here: only the hooks read it.
            fields = {name: getattr(task, name) for name in task.__slots__ if name != "data"}
            wire.send(self.out, {"task": fields})
        wire.send(self.out, {"done": len(tasks)})

    def _load_tasks(self, cells: list[dict[str, Any]]) -> None:
        """List the tasks here once, instead of in every fork."""
        for seed in {cell["seed"] for cell in cells}:
            # A fork meets the same exception, and makes it the outcome of its cells.
            with contextlib.suppress(*_RAISED):
                self.bench.tasks(seed)

    def _submissions(self, order: dict[str, Any]) -> None:
        try:
            made = self.bench.submissions(Cell.from_json(order["cell"]))
        except _RAISED as error:
            self._failed(error)
            return
        wire.send(self.out, {"submissions": made})

    def _run(self, order: dict[str, Any]) -> None:
        cells = [Cell.from_json(cell) for cell in order["cells"]]
        for number, cell in enumerate(cells):
            drafts = self.bench.drafts(cell)
            if order["drafts"]:
                wire.send(self.out, {"drafts": [draft.record.as_json() for draft in drafts]})
            if order["only"] is not None:
                drafts = [drafts[order["only"]]]
            records = [self.bench.score(draft).as_json() for draft in drafts]
            wire.send(self.out, {"cell": number, "records": records})
        controls = [
            [record.as_json() for record in self.bench.run(Cell.from_json(control))]
            for control in order["controls"]
        ]
        wire.send(self.out, {"controls": controls})

    # -- forks -----------------------------------------------------------------------------------

    def _fork(self, work: Callable[[], None]) -> None:
        """Run work in a fork with a folder and limits of its own, and say how it ended."""
        folder = Path(self.settings.scratch, "run")
        folder.mkdir()
        spared = _children()
        output, their_output = os.pipe()
        gc.freeze()  # what loading made is shared with the fork: leave its pages alone
        parent = os.getpid()
        pid = os.fork()
        if pid == 0:
            self._be_fork(work, parent, their_output, folder)
        os.close(their_output)
        try:
            status, cut = self._watch(pid, output)
        finally:
            os.close(output)
        _end_strays(pid, spared)
        shutil.rmtree(folder, ignore_errors=True)
        wire.end_line(self.out)
        wire.send(self.out, {"ended": os.waitstatus_to_exitcode(status), "cut": cut})

    def _be_fork(
        self, work: Callable[[], None], parent: int, output: int, folder: Path
    ) -> NoReturn:
        status = 70
        try:
            os.setsid()
            isolation.die_with_parent(parent)
            os.close(self.control)
            os.dup2(output, 1)
            os.dup2(output, 2)
            os.chdir(folder)
            os.environ.update(HOME=str(folder), TMPDIR=str(folder))
            tempfile.tempdir = None
            _lower(resource.RLIMIT_AS, _mapped() + self.settings.memory)
            _reseed()
            work()
            status = 0
        except BaseException:
            traceback.print_exc()
        finally:
            with contextlib.suppress(BaseException):
                sys.stdout.flush()
            os._exit(status)

    def _watch(self, pid: int, output: int) -> tuple[int, str]:
        """Wait for a fork, bounding what it prints; its wait status, and why it was cut short."""
        poll = select.poll()
        poll.register(output, select.POLLIN)
        poll.register(self.control, select.POLLIN)
        printed, pause = 0, _POLL
        cut = "stopped" if self.reader.holds_message() else ""
        while True:
            ended, status = os.waitpid(pid, os.WNOHANG)
            for ready, _ in poll.poll(0 if ended else pause * 1000):
                if ready == self.control and not cut:
                    cut = "stopped"
                    poll.unregister(self.control)
                elif ready == output:
                    count = len(os.read(output, 2**16))
                    printed += count
                    if not count:
                        # Most likely it is ending: look again soon, then ever less often.
                        poll.unregister(output)
                        pause = 0.0005
            if printed > self.settings.output and not cut:
                cut = "output"
            if ended:
                return status, cut
            if cut:
                os.kill(pid, signal.SIGKILL)
            pause = min(2 * pause, _POLL)


def _lower(limit: int, value: int) -> None:
    """Lower a resource limit for good; one that is lower already stays."""
    _, hard = resource.getrlimit(limit)
    value = value if hard == resource.RLIM_INFINITY else min(value, hard)
    resource.setrlimit(limit, (value, value))


def _mapped() -> int:
    """Bytes of address space in use; 0 where the system does not say.

    The limit is on address space, since resident memory cannot be limited without privileges; so
    it counts from what loading took, which may have reserved a lot that it does not use.
    """
    with contextlib.suppress(OSError):
        return int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    return 0


def _reseed() -> None:
    """Give a fork chance of its own: numpy's global stream is copied (random reseeds itself)."""
    if "numpy" in sys.modules:
        with contextlib.suppress(AttributeError):
            sys.modules["numpy"].random.seed()


def _children() -> set[int]:
    """The processes whose parent this one is; none where the system does not say."""
    with contextlib.suppress(OSError):
        text = Path(f"/proc/self/task/{os.getpid()}/children").read_text()
        return {int(pid) for pid in text.split()}
    return set()


def _end_strays(pid: int, spared: set[int]) -> None:
    """Kill what a fork left running: its process group, and whatever was handed to us."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGKILL)
    deadline = time.monotonic() + 1
    while (strays := _children() - spared) and time.monotonic() < deadline:
        for stray in strays:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(stray, signal.SIGKILL)
            with contextlib.suppress(ChildProcessError):
                os.waitpid(stray, 0)
