"""Where cells run: an executor takes batches of cells and gives back their evidence, in order.

The order of results is the order of batches whatever runs at once, so that the evidence file is
the same bytes for any number of jobs.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Protocol, Self

from benchaudit.cells import Bench, Cell
from benchaudit.evidence import Evidence
from benchaudit.hooks import Task

Batch = Sequence[Cell]


class Executor(Protocol):
    """Runs cells of one adapter. Used as a context manager; leaving it ends its workers."""

    def tasks(self, seed: int | None) -> Sequence[Task]:
        """The task registry for one seed."""

    def agents(self) -> Sequence[str]:
        """The scripted agents by name, the careful one first; none where no episode can be run."""

    def submissions(self, cell: Cell) -> dict[str, str]:
        """The encoded submissions of a cell, by variant: what `run` would score."""

    def __enter__(self) -> Self: ...

    def __exit__(self, *error: object) -> None: ...

    def run(self, batches: Iterable[Batch]) -> Iterator[list[Evidence]]:
        """One list of records a batch, in the order of the batches."""


class InProcess:
    """Runs cells in this process: for adapters that need nothing of their own."""

    def __init__(self, bench: Bench) -> None:
        self._bench = bench

    def tasks(self, seed: int | None) -> Sequence[Task]:
        return list(self._bench.tasks(seed).values())

    def agents(self) -> Sequence[str]:
        ownership = self._bench.adapter.ownership
        return tuple(ownership.agents) if ownership is not None else ()

    def submissions(self, cell: Cell) -> dict[str, str]:
        return self._bench.submissions(cell)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        pass

    def run(self, batches: Iterable[Batch]) -> Iterator[list[Evidence]]:
        for batch in batches:
            yield [record for cell in batch for record in self._bench.run(cell)]
