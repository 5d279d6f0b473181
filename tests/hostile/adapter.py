"""An adapter whose submissions do things to the process that scores them.

A task is named after its submissions, joined by ``+``; each says what the scorer shall do. The
seed of a task is a port for those that need one.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from benchaudit.hooks import Adapter, Agent, Episode, Oracle, Ownership, Score, Submission, Task

GOLD = "right"
TASKS = (
    *("right", "wrong", "exit", "sys-exit", "crash", "kill", "kill-worker", "hang", "hog", "flood"),
    *("chatty", "rewrite", "raise", "surrogate", "nan", "no-score", "state", "forged-lines"),
    *("environment", "home", "host-file", "connect", "stray", "imports", "scratch", "once"),
    *("big", "deep", "special", "forge-exit", "wrong+exit+wrong", "wrong+rewrite+wrong"),
    *("wrong+hang+wrong", "wrong+wrong", "disk"),
)

_calls = 0


def judge(text: str) -> float:
    return float(text == GOLD)


def rewrite() -> float:
    globals()["judge"] = lambda _text: 1.0
    return 1.0


def send(pid: int, number: int) -> float:
    os.kill(pid, number)
    time.sleep(5)
    return 0.0


def hang() -> float:
    time.sleep(1000)
    return 0.0


def flood() -> float:
    while True:
        print("x" * 65536)


def forge_lines() -> float:
    """Write what looks like the worker's own messages wherever that can be written."""
    for pipe in range(1, 32):
        with contextlib.suppress(OSError):
            os.write(pipe, b'{"cell":0,"records":[]}\n[[[\n')
    return 0.0


def state() -> float:
    global _calls
    _calls += 1
    return _calls / 100


def tell(facts: object) -> float:
    """Hand facts to the host in the only text that it takes."""
    raise RuntimeError(json.dumps(facts))


def host_file() -> float:
    """Read this file's sibling outside of the pack."""
    return tell((Path(__file__).parent.parent / "test_execution.py").read_text()[:3])


def stray() -> float:
    command = [sys.executable, "-c", "import time; time.sleep(120)"]
    return tell(subprocess.Popen(command, start_new_session=True).pid)


def connect(port: int) -> float:
    socket.create_connection(("127.0.0.1", port), timeout=5).close()
    return 0.0


def once() -> float:
    """Kill the process the first time, as somebody outside would."""
    mark = Path(os.environ["HOME"]).parent / "mark"
    if not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return 0.0


def imports() -> float:
    found = []
    for name in ("pydantic", "numpy", "pytest"):
        with contextlib.suppress(ImportError):
            __import__(name)
            found.append(name)
    return tell(found)


DEEDS: dict[str, Callable[[], float]] = {
    "exit": lambda: os._exit(3),
    "sys-exit": lambda: sys.exit(4),
    "crash": lambda: send(os.getpid(), signal.SIGSEGV),
    "kill": lambda: send(os.getpid(), signal.SIGKILL),
    "kill-worker": lambda: send(os.getppid(), signal.SIGKILL),
    "hang": hang,
    "hog": lambda: float(not bytearray(2 * 2**30)),
    "disk": lambda: float(not Path("file").write_bytes(b"0" * 2**21)),
    "flood": flood,
    "chatty": lambda: print("hello", flush=True) or 0.0,
    "rewrite": rewrite,
    "state": state,
    "forged-lines": forge_lines,
    "environment": lambda: tell([sorted(os.environ), "hunter2" in os.environ.values()]),
    "home": lambda: tell([str(Path.home()), sys.stdin.read()]),
    "host-file": host_file,
    "stray": stray,
    "imports": imports,
    "scratch": lambda: tell([str(p) for p in Path.cwd().iterdir()] + [Path("x").write_text("y")]),
    "once": once,
    "nan": lambda: float("nan"),
}


def tasks(seed: int | None) -> Sequence[Task]:
    return [Task(id=name, family="text", seed=seed, data={"kept": "here"}) for name in TASKS]


def score(task: Task, submission: Submission, scorer: str) -> Score:  # noqa: ARG001
    deed = submission.payload
    if deed == "raise":
        raise ValueError(f"no such {object()} in {__file__}")
    if deed == "surrogate":
        raise ValueError("lone \ud800 surrogate")
    if deed == "no-score":
        return None  # type: ignore[return-value]
    if deed == "connect":
        return Score(connect(task.seed or 0))
    act = DEEDS.get(deed) if isinstance(deed, str) else None
    value = act() if act else judge(deed)
    return Score(value, value >= 1)


def episode(task: Task, scaffold: str, agent: Agent, budget: int | None) -> Episode:  # noqa: ARG001
    if agent.name == "exits":
        os._exit(5)
    return Episode(Submission(GOLD))


ADAPTER: Adapter = Adapter(
    tasks=tasks,
    score=score,
    oracle=Oracle(
        work=lambda _task: GOLD,
        compose=lambda _task, work: Submission(work),
        quality=lambda _task, submission: float(submission.payload == GOLD),
    ),
    ownership=Ownership(episode=episode, agents=("careful", "exits")),
)
