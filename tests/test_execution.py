"""Cells in worker processes: what a submission does there is its own outcome, and no other's."""

from __future__ import annotations

import json
import signal
import socket
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from benchaudit.cells import Bench, Cell
from benchaudit.evidence import Evidence
from benchaudit.execution import InProcess, Limits, WorkerError, Workers
from benchaudit.folders import CACHE_VARIABLE

PACK = Path(__file__).parent / "hostile"
SETTINGS = {
    "name": "hostile",
    "folder": str(PACK),
    "probes": {"deeds": str(PACK)},
    "unsubmitted": 0.0,
    "ground_truth": [],
}
QUICK = Limits(seconds=1.5, memory=2**30, output=2**20)


def cell(task: str, **fields: Any) -> Cell:
    fields = {"probe": "deeds", "kind": "degraded", "scorers": ("s",), **fields}
    return Cell(task=task, **fields)


RIGHT = cell("right", probe="canonical", kind="canonical")
CONTROLS = (RIGHT, cell("wrong"))


@pytest.fixture(autouse=True)
def _cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path / "cache"))


def run(
    batches: Sequence[Sequence[Cell]], controls: Sequence[Cell] = CONTROLS, **options: Any
) -> list[list[Evidence]]:
    with Workers(SETTINGS, **{"limits": QUICK, **options}) as workers:
        workers.watch(controls)
        return list(workers.run(batches))


def among_others(guilty: Cell, **options: Any) -> Evidence:
    """Run a cell with others around it, check that they are scored, and return its record."""
    before, (record,), after = run([[RIGHT, cell("wrong")], [guilty], [RIGHT]], **options)
    assert [r.score for r in (*before, *after)] == [1.0, 0.0, 1.0]
    return record


@pytest.fixture
def workers() -> Iterator[Workers]:
    with Workers(SETTINGS, limits=QUICK) as workers:
        workers.watch(CONTROLS)
        yield workers


def told(workers: Workers, name: str, **fields: Any) -> Any:
    """What a submission found out about its process."""
    ((record,),) = workers.run([[cell(name, **fields)]])
    assert record.outcome == "error", record
    return json.loads(record.detail.removeprefix("RuntimeError: "))


# -- the same records everywhere -----------------------------------------------------------------


@pytest.mark.parametrize("jobs", [1, 3])
@pytest.mark.parametrize("size", [1, 3, 64])
def test_records_are_those_of_one_process_for_any_jobs_and_grouping(jobs: int, size: int) -> None:
    names = ["right", "wrong", "raise", "surrogate", "nan", "no-score", "sys-exit", "wrong+wrong"]
    batches = [[RIGHT, cell(name)] for name in names * 2]
    batches.append([cell("right", probe="", agent="careful", scaffold="L0")])
    here = list(InProcess(Bench.load(SETTINGS)).run(batches))
    there = run(batches, jobs=jobs, limits=Limits(cells=size))
    assert there == here


def test_results_come_in_the_order_of_the_batches() -> None:
    batches = [[cell("hang")], *([cell("wrong")] for _ in range(20))]
    tasks = [records[0].task for records in run(batches, jobs=3, limits=Limits(seconds=1, cells=1))]
    assert tasks == ["hang"] + ["wrong"] * 20


def test_tasks_and_agents_are_those_of_the_adapter_without_the_data(workers: Workers) -> None:
    here = InProcess(Bench.load(SETTINGS))
    assert [(t.id, t.seed) for t in workers.tasks(7)] == [(t.id, 7) for t in here.tasks(7)]
    assert not any(task.data for task in workers.tasks(7))
    assert workers.agents() == here.agents()


def test_submissions_are_those_that_are_scored(workers: Workers) -> None:
    here = InProcess(Bench.load(SETTINGS))
    asked = cell("wrong+rewrite+wrong")
    assert workers.submissions(asked) == here.submissions(asked)
    assert workers.submissions(RIGHT) == {"": '"right"'}


def test_special_values_keep_their_digest_between_processes(workers: Workers) -> None:
    here = list(InProcess(Bench.load(SETTINGS)).run([[cell("special")]]))
    assert list(workers.run([[cell("special")]])) == here
    assert here[0][0].outcome == "ok"


# -- what a submission does to its process -------------------------------------------------------


@pytest.mark.parametrize(
    ("task", "outcome", "reason"),
    [
        ("exit", "error", "ended its process with exit status 3"),
        ("crash", "error", "ended its process: SIGSEGV"),
        ("kill", "error", "ended its process: SIGKILL"),
        ("kill-worker", "error", "ended its worker"),
        ("hang", "timeout", "no answer within 1.5 s"),
        ("flood", "error", "printed more than 1048576 bytes"),
        ("hog", "error", "MemoryError: "),
        ("sys-exit", "error", "SystemExit: 4"),
    ],
)
def test_a_submission_that_ends_its_process_is_an_outcome_of_its_own(
    task: str, outcome: str, reason: str
) -> None:
    record = among_others(cell(task))
    assert (record.outcome, record.detail.strip()) == (outcome, reason.strip())
    assert record.score is None
    assert record.digest


def test_the_limits_are_what_stops_memory_and_files() -> None:
    batches = [[cell("hog")], [cell("disk")]]
    assert [r.outcome for (r,) in run(batches, limits=Limits(memory=4 * 2**30))] == ["ok", "ok"]
    ((hog,), (disk,)) = run(batches, limits=Limits(memory=2**30, disk=2**20))
    assert hog.detail.startswith("MemoryError")
    assert disk.detail == "OSError: [Errno 27] File too large"


def test_only_the_guilty_variant_of_a_cell_pays() -> None:
    ((one, two, three),) = run([[cell("wrong+exit+wrong")]])
    assert [r.outcome for r in (one, two, three)] == ["ok", "error", "ok"]
    assert [r.variant for r in (one, two, three)] == ["0", "1", "2"]


def test_only_the_hanging_variant_of_a_cell_times_out() -> None:
    ((one, two, three),) = run([[cell("wrong+hang+wrong")]])
    assert [r.outcome for r in (one, two, three)] == ["ok", "timeout", "ok"]


def test_an_episode_that_ends_its_process_is_an_error_under_every_scorer() -> None:
    guilty = cell("right", probe="", kind="", agent="exits", scaffold="L0", scorers=("s", "t"))
    ((one, two),) = run([[guilty]])
    assert {r.detail for r in (one, two)} == {"ended its process with exit status 5"}
    assert [(r.outcome, r.scorer) for r in (one, two)] == [("error", "s"), ("error", "t")]


def test_a_forger_that_ends_its_process_is_not_held_against_the_benchmark() -> None:
    record = among_others(cell("forge-exit"))
    assert (record.outcome, record.score) == ("unforged", None)


def test_a_rewritten_scorer_changes_no_other_cell() -> None:
    record = among_others(cell("rewrite"))
    assert record.score == 1.0


def test_without_controls_a_rewritten_scorer_does_change_other_cells() -> None:
    """What the controls are for: the test above fails when they do not look."""
    _, after = run([[cell("rewrite")], [cell("wrong")]], controls=())
    assert after[0].score == 1.0


def test_a_rewritten_scorer_changes_no_other_variant_of_its_cell() -> None:
    ((one, two, three),) = run([[cell("wrong+rewrite+wrong")]])
    assert [r.score for r in (one, two, three)] == [0.0, 1.0, 0.0]


def test_incidents_are_counted(workers: Workers) -> None:
    list(workers.run([[cell("rewrite"), cell("wrong"), cell("exit")]]))
    incidents = workers.provenance()["incidents"]
    assert incidents["ended its process with exit status 3"] == 2
    assert incidents["a control came out differently afterwards"] == 1


def test_a_control_that_is_not_repeatable_is_not_used(workers: Workers) -> None:
    workers.watch([*CONTROLS, cell("exit")])
    assert [r.score for (r,) in workers.run([[RIGHT]])] == [1.0]
    assert workers.provenance()["controls"] == 2


def test_state_does_not_pass_from_one_group_to_the_next() -> None:
    batches = [[cell("state")], [cell("state")]]
    alone = run(batches, controls=(), limits=Limits(cells=1))
    together = run(batches, controls=(), limits=Limits(cells=2))
    assert [r.score for (r,) in alone] == [0.01, 0.01]
    assert [r.score for (r,) in together] == [0.01, 0.02]


def test_lines_like_the_workers_own_do_not_break_the_run() -> None:
    record = among_others(cell("forged-lines"))
    assert (record.outcome, record.detail) == ("error", "wrote into the worker's own pipe")


def test_a_process_killed_from_outside_costs_nothing() -> None:
    assert among_others(cell("once")).outcome == "ok"


def test_printing_does_not_reach_the_protocol() -> None:
    assert among_others(cell("chatty")).outcome == "ok"


# -- hostile values ------------------------------------------------------------------------------


@pytest.mark.parametrize("task", ["big", "deep", "surrogate", "nan", "no-score"])
def test_hostile_values_are_an_outcome_and_not_a_broken_run(task: str) -> None:
    record = among_others(cell(task), limits=Limits(seconds=60))
    expected = {"big": "ok", "deep": "unforged", "surrogate": "error"}
    assert record.outcome == expected.get(task, "invalid")


def test_details_hold_no_address_and_no_folder_of_this_machine(workers: Workers) -> None:
    ((record,),) = workers.run([[cell("raise")]])
    assert record.detail == "ValueError: no such <object object at 0x…> in <adapter>/adapter.py"


# -- what a worker sees --------------------------------------------------------------------------


def test_no_credential_of_the_host_is_passed_on(
    workers: Workers, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SECRET_TOKEN", "hunter2")
    monkeypatch.setenv("PYTHONPATH", "/tmp")
    monkeypatch.setenv("PIP_INDEX_URL", "https://user:password@example.org")
    names, has_secret = told(workers, "environment")
    assert not {"SECRET_TOKEN", "PYTHONPATH", "PIP_INDEX_URL"} & set(names)
    assert not has_secret


def test_home_is_elsewhere_and_input_is_closed(workers: Workers) -> None:
    home, text = told(workers, "home")
    assert home == "<scratch>/run"
    assert text == ""


def test_every_group_starts_in_an_empty_folder(workers: Workers) -> None:
    assert told(workers, "scratch") == [1]
    assert told(workers, "scratch") == [1]


def test_files_of_the_host_cannot_be_read_where_the_system_can_forbid_it(workers: Workers) -> None:
    if workers.provenance()["isolation"]["files"] != "isolated":
        pytest.skip(workers.provenance()["isolation"]["files"])
    ((record,),) = workers.run([[cell("host-file")]])
    assert record.detail.startswith("PermissionError")
    with Workers(SETTINGS, limits=QUICK, isolate=False) as open_workers:
        assert told(open_workers, "host-file") == '"""'


def test_the_network_cannot_be_reached_where_the_system_can_forbid_it(workers: Workers) -> None:
    if workers.provenance()["isolation"]["network"] != "isolated":
        pytest.skip(workers.provenance()["isolation"]["network"])
    with socket.create_server(("127.0.0.1", 0)) as server:
        asked = cell("connect", seed=server.getsockname()[1])
        ((record,),) = workers.run([[asked]])
        assert record.detail.startswith("ConnectionRefusedError")
        with Workers(SETTINGS, limits=QUICK, isolate=False) as open_workers:
            assert [r.outcome for (r,) in open_workers.run([[asked]])] == ["ok"]


@pytest.mark.skipif(sys.platform != "linux", reason="strays are found through /proc")
def test_what_a_submission_leaves_running_is_ended(workers: Workers) -> None:
    pid = told(workers, "stray")
    assert not is_running(pid)


# -- ends ----------------------------------------------------------------------------------------


def test_a_worker_killed_in_the_middle_of_a_batch_costs_nothing() -> None:
    batches = [[RIGHT, cell("wrong")] for _ in range(2000)]
    with Workers(SETTINGS, jobs=2, limits=Limits(cells=20)) as workers:
        workers.agents()
        stop = threading.Event()
        killer = threading.Thread(target=kill_workers, args=(workers, stop))
        killer.start()
        found = list(workers.run(batches))
        stop.set()
        killer.join()
        assert workers.provenance()["incidents"]
    assert [[r.score for r in records] for records in found] == [[1.0, 0.0]] * 2000


def kill_workers(workers: Workers, stop: threading.Event) -> None:
    """Kill every worker that has got ready, a few times."""
    for _ in range(3):
        if stop.wait(0.3):
            return
        for process in list(workers._all):
            if process.python:
                process.kill()


def test_leaving_ends_the_workers_and_removes_their_folders(tmp_path: Path) -> None:
    with Workers(SETTINGS, limits=Limits(cells=1), jobs=2) as workers:
        results = workers.run([[cell("wrong")], [cell("hang")], [cell("hang")]])
        assert [r.score for r in next(results)] == [0.0]
        pids = [process._process.pid for process in workers._all]
        wait_until(lambda: all(forks_of(pid) for pid in pids))
        forks = [fork for pid in pids for fork in forks_of(pid)]
    assert len(forks) == 2
    wait_until(lambda: not any(is_running(pid) for pid in (*pids, *forks)))
    assert [p for p in (tmp_path / "cache" / "scratch").iterdir() if p.is_dir()] == []


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGKILL])
def test_no_worker_outlives_a_command_that_is_ended(sent: signal.Signals, tmp_path: Path) -> None:
    script = tmp_path / "command.py"
    script.write_text(
        textwrap.dedent(
            f"""
            from benchaudit.cells import Cell
            from benchaudit.execution import Workers
            hang = Cell(task="hang", probe="deeds", kind="degraded", scorers=("s",))
            with Workers({SETTINGS!r}, jobs=2) as workers:
                workers.agents()
                print(*(p._process.pid for p in workers._all), flush=True)
                list(workers.run([[hang], [hang]]))
            """
        )
    )
    with subprocess.Popen(
        [sys.executable, str(script)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as command:
        assert command.stdout is not None
        worker = int(command.stdout.readline())
        wait_until(lambda: len(forks_of(worker)) == 1)
        forks = forks_of(worker)
        command.send_signal(sent)
        command.wait(10)
    wait_until(lambda: not any(is_running(pid) for pid in (worker, *forks)))


def test_an_adapter_that_cannot_be_loaded_is_a_clear_error(tmp_path: Path) -> None:
    (tmp_path / "adapter.py").write_text("import nothing_of_that_name\n")
    settings = {**SETTINGS, "folder": str(tmp_path)}
    with Workers(settings) as workers, pytest.raises(WorkerError, match="nothing_of_that_name"):
        workers.tasks(None)


def test_an_adapter_that_ends_its_worker_is_a_clear_error_with_its_last_words(
    tmp_path: Path,
) -> None:
    (tmp_path / "adapter.py").write_text("import os\nprint('oh no', flush=True)\nos._exit(1)\n")
    settings = {**SETTINGS, "folder": str(tmp_path)}
    with Workers(settings) as workers, pytest.raises(WorkerError, match=r"(?s)it ended.*oh no"):
        list(workers.run([[RIGHT]]))


def test_an_adapter_that_cannot_list_its_tasks_is_a_clear_error(tmp_path: Path) -> None:
    (tmp_path / "adapter.py").write_text(
        "from benchaudit.hooks import Adapter\n"
        "def tasks(seed): raise LookupError('no data')\n"
        "ADAPTER = Adapter(tasks=tasks)\n"
    )
    settings = {**SETTINGS, "folder": str(tmp_path)}
    with Workers(settings) as workers, pytest.raises(WorkerError, match="LookupError: no data"):
        workers.tasks(None)


def test_a_python_that_is_not_there_is_a_clear_error(tmp_path: Path) -> None:
    with (
        Workers(SETTINGS, python=tmp_path / "python") as workers,
        pytest.raises(WorkerError, match="cannot be started"),
    ):
        workers.tasks(None)


def is_running(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


def forks_of(pid: int) -> list[int]:
    text = Path(f"/proc/{pid}/task/{pid}/children").read_text()
    return [int(child) for child in text.split()]


def wait_until(holds: Any, seconds: float = 10) -> None:
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline, "did not come true in time"
        time.sleep(0.02)
