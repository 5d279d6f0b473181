"""One module a log format. Each states ``NAME``, ``detect(source)`` and ``read(source)``.

A file that only describes others (a manifest, an aggregate) belongs to its format too: ``read``
then yields no run and notes what the file is for.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from benchaudit.logs.formats import (
    agentrelbench,
    bfcl,
    harbor,
    inspect_ai,
    lm_eval,
    swe_bench,
    table,
    tau2_bench,
    tau_bench,
    terminal_bench,
    verifiers,
)
from benchaudit.logs.runs import Run
from benchaudit.logs.source import Source


class Format(Protocol):
    """What a format module provides."""

    NAME: str

    def detect(self, source: Source) -> bool:
        """Whether the file is of this format, from its name and its first 64 KiB."""

    def read(self, source: Source) -> Iterator[Run]:
        """The runs, in the order of the file."""


# Tables come last: the user's column names make any CSV or JSON lines file one.
FORMATS: dict[str, Format] = {
    module.NAME: module
    for module in (
        inspect_ai,
        tau_bench,
        tau2_bench,
        bfcl,
        lm_eval,
        harbor,
        terminal_bench,
        verifiers,
        agentrelbench,
        swe_bench,
        table,
    )
}
