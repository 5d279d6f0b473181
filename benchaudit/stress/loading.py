"""Finding what an experiment names: a target to stress, and a user's own rules.

A target is an adapter's name (its ``stress.py`` states ``TARGET``), or ``file.py:NAME``. A user's
rule is ``file.py:function``. Paths are relative to the file that names them.
"""

from __future__ import annotations

import dataclasses
import hashlib
import importlib.util
import sys
from functools import lru_cache
from pathlib import Path
from types import ModuleType

from benchaudit import packs
from benchaudit.stress.environment import Policy, Target
from benchaudit.stress.errors import CannotRunError, InputError


def load_target(ref: str, base: Path | None = None) -> Target:
    """Load the target that ``ref`` names; it keeps what another process needs to load it again.

    Raises:
        InputError: when there is no such adapter, file or name.
        CannotRunError: when its code fails to load.
    """
    if ".py:" in ref:
        ref = _absolute(ref, base)
        found = _from_file(ref)
    else:
        try:
            pack = packs.find("adapters", ref)
        except packs.PackError as error:
            raise InputError(str(error)) from None
        try:
            found = getattr(pack.module("stress"), "TARGET", None)
        except packs.PackError as error:
            raise CannotRunError(f"{ref} cannot be stressed: {error}") from None
    if not isinstance(found, Target):
        raise InputError(f"{ref}: names no Target; state NAME = Target(...) there")
    return dataclasses.replace(found, ref=ref)


def load_rule(ref: str, base: Path | None = None) -> Policy:
    """Load a user's rule: a function of an `Observation`.

    Raises:
        InputError: when there is no such file or function.
        CannotRunError: when the file fails to load.
    """
    found = _from_file(_absolute(ref, base))
    if not callable(found):
        raise InputError(f"{ref}: names no function; write def NAME(observation): ... there")
    return found


def rule_file(ref: str, base: Path | None = None) -> Path | None:
    """The file of a user's rule, or None for a rule that goes by its name."""
    return Path(_absolute(ref, base).rpartition(":")[0]) if ".py:" in ref else None


def absolute_ref(ref: str, base: Path | None) -> str:
    """The same reference for a process with another working folder."""
    return _absolute(ref, base) if ".py:" in ref else ref


def _absolute(ref: str, base: Path | None) -> str:
    path, _, name = ref.rpartition(":")
    return f"{((base or Path()) / path).resolve()}:{name}"


def _from_file(ref: str) -> object:
    path, _, name = ref.rpartition(":")
    if not Path(path).is_file():
        raise InputError(f"{ref}: there is no file {path}")
    module = _module(path)
    if not hasattr(module, name):
        raise InputError(f"{ref}: {Path(path).name} states no {name}")
    return getattr(module, name)


@lru_cache(maxsize=64)
def _module(path: str) -> ModuleType:
    """Import a file under a name of its own, so that two files of one name do not clash."""
    name = f"benchaudit_stress_{hashlib.sha256(path.encode()).hexdigest()[:12]}"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise InputError(f"{path}: not a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        del sys.modules[name]
        raise CannotRunError(f"{path}: {type(error).__name__}: {error}") from error
    return module
