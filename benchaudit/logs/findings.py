"""What a reader of the figures must know about the runs behind them: nothing is silent."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from benchaudit import statistics
from benchaudit.logs.pool import Block, IntArray, Pool
from benchaudit.logs.readings import Settings
from benchaudit.logs.runs import Serving

_PIECE = 1 << 20


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing to know.

    Attributes:
        kind: which check found it: ``duplicates``, ``range``, ``repeats``, ``identical``,
            ``serving``, ``unrecorded``, ``tasks``, ``passes``, ``missing`` or ``metrics``.
        about: the model and scaffold, or the suite.
        text: what is so, in one sentence.
        times: number of runs, tasks or files that it concerns.
    """

    kind: str
    about: str
    text: str
    times: int


@dataclass(frozen=True, slots=True)
class Contrast:
    """Two ways of serving one model, compared on the tasks that both ran.

    Attributes:
        first, second: what served the model, as one phrase each.
        tasks: tasks that both ran.
        runs, passes: scored runs and passing ones on these tasks, of the first and the second.
        p: Fisher's exact two-sided p, adjusted (Holm) for the block's contrasts; None without
            common tasks.
        diverge: whether p falls below 1 - level.
    """

    first: str
    second: str
    tasks: int
    runs: tuple[int, int]
    passes: tuple[int, int]
    p: float | None
    diverge: bool

    @property
    def sentence(self) -> str:
        """Both rates, and whether they are told apart."""
        sides = zip(self.passes, self.runs, (self.first, self.second))
        rates = " against ".join(f"{n}/{runs} passes ({side})" for n, runs, side in sides)
        if self.p is None:
            return f"pooled over servings without a common task: {rates}"
        verdict = "they diverge, do not pool" if self.diverge else "no detected divergence"
        return f"pooled over servings: {rates}, p = {self.p:.4f}: {verdict}"


def block_findings(
    pool: Pool, block: Block, settings: Settings, twins: dict[str, str]
) -> list[Finding]:
    """All findings about one block.

    Args:
        pool: where the block's names are.
        twins: for each file that equals an earlier one to the byte, that one.
    """
    found = [
        *_duplicates(pool, block),
        *_out_of_range(block, settings),
        *_repeats(block),
        *_identical(pool, block, twins),
        *_unrecorded(pool, block),
        *_nothing_passes(block, settings),
        *_found_elsewhere(block),
    ]
    return [Finding(kind, block.name, text, times) for kind, text, times in found]


def group_findings(blocks: Sequence[Block]) -> list[Finding]:
    """Tasks that some models of a group ran and others did not."""
    ran = [set(np.unique(block.task[block.scored]).tolist()) for block in blocks]
    everyone, anyone = set.intersection(*ran), set.union(*ran)
    if len(everyone) == len(anyone):
        return []
    counts = ", ".join(f"{block.name}: {len(tasks)}" for block, tasks in zip(blocks, ran))
    text = f"means are over different tasks: {len(everyone)} of {len(anyone)} in common ({counts})"
    return [Finding("tasks", blocks[0].suite, text, len(anyone) - len(everyone))]


def contrasts(pool: Pool, block: Block, settings: Settings) -> list[Contrast]:
    """The block's most used serving against each other one."""
    numbers, counts = np.unique(block.serving, return_counts=True)
    if len(numbers) < 2:
        return []
    most = numbers[np.lexsort((numbers, -counts))[0]]
    others = [number for number in numbers if number != most]
    tables = [_shared_counts(block, most, other, settings) for other in others]
    raw = [
        statistics.fisher_exact([[a, n - a], [b, m - b]]) if tasks else None
        for tasks, (n, m), (a, b) in tables
    ]
    tested = [p for p in raw if p is not None]
    adjusted = iter(statistics.holm(tested)) if tested else iter(())
    found = []
    for other, (tasks, runs, passes), p in zip(others, tables, raw):
        fair = None if p is None else float(next(adjusted))
        labels = _labels(pool.servings[most], pool.servings[other])
        diverge = fair is not None and fair < 1 - settings.level
        found.append(Contrast(*labels, tasks, runs, passes, fair, diverge))
    return found


def twin_files(paths: Sequence[str]) -> dict[str, str]:
    """For each file that equals an earlier one to the byte, the first such."""
    by_size: dict[int, list[str]] = {}
    for path in paths:
        by_size.setdefault(Path(path).stat().st_size, []).append(path)
    twins: dict[str, str] = {}
    for same_size in by_size.values():
        first: dict[bytes, str] = {}
        for path in same_size if len(same_size) > 1 else ():
            original = first.setdefault(_sha256(path), path)
            if original != path:
                twins[path] = original
    return twins


_Found = Iterator[tuple[str, str, int]]


def _duplicates(pool: Pool, block: Block) -> _Found:
    numbers, position = np.unique(block.repeat, return_inverse=True)
    repeats = [pool.repeat(number) for number in numbers.tolist()]
    named = np.array([bool(repeat.batch or repeat.repeat) for repeat in repeats])[position]
    keys = np.sort((block.task * len(repeats) + position)[named])
    again = keys[1:][keys[1:] == keys[:-1]]
    if len(again):
        task, number = divmod(int(again[0]), len(repeats))
        which = repeats[number]
        place = " ".join(part for part in (which.batch, which.kind, which.repeat) if part)
        text = (
            f"{len(again)} runs have the task and {which.kind or 'batch'} of another one, and "
            f"all are counted; the first is task {pool.tasks[task]}, {place}"
        )
        yield "duplicates", text, len(again)


def _out_of_range(block: Block, settings: Settings) -> _Found:
    low = 0.0 if settings.low is None else settings.low
    high = 1.0 if settings.high is None else settings.high
    scores = block.score[block.scored]
    outside = int(((scores < low) | (scores > high)).sum())
    if outside:
        declared = settings.low is not None or settings.high is not None
        remedy = "" if declared else "; declare their scale with --range and --pass"
        text = (
            f"{outside} scores outside {low:g} to {high:g} "
            f"(they go from {scores.min():g} to {scores.max():g}){remedy}"
        )
        yield "range", text, outside


def _repeats(block: Block) -> _Found:
    tasks, counts = np.unique(block.task[block.scored], return_counts=True)
    if not len(tasks):
        return
    fewest, most = int(counts.min()), int(counts.max())
    if most == 1:
        yield "repeats", "one scored run a task: nothing here shows how runs vary", len(tasks)
    elif fewest != most:
        short = int((counts < most).sum())
        text = (
            f"uneven repeats: {fewest} to {most} scored runs a task, "
            f"fewer than {most} on {short} of {len(counts)}"
        )
        yield "repeats", text, short


def _identical(pool: Pool, block: Block, twins: dict[str, str]) -> _Found:
    files = [pool.files[number] for number in np.unique(block.file)]
    copies = [path for path in files if twins.get(path) in files]
    if copies:
        text = (
            f"{len(copies)} files equal another one to the byte (first: {Path(copies[0]).name}): "
            "a spread of 0 over them is no evidence of stability"
        )
        yield "identical", text, len(copies)
        return
    repeated, same = _same_outputs(block)
    if same:
        text = (
            f"in {same} of {repeated} tasks with repeats all outputs are the same to the byte: "
            "no evidence of stability there"
        )
        yield "identical", text, same


def _same_outputs(block: Block) -> tuple[int, int]:
    """Tasks with two outputs or more, and those of them in which all are the same."""
    rows = block.output != 0
    task, output = block.task[rows], block.output[rows]
    _, counts = np.unique(task, return_counts=True)
    _, kinds = np.unique(
        np.unique(np.column_stack([task, output]), axis=0)[:, 0], return_counts=True
    )
    several = counts > 1
    return int(several.sum()), int((several & (kinds == 1)).sum())


def _unrecorded(pool: Pool, block: Block) -> _Found:
    used = [pool.servings[number] for number in np.unique(block.serving)]
    lacking = [name for name in Serving._fields if any(not getattr(s, name) for s in used)]
    if lacking:
        batches = len({repeat.batch for repeat in pool.repeats_of(block)})
        pooled = f"; {batches} batches are pooled without knowing it to be the same" * (batches > 1)
        yield "unrecorded", f"unrecorded: {', '.join(lacking)}{pooled}", len(block.score)


def _nothing_passes(block: Block, settings: Settings) -> _Found:
    scores = block.score[block.scored]
    if len(scores) and scores.max() > 0 and scores.max() < settings.pass_at:
        text = (
            f"no run reaches the passing score {settings.pass_at:g} (the best has "
            f"{scores.max():g}): pass^k and audit figures need --pass"
        )
        yield "passes", text, len(scores)


def _found_elsewhere(block: Block) -> _Found:
    if block.found:
        text = f"{block.found} runs that one file lacks are in another one: not counted as missing"
        yield "missing", text, block.found


def _shared_counts(
    block: Block, first: IntArray, second: IntArray, settings: Settings
) -> tuple[int, tuple[int, int], tuple[int, int]]:
    scored = block.select(block.scored)
    sides = [scored.select(scored.serving == number) for number in (first, second)]
    shared = np.intersect1d(sides[0].task, sides[1].task)
    scores = [side.score[np.isin(side.task, shared)] for side in sides]
    runs = (len(scores[0]), len(scores[1]))
    passes = [int((part >= settings.pass_at).sum()) for part in scores]
    return len(shared), runs, (passes[0], passes[1])


def _labels(first: Serving, second: Serving) -> tuple[str, str]:
    """The fields in which two servings differ, as one phrase each."""
    differing = [name for name in Serving._fields if getattr(first, name) != getattr(second, name)]

    def label(serving: Serving) -> str:
        return ", ".join(f"{name} {getattr(serving, name) or 'unrecorded'}" for name in differing)

    return label(first), label(second)


def _sha256(path: str) -> bytes:
    digest = hashlib.sha256()
    with Path(path).open("rb") as stream:
        while piece := stream.read(_PIECE):
            digest.update(piece)
    return digest.digest()
