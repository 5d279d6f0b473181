"""Environments of benchmarks: built once, whole or not at all, and nothing of the host in them."""

from __future__ import annotations

import base64
import hashlib
import os
import shutil
import signal
import subprocess
import sys
import time
import zipfile
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from pydantic import ValidationError

from benchaudit import environments, installers
from benchaudit.cells import Cell
from benchaudit.cli import main
from benchaudit.environments import Unavailable
from benchaudit.execution import Workers
from benchaudit.folders import CACHE_VARIABLE
from benchaudit.manifest import Environment

BARE = Environment()
TINY = Environment(requirements=("tiny-bench==1.0",))

ADAPTER = """
import tiny_bench
from benchaudit.hooks import Adapter, Score, Submission, Task

def imports():
    found = []
    for name in ("pydantic", "numpy", "pytest", "pip", "setuptools"):
        try:
            __import__(name)
            found.append(name)
        except ImportError:
            pass
    return found

ADAPTER = Adapter(
    tasks=lambda seed: [Task(id=" ".join(imports()) or "nothing", family="text")],
    score=lambda task, submission, scorer: Score(tiny_bench.score(submission.payload)),
    samples=lambda task: [Submission("abc")],
)
"""


@pytest.fixture(scope="session")
def wheels(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with one wheel, of a benchmark of one function."""
    folder = tmp_path_factory.mktemp("wheels")
    files = {
        "tiny_bench.py": "def score(text):\n    return len(text)\n",
        "tiny_bench-1.0.dist-info/METADATA": "Metadata-Version: 2.1\nName: tiny-bench\n"
        "Version: 1.0\nRequires-Dist: nowhere-to-be-had==9; extra == 'more'\n",
        "tiny_bench-1.0.dist-info/WHEEL": "Wheel-Version: 1.0\nGenerator: test\n"
        "Root-Is-Purelib: true\nTag: py3-none-any\n",
        "tiny_bench-1.0.dist-info/entry_points.txt": "[console_scripts]\ntiny = tiny_bench:score\n",
    }
    record = "".join(f"{name},{_hash(text)},{len(text)}\n" for name, text in files.items())
    files["tiny_bench-1.0.dist-info/RECORD"] = record + "tiny_bench-1.0.dist-info/RECORD,,\n"
    with zipfile.ZipFile(folder / "tiny_bench-1.0-py3-none-any.whl", "w") as wheel:
        for name, text in files.items():
            wheel.writestr(name, text)
    return folder


def _hash(text: str) -> str:
    digest = hashlib.sha256(text.encode()).digest()
    return "sha256=" + base64.urlsafe_b64encode(digest).decode().rstrip("=")


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "cache"
    monkeypatch.setenv(CACHE_VARIABLE, str(folder))
    return folder


@pytest.fixture
def offline(wheels: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An index that the user has configured: the folder with the wheel, and nothing else."""
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(wheels))
    monkeypatch.setenv("UV_NO_INDEX", "1")
    monkeypatch.setenv("UV_FIND_LINKS", str(wheels))


# -- building ------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.usefixtures("offline")
def test_a_benchmark_runs_in_its_environment_and_sees_nothing_of_the_host(tmp_path: Path) -> None:
    said: list[str] = []
    built = environments.build("tiny", TINY, say=said.append)
    assert built.packages == ("tiny_bench==1.0",)
    assert any("install" in line for line in said)
    (tmp_path / "adapter.py").write_text(ADAPTER)
    settings = {
        "name": "tiny",
        "folder": str(tmp_path),
        "probes": {},
        "unsubmitted": 0.0,
        "ground_truth": [],
    }
    with Workers(settings, python=built.interpreter) as workers:
        (task,) = workers.tasks(None)
        asked = Cell(task=task.id, probe="canonical", kind="canonical", scorers=("s",))
        ((record,),) = workers.run([[asked]])
    assert task.id == "nothing"
    assert record.score == 3.0


@pytest.mark.slow
@pytest.mark.usefixtures("offline")
def test_the_scripts_of_an_environment_name_the_place_where_it_is(cache: Path) -> None:
    built = environments.build("tiny", TINY)
    script = built.folder / "venv" / "bin" / "tiny"
    assert str(built.interpreter) in script.read_text()
    drafts = str(cache / "environments" / "building")
    texts = [p.read_bytes() for p in script.parent.iterdir() if not p.is_symlink()]
    assert not any(drafts.encode() in text for text in texts)


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("uv") is None, reason="needs uv")
@pytest.mark.usefixtures("offline")
def test_uv_builds_where_it_is_configured() -> None:
    said: list[str] = []
    built = environments.build("tiny", TINY, say=said.append)
    assert built.packages == ("tiny_bench==1.0",)
    assert "uv pip install" in said


@pytest.mark.slow
@pytest.mark.usefixtures("offline")
def test_a_failed_install_shows_the_last_lines_and_the_remedy() -> None:
    lacking = Environment(requirements=("no-such-benchmark==1.0",))
    with pytest.raises(Unavailable) as failure:
        environments.build("lacking", lacking)
    assert "could not be built" in failure.value.reason
    assert "no-such-benchmark" not in failure.value.reason
    assert any("no-such-benchmark" in line for line in failure.value.tail)
    assert "run it again" in str(failure.value)
    assert environments.available() == []


def test_an_environment_is_built_once() -> None:
    said: list[str] = []
    first = environments.build("bare", BARE, say=said.append)
    lines = len(said)
    assert environments.build("bare", BARE, say=said.append) == first
    assert environments.find("bare", BARE) == first
    assert environments.available() == [first]
    assert len(said) == lines


def test_other_requirements_are_another_environment() -> None:
    other = Environment(requirements=("tiny-bench==1.1",))
    environments.build("bare", BARE)
    assert environments.find("bare", other) is None
    assert environments.find("bare", Environment(cell_seconds=1)) is not None


def test_an_environment_whose_python_is_gone_is_built_again() -> None:
    built = environments.build("bare", BARE)
    built.interpreter.unlink()
    assert environments.find("bare", BARE) is None
    assert environments.build("bare", BARE).interpreter.exists()


def test_a_removed_environment_is_gone(cache: Path) -> None:
    environments.remove(environments.build("bare", BARE))
    assert environments.available() == []
    assert not [p for p in (cache / "environments").rglob("*") if p.name == "venv"]


def test_a_cache_that_cannot_be_written_is_a_clear_outcome(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path / "file" / "cache"))
    with pytest.raises(Unavailable, match=CACHE_VARIABLE):
        environments.build("bare", BARE)


# -- kills and races -----------------------------------------------------------------------------

BUILD = """
import sys
from benchaudit import environments
from benchaudit.manifest import Environment
say = lambda line: print(line, flush=True)
print(environments.build("bare", Environment(), say=say).folder, flush=True)
"""


def start_build() -> subprocess.Popen[str]:
    return subprocess.Popen([sys.executable, "-c", BUILD], stdout=subprocess.PIPE, text=True)


@pytest.mark.parametrize("sent", [signal.SIGKILL, signal.SIGINT])
def test_a_build_that_is_killed_leaves_no_half_environment(
    cache: Path, sent: signal.Signals, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", f"{slow_uv(tmp_path)}:{os.environ['PATH']}")
    monkeypatch.setenv("UV_FIND_LINKS", str(tmp_path))
    with start_build() as command:
        assert command.stdout is not None
        assert "venv" in command.stdout.readline()
        wait_until(lambda: any((cache / "environments" / "building").rglob("python3")))
        command.send_signal(sent)
    assert environments.available() == []
    built = environments.build("bare", BARE)
    assert built.interpreter.exists()
    drafts = cache / "environments" / "building"
    assert [path for path in drafts.iterdir() if path.is_dir()] == []


def test_two_runs_at_once_build_it_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", f"{slow_uv(tmp_path)}:{os.environ['PATH']}")
    monkeypatch.setenv("UV_FIND_LINKS", str(tmp_path))
    commands = [start_build(), start_build()]
    said = [command.communicate(timeout=60)[0].splitlines() for command in commands]
    assert [command.returncode for command in commands] == [0, 0]
    assert said[0][-1] == said[1][-1]
    assert sum("uv venv" in lines for lines in said) == 1
    assert sum(any("another run" in line for line in lines) for lines in said) == 1


def slow_uv(folder: Path) -> Path:
    """A stand-in for uv that takes its time, so that a kill or another build is sure to meet it."""
    script = folder / "bin" / "uv"
    script.parent.mkdir()
    script.write_text(f'#!/bin/sh\n{sys.executable} -m venv --without-pip "$4"\nsleep 1\n')
    script.chmod(0o755)
    return script.parent


# -- source --------------------------------------------------------------------------------------


@pytest.fixture
def repository(tmp_path: Path) -> tuple[str, str]:
    """A benchmark that is no package: where it is cloned from, and its commit."""
    folder = tmp_path / "upstream"
    folder.mkdir()
    (folder / "tiny_bench.py").write_text("def score(text):\n    return 7\n")
    for command in (
        ["init", "--quiet"],
        ["add", "."],
        ["-c", "user.name=a", "-c", "user.email=a@example.org", "commit", "--quiet", "-m", "one"],
    ):
        subprocess.run(["git", "-C", str(folder), *command], check=True)
    commit = installers.commit_of(folder)
    assert len(commit) == 40
    return folder.as_uri(), commit


def needs(url: str, commit: str) -> Environment:
    return Environment.model_validate({"source": {"git": url, "commit": commit}})


def test_a_source_is_cloned_at_its_commit(repository: tuple[str, str], tmp_path: Path) -> None:
    built = environments.build("cloned", needs(*repository))
    assert built.source is not None
    assert (built.source / "tiny_bench.py").exists()
    (tmp_path / "adapter.py").write_text(ADAPTER)
    settings = {
        "name": "tiny",
        "folder": str(tmp_path),
        "probes": {},
        "unsubmitted": 0.0,
        "ground_truth": [],
    }
    with Workers(settings, python=built.interpreter, source=built.source) as workers:
        (task,) = workers.tasks(None)
        asked = Cell(task=task.id, probe="canonical", kind="canonical", scorers=("s",))
        assert [r.score for (r,) in workers.run([[asked]])] == [7.0]


def test_a_checkout_of_the_user_goes_before_a_clone(tmp_path: Path) -> None:
    nowhere = needs((tmp_path / "nowhere").as_uri(), "0" * 40)
    built = environments.build("cloned", nowhere, source=tmp_path)
    assert built.source == tmp_path


def test_a_source_that_cannot_be_cloned_says_how_to_supply_it(tmp_path: Path) -> None:
    nowhere = needs((tmp_path / "nowhere").as_uri(), "0" * 40)
    with pytest.raises(Unavailable, match="--source PATH") as failure:
        environments.build("cloned", nowhere)
    assert str(tmp_path) not in failure.value.reason
    assert environments.available() == []


def test_the_commit_of_a_checkout_tells_of_changes(
    repository: tuple[str, str], tmp_path: Path
) -> None:
    checkout = tmp_path / "upstream"
    (checkout / "tiny_bench.py").write_text("")
    assert installers.commit_of(checkout) == repository[1] + "+changes"
    assert installers.commit_of(tmp_path) == ""


# -- what an adapter may ask for -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"requirements": ["bfcl-eval"]}, "write name==version"),
        ({"requirements": ["bfcl-eval>=2026"]}, "write name==version"),
        ({"requirements": ["bfcl-eval==2026.*"]}, "write name==version"),
        ({"requirements": ["--index-url=x"]}, "write name==version"),
        ({"python": "3.11"}, "match pattern"),
        ({"source": {"git": "https://example.org/a", "commit": "main"}}, "match pattern"),
    ],
)
def test_an_environment_that_is_not_exact_is_refused(asked: dict[str, Any], message: str) -> None:
    with pytest.raises(ValidationError, match=message):
        Environment.model_validate(asked)


def test_a_python_out_of_bounds_is_a_clear_outcome() -> None:
    with pytest.raises(Unavailable, match=r"needs Python <3\.11"):
        environments.build("old", Environment(python="<3.11"))


def test_bounds_choose_among_the_pythons_on_the_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, text in {"python3.29": "exit 1", "python3.28": "echo 3.28.4"}.items():
        (tmp_path / name).write_text(f"#!/bin/sh\n{text}\n")
        (tmp_path / name).chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert installers.interpreter(">=3.28") == (tmp_path / "python3.28", "3.28.4")
    assert installers.interpreter("")[0] == Path(sys.executable)


def test_a_configured_pip_goes_before_an_unconfigured_uv(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", f"{slow_uv(tmp_path)}:{os.environ['PATH']}")
    monkeypatch.setenv("HOME", str(tmp_path))
    said: list[str] = []
    (tmp_path / "pip.conf").write_text("[install]\nfind-links = /somewhere\n")
    monkeypatch.setenv("PIP_CONFIG_FILE", str(tmp_path / "pip.conf"))
    environments.build("bare", BARE, say=said.append)
    assert said[0] == "python -m venv"


# -- the command ---------------------------------------------------------------------------------


@pytest.fixture
def target(tmp_path: Path) -> str:
    folder = tmp_path / "bare-bench"
    folder.mkdir()
    (folder / "adapter.toml").write_text(
        """
        name = "bare-bench"
        title = "Bare"
        version = "1"
        summary = "s"
        claim = "c"
        cited = "d"
        [scorers.s]
        kind = "outcome"
        reason = "r"
        [[columns]]
        id = "all"
        title = "All"
        summary = "s"
        scorer = "s"
        [environment]
        python = ">=3.11"
        """
    )
    return str(folder)


def env(*arguments: str) -> tuple[int, str, str]:
    result = CliRunner().invoke(main, ["env", *arguments])
    return result.exit_code, result.stdout, result.stderr


def test_the_command_builds_finds_lists_and_removes(target: str) -> None:
    assert env("path", target)[0] == 2
    code, place, _ = env("build", target)
    assert code == 0
    assert env("path", target) == (0, place, "")
    assert env("list")[1].startswith("bare-bench ")
    assert env("remove", "bare-bench")[0] == 0
    assert env("list") == (0, "", "")


def test_the_command_tells_user_mistakes_apart(target: str) -> None:
    assert env("remove")[0] == 2
    assert "there are: none" in env("remove", "nothing")[2]
    assert "no adapter named" in env("build", "nothing-of-that-name")[2]
    manifest = Path(target) / "adapter.toml"
    manifest.write_text(manifest.read_text().replace('">=3.11"', '"<3.11"'))
    code, _, message = env("build", target)
    assert code == 3
    assert "install one" in message


def wait_until(holds: Any, seconds: float = 20) -> None:
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline, "did not come true in time"
        time.sleep(0.01)
