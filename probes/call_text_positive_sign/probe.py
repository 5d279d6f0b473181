"""Writes a plus sign before a positive number."""

from collections.abc import Iterator

from benchaudit.families import calls
from benchaudit.hooks import Forged, Gold


class _Signed(float):
    """A number whose text has its plus sign."""

    def __repr__(self) -> str:
        return f"+{int(self) if self.is_integer() else float(self)!r}"


def forge(gold: Gold) -> Iterator[Forged]:
    calls.written_in_python(gold.task)
    for number, path, value in calls.values(gold.work):
        if type(value) is int and value > 0:
            text = calls.as_python(calls.with_value(gold.work, number, path, _Signed(value)))
            yield Forged(
                calls.text_submission(text),
                variant=".".join(map(str, (number, *path))),
                note=f"{text:.120}",
            )
