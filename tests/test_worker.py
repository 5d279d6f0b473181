"""The worker's side alone, spoken to over its pipes."""

from __future__ import annotations

import dataclasses
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

import pytest

from benchaudit import bootstrap, wire
from benchaudit.cells import Cell
from benchaudit.worker import Settings

PACK = Path(__file__).parent / "hostile"
WRONG = Cell(task="wrong", probe="deeds", kind="degraded", scorers=("s",))


class Worker:
    """A worker process and both ends of its pipes."""

    def __init__(self, scratch: Path, adapter: Path = PACK, python: str = sys.executable) -> None:
        self.process = subprocess.Popen(
            [python, "-P", "-s", bootstrap.__file__],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            env={"PATH": os.defpath},
        )
        bench = {
            "name": "hostile",
            "folder": str(adapter),
            "probes": {"deeds": str(PACK)},
            "unsubmitted": 0.0,
            "ground_truth": [],
        }
        self.settings = Settings(
            bench=bench,
            scratch=str(scratch),
            reads=(str(PACK),),
            memory=2**30,
            output=2**20,
            disk=2**30,
        )
        self.reader = wire.Reader(self.stream("stdout").fileno())

    def stream(self, name: str) -> IO[bytes]:
        stream: IO[bytes] = getattr(self.process, name)
        return stream

    def say(self, message: dict[str, Any]) -> None:
        wire.send(self.stream("stdin").fileno(), message)

    def order(self, *cells: Cell, **fields: Any) -> None:
        asked = {"controls": [], "drafts": False, "only": None, **fields}
        self.say({"do": "run", "cells": [cell.as_json() for cell in cells], **asked})

    def hear(self) -> dict[str, Any]:
        return self.reader.read(20)

    def hear_all(self) -> list[dict[str, Any]]:
        """Everything up to the end of a fork."""
        heard = [self.hear()]
        while "ended" not in heard[-1]:
            heard.append(self.hear())
        return heard

    def start(self) -> dict[str, Any]:
        self.say(dataclasses.asdict(self.settings))
        return self.hear()

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        for name in ("stdin", "stdout", "stderr"):
            self.stream(name).close()


@pytest.fixture
def worker(tmp_path: Path) -> Iterator[Worker]:
    worker = Worker(tmp_path)
    yield worker
    worker.close()


def test_the_worker_imports_only_the_standard_library() -> None:
    """In any Python, with any packages or none: it runs where a benchmark's packages are."""
    ask = (
        "import runpy, sys, json;"
        f"runpy.run_path({bootstrap.__file__!r})['register']();"
        "import benchaudit.worker;"
        "print(json.dumps(sorted({name.partition('.')[0] for name in sys.modules})))"
    )
    command = [sys.executable, "-I", "-S", "-c", ask]
    found = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
    assert [m for m in found if m not in sys.stdlib_module_names] == ["__main__", "benchaudit"]


@pytest.mark.parametrize("minor", [11, 12, 13])
def test_the_worker_runs_on_every_python_it_is_said_to_run_on(minor: int, tmp_path: Path) -> None:
    found = shutil.which(f"python3.{minor}")
    ask = [found or "none", "-c", "import sys; print(sys.executable)"]
    asked = subprocess.run(ask, capture_output=True, text=True, check=False) if found else None
    if asked is None or asked.returncode:
        pytest.skip(f"no Python 3.{minor} here")
    worker = Worker(tmp_path, python=asked.stdout.strip())
    assert worker.start()["python"].startswith(f"3.{minor}.")
    worker.order(WRONG)
    assert worker.hear()["records"][0]["score"] == 0.0
    worker.close()


def test_a_worker_says_when_it_is_ready(worker: Worker) -> None:
    ready = worker.start()
    assert set(ready) == {"ready", "agents", "python"}
    assert ready["agents"] == ["careful", "exits"]


def test_an_adapter_that_cannot_be_loaded_is_told_and_ends_the_worker(tmp_path: Path) -> None:
    worker = Worker(tmp_path, adapter=tmp_path / "nowhere")
    assert "adapter.py" in worker.start()["failed"]
    assert worker.process.wait(20) == 0
    worker.close()


def test_what_an_adapter_prints_stays_out_of_the_protocol(tmp_path: Path) -> None:
    (tmp_path / "adapter.py").write_text(
        "import os\n"
        "from benchaudit.hooks import Adapter\n"
        "print('printed', flush=True)\n"
        "os.write(1, b'{\"ready\": 1}')\n"
        "ADAPTER = Adapter(tasks=lambda seed: [])\n"
    )
    worker = Worker(tmp_path, adapter=tmp_path)
    assert worker.start()["python"]
    worker.stream("stdin").close()
    assert worker.stream("stderr").read() == b'printed\n{"ready": 1}'
    worker.close()


def test_cells_are_told_one_by_one_and_then_the_end(worker: Worker) -> None:
    worker.start()
    worker.order(WRONG, WRONG, controls=[WRONG.as_json()])
    heard = worker.hear_all()
    assert [message.get("cell") for message in heard] == [0, 1, None, None]
    assert heard[2]["controls"] == [heard[0]["records"]]
    assert heard[3] == {"ended": 0, "cut": ""}


def test_drafts_are_told_before_anything_is_scored(worker: Worker) -> None:
    worker.start()
    ends = dataclasses.replace(WRONG, task="wrong+exit+wrong")
    worker.order(ends, drafts=True)
    drafts, end = worker.hear_all()
    assert [draft["variant"] for draft in drafts["drafts"]] == ["0", "1", "2"]
    assert not any("score" in draft for draft in drafts["drafts"])
    assert end["ended"] == 3
    worker.order(ends, only=2)
    (told, _, _) = worker.hear_all()
    assert [record["variant"] for record in told["records"]] == ["2"]


def test_a_fork_is_stopped_on_a_word_and_the_worker_goes_on(worker: Worker) -> None:
    worker.start()
    worker.say({"do": "stop"})
    worker.order(dataclasses.replace(WRONG, task="hang"))
    worker.say({"do": "stop"})
    assert worker.hear_all()[-1] == {"ended": -9, "cut": "stopped"}
    worker.order(WRONG)
    assert worker.hear_all()[-1] == {"ended": 0, "cut": ""}


def test_the_worker_and_its_fork_end_when_the_host_is_gone(worker: Worker) -> None:
    worker.start()
    worker.order(dataclasses.replace(WRONG, task="hang"))
    worker.stream("stdin").close()
    assert worker.process.wait(20) == 0
    with pytest.raises(EOFError):
        while True:
            worker.hear()


def test_a_failure_to_make_submissions_is_told(worker: Worker) -> None:
    worker.start()
    unknown = dataclasses.replace(WRONG, task="no-such-task")
    worker.say({"do": "submissions", "cell": unknown.as_json()})
    assert "no-such-task" in worker.hear()["failed"]
