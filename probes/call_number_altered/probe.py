"""Alters one number, each in turn."""

from collections.abc import Iterator

from benchaudit.families import calls
from benchaudit.hooks import Forged, Gold


def forge(gold: Gold) -> Iterator[Forged]:
    for number, path, value in calls.values(gold.work):
        if isinstance(value, int | float) and not isinstance(value, bool):
            for change, wrong in _edits(value):
                if wrong != value:
                    yield Forged(
                        gold.compose(calls.with_value(gold.work, number, path, wrong)),
                        variant=f"{'.'.join(map(str, (number, *path)))} {change}",
                        note=f"{path[0]}: {wrong} for {value}",
                    )


def _edits(value: int | float) -> Iterator[tuple[str, int | float]]:
    yield "negated", -value
    yield "tenfold", value * 10
    if isinstance(value, float):
        yield "cut to a whole number", float(int(value))
        digits = str(value).replace(".", "")
        if digits.lstrip("-").isdecimal():
            yield "without its decimal point", float(digits)
