"""Keeps one submission from reaching the next through the tools' own modules.

Instances of the tools are fresh for each submission, yet some state is not in the instances: a
default argument that is a list, and tables in a module that instances refer to and change. Before
each submission everything of that kind is put back as it was when first imported.
"""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Iterator
from copy import deepcopy
from functools import cache
from typing import Any

from .package import backends, execution

_TABLES = f"{backends.BACKEND_PATH_PREFIX}.long_context"
_OUTSIDE = ("MemoryAPI", "WebSearch")
"""Tools of the agentic categories, which are never executed here and need more packages."""


def restore() -> None:
    """Put back every table and default argument that was changed."""
    for live, original in _shared():
        if live != original:
            _overwrite(live, deepcopy(original))


def forget(model: str) -> None:
    """Drop the instances that the benchmark keeps under a model's name."""
    for kept in [key for key in vars(execution) if key.startswith(f"{model}_")]:
        delattr(execution, kept)


@cache
def _shared() -> list[tuple[Any, Any]]:
    """Each mutable value that instances share, with a copy as it was at import."""
    return [(live, deepcopy(live)) for live in _find()]


def _find() -> Iterator[Any]:
    tables = importlib.import_module(_TABLES)
    yield from (v for k, v in vars(tables).items() if k.isupper() and isinstance(v, list | dict))
    for name, path in backends.CLASS_FILE_PATH_MAPPING.items():
        if name.startswith(_OUTSIDE):
            continue
        tool = getattr(importlib.import_module(path), name)
        for _, function in inspect.getmembers(tool, inspect.isfunction):
            yield from (v for v in function.__defaults__ or () if isinstance(v, list | dict))


def _overwrite(live: Any, original: Any) -> None:
    live.clear()
    if isinstance(live, dict):
        live.update(original)
    else:
        live.extend(original)
