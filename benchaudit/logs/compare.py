"""Two systems on the same tasks: are they told apart, and if not, what it would take."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Literal, NamedTuple

import numpy as np

from benchaudit import statistics
from benchaudit.logs.findings import Finding, block_findings, contrasts, twin_files
from benchaudit.logs.pool import Block, FloatArray, Pool
from benchaudit.logs.readings import Settings

COMPARABLE = ("seed", "trial", "epoch")
"""Kinds of repeats that mean the same for two models; a running number does not."""

Verdict = Literal["told apart", "not told apart", "too few runs"]

_POWER = 0.8
_ROUNDING = 1e-12
_LARGEST_UNIT = 720
"""Score differences are counted in 1/n up to this n, for the test to be exact."""


@dataclass(frozen=True, slots=True)
class TaskDifference:
    """One task of a comparison.

    Attributes:
        task: its id.
        runs: scored runs of the first and the second system (of pairs: their number, twice).
        first, second: mean scores.
        difference: second minus first.
        p, p_holm: exact p of the task alone, and adjusted over tasks; None where there is no
            test (unpaired scores that are not passes and failures).
    """

    task: str
    runs: tuple[int, int]
    first: float
    second: float
    difference: float
    p: float | None
    p_holm: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """Two systems in one suite under one metric.

    Attributes:
        suite, metric: of both.
        first, second: names of the systems.
        errors: how runs without a score counted, ``exclude`` or ``zero``.
        pairing: ``seed``, ``trial`` or ``epoch`` where repeats are paired; ``task`` where only
            the tasks are.
        tasks: number of common tasks.
        pairs: number of paired runs, or of tasks.
        only_first, only_second: tasks that one of them lacks, left out.
        unpaired: scored runs of common tasks that have no partner, left out.
        effect: mean difference over pairs, second minus first.
        interval: of the effect, by a bootstrap that draws tasks (pairs, for a single task); None
            for a single pair.
        p: sign-flip p over tasks (over pairs, for a single task).
        exact: whether p counts all sign patterns.
        cliffs_delta: paired Cliff's delta over pairs.
        verdict, sentence: what follows, for a person.
        smallest: the smallest difference that matters, as declared.
        needed: tasks (pairs, for a single task) that it takes to find ``smallest`` with 80 %
            power, if differences vary as they do here.
        runs_to_separate: runs a task that it takes to tell the two apart on these tasks with 80 %
            power, if the difference is as it is here; None where runs are uneven, single or the
            difference is 0.
        by_task: the tasks, in order of difference and then of id.
        findings: what to know about the runs of both systems.
    """

    suite: str
    metric: str
    first: str
    second: str
    errors: str
    pairing: str
    tasks: int
    pairs: int
    only_first: int
    only_second: int
    unpaired: int
    effect: float
    interval: tuple[float, float] | None
    p: float
    exact: bool
    cliffs_delta: float
    verdict: Verdict
    sentence: str
    smallest: float
    needed: int
    runs_to_separate: int | None
    by_task: tuple[TaskDifference, ...]
    findings: tuple[Finding, ...]


class Side(NamedTuple):
    """One side of a comparison: its runs, and the system meant where there are several."""

    pool: Pool
    system: str = ""

    def blocks(self, metrics: Sequence[str]) -> dict[tuple[str, str], Block]:
        """The one block of each suite and metric.

        Raises:
            ValueError: when a suite has several systems and none is named, or not the named one.
        """
        found: dict[tuple[str, str], Block] = {}
        names: dict[str, None] = {}
        for block in self.pool.blocks():
            if not block.metric or (metrics and block.metric not in metrics):
                continue
            names.setdefault(block.name)
            if self.system in ("", block.name, block.model):
                if (block.suite, block.metric) in found:
                    raise ValueError(f"several systems: {', '.join(names)}; name one of them")
                found[block.suite, block.metric] = block
        if not found:
            there = ", ".join(names) or "none with a score"
            raise ValueError(f"no system {self.system!r}; there are: {there}")
        return found


def compare_sides(
    first: Side,
    second: Side,
    settings: Settings,
    smallest: float,
    metrics: Sequence[str] = (),
) -> list[Comparison]:
    """Compare the two sides in every suite and metric that both have, in each reading asked for.

    Raises:
        ValueError: when a side is not one system, or they have no suite, metric and task in common.
    """
    ours, theirs = first.blocks(metrics), second.blocks(metrics)
    results = []
    for key in [key for key in ours if key in theirs]:
        pair = (first.pool, ours[key]), (second.pool, theirs[key])
        whole = ours[key].scored.all() and theirs[key].scored.all()
        if settings.errors == "bounds":
            wanted = ["exclude"] if whole else ["exclude", "zero"]
        else:
            wanted = [settings.errors]
        for errors in wanted:
            result = compare(*pair, errors, settings, smallest)
            if result is not None:
                results.append(result)
    if not results:
        sides = " and ".join(
            ", ".join(f"{suite or '(unrecorded)'}/{metric}" for suite, metric in side)
            for side in (ours, theirs)
        )
        raise ValueError(f"no suite, metric and task in common: {sides}")
    return results


def compare(
    first: tuple[Pool, Block],
    second: tuple[Pool, Block],
    errors: str,
    settings: Settings,
    smallest: float,
) -> Comparison | None:
    """Compare two blocks of one suite and metric; None without a common task.

    Args:
        first, second: the systems, each with the pool that its numbers refer to.
        errors: ``exclude`` or ``zero``.
        settings: level, seed and resamples.
        smallest: the smallest difference that matters, in the score's unit.
    """
    ours, theirs = (_scores(pool, block, errors) for pool, block in (first, second))
    common = sorted(ours.keys() & theirs.keys())
    if not common:
        return None
    pairing, samples = _pair(first, second, ours, theirs, common)
    differences = np.concatenate([sample.differences for sample in samples])
    owner = [i for i, sample in enumerate(samples) for _ in sample.differences]
    of_task = np.array([sample.differences.mean() for sample in samples])
    totals = np.array([math.fsum(sample.differences) for sample in samples])
    flipped = differences if len(samples) == 1 else totals
    test = statistics.sign_flip_test(flipped, unit=_unit(flipped), seed=settings.seed)
    varying = differences if len(samples) == 1 else of_task
    needed = _needed(varying, settings.level, smallest)
    verdict = _verdict(test.p, len(varying), needed, settings.level)
    result = Comparison(
        suite=first[1].suite,
        metric=first[1].metric,
        first=first[1].name,
        second=second[1].name,
        errors=errors,
        pairing=pairing,
        tasks=len(samples),
        pairs=len(differences),
        only_first=len(ours) - len(common),
        only_second=len(theirs) - len(common),
        unpaired=sum(sample.unpaired for sample in samples),
        effect=statistics.mean(differences),
        interval=_interval(differences, owner, settings),
        p=test.p,
        exact=test.exact,
        cliffs_delta=statistics.paired_cliffs_delta(differences),
        verdict=verdict,
        sentence="",
        smallest=smallest,
        needed=needed,
        runs_to_separate=_runs_to_separate(samples, settings.level),
        by_task=tuple(_by_task(samples, pairing, settings)),
        findings=tuple(_findings(*first, settings) + _findings(*second, settings)),
    )
    return replace(result, sentence=_sentence(result))


class _Sample(NamedTuple):
    """A task's differences: one a pair, or the single one of the means."""

    task: str
    first: FloatArray
    second: FloatArray
    differences: FloatArray
    unpaired: int


_ByRepeat = dict[str, list[float]]


def _scores(pool: Pool, block: Block, errors: str) -> dict[str, _ByRepeat]:
    """Scores by task and repeat. Missing runs without a name of their own have no partner."""
    score = block.score if errors == "exclude" else np.where(block.scored, block.score, 0.0)
    rows = np.flatnonzero(~np.isnan(score))
    found: dict[str, _ByRepeat] = {}
    for row in rows:
        by_repeat = found.setdefault(pool.tasks[int(block.task[row])], {})
        repeat = pool.repeat(int(block.repeat[row]))
        by_repeat.setdefault(repeat.repeat, []).append(float(score[row]))
    return found


def _pair(
    first: tuple[Pool, Block],
    second: tuple[Pool, Block],
    ours: dict[str, _ByRepeat],
    theirs: dict[str, _ByRepeat],
    common: list[str],
) -> tuple[str, list[_Sample]]:
    """Samples paired by repeat where the logs allow it for some task, else by task."""
    pairing = _pairing(first, second)
    samples = [_sample(task, ours[task], theirs[task], pairing) for task in common]
    paired = [sample for sample in samples if len(sample.differences)]
    if paired:
        return pairing, paired
    return "task", [_sample(task, ours[task], theirs[task], "task") for task in common]


def _pairing(first: tuple[Pool, Block], second: tuple[Pool, Block]) -> str:
    """The kind of repeat that both have, or ``task``."""
    kinds = [{repeat.kind for repeat in pool.repeats_of(block)} for pool, block in (first, second)]
    shared = kinds[0] & kinds[1]
    return next((kind for kind in COMPARABLE if shared == {kind}), "task")


def _sample(task: str, ours: _ByRepeat, theirs: _ByRepeat, pairing: str) -> _Sample:
    """Pair the repeats that occur once on each side; the rest is counted as unpaired."""
    first = np.array([score for scores in ours.values() for score in scores])
    second = np.array([score for scores in theirs.values() for score in scores])
    if pairing == "task":
        return _Sample(task, first, second, np.array([second.mean() - first.mean()]), 0)
    keys = [k for k in ours if len(ours[k]) == 1 and len(theirs.get(k, ())) == 1]
    a = np.array([ours[key][0] for key in keys])
    b = np.array([theirs[key][0] for key in keys])
    return _Sample(task, a, b, b - a, len(first) + len(second) - 2 * len(keys))


def _findings(pool: Pool, block: Block, settings: Settings) -> list[Finding]:
    pooled = [
        Finding("serving", block.name, contrast.sentence, sum(contrast.runs))
        for contrast in contrasts(pool, block, settings)
    ]
    return pooled + block_findings(pool, block, settings, twin_files(pool.files))


def _interval(
    differences: FloatArray, owner: list[int], settings: Settings
) -> tuple[float, float] | None:
    if len(differences) < 2:
        return None
    bounds = statistics.cluster_bootstrap_mean_interval(
        differences,
        owner if owner[-1] else range(len(differences)),
        seed=settings.seed,
        resamples=settings.resamples,
        level=settings.level,
    )
    return bounds.low, bounds.high


def _unit(values: FloatArray) -> float:
    """The largest 1/n that all values are multiples of, or 1 where there is none up to the limit.

    Scores of few steps give differences of few steps, which the test then counts exactly.
    """
    steps = 1
    for value in np.unique(np.abs(values)).tolist():
        ratio = Fraction(value).limit_denominator(_LARGEST_UNIT)
        steps = math.lcm(steps, ratio.denominator)
        if steps > _LARGEST_UNIT or abs(float(ratio) - value) > _ROUNDING:
            return 1.0
    return 1 / steps


def _needed(varying: FloatArray, level: float, smallest: float) -> int:
    """How many of these it takes to find a mean of ``smallest``, at their own deviation.

    Never fewer than a sign-flip test can reject with.
    """
    floor = math.ceil(1 - math.log2(1 - level))
    if len(varying) < 2:
        return floor
    deviation = statistics.sample_deviation(varying)
    found = statistics.minimum_detectable_difference(
        len(varying), 1, within=deviation, level=level, power=_POWER
    )
    return max(floor, math.ceil(len(varying) * (found / smallest) ** 2))


def _verdict(p: float, have: int, needed: int, level: float) -> Verdict:
    if p <= 1 - level + _ROUNDING:
        return "told apart"
    return "too few runs" if needed > have else "not told apart"


def _runs_to_separate(samples: list[_Sample], level: float) -> int | None:
    for side in ("first", "second"):
        if len({len(getattr(sample, side)) for sample in samples}) != 1:
            return None
    first = np.array([sample.first for sample in samples])
    second = np.array([sample.second for sample in samples])
    if min(first.shape[1], second.shape[1]) < 2:
        return None
    runs = statistics.runs_to_separate(first, second, level=level, power=_POWER)
    return int(runs) if math.isfinite(runs) else None


def _by_task(samples: list[_Sample], pairing: str, settings: Settings) -> Iterator[TaskDifference]:
    p_values = [_task_p(sample, pairing, settings) for sample in samples]
    tested = [p for p in p_values if p is not None]
    adjusted = iter(statistics.holm(tested).tolist() if tested else ())
    rows = [
        TaskDifference(
            task=sample.task,
            runs=(len(sample.first), len(sample.second)),
            first=float(sample.first.mean()),
            second=float(sample.second.mean()),
            difference=float(sample.second.mean() - sample.first.mean()),
            p=p,
            p_holm=None if p is None else next(adjusted),
        )
        for sample, p in zip(samples, p_values)
    ]
    yield from sorted(rows, key=lambda row: (-row.difference, row.task))


def _task_p(sample: _Sample, pairing: str, settings: Settings) -> float | None:
    """Sign flips over pairs; without pairs, Fisher's exact test on passes and failures."""
    if pairing != "task":
        values = sample.differences
        return statistics.sign_flip_test(values, unit=_unit(values), seed=settings.seed).p
    sides = (sample.first, sample.second)
    if not all(np.isin(side, (0.0, 1.0)).all() for side in sides):
        return None
    return statistics.fisher_exact([[int(s.sum()), len(s) - int(s.sum())] for s in sides])


def _sentence(result: Comparison) -> str:
    """What follows, in words, with the figures that it rests on."""
    bounds = ""
    if result.interval:
        bounds = f" [{result.interval[0]:+.3f}, {result.interval[1]:+.3f}]"
    drawn = "" if result.exact else " (drawn)"
    figures = f"{result.effect:+.3f}{bounds}, p = {result.p:.4f}{drawn}"
    if result.verdict == "told apart":
        higher, lower = result.second, result.first
        if result.effect < 0:
            higher, lower = lower, higher
        return f"Told apart: {higher} scores higher than {lower} ({figures})."
    units, have = "tasks", result.tasks
    if result.tasks == 1:
        units, have = f"{result.pairing}s", result.pairs
    aim = f"a difference of {result.smallest:g} with {_POWER:.0%} power"
    if result.verdict == "not told apart":
        return f"Not told apart: {figures}. These {units} are enough to find {aim}."
    more = ""
    if result.runs_to_separate:
        more = f" Or {result.runs_to_separate} runs of each of these tasks to confirm what is seen."
    short = f"It takes {result.needed} {units} to find {aim}, not {have}."
    return f"Too few runs: {figures}. {short}{more}"
