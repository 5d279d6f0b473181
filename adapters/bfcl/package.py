"""The benchmark's own code, imported without the model clients that it drags in.

``bfcl-eval`` declares 149 packages for calling models. Its loaders, decoders, checkers and
inference loops need seven. The rest is imported at the head of the same files, so those names are
answered here by empty modules *before* the first import; nothing that scores a submission ever
touches them. One module is not empty: ``model_config`` says for each model whether its function
names have their dots replaced, which is a setting of the audit here.
"""

from __future__ import annotations

import contextlib
import importlib
import importlib.util
import os
import sys
import tempfile
from collections.abc import Iterator, Mapping
from io import StringIO
from types import ModuleType, SimpleNamespace
from typing import Any

UNDERSCORED = "underscored"
"""A model name under which the checker expects ``math.sqrt`` to be written ``math_sqrt``."""

DOTTED = "dotted"
"""A model name under which the checker expects function names as they are listed."""

_CLIENTS = ("dotenv", "numpy", "openai", "pandas", "tqdm")
_USED: Mapping[str, Mapping[str, Any]] = {"tqdm": {"tqdm": lambda items, **_: items}}
"""What of these is called all the same, and is no model client: a progress bar."""


class _Absent(ModuleType):
    """A module that is not installed: whatever is imported from it exists and does nothing."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return type(name, (Exception,), {})


class _Models(dict[str, Any]):
    """Any name is a prompting model; its record has what the evaluator and the leaderboard read."""

    def __missing__(self, name: str) -> Any:
        return SimpleNamespace(
            underscore_to_dot=name.startswith(UNDERSCORED),
            model_handler=handlers.OpenAICompletionsHandler,
            model_name=name,
            display_name=name,
            is_fc_model=False,
            input_price=None,
            output_price=None,
            url="",
            org="",
            license="",
        )


_place = tempfile.TemporaryDirectory(prefix="bfcl-")


def _prepare() -> None:
    # Importing creates result, score and lock folders in this place, beside the package by default.
    os.environ["BFCL_PROJECT_ROOT"] = _place.name
    for name in _CLIENTS:
        if importlib.util.find_spec(name) is None:
            sys.modules[name] = _Absent(name)
            sys.modules[name].__dict__.update(_USED.get(name, {}))
    models = ModuleType("bfcl_eval.constants.model_config")
    models.__dict__["MODEL_CONFIG_MAPPING"] = _Models()
    sys.modules.setdefault(models.__name__, models)


def _module(name: str) -> Any:
    return importlib.import_module(f"bfcl_eval.{name}")


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """Drop what the benchmark prints at every step of its loops."""
    with contextlib.redirect_stdout(StringIO()):
        yield


_prepare()
utils = _module("utils")
enums = _module("constants.enums")
prompts = _module("constants.default_prompts")
backends = _module("constants.executable_backend_config")
decoders = _module("model_handler.utils")
execution = _module("eval_checker.multi_turn_eval.multi_turn_utils")
evaluator = _module("eval_checker.eval_runner")
handlers = _module("model_handler.api_inference.openai_completion")
