"""Writes a plus sign where a negative number has its minus sign."""

from collections.abc import Iterator

from benchaudit.families import calls
from benchaudit.hooks import Forged, Gold


class _Plus(float):
    """A number whose text has a plus sign."""

    def __repr__(self) -> str:
        return f"+{abs(float(self))!r}"


def forge(gold: Gold) -> Iterator[Forged]:
    calls.written_in_python(gold.task)
    for number, path, value in calls.values(gold.work):
        if isinstance(value, int | float) and not isinstance(value, bool) and value < 0:
            text = calls.as_python(calls.with_value(gold.work, number, path, _Plus(value)))
            yield Forged(
                calls.text_submission(text),
                variant=".".join(map(str, (number, *path))),
                note=f"{text:.120}",
            )
