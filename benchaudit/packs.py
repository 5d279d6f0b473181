"""Finding and loading packs: adapters, probes and oracles.

A pack is a folder with a ``.toml`` of facts and a Python module beside it. Packs come from three
places, and none has a privilege: the folders of this distribution, an entry point
(``benchaudit.adapters``, ``benchaudit.probes``, ``benchaudit.oracles``; its value is an importable
package that is a pack folder), or a path.

Standard library only: this module runs inside benchmark environments.
"""

from __future__ import annotations

import difflib
import hashlib
import importlib
import importlib.util
import sys
import tomllib
import types
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, cast

from benchaudit.hooks import Adapter, Forge

_KINDS = {"adapters": "adapter", "probes": "probe", "oracles": "oracle"}
_PARENT = "benchaudit_packs"


class PackError(Exception):
    """A pack that cannot be found or loaded; the message says what to do."""


@dataclass(frozen=True, slots=True)
class Pack:
    """Where a pack is: its kind (``adapters``, ``probes``, ``oracles``), name and folder."""

    kind: str
    name: str
    folder: Path

    @property
    def manifest_path(self) -> Path:
        return self.folder / f"{_KINDS[self.kind]}.toml"

    def manifest(self) -> dict[str, Any]:
        """The facts in the pack's ``.toml``.

        Raises:
            PackError: when the file is absent or is not TOML.
        """
        path = self.manifest_path
        try:
            return tomllib.loads(path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            raise PackError(f"{self.folder}: no {path.name} there, so it is no pack") from None
        except (OSError, ValueError) as error:
            raise PackError(f"{path}: {error}") from None

    def module(self, name: str = "") -> types.ModuleType:
        """Import a module of the pack, by default the one its kind is named after.

        The folder is registered as a package under ``benchaudit_packs``, so relative imports,
        dataclasses and pickle work in it whatever the folder is called.

        Raises:
            PackError: when the module is absent or fails to import.
        """
        name = name or {"oracles": "check"}.get(self.kind, _KINDS[self.kind])
        full = f"{self._package()}.{name}"
        try:
            return importlib.import_module(full)
        except ModuleNotFoundError as error:
            if error.name == full:
                raise PackError(f"{self.folder}: no {name}.py there") from None
            raise PackError(f"{self.folder / name}.py: {error}") from error
        except Exception as error:
            raise PackError(f"{self.folder / name}.py: {type(error).__name__}: {error}") from error

    def _package(self) -> str:
        """Register the folder as a package; a pack from elsewhere gets a name of its own."""
        name = self.name.replace("-", "_")
        if self.folder.parent != root() / self.kind:
            name += "_" + hashlib.sha256(str(self.folder).encode()).hexdigest()[:8]
        parent = _register(_PARENT, None)
        parent = _register(f"{parent}.{self.kind}", None)
        return _register(f"{parent}.{name}", self.folder)


def _register(name: str, folder: Path | None) -> str:
    if name not in sys.modules:
        package = types.ModuleType(name)
        package.__path__ = [str(folder)] if folder else []
        package.__spec__ = importlib.util.spec_from_loader(name, None, is_package=True)
        sys.modules[name] = package
        above, _, last = name.rpartition(".")
        if above:
            setattr(sys.modules[above], last, package)
    return name


@lru_cache(maxsize=1)
def root() -> Path:
    """The folder of the built-in packs: inside an installed wheel, else the checkout's root."""
    here = Path(__file__).resolve().parent
    shipped = here / "_packs"
    return shipped if shipped.is_dir() else here.parent


def available(kind: str) -> dict[str, Pack]:
    """Every pack of a kind that can be found by name, sorted by name. Nothing is imported."""
    found = {pack.name: pack for pack in _installed(kind)}
    found.update({pack.name: pack for pack in _built_in(kind)})
    return dict(sorted(found.items()))


def _built_in(kind: str) -> Iterator[Pack]:
    folder = root() / kind
    if folder.is_dir():
        for child in folder.iterdir():
            if (child / f"{_KINDS[kind]}.toml").is_file():
                yield Pack(kind, child.name.replace("_", "-"), child)


def _installed(kind: str) -> Iterator[Pack]:
    from importlib.metadata import entry_points

    for point in entry_points(group=f"benchaudit.{kind}"):
        spec = importlib.util.find_spec(point.module)
        for location in (spec.submodule_search_locations or []) if spec else []:
            yield Pack(kind, point.name, Path(location))


def find(kind: str, target: str) -> Pack:
    """The pack with this name, or in this folder.

    Raises:
        PackError: naming the closest names.
    """
    packs = available(kind)
    name = target.replace("_", "-")
    if name in packs:
        return packs[name]
    folder = Path(target)
    if folder.is_dir() and (folder / f"{_KINDS[kind]}.toml").is_file():
        return Pack(kind, folder.resolve().name.replace("_", "-"), folder.resolve())
    close = difflib.get_close_matches(name, packs, n=3, cutoff=0.4)
    hint = f"did you mean {' or '.join(close)}?" if close else f"there are: {', '.join(packs)}"
    if folder.is_dir():
        hint = f"the folder {folder} holds no {_KINDS[kind]}.toml"
    raise PackError(f"no {_KINDS[kind]} named {target!r}; {hint}")


def load_adapter(pack: Pack) -> Adapter:
    """Import an adapter's hooks.

    Raises:
        PackError: when ``adapter.py`` fails, or states no ``ADAPTER``.
    """
    adapter = getattr(pack.module(), "ADAPTER", None)
    if not isinstance(adapter, Adapter):
        raise PackError(f"{pack.folder / 'adapter.py'}: states no ADAPTER: Adapter = Adapter(...)")
    return adapter


def load_forge(pack: Pack) -> Forge:
    """Import a probe's forger.

    Raises:
        PackError: when ``probe.py`` fails, or has no ``forge``.
    """
    forge = getattr(pack.module(), "forge", None)
    if not callable(forge):
        raise PackError(f"{pack.folder / 'probe.py'}: has no function forge(gold)")
    return cast(Forge, forge)
