"""The programs that make an environment: a Python within bounds, uv or pip, git.

A pip that the user has configured goes before a uv that the user has not, so that the package
index of the house is the one that is asked.
"""

from __future__ import annotations

import configparser
import os
import platform
import re
import shutil
import subprocess
import sys
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

import platformdirs

Say = Callable[[str], None]
"""Called with one line of progress."""

_LAST_LINES = 15
_OLDEST = 11
"""The oldest minor version of Python 3 that a worker runs on."""

_INDEX_SETTINGS = ("index-url", "extra-index-url", "find-links", "no-index", "proxy", "cert")


class Unavailable(Exception):  # noqa: N818 - an outcome, not an error
    """A benchmark that cannot be had: its cells are not probed.

    Attributes:
        reason: one phrase, the same on every machine where it is so; for the card.
        remedy: what the user can do.
        tail: the last lines of the program that failed; for the terminal.
    """

    def __init__(self, reason: str, remedy: str, tail: Sequence[str] = ()) -> None:
        super().__init__(reason)
        self.reason = reason
        self.remedy = remedy
        self.tail = tuple(tail)

    def __str__(self) -> str:
        return "\n".join([f"{self.reason}; {self.remedy}", *(f"  {line}" for line in self.tail)])


# -- Python --------------------------------------------------------------------------------------


def interpreter(bounds: str) -> tuple[Path, str]:
    """A Python within the bounds, and its version: this one, else the newest on PATH.

    Raises:
        Unavailable: when there is none.
    """
    for candidate in _interpreters(bounds):
        version = _version(candidate)
        if version is not None:
            return candidate, version
    raise Unavailable(
        f"it needs Python {bounds}, which is not installed",
        "install one, so that its python3.N is on PATH (`uv python install` brings them)",
    )


def _interpreters(bounds: str) -> Iterator[Path]:
    if _within(sys.version_info.minor, bounds):
        yield Path(sys.executable)
    for minor in range(_OLDEST + 20, _OLDEST - 1, -1):
        if _within(minor, bounds):
            found = (shutil.which(f"python3.{minor}"), _uv_python(minor))
            yield from (Path(path) for path in found if path)


def _uv_python(minor: int) -> str:
    """A Python that uv has installed, or ""."""
    uv = shutil.which("uv")
    if uv is None:
        return ""
    command = [uv, "python", "find", "--no-python-downloads", f"3.{minor}"]
    found = subprocess.run(command, capture_output=True, text=True, check=False)
    return found.stdout.strip() if found.returncode == 0 else ""


def _within(minor: int, bounds: str) -> bool:
    tests: Mapping[str, Callable[[int, int], bool]] = {
        ">=": lambda a, b: a >= b,
        "<=": lambda a, b: a <= b,
        "==": lambda a, b: a == b,
        ">": lambda a, b: a > b,
        "<": lambda a, b: a < b,
    }
    found = re.findall(r"(>=|<=|==|<|>)3\.(\d+)", bounds)
    return minor >= _OLDEST and all(tests[sign](minor, int(bound)) for sign, bound in found)


def _version(python: Path) -> str | None:
    """The version of an interpreter, or None when it does not run."""
    if str(python) == sys.executable:
        return platform.python_version()
    ask = "import platform; print(platform.python_version())"
    try:
        said = subprocess.run([python, "-I", "-c", ask], capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return None
    return said.stdout.strip()


# -- packages ------------------------------------------------------------------------------------


def install(
    venv: Path, python: Path, requirements: Sequence[str], *, no_deps: bool, say: Say
) -> None:
    """Make a virtual environment that holds what is required.

    Args:
        venv: where; must not exist.
        python: the interpreter that it is made from.
        requirements: ``name==version`` each.
        no_deps: install these and nothing that they ask for.
        say: called with the installer's lines.

    Raises:
        Unavailable: with the installer's last lines, when it fails.
    """
    inside = str(venv / "bin" / "python")
    wanted = [*(["--no-deps"] if no_deps else []), *requirements]
    uv = shutil.which("uv")
    if uv and (_uv_is_configured() or not _pip_is_configured()):
        _run("uv venv", [uv, "venv", "--python", str(python), str(venv)], say)
        if requirements:
            ask = [uv, "pip", "install", "--python", inside, "--compile-bytecode"]
            _run("uv pip install", [*ask, *wanted], say)
        return
    without = [] if requirements else ["--without-pip"]
    _run("python -m venv", [str(python), "-m", "venv", *without, str(venv)], say)
    if requirements:
        pip = [inside, "-m", "pip"]
        _run("pip install", [*pip, "install", "--no-input", *wanted], say)
        _run("pip uninstall", [*pip, "uninstall", "-y", *_own_tools(requirements)], say)


def _own_tools(requirements: Sequence[str]) -> list[str]:
    """What venv brings and the benchmark did not ask for."""
    names = {re.split(r"\[|==", requirement)[0].lower() for requirement in requirements}
    return [tool for tool in ("setuptools", "pip") if tool not in names]


def _uv_is_configured() -> bool:
    names = ("UV_INDEX", "UV_DEFAULT_INDEX", "UV_INDEX_URL", "UV_EXTRA_INDEX_URL", "UV_FIND_LINKS")
    files = [Path("/etc/uv/uv.toml"), Path.home() / ".config" / "uv" / "uv.toml"]
    return any(name in os.environ for name in names) or any(path.exists() for path in files)


def _pip_is_configured() -> bool:
    """Whether pip was told where to look for packages, which uv would not know."""
    names = {f"PIP_{setting.upper().replace('-', '_')}" for setting in _INDEX_SETTINGS}
    return bool(names & os.environ.keys()) or any(map(_tells_where, _pip_files()))


def _pip_files() -> Iterator[Path]:
    """Where pip reads its configuration: its documentation, "Configuration files"."""
    if chosen := os.environ.get("PIP_CONFIG_FILE"):
        yield Path(chosen)
    yield from (Path("/etc/pip.conf"), Path("/etc/xdg/pip/pip.conf"))
    yield from (Path.home() / folder / "pip.conf" for folder in (".pip", ".config/pip"))
    yield platformdirs.user_config_path("pip") / "pip.conf"
    yield Path(sys.prefix) / "pip.conf"


def _tells_where(path: Path) -> bool:
    parser = configparser.RawConfigParser()
    try:
        parser.read(path, encoding="utf-8")
    except (configparser.Error, UnicodeDecodeError):
        return True
    return any(parser.has_option(part, s) for part in parser.sections() for s in _INDEX_SETTINGS)


# -- source ----------------------------------------------------------------------------------------


def clone(url: str, commit: str, folder: Path, *, say: Say) -> None:
    """Check out one commit of a repository, without its history.

    Raises:
        Unavailable: when it cannot be had.
    """
    remedy = f"get {url} at {commit} yourself, and pass it with --source PATH"
    git = shutil.which("git")
    if git is None:
        raise Unavailable("its source could not be cloned: git is not installed", remedy)
    here = [git, "-C", str(folder)]
    _run("git init", [git, "init", "--quiet", str(folder)], say, remedy)
    fetch = [*here, "fetch", "--depth", "1", "--progress", "--", url, commit]
    _run("git fetch", fetch, say, remedy)
    _run("git checkout", [*here, "checkout", "--quiet", commit], say, remedy)
    shutil.rmtree(folder / ".git")


def commit_of(checkout: Path) -> str:
    """The commit of a checkout, with ``+changes`` when it has any; "" when it has none to tell."""
    head = _git_says(checkout, "rev-parse", "HEAD")
    if head is None:
        return ""
    return head + ("+changes" if _git_says(checkout, "status", "--porcelain") else "")


def _git_says(checkout: Path, *arguments: str) -> str | None:
    try:
        said = subprocess.run(
            ["git", "-C", str(checkout), *arguments], capture_output=True, text=True, check=True
        )
    except (OSError, subprocess.CalledProcessError):
        return None
    return said.stdout.strip()


# -- running them ----------------------------------------------------------------------------------


def _run(title: str, command: Sequence[str], say: Say, remedy: str = "") -> None:
    """Run an installer, passing its lines on.

    Raises:
        Unavailable: with its last lines, when it fails.
    """
    say(title)
    hidden = ("PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV", "CONDA_PREFIX")
    variables = {k: v for k, v in os.environ.items() if k not in hidden}
    tail: deque[str] = deque(maxlen=_LAST_LINES)
    with subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        env={**variables, "GIT_TERMINAL_PROMPT": "0"},
    ) as process:
        assert process.stdout is not None
        try:
            for line in process.stdout:
                if line.strip():
                    tail.append(line.strip())
                    say(line.strip())
        except BaseException:
            process.kill()
            raise
    if process.returncode != 0:
        raise Unavailable(
            f"its environment could not be built: {title} failed",
            remedy
            or "mend what the last lines say (no network? a proxy or index to set?) and "
            "run it again; `benchaudit env build` tries only this",
            tail,
        )
