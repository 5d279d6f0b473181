"""The benchmark's own code, imported from a checkout without its model client.

``litellm`` is imported at the head of three files for one name, ``completion``. Nothing that
scores a submission calls it; the shipped agents do, and are given a scripted one in its place.
"""

from __future__ import annotations

import importlib
import sys
from types import ModuleType
from typing import Any


def no_model(**_: Any) -> Any:
    """What the shipped agents call outside of an episode."""
    raise RuntimeError("the audit calls no model")


def _prepare() -> None:
    client = ModuleType("litellm")
    client.__dict__["completion"] = no_model
    sys.modules.setdefault(client.__name__, client)


def _module(name: str) -> Any:
    return importlib.import_module(f"tau_bench.{name}")


_prepare()
types = _module("types")
base = _module("envs.base")
retail = _module("envs.retail.env")
airline = _module("envs.airline.env")
tool_calling = _module("agents.tool_calling_agent")
few_shot = _module("agents.few_shot_agent")
chat = _module("agents.chat_react_agent")
