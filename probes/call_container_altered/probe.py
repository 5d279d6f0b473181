"""Takes an item from a list or dictionary, or adds one, each container in turn."""

from collections.abc import Iterator
from typing import Any

from benchaudit.families import calls
from benchaudit.hooks import Forged, Gold


def forge(gold: Gold) -> Iterator[Forged]:
    for number, one in enumerate(gold.work):
        for parameter, value in one["arguments"].items():
            for path, container in _containers(value, (parameter,)):
                for change, altered in _altered(container):
                    yield Forged(
                        gold.compose(calls.with_value(gold.work, number, path, altered)),
                        variant=f"{'.'.join(map(str, (number, *path)))} {change}",
                        note=f"{parameter}: {change}",
                    )


def _containers(value: Any, path: calls.Path) -> Iterator[tuple[calls.Path, Any]]:
    if isinstance(value, dict | list) and value:
        yield path, value
        for key in value if isinstance(value, dict) else range(len(value)):
            yield from _containers(value[key], (*path, key))


def _altered(container: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(container, dict):
        *kept, last = container
        yield "without its last key", {key: container[key] for key in kept}
        yield "with a key more", {**container, "additional": container[last]}
    else:
        yield "without its last item", container[:-1]
        yield "with an item more", [*container, calls.other(container[-1])]
