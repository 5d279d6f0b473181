"""The preregistrations that come with adapters, by name: ``adapter/name``."""

from __future__ import annotations

import difflib
from pathlib import Path

from benchaudit import packs
from benchaudit.stress.errors import InputError

_FOLDER = "experiments"


def shipped() -> dict[str, Path]:
    """Every preregistration in the ``experiments`` folder of an adapter, sorted by name."""
    found = {
        f"{name}/{path.stem}": path
        for name, pack in packs.available("adapters").items()
        for path in (pack.folder / _FOLDER).glob("*.toml")
        if not path.name.endswith(".published.toml")
    }
    return dict(sorted(found.items()))


def locate(asked: str) -> Path:
    """The preregistration file that a path or the name of a shipped one stands for.

    Raises:
        InputError: naming the closest names.
    """
    path = Path(asked)
    if path.is_file():
        return path
    names = shipped()
    if asked in names:
        return names[asked]
    close = difflib.get_close_matches(asked, names, n=3, cutoff=0.4)
    hint = f"did you mean {' or '.join(close)}?" if close else f"there are: {', '.join(names)}"
    raise InputError(f"{asked}: no such file, and no experiment of that name; {hint}")
