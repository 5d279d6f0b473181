"""Leaves the quotes off a single word."""

from collections.abc import Iterator

from benchaudit.families import calls
from benchaudit.hooks import Forged, Gold


class _Bare(str):
    """A word that is written without quotes."""

    def __repr__(self) -> str:
        return str(self)


def forge(gold: Gold) -> Iterator[Forged]:
    calls.written_in_python(gold.task)
    for number, path, value in calls.values(gold.work):
        if isinstance(value, str) and value.isidentifier():
            text = calls.as_python(calls.with_value(gold.work, number, path, _Bare(value)))
            yield Forged(
                calls.text_submission(text),
                variant=".".join(map(str, (number, *path))),
                note=f"{text:.120}",
            )
