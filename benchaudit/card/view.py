"""What one column sees of the evidence, indexed once, and what a rule finds in it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations

from benchaudit.card.model import Example, Figure
from benchaudit.evidence import Evidence
from benchaudit.manifest import AdapterManifest, Column, ProbeManifest, Scorer, Verdict

CANONICAL = "canonical"
BROKEN = ("error", "timeout", "invalid")
SILENT = ("vacuous", "unsupported", "unforged")
SCORED = ("ok", "unsubmitted")
SHOWN = 5
"""Examples an item keeps."""

FLOAT_NOISE = 1e-12
"""What arithmetic adds to a difference: 0.97 - 0.96 is a little more than 0.01."""

Place = tuple[str, int | None]
"""A task and its seed."""


@dataclass(frozen=True, slots=True)
class TaskFacts:
    """What a card needs to know of a task. ``no_action`` cites the benchmark's own label."""

    id: str
    category: str = ""
    no_action: str = ""


@dataclass(frozen=True, slots=True)
class Finding:
    """What a rule found: a verdict, its reason in one sentence, and the records it rests on."""

    verdict: Verdict
    reason: str
    figures: Mapping[str, Figure] = field(default_factory=dict)
    deviations: Mapping[str, int] = field(default_factory=dict)
    examples: Sequence[Example] = ()
    used: Sequence[Evidence] = ()


Rule = Callable[["View"], Finding]


def not_probed(reason: str, used: Sequence[Evidence] = ()) -> Finding:
    return Finding("not probed", reason, used=used)


class View:
    """One column's evidence: only measured records, only its tasks and its scorer."""

    def __init__(
        self,
        manifest: AdapterManifest,
        column: Column,
        tasks: Sequence[TaskFacts],
        probes: Mapping[str, ProbeManifest],
        evidence: Iterable[Evidence],
    ) -> None:
        self.manifest = manifest
        self.column = column
        self.scorer: Scorer = manifest.scorers[column.scorer]
        self.tasks = {t.id: t for t in tasks if column.holds(t.id, t.category)}
        self.probes = probes
        mine = (r for r in evidence if r.origin == "measured" and r.task in self.tasks)
        # Sorted, so that no sum and no choice among equals depends on how the cells were run.
        self._records = sorted(mine, key=lambda r: (*sort_key(r), r.scorer, r.repeat))

    @cached_property
    def probed(self) -> list[Evidence]:
        """Probe cells under the column's scorer."""
        return [r for r in self._records if r.probe and r.scorer == self.column.scorer]

    @cached_property
    def canonical(self) -> dict[Place, Evidence]:
        """The canonical submission's first cell, by task and seed."""
        return {(r.task, r.seed): r for r in self.probed if r.probe == CANONICAL and r.repeat == 0}

    @cached_property
    def correct(self) -> dict[Place, Evidence]:
        """The canonical cells that an oracle vouches for; without one they are mere samples."""
        return {place: r for place, r in self.canonical.items() if r.quality is not None}

    def cells(self, feeds: str, *kinds: str) -> list[Evidence]:
        """First-run cells of the probes that feed an item, vacuous ones included."""
        names = {
            name
            for name, probe in self.probes.items()
            if feeds in probe.feeds and (not kinds or probe.kind in kinds)
        }
        return [r for r in self.probed if r.probe in names and r.repeat == 0]

    def canonical_score(self, record: Evidence) -> float | None:
        """The canonical score at the same place; None where there is none."""
        found = self.canonical.get((record.task, record.seed))
        return found.score if found is not None and found.outcome == "ok" else None

    def same(self, one: float, other: float) -> bool:
        """Whether two scores are the same within the scorer's resolution."""
        return abs(one - other) <= self.scorer.resolution + FLOAT_NOISE

    def winnable(self, record: Evidence) -> bool:
        """Whether the correct submission passes at the same place: what a tie needs to mean."""
        found = self.canonical.get((record.task, record.seed))
        return found is not None and found.outcome == "ok" and self.passes(found) is not False

    def passes(self, record: Evidence) -> bool | None:
        """The benchmark's own verdict; without a threshold, half of the canonical score.

        None where there is neither: no threshold, and no correct submission that was scored; and
        for a cell in which nothing was scored. What broke does not pass.
        """
        if record.outcome in BROKEN:
            return False
        if record.score is None:
            return None
        if record.passed is not None:
            return record.passed
        best = self.canonical_score(record)
        if best is None or (record.task, record.seed) not in self.correct:
            return None
        return best > 0 and record.score >= best / 2

    # -- episodes --------------------------------------------------------------------------------

    def episodes(self, scaffold: str | None = None, scorer: str | None = None) -> list[Evidence]:
        """First-run, unbudgeted episode cells at a scaffold under a scorer (the column's own)."""
        scaffold = self.column.scaffold if scaffold is None else scaffold
        scorer = self.column.scorer if scorer is None else scorer
        return [
            r
            for r in self._records
            if r.agent
            and r.scaffold == scaffold
            and r.scorer == scorer
            and r.repeat == 0
            and r.budget is None
        ]

    @cached_property
    def budgeted(self) -> list[Evidence]:
        """Episodes at the column's scaffold and scorer that ran under a budget."""
        return [
            r
            for r in self._records
            if r.budget is not None
            and r.scaffold == self.column.scaffold
            and r.scorer == self.column.scorer
        ]

    @cached_property
    def repeated(self) -> list[tuple[Evidence, Evidence]]:
        """Pairs of a cell and a further run of the same cell, at the column's scaffold."""
        mine = [
            r
            for r in self._records
            if r.scorer == self.column.scorer and (r.probe or r.scaffold == self.column.scaffold)
        ]
        first = {_cell(r): r for r in mine if r.repeat == 0}
        return [(first[_cell(r)], r) for r in mine if r.repeat and _cell(r) in first]

    # -- what a person is shown ------------------------------------------------------------------

    def example(self, record: Evidence) -> Example:
        return Example(
            task=record.task,
            seed=record.seed,
            probe=record.probe,
            variant=record.variant,
            agent=record.agent,
            outcome=record.outcome,
            score=record.score,
            canonical=self.canonical_score(record),
            quality=record.quality,
            digest=record.digest,
            note=record.detail,
        )

    def examples(self, records: Iterable[Evidence]) -> list[Example]:
        """The first records of distinct probes, then others, up to SHOWN."""
        ordered = sorted(records, key=sort_key)
        heads: dict[tuple[str, str], Evidence] = {}
        for record in ordered:
            heads.setdefault((record.probe, record.agent), record)
        chosen = list(heads.values())[:SHOWN]
        chosen += [r for r in ordered if r not in chosen][: SHOWN - len(chosen)]
        return [self.example(r) for r in chosen]


def _cell(record: Evidence) -> tuple[object, ...]:
    return (*sort_key(record), record.scorer)


def sort_key(record: Evidence) -> tuple[str, int, str, str, str, str, int]:
    """An order of cells that does not depend on how they were run."""
    return (
        record.task,
        -1 if record.seed is None else record.seed,
        record.probe,
        record.variant,
        record.scaffold,
        record.agent,
        -1 if record.budget is None else record.budget,
    )


def unforced(records: Iterable[Evidence]) -> list[Evidence]:
    """Episodes of agents as they are, without a decision forced."""
    return [r for r in records if " " not in r.agent]


def pairs_by_place(records: Iterable[Evidence]) -> Iterator[tuple[Evidence, Evidence]]:
    """Every pair of records of the same task and seed."""
    places: dict[Place, list[Evidence]] = defaultdict(list)
    for record in records:
        places[record.task, record.seed].append(record)
    for group in places.values():
        yield from combinations(group, 2)


def count(number: int, noun: str) -> str:
    """``1 task``, ``2 tasks``."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"
