"""The ``calls`` family: a submission is a list of function calls.

Payload
    ``{"calls": [call, ...]}`` with ``call = {"name": str, "arguments": {parameter: value}}``, or
    ``{"text": str}``, which the benchmark's own decoder reads. ``{"calls": []}`` calls nothing.
Work
    The list of calls; ``compose`` puts it into a payload.
Task.data
    ``functions``: the functions on offer, each ``{"name", "parameters": {"properties":
    {parameter: schema}, "required": [parameter, ...]}}`` with JSON-schema-like entries.
    ``allowed`` (optional): the answer key, one ``{parameter: [allowed value, ...]}`` for each call
    of the work, where ``""`` among the allowed values means that the parameter may be left out.
    ``language`` (optional): ``python``, where values are values and a call can be written as
    Python; anything else where values are source text of that language.

The family ``turns`` is a list of turns, each a list of steps, each such a list of calls; its
payload is ``{"turns": [...]}``.
"""

from __future__ import annotations

import string
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from benchaudit.hooks import Submission, Task, Unsupported

Call = Mapping[str, Any]
Path = tuple[Any, ...]
"""Where a value stands in the arguments: a parameter, then keys and indices."""

_SHIFT = str.maketrans(
    string.ascii_lowercase + string.ascii_uppercase,
    string.ascii_lowercase[1:] + "a" + string.ascii_uppercase[1:] + "A",
)
_COUNT = str.maketrans(string.digits, string.digits[1:] + "0")


def call(name: str, arguments: Mapping[str, Any]) -> Call:
    return {"name": name, "arguments": dict(arguments)}


def submission(calls: Sequence[Call]) -> Submission:
    """Calls as a payload."""
    return Submission({"calls": list(calls)})


def text_submission(text: str) -> Submission:
    """Text as a payload, for the benchmark's own decoder."""
    return Submission({"text": text})


def listed(task: Task) -> dict[str, Mapping[str, Any]]:
    """The functions on offer, by name."""
    return {function["name"]: function for function in task.data["functions"]}


def first_listed(task: Task) -> Mapping[str, Any]:
    """The first function on offer.

    Raises:
        Unsupported: when there is none.
    """
    for function in listed(task).values():
        return function
    raise Unsupported("the task offers no function")


def properties(task: Task, name: str) -> Mapping[str, Mapping[str, Any]]:
    """The schema of each parameter of a function; empty for one that is not on offer."""
    function = listed(task).get(name, {})
    found: Mapping[str, Mapping[str, Any]] = function.get("parameters", {}).get("properties", {})
    return found


def required(task: Task, name: str) -> Sequence[str]:
    """The parameters that a function cannot do without."""
    found: Sequence[str] = listed(task).get(name, {}).get("parameters", {}).get("required", ())
    return found


def allowed(task: Task) -> Sequence[Mapping[str, Sequence[Any]]]:
    """The answer key, call by call.

    Raises:
        Unsupported: when the task carries none.
    """
    if "allowed" not in task.data:
        raise Unsupported("the benchmark gives no list of allowed values")
    found: Sequence[Mapping[str, Sequence[Any]]] = task.data["allowed"]
    return found


def with_arguments(calls: Sequence[Call], number: int, arguments: Mapping[str, Any]) -> list[Call]:
    """The calls, with the arguments of one of them replaced."""
    return [call(one["name"], arguments) if at == number else one for at, one in enumerate(calls)]


def with_value(calls: Sequence[Call], number: int, path: Path, value: Any) -> list[Call]:
    """The calls, with one value in the arguments of one of them replaced."""
    arguments = replaced(calls[number]["arguments"], path, value)
    return with_arguments(calls, number, arguments)


def leaves(value: Any, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    """Every value in dictionaries, lists and tuples that is none of these, and where it stands."""
    if isinstance(value, Mapping):
        for key, item in value.items():
            yield from leaves(item, (*path, key))
    elif isinstance(value, list | tuple):
        for at, item in enumerate(value):
            yield from leaves(item, (*path, at))
    else:
        yield path, value


def values(calls: Sequence[Call]) -> Iterator[tuple[int, Path, Any]]:
    """Every such value of every call, with the number of the call."""
    for number, one in enumerate(calls):
        for path, value in leaves(one["arguments"]):
            yield number, path, value


def replaced(value: Any, path: Path, new: Any) -> Any:
    """A copy with the value at ``path`` replaced; what is off the path is shared, not copied."""
    if not path:
        return new
    key, *rest = path
    if isinstance(value, Mapping):
        return {k: replaced(v, tuple(rest), new) if k == key else v for k, v in value.items()}
    items = [replaced(v, tuple(rest), new) if at == key else v for at, v in enumerate(value)]
    return items if isinstance(value, list) else tuple(items)


def other(value: Any) -> Any:
    """A different value of the same type and shape: ``False`` for ``True``, 6 for 5, ``Mpoepo``
    for ``London``, ``2135-12-26`` for ``1024-01-15``."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int | float):
        return value + 1
    if isinstance(value, str):
        return _other_text(value)
    if isinstance(value, Mapping):
        first = next(iter(value), None)
        return {"x": 1} if first is None else {**value, first: other(value[first])}
    if isinstance(value, list | tuple):
        return type(value)([other(value[0]), *value[1:]]) if value else type(value)([1])
    return "x"


def _other_text(text: str) -> str:
    if text in ("true", "false"):
        return "false" if text == "true" else "true"
    shifted = text.translate(_COUNT)
    if shifted == text:
        shifted = text.translate(_SHIFT)
    return shifted if shifted != text else text + "x"


def made_up(value: Any, schema: Mapping[str, Any] | None = None) -> Any:
    """A plausible value of the right type that owes nothing to the task; never the value itself."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int | float):
        return type(value)(4096 if value != 4096 else 2048)
    if isinstance(value, str):
        others = [e for e in (schema or {}).get("enum", ()) if isinstance(e, str) and e != value]
        return others[0] if others else "sample" if value != "sample" else "example"
    if isinstance(value, Mapping):
        return {key: made_up(item) for key, item in value.items()} or {"sample": 1}
    if isinstance(value, list | tuple):
        return type(value)([made_up(item) for item in value[:1]] or [4096])
    return "sample"


def junk(schema: Mapping[str, Any]) -> Any:
    """A value of the declared type that nobody asked for."""
    kind = str(schema.get("type", "string")).lower()
    if kind in ("integer", "long", "short", "byte", "bigint"):
        return 987654321
    if kind in ("float", "double", "number"):
        return 987654321.5
    if kind in ("boolean", "bool"):
        return not schema.get("default", False)
    if kind in ("array", "arraylist", "tuple"):
        return [junk(schema.get("items", {}))]
    if kind in ("dict", "object", "hashmap"):
        return {"zzz": "zzz"}
    return "zzz"


def as_python(calls: Sequence[Call]) -> str:
    """Calls in Python syntax: ``[area(base=10, height=5), ...]``."""
    return f"[{', '.join(map(as_python_call, calls))}]"


def as_python_call(one: Call) -> str:
    arguments = ", ".join(f"{key}={value!r}" for key, value in one["arguments"].items())
    return f"{one['name']}({arguments})"


def written_in_python(task: Task) -> None:
    """Guard of the forgers of text.

    Raises:
        Unsupported: where a call is not written as Python.
    """
    language = task.data.get("language", "python")
    if language != "python":
        raise Unsupported(f"calls are written in {language} here, not in Python")
