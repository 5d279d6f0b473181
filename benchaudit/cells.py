"""One cell against the hooks: forge or run an episode, score it, return evidence.

This is the part of a stage that runs where the benchmark runs. It plans nothing and judges
nothing; whatever the benchmark's code does becomes a record.

Standard library only: this module runs inside benchmark environments.
"""

from __future__ import annotations

import copy
import hashlib
import math
import random
import re
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from benchaudit import packs
from benchaudit.evidence import Evidence
from benchaudit.hooks import (
    Adapter,
    Agent,
    Episode,
    Forge,
    Forged,
    Gold,
    Score,
    Submission,
    Task,
    Unsupported,
)

CANONICAL = "canonical"
"""The probe name of the canonical submission itself: the control that a sound scorer passes."""

_KEPT = 4
"""References that stay in memory."""

EPSILON = 1e-9
"""Qualities closer than this are the same."""

_RAISED = (Exception, SystemExit)
"""What the code of a benchmark or a pack may raise: an outcome, whatever it is."""

_ADDRESS = re.compile(r"\b0x[0-9a-fA-F]{6,}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """What to do, once: one probe, or one episode, of one task.

    ``kind`` is the probe's kind. ``scorers`` are the names under which the result is scored.
    """

    task: str
    seed: int | None = None
    probe: str = ""
    kind: str = ""
    scaffold: str = ""
    agent: str = ""
    budget: int | None = None
    repeat: int = 0
    scorers: tuple[str, ...] = ()

    @property
    def key(self) -> tuple[object, ...]:
        """Identity but for the scorers: cells with the same key can be run as one."""
        return (
            self.task,
            -1 if self.seed is None else self.seed,
            self.repeat,
            self.probe,
            self.scaffold,
            self.agent,
            -1 if self.budget is None else self.budget,
        )

    def as_json(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.__slots__}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Cell:
        return cls(**{**data, "scorers": tuple(data["scorers"])})


@dataclass(frozen=True, slots=True)
class Draft:
    """A record before it is scored, with the submission it is about.

    Its outcome is ``ok`` while it waits for a score; with any other outcome it is final.
    """

    record: Evidence
    submission: Submission | None = None

    @property
    def pending(self) -> bool:
        return self.record.outcome == "ok"


@dataclass(frozen=True, slots=True)
class Reference:
    """What the forged submissions of one task are held against.

    Attributes:
        submission: the canonical one, or without an oracle the sample to start from.
        quality: what the oracle says of it.
        units: how many units the correct work has: its length where it is a list, else one.
        work: a copy of the correct work, to see whether a probe changed it in place.
    """

    submission: Submission
    quality: float | None = None
    units: int = 1
    work: Any = None


@dataclass(frozen=True)
class Bench:
    """An adapter made ready to run cells: its hooks, the probes' forgers, and two facts.

    Attributes:
        adapter: the hooks.
        forges: the forgers by probe name.
        unsubmitted: what the benchmark scores an episode that handed nothing in.
        ground_truth: scorers that are themselves the ground-truth metric; for them the forger's
            own account is the quality.
        places: folders of this machine, and the names that stand for them in the evidence.
    """

    adapter: Adapter
    forges: Mapping[str, Forge]
    unsubmitted: float = 0.0
    ground_truth: frozenset[str] = field(default_factory=frozenset)
    places: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def load(cls, settings: Mapping[str, Any]) -> Bench:
        """Load packs by their folders: how a worker starts, from what the host sends it."""
        adapter = packs.Pack("adapters", settings["name"], Path(settings["folder"]))
        probes = {
            name: packs.Pack("probes", name, Path(folder))
            for name, folder in settings["probes"].items()
        }
        return cls(
            packs.load_adapter(adapter),
            {name: packs.load_forge(pack) for name, pack in probes.items()},
            settings["unsubmitted"],
            frozenset(settings["ground_truth"]),
            {
                sys.prefix: "<environment>",
                sys.base_prefix: "<python>",
                settings["folder"]: "<adapter>",
                **settings.get("places", {}),
            },
        )

    @cached_property
    def _tasks(self) -> dict[int | None, dict[str, Task]]:
        return {}

    def tasks(self, seed: int | None) -> dict[str, Task]:
        """The task registry for one seed, by id."""
        if seed not in self._tasks:
            listed = self.adapter.tasks(seed)
            known = {task.id: task for task in listed}
            if len(known) < len(listed):
                ((twice, _),) = Counter(task.id for task in listed).most_common(1)
                raise ValueError(f"the task registry lists {twice!r} more than once")
            self._tasks[seed] = known
        return self._tasks[seed]

    def run(self, cell: Cell) -> list[Evidence]:
        """Run one cell. Never raises for what the benchmark or a pack does."""
        return [self.score(draft) for draft in self.drafts(cell)]

    def drafts(self, cell: Cell) -> list[Draft]:
        """Everything of a cell but the scoring: forge, or run the episode."""
        return list(self._probe(cell) if cell.probe else self._episode(cell))

    def submissions(self, cell: Cell) -> dict[str, str]:
        """The encoded submissions of a cell, by variant: made again, not scored.

        Raises:
            Exception: whatever the hooks or the forger raise.
        """
        if cell.probe:
            gold = self._gold(cell.task, cell.seed, cell.probe)
            return {f.variant: f.submission.encoded for f in self._forge(gold, cell.probe)}
        episode = self._play(cell)
        return {"": episode.submission.encoded} if episode.submission is not None else {}

    # -- probes ----------------------------------------------------------------------------------

    def _probe(self, cell: Cell) -> Iterator[Draft]:
        try:
            gold = self._gold(cell.task, cell.seed, cell.probe)
            forged = self._forge(gold, cell.probe)
        except Unsupported as reason:
            yield from _final(cell, outcome="unsupported", detail=str(reason))
            return
        except _RAISED as error:
            yield from _final(cell, outcome="unforged", detail=self._message(error))
            return
        for one in forged:
            yield from self._drafts_of(cell, gold, one)

    def _gold(self, task_id: str, seed: int | None, probe: str) -> Gold:
        task = self.tasks(seed)[task_id]
        submission = self._reference(task_id, seed).submission
        key = f"{probe}:{task_id}:{'' if seed is None else seed}"
        chance = random.Random(int(hashlib.sha256(key.encode()).hexdigest()[:16], 16))
        return Gold(task, submission, self.adapter.oracle, chance)

    def _reference(self, task_id: str, seed: int | None) -> Reference:
        """The reference of a task; the last few are kept, since cells of one task come together."""
        known = self._references
        if (task_id, seed) not in known:
            while len(known) >= _KEPT:
                del known[next(iter(known))]
            known[task_id, seed] = self._make_reference(self.tasks(seed)[task_id])
        return known[task_id, seed]

    @cached_property
    def _references(self) -> dict[tuple[str, int | None], Reference]:
        return {}

    def _make_reference(self, task: Task) -> Reference:
        oracle = self.adapter.oracle
        if oracle is None:
            samples = self.adapter.samples(task) if self.adapter.samples else ()
            if not samples:
                raise Unsupported("no oracle, and no sample submission to start from")
            return Reference(samples[0])
        work = oracle.work(task)
        submission = oracle.compose(task, work)
        quality = oracle.quality(task, submission) if oracle.quality else None
        units = len(work) if isinstance(work, list | tuple) else 1
        return Reference(submission, quality, units, copy.deepcopy(work))

    def _forge(self, gold: Gold, probe: str) -> list[Forged]:
        """Forge a probe's submissions; a probe that changes the gold in place is our own error."""
        reference = self._reference(gold.task.id, gold.task.seed)
        if probe == CANONICAL:
            return [Forged(gold.submission, kept=reference.units)]
        forged = list(self.forges[probe](gold))
        if "work" in vars(gold) and gold.work != reference.work:
            self._references.clear()
            raise RuntimeError(f"probe {probe} changed the correct work in place")
        return forged

    def _drafts_of(self, cell: Cell, gold: Gold, forged: Forged) -> Iterator[Draft]:
        try:
            base = _record(
                cell,
                variant=forged.variant,
                digest=forged.submission.digest,
                detail=forged.note,
            )
            by_oracle = self._quality(gold, forged.submission)
            reference = self._reference(cell.task, cell.seed)
        except _RAISED as error:
            detail = self._message(error)
            yield from _final(cell, outcome="unforged", variant=forged.variant, detail=detail)
            return
        for scorer in cell.scorers:
            quality, best = by_oracle, reference.quality
            if gold.oracle is not None and (quality is None or scorer in self.ground_truth):
                quality, best = _account(forged, reference.units), 1.0
            record = replace(base, scorer=scorer, quality=quality)
            reason = _vacuous(cell.kind, forged, gold, quality, best)
            if reason:
                record = replace(record, outcome="vacuous", detail=reason)
            yield Draft(record, forged.submission)

    def _quality(self, gold: Gold, submission: Submission) -> float | None:
        """The oracle's quality of a submission."""
        oracle = gold.oracle
        if oracle is None or oracle.quality is None:
            return None
        return _finite("the quality", oracle.quality(gold.task, submission))

    # -- episodes --------------------------------------------------------------------------------

    def _episode(self, cell: Cell) -> Iterator[Draft]:
        try:
            episode = self._play(cell)
            steps = Counter(f"{s.decision}:{s.action}:{s.owner}" for s in episode.steps)
            figures = {name: _finite(name, figure) for name, figure in episode.figures.items()}
            seen = {"steps": dict(sorted(steps.items())), "figures": figures}
            digest = episode.submission.digest if episode.submission else ""
        except Unsupported as reason:
            yield from _final(cell, outcome="unsupported", detail=str(reason))
            return
        except _RAISED as error:
            yield from _final(cell, outcome="error", detail=self._message(error))
            return
        if episode.submission is None:
            yield from _final(cell, outcome="unsubmitted", score=self.unsubmitted, **seen)
            return
        base = _record(cell, digest=digest, **seen)
        for scorer in cell.scorers:
            yield Draft(replace(base, scorer=scorer), episode.submission)

    def _play(self, cell: Cell) -> Episode:
        if self.adapter.ownership is None:
            raise Unsupported("the adapter runs no episodes")
        task = self.tasks(cell.seed)[cell.task]
        return self.adapter.ownership.episode(
            task, cell.scaffold, Agent.parse(cell.agent), cell.budget
        )

    # -- scoring ---------------------------------------------------------------------------------

    def score(self, draft: Draft) -> Evidence:
        """Score what a draft hands in; a final draft stays as it is."""
        if not draft.pending or draft.submission is None:
            return draft.record
        record = draft.record
        try:
            if self.adapter.score is None:
                raise Unsupported("the adapter has no scorer hook")
            task = self.tasks(record.seed)[record.task]
            score = self.adapter.score(task, draft.submission.fresh(), record.scorer)
        except Unsupported as reason:
            return replace(record, outcome="unsupported", detail=str(reason))
        except _RAISED as error:
            return replace(record, outcome="error", detail=self._message(error))
        try:
            return _with_score(record, score)
        except (AttributeError, OverflowError, ValueError) as flaw:
            return replace(record, outcome="invalid", detail=str(flaw))

    def _message(self, error: BaseException) -> str:
        """Type and text of an exception on one line, bounded, the same on every machine."""
        text = _without_addresses(" ".join(f"{type(error).__name__}: {error}".split()))
        for folder in sorted(self.places, key=len, reverse=True):
            text = text.replace(folder, self.places[folder])
        return text if len(text) <= 300 else text[:297] + "..."


def failed(cell: Cell, outcome: str, detail: str) -> list[Evidence]:
    """The records of a cell that ended before anything was handed in."""
    return [draft.record for draft in _final(cell, outcome=outcome, detail=detail)]


def _record(cell: Cell, **fields: Any) -> Evidence:
    return Evidence(
        task=cell.task,
        seed=cell.seed,
        probe=cell.probe,
        kind=cell.kind,
        scaffold=cell.scaffold,
        agent=cell.agent,
        budget=cell.budget,
        repeat=cell.repeat,
        **{"outcome": "ok", **fields},
    )


def _final(cell: Cell, **fields: Any) -> Iterator[Draft]:
    """Nothing to score, under every scorer asked for."""
    for scorer in cell.scorers:
        yield Draft(_record(cell, scorer=scorer, **fields))


def _with_score(record: Evidence, score: Score) -> Evidence:
    """The record with a score; raises when the scorer's answer is none."""
    if score.passed is not None and not isinstance(score.passed, bool):
        raise ValueError(f"passed is a {type(score.passed).__name__}")
    return replace(
        record,
        score=_finite("the score", score.value),
        passed=score.passed,
        breakdown={name: _finite(name, part) for name, part in score.breakdown.items()},
    )


def _finite(name: str, number: Any) -> float:
    """A figure that the evidence can hold, or a ValueError that says what it is instead."""
    if isinstance(number, bool) or not isinstance(number, int | float):
        raise ValueError(f"{name} is {_without_addresses(repr(number)):.80}")
    if not math.isfinite(number):
        raise ValueError(f"{name} is {number}")
    return float(number)


def _without_addresses(text: str) -> str:
    """Text without memory addresses, which differ from run to run."""
    return _ADDRESS.sub("0x…", text)


def _account(forged: Forged, units: int) -> float | None:
    """Quality by the forger's own account: the F1 of what it kept and what it invented."""
    if forged.kept is None:
        return None
    total = units + forged.kept + forged.invented
    return 2 * forged.kept / total if total else 1.0


def _vacuous(
    kind: str, forged: Forged, gold: Gold, quality: float | None, best: float | None
) -> str:
    """Why a forged submission says nothing here, or "" when it says something."""
    if kind in (CANONICAL, "policy", ""):
        return ""
    if forged.submission.digest == gold.submission.digest:
        return "equal to the canonical submission"
    if gold.oracle is None:
        return ""
    if quality is None or best is None:
        return "nothing says that it is better or worse than the canonical one"
    if kind == "equivalent":
        return "" if quality >= best - EPSILON else "not equivalent: the oracle holds it worse"
    return "" if quality < best - EPSILON else "no worse than the canonical one"
