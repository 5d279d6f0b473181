"""Writes the arguments by position."""

from collections.abc import Iterator

from benchaudit.families import calls
from benchaudit.hooks import Forged, Gold


def forge(gold: Gold) -> Iterator[Forged]:
    calls.written_in_python(gold.task)
    written = []
    for one in gold.work:
        order = list(calls.properties(gold.task, one["name"]))
        given = [p for p in order if p in one["arguments"]]
        if given != order[: len(given)] or len(given) != len(one["arguments"]):
            return
        written.append(f"{one['name']}({', '.join(repr(one['arguments'][p]) for p in given)})")
    yield Forged(calls.text_submission(f"[{', '.join(written)}]"), note="no parameter named")
