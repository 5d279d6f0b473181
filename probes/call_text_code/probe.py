"""Writes a value as an expression that comes to it only when it is run."""

from collections.abc import Iterator

from benchaudit.families import calls
from benchaudit.hooks import Forged, Gold


class _Code(str):
    """Source text that stands for a value."""

    def __repr__(self) -> str:
        return str(self)


def forge(gold: Gold) -> Iterator[Forged]:
    calls.written_in_python(gold.task)
    for number, path, value in calls.values(gold.work):
        if isinstance(value, int | float | str) and not isinstance(value, bool):
            kind = type(value).__name__
            code = _Code(f"{kind}({str(value)!r}) + {kind}()")
            text = calls.as_python(calls.with_value(gold.work, number, path, code))
            yield Forged(calls.text_submission(text), variant=str(number), note=f"{text:.120}")
            return
