"""Changes case, spaces or quotes of one text, each in turn."""

from collections.abc import Iterator

from benchaudit.families import calls
from benchaudit.hooks import Forged, Gold

_QUOTES = str.maketrans({"'": '"', '"': "'"})


def forge(gold: Gold) -> Iterator[Forged]:
    for number, path, value in calls.values(gold.work):
        if isinstance(value, str):
            for change, text in _edits(value):
                if text != value:
                    yield Forged(
                        gold.compose(calls.with_value(gold.work, number, path, text)),
                        variant=f"{'.'.join(map(str, (number, *path)))} {change}",
                        note=f"{path[0]}: {text!r:.60} for {value!r:.60}",
                    )


def _edits(text: str) -> Iterator[tuple[str, str]]:
    yield "in capitals", text.upper()
    yield "in small letters", text.lower()
    yield "without spaces", text.replace(" ", "")
    yield "with other quotes", text.translate(_QUOTES)
