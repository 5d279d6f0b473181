"""What a multi-turn submission is worth: the share of its turns that are done, 0 to 1.

The tools are the benchmark's own classes, since they are the world that the calls act on; how
outcomes are compared is ours. Submission and answer each run on fresh instances. A turn is done
when, after it, every record of the public state is as the answer leaves it, and every response of
the answer's calls in that turn has been obtained by then. A turn labelled as calling for no call is
done when nothing was changed in it and no function was called that is not on offer then.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from .entry import Entry
from .isolation import restore
from .package import backends
from .reading import read_calls
from .registry import entries

Call = Mapping[str, Any]
Turns = Sequence[Sequence[Any]]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one turn led to: the state after it, its responses, the functions it called."""

    state: str
    responses: Counter[str]
    called: frozenset[str]


def quality(entry: Entry, turns: Turns) -> float:
    """The share of the answer's turns that are done; 0 where the number of turns is another one."""
    wanted = _answered(entry.id)
    if len(turns) != len(wanted):
        return 0.0
    before, obtained, done = _initial(entry.id), Counter[str](), 0
    for turn, (want, got) in enumerate(zip(wanted, _play(entry, turns))):
        obtained = obtained + got.responses
        if turn in entry.silent_turns:
            done += got.state == before and got.called <= entry.offered(turn)
        else:
            done += got.state == want.state and not want.responses - obtained
        before = got.state
    return done / len(wanted)


def answer_turns(entry: Entry) -> list[list[list[dict[str, Any]]]]:
    """The answer as turns of one step each, every argument by its name."""
    world = _World(entry)
    return [[[world.named(c) for c in turn]] if turn else [] for turn in entry.answer]


@lru_cache(maxsize=16)
def _answered(entry_id: str) -> list[Outcome]:
    entry = entries()[entry_id]
    return list(_play(entry, answer_turns(entry)))


@lru_cache(maxsize=16)
def _initial(entry_id: str) -> str:
    return _World(entries()[entry_id]).state()


def _play(entry: Entry, turns: Turns) -> Iterator[Outcome]:
    world = _World(entry)
    for turn in turns:
        read = [step if not isinstance(step, str) else read_calls(step) or [] for step in turn]
        calls = [call for step in read for call in step]
        responses = Counter(world.respond(call) for call in calls)
        yield Outcome(world.state(), responses, frozenset(call["name"] for call in calls))


class _World:
    """Fresh instances of an entry's tools."""

    def __init__(self, entry: Entry) -> None:
        restore()
        self._tools = {}
        for name in entry.record["involved_classes"]:
            module = importlib.import_module(backends.CLASS_FILE_PATH_MAPPING[name])
            tool = getattr(module, name)()
            if name not in backends.STATELESS_CLASSES:
                scenario = deepcopy(entry.record["initial_config"].get(name, {}))
                tool._load_scenario(scenario, long_context="long_context" in entry.category)
            self._tools[name] = tool

    def respond(self, call: Call) -> str:
        """Execute a call; what a tool raises is its response too."""
        method = self._method(call["name"])
        if method is None:
            return f"no function {call['name']}"
        try:
            # A tool may keep and change what it is given.
            response = method(**deepcopy(dict(call["arguments"])))
            return json.dumps(response, sort_keys=True, default=str)
        except Exception as error:
            return f"error: {error}"

    def named(self, expression: str) -> dict[str, Any]:
        """A call expression of the answer, its positional arguments given their names."""
        node = ast.parse(expression, mode="eval").body
        if not isinstance(node, ast.Call):
            raise ValueError(f"not a call: {expression}")
        name = ast.unparse(node.func)
        names = list(inspect.signature(self._method(name)).parameters)
        arguments = {p: ast.literal_eval(value) for p, value in zip(names, node.args)}
        arguments |= {str(one.arg): ast.literal_eval(one.value) for one in node.keywords}
        return {"name": name, "arguments": arguments}

    def state(self) -> str:
        """Every record of the tools' public state, as a text that is the same for equal states."""
        return repr([(name, _plain(tool, ())) for name, tool in self._tools.items()])

    def _method(self, name: str) -> Any:
        """The public method of this name; where two tools have it the evaluator takes the last."""
        if name.startswith("_"):
            return None
        found = [getattr(tool, name, None) for tool in self._tools.values()]
        return next((method for method in reversed(found) if callable(method)), None)


def _plain(value: Any, above: tuple[int, ...]) -> Any:
    """A value as nested tuples: unordered things sorted, objects by their public attributes."""
    if value is None or isinstance(value, bool | str):
        return value
    if isinstance(value, int | float):
        return int(value) if isinstance(value, float) and value.is_integer() else value
    if id(value) in above:
        return "(above)"
    above = (*above, id(value))
    if isinstance(value, list | tuple):
        return tuple(_plain(item, above) for item in value)
    if isinstance(value, set | frozenset):
        return sorted(repr(_plain(item, above)) for item in value)
    if isinstance(value, dict):
        pairs = ((repr(key), _plain(item, above)) for key, item in value.items())
        return sorted(pairs, key=lambda pair: pair[0])
    if hasattr(value, "__dict__"):
        public = {k: v for k, v in vars(value).items() if not k.startswith("_")}
        return type(value).__name__, _plain(public, above)
    return repr(value)
