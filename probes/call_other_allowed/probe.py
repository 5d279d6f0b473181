"""Takes each further value that the answer key allows."""

from collections.abc import Iterator

from benchaudit.families import calls
from benchaudit.hooks import Forged, Gold


def forge(gold: Gold) -> Iterator[Forged]:
    calls.written_in_python(gold.task)
    for number, (one, allowed) in enumerate(zip(gold.work, calls.allowed(gold.task))):
        for parameter, value in one["arguments"].items():
            if isinstance(value, dict | list):
                continue
            others = [v for v in allowed.get(parameter, ()) if v not in ("", value)]
            for at, other in enumerate(others):
                yield Forged(
                    gold.compose(calls.with_value(gold.work, number, (parameter,), other)),
                    variant=f"{number}.{parameter} {at + 1}",
                    note=f"{parameter}: {other!r:.60}, allowed too",
                )
