"""Calls another function with the right arguments."""

from collections.abc import Iterator

from benchaudit.families import calls
from benchaudit.hooks import Forged, Gold


def forge(gold: Gold) -> Iterator[Forged]:
    first, *rest = gold.work
    for variant, name in _names(gold, first["name"]).items():
        edited = [calls.call(name, first["arguments"]), *rest]
        yield Forged(gold.compose(edited), variant=variant, note=f"{name} for {first['name']}")


def _names(gold: Gold, right: str) -> dict[str, str]:
    listed = calls.listed(gold.task)
    names = {"near miss": right[:-1], "unlisted": "perform_requested_task"}
    if "." in right:
        names["last part"] = right.rpartition(".")[2]
    others = [name for name in listed if name != right]
    if others:
        names["listed"] = others[0]
    return {v: n for v, n in sorted(names.items()) if n and (n not in listed or v == "listed")}
