"""Virtual environments of benchmarks: built once, in the user's cache folder, whole or not at all.

An environment is known by the digest of what it is made from, so an adapter that changes its
requirements gets a new one, and every other run finds it ready.
"""

from __future__ import annotations

import hashlib
import json
import os
import platform
import sys
from dataclasses import dataclass
from pathlib import Path

from benchaudit import folders, installers
from benchaudit.execution import Limits
from benchaudit.installers import Say, Unavailable
from benchaudit.manifest import Environment, Source

__all__ = ["Built", "Say", "Unavailable", "available", "build", "find", "limits", "remove"]

_FACTS = "environment.json"


@dataclass(frozen=True, slots=True)
class Built:
    """An environment that is ready.

    Attributes:
        adapter: the adapter it was built for.
        digest: SHA-256 of what it was made from.
        folder: where it is.
        source: the checkout whose packages the hooks import, or None.
        packages: what is installed, as ``name==version``.
        python: version of its interpreter.
    """

    adapter: str
    digest: str
    folder: Path
    source: Path | None
    packages: tuple[str, ...]
    python: str

    @property
    def interpreter(self) -> Path:
        return self.folder / "venv" / "bin" / "python"

    @property
    def size(self) -> int:
        """Bytes on disk."""
        return sum(p.lstat().st_size for p in self.folder.rglob("*") if not p.is_dir())

    def provenance(self) -> dict[str, object]:
        """What names the environment: for the run's provenance, not for its card."""
        return {
            "digest": self.digest,
            "python": self.python,
            "packages": list(self.packages),
            "source": installers.commit_of(self.source) if self.source else "",
        }


def limits(environment: Environment) -> Limits:
    """What workers in this environment may use."""
    return Limits(
        seconds=environment.cell_seconds,
        memory=int(environment.memory_gb * 2**30),
        cells=environment.cells_a_process,
    )


def build(
    adapter: str, environment: Environment, *, source: Path | None = None, say: Say | None = None
) -> Built:
    """The environment of an adapter, built if it is not there.

    Args:
        adapter: the adapter's name.
        environment: what it needs.
        source: a checkout of the user's, instead of a clone.
        say: called with lines of progress.

    Raises:
        Unavailable: when it cannot be had.
    """
    say = say or (lambda _line: None)
    recipe = _recipe(environment, source)
    place = _place(adapter, recipe)
    try:
        with folders.locked(
            place.with_name(place.name + ".lock"),
            waiting=lambda: say("another run is building this environment; waiting for it"),
        ):
            built = _read(place, source)
            return built if built is not None else _build(place, adapter, recipe, source, say)
    except OSError as error:
        raise Unavailable(
            "its environment could not be written",
            f"free some space, or set {folders.CACHE_VARIABLE} to a folder that can be written to "
            f"({error})",
        ) from None


def find(adapter: str, environment: Environment, *, source: Path | None = None) -> Built | None:
    """The environment of an adapter, if it is built.

    Raises:
        Unavailable: when no Python here is one that it could have been built with.
    """
    return _read(_place(adapter, _recipe(environment, source)), source)


def available() -> list[Built]:
    """Every environment that is built, by adapter."""
    home = _home()
    found = [_read(child, None) for child in sorted(home.iterdir())] if home.is_dir() else []
    return [built for built in found if built is not None]


def remove(built: Built) -> None:
    """Remove an environment, at once for other runs.

    Raises:
        OSError: when the cache folder cannot be written.
    """
    lock = built.folder.with_name(built.folder.name + ".lock")
    with folders.locked(lock), folders.temporary(_home() / "building") as draft:
        built.folder.rename(draft / "old")


# -- what it is made from ------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Recipe:
    """What an environment is made from; the interpreter's version and the source's commit count."""

    requirements: tuple[str, ...]
    no_deps: bool
    interpreter: Path
    python: str
    source: Source | None

    @property
    def digest(self) -> str:
        parts = [
            sorted(self.requirements),
            self.no_deps,
            self.python.rpartition(".")[0],
            [self.source.git, self.source.commit] if self.source else [],
            [sys.platform, platform.machine()],
        ]
        return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


def _recipe(environment: Environment, source: Path | None) -> _Recipe:
    interpreter, version = installers.interpreter(environment.python)
    return _Recipe(
        environment.requirements,
        environment.no_deps,
        interpreter,
        version,
        environment.source if source is None else None,
    )


def _home() -> Path:
    return folders.cache() / "environments"


def _place(adapter: str, recipe: _Recipe) -> Path:
    return _home() / f"{adapter}-{recipe.digest[:12]}"


# -- making it -----------------------------------------------------------------------------------


def _build(place: Path, adapter: str, recipe: _Recipe, source: Path | None, say: Say) -> Built:
    with folders.temporary(_home() / "building") as draft:
        new = draft / "new"
        new.mkdir()
        if recipe.source is not None:
            installers.clone(recipe.source.git, recipe.source.commit, new / "source", say=say)
        installers.install(
            new / "venv",
            recipe.interpreter,
            recipe.requirements,
            no_deps=recipe.no_deps,
            say=say,
        )
        _rename_inside(new / "venv", str(new), str(place))
        facts = {
            "adapter": adapter,
            "digest": recipe.digest,
            "packages": _packages(new / "venv"),
            "python": recipe.python,
        }
        (new / _FACTS).write_text(json.dumps(facts, indent=1) + "\n", encoding="utf-8")
        if place.exists():
            place.rename(draft / "broken")
        new.rename(place)
    built = _read(place, source)
    assert built is not None
    return built


def _read(place: Path, source: Path | None) -> Built | None:
    """The environment in a folder, or None when there is none that works."""
    try:
        facts = json.loads((place / _FACTS).read_text(encoding="utf-8"))
        own = place / "source"
        built = Built(
            adapter=str(facts["adapter"]),
            digest=str(facts["digest"]),
            folder=place,
            source=source or (own if own.is_dir() else None),
            packages=tuple(facts["packages"]),
            python=str(facts["python"]),
        )
    except (OSError, ValueError, KeyError, TypeError):
        return None
    # The Python that it was made from may have been removed since.
    return built if built.interpreter.exists() else None


def _rename_inside(venv: Path, old: str, new: str) -> None:
    """Have the scripts of an environment name the place where it will be."""
    for path in (venv / "pyvenv.cfg", *(venv / "bin").iterdir()):
        if path.is_symlink() or not path.is_file():
            continue
        data = path.read_bytes()
        if os.fsencode(old) in data:
            path.write_bytes(data.replace(os.fsencode(old), os.fsencode(new)))


def _packages(venv: Path) -> list[str]:
    """What is installed, from the names of the metadata folders."""
    found = (path.name for path in venv.glob("lib/python*/site-packages/*.dist-info"))
    pairs = (name.removesuffix(".dist-info").rpartition("-") for name in found)
    return sorted(f"{name}=={version}" for name, _, version in pairs)
