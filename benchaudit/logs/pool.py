"""Runs by column: a million of them in tens of megabytes, and their groups as arrays."""

from __future__ import annotations

import gc
from array import array
from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from benchaudit.logs.runs import Outcome, Run, Serving

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]

OUTCOMES = tuple(Outcome)
_CODES = {outcome: code for code, outcome in enumerate(OUTCOMES)}
_MISSING = _CODES[Outcome.MISSING]
_NO_SCORE = float("nan")
_BATCH = 4096
_DIGEST_DIGITS = 15  # hexadecimal digits that a signed 64-bit number holds

K = TypeVar("K", bound=Hashable)


class Names(dict[K, int]):
    """Numbers for names, in the order in which they were first asked for.

    Attributes:
        all: the names by number.
    """

    def __init__(self) -> None:
        super().__init__()
        self.all: list[K] = []

    def __missing__(self, name: K) -> int:
        self[name] = number = len(self)
        self.all.append(name)
        return number

    def numbers(self, names: Iterable[K]) -> Iterator[int]:
        """The number of each name, a new one the first time."""
        return map(self.__getitem__, names)


class Repeat(NamedTuple):
    """Which repeat of its task a run is; see `Run`."""

    batch: str
    repeat: str
    kind: str


@dataclass(frozen=True, slots=True)
class Block:
    """All runs of one model under one scaffold, in one suite, under one metric.

    The arrays have one entry a run, in the order read; numbers refer to the pool's names.

    Attributes:
        suite, metric, model, scaffold: as in `Run`.
        task, repeat, serving, file: numbers of names.
        output: digest of the output, 0 where there is none.
        score: the score, NaN where there is none.
        outcome: position in `OUTCOMES`.
        found: number of runs left out that one file declares missing and another one holds.
    """

    suite: str
    metric: str
    model: str
    scaffold: str
    task: IntArray
    repeat: IntArray
    serving: IntArray
    file: IntArray
    output: IntArray
    score: FloatArray
    outcome: IntArray
    found: int = 0

    @property
    def scored(self) -> NDArray[np.bool_]:
        """Which runs have a score."""
        return ~np.isnan(self.score)

    @property
    def name(self) -> str:
        """Model and scaffold, for a person."""
        return f"{self.model or '(model unrecorded)'}{f' / {self.scaffold}' * bool(self.scaffold)}"

    def count(self, outcome: Outcome) -> int:
        """Number of runs that ended so."""
        return int((self.outcome == _CODES[outcome]).sum())

    def select(self, rows: NDArray[np.bool_] | IntArray) -> Block:
        """The block with some of its runs only."""
        columns = {name: getattr(self, name)[rows] for name in _COLUMNS}
        return Block(self.suite, self.metric, self.model, self.scaffold, **columns)


_COLUMNS = ("task", "repeat", "serving", "file", "output", "score", "outcome")


class Pool:
    """Runs as they come in, then as blocks."""

    def __init__(self, runs: Iterable[Run] = ()) -> None:
        self._systems: Names[tuple[str, str, str, str]] = Names()
        self._tasks: Names[str] = Names()
        self._repeats: Names[tuple[str, str, str]] = Names()
        self._servings: Names[Serving] = Names()
        self._files: Names[str] = Names()
        self._system = array("q")
        self._columns = {name: array("q") for name in _COLUMNS if name != "score"}
        self._scores = array("d")
        self.extend(runs)

    def __len__(self) -> int:
        return len(self._scores)

    @property
    def tasks(self) -> list[str]:
        """Tasks by number."""
        return self._tasks.all

    @property
    def servings(self) -> list[Serving]:
        """Servings by number."""
        return self._servings.all

    @property
    def files(self) -> list[str]:
        """Paths of files by number."""
        return self._files.all

    def repeat(self, number: int) -> Repeat:
        """The repeat of this number."""
        return Repeat(*self._repeats.all[number])

    def repeats_of(self, block: Block) -> list[Repeat]:
        """The different repeats in a block, in the order of their numbers."""
        return [self.repeat(number) for number in np.unique(block.repeat).tolist()]

    def extend(self, runs: Iterable[Run]) -> None:
        """Take in runs, in order; a batch at a time, column by column, which is the fast way.

        Runs make no cycles. The collector that looks for them rests meanwhile: it would take a
        tenth of the time.
        """
        runs, collecting = iter(runs), gc.isenabled()
        gc.disable()
        try:
            while batch := list(islice(runs, _BATCH)):
                self._extend(Run(*zip(*batch)))  # type: ignore[arg-type]
        finally:
            if collecting:
                gc.enable()

    def _extend(self, batch: Any) -> None:
        """Take in a batch: a `Run` whose fields are columns."""
        systems = zip(batch.suite, batch.metric, batch.model, batch.scaffold)
        repeats = zip(batch.batch, batch.repeat, batch.repeat_kind)
        columns = self._columns
        self._system.extend(self._systems.numbers(systems))
        columns["task"].extend(self._tasks.numbers(batch.task))
        columns["repeat"].extend(self._repeats.numbers(repeats))
        columns["serving"].extend(self._servings.numbers(batch.serving))
        columns["file"].extend(self._files.numbers(batch.file))
        digests = [int(text[:_DIGEST_DIGITS], 16) if text else 0 for text in batch.output]
        columns["output"].extend(digests)
        columns["outcome"].extend(map(_CODES.__getitem__, batch.outcome))
        self._scores.extend([_NO_SCORE if score is None else score for score in batch.score])

    def blocks(self) -> list[Block]:
        """The blocks, in order of their names.

        A run without any metric (it raised, or is missing) belongs to every metric of its model
        in its suite, or of the suite if the model has none.
        """
        whole = {name: np.asarray(column) for name, column in self._columns.items()}
        whole["score"] = np.asarray(self._scores)
        systems = self._systems.all
        members = _rows_by(np.asarray(self._system), len(systems))
        blocks = []
        for key, numbers in sorted(_with_unnamed_metrics(systems).items()):
            rows = np.sort(np.concatenate([members[number] for number in numbers]))
            columns = {name: whole[name][rows] for name in _COLUMNS}
            blocks.append(self._without_found(Block(*key, **columns)))
        return blocks

    def _without_found(self, block: Block) -> Block:
        """Leave out missing runs that another file holds."""
        missing = block.outcome == _MISSING
        if not missing.any() or missing.all():
            return block
        pairs = block.task * len(self._repeats) + block.repeat
        found = missing & np.isin(pairs, pairs[~missing])
        return replace(block.select(~found), found=int(found.sum()))


def _rows_by(numbers: IntArray, count: int) -> list[IntArray]:
    """The rows that hold each number from 0 on."""
    order = np.argsort(numbers, kind="stable")
    return np.split(order, np.searchsorted(numbers[order], np.arange(1, count)))


def _with_unnamed_metrics(
    systems: list[tuple[str, str, str, str]],
) -> dict[tuple[str, str, str, str], list[int]]:
    """For each (suite, metric, model, scaffold) the systems whose runs belong to it."""
    members = {key: [number] for number, key in enumerate(systems) if key[1]}
    for number, (suite, metric, model, scaffold) in enumerate(systems):
        if metric:
            continue
        named = sorted(
            {key[1] for key in members if (key[0], *key[2:]) == (suite, model, scaffold)}
        )
        for name in named or sorted({key[1] for key in members if key[0] == suite}) or [""]:
            members.setdefault((suite, name, model, scaffold), []).append(number)
    return members


def by_group(blocks: Iterable[Block]) -> Iterator[tuple[tuple[str, str], list[Block]]]:
    """Blocks of one suite and metric together: what may stand in one table."""
    groups: dict[tuple[str, str], list[Block]] = {}
    for block in blocks:
        groups.setdefault((block.suite, block.metric), []).append(block)
    yield from groups.items()
