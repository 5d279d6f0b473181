"""Keeps functions and parameters and makes up every value."""

from collections.abc import Iterator

from benchaudit.families import calls
from benchaudit.hooks import Forged, Gold


def forge(gold: Gold) -> Iterator[Forged]:
    made_up = []
    for one in gold.work:
        schemas = calls.properties(gold.task, one["name"])
        arguments = {p: calls.made_up(v, schemas.get(p)) for p, v in one["arguments"].items()}
        made_up.append(calls.call(one["name"], arguments))
    yield Forged(gold.compose(made_up), kept=0, invented=len(made_up), note="every value made up")
