"""A preregistration file with all it names: loaded, checked, and run when it is asked for.

What is run and how it is scored is here; what it means is in `verdicts`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from decimal import Decimal
from functools import cached_property
from pathlib import Path

from benchaudit.stress.environment import Target
from benchaudit.stress.errors import InputError
from benchaudit.stress.loading import load_target, rule_file
from benchaudit.stress.pairing import ARMS, Comparison, Design, compare, paired_effect
from benchaudit.stress.policies import find_policy, standard_rules
from benchaudit.stress.preregistration import (
    Deviation,
    Frozen,
    Preregistration,
    deviations,
    load,
    read_frozen,
)
from benchaudit.stress.published import Published, Record, read_published
from benchaudit.stress.trials import check_target, run_trials
from benchaudit.stress.verdicts import Estimate, Subject


class Experiment:
    """A preregistration file and all it names, loaded and checked; see `run`."""

    def __init__(self, path: Path, jobs: int = 1) -> None:
        """Load the file, its target, its published results and its frozen record.

        Raises:
            InputError: for anything in them that is wrong, naming the place and the remedy.
            CannotRunError: when code that they name fails to load.
        """
        self.path = path
        self.base = path.resolve().parent
        self.jobs = jobs
        self.plan: Preregistration = load(path)
        self.target: Target = load_target(self.plan.instrument.target, self.base)
        self.published: Published | None = read_published(path)
        self.frozen: Frozen | None = read_frozen(path)
        self.actions = self.target.actions()
        self._check_names()

    def _check_names(self) -> None:
        plan, target = self.plan, self.target
        pressing = [a for design in self.designs for a in design.adversaries.values()]
        check_target(target, pressing, [plan.outcome.scorer])
        pilots = (plan.power.pilot,) if plan.power else ()
        for name in (*plan.agents.rules, *self.measured, *pilots):
            find_policy(name, self.actions, self.base)
        if plan.design.units != target.units:
            raise InputError(
                f"{self.path}: design.units is {plan.design.units}, but a clean run of "
                f"{target.name} has {target.units}"
            )
        figures = {"deaths", "failures", "depth", "intensity", *self.actions}
        for criterion in plan.demotions:
            if criterion.figure not in figures:
                raise InputError(
                    f"{self.path}: demotions: no figure {criterion.figure!r}; "
                    f"there are {', '.join(sorted(figures))}"
                )

    @cached_property
    def designs(self) -> list[Design]:
        """One design a quota."""
        return self.plan.design.designs()

    @property
    def records(self) -> tuple[Record, ...]:
        """The published results."""
        return self.published.records if self.published else ()

    @property
    def measured(self) -> list[str]:
        """The subjects that are run here: those without published results."""
        known = {record.agent for record in self.records}
        return [name for name in self.plan.agents.subjects if name not in known]

    @cached_property
    def fingerprint(self) -> str:
        """SHA-256 over what the instrument does to the standard rules, and how it scores them.

        It covers every step of every episode of the design under the registered scorer, so that
        a change of the engine, the environment or the scorer shows, and a rewrite that keeps
        their behaviour does not.
        """
        whole = hashlib.sha256()
        scorer = self.plan.outcome.scorer
        for design in self.designs:
            trials = [t for rule in standard_rules(self.actions) for t in design.trials(rule)]
            for result in run_trials(
                self.target, design.adversaries, trials, [scorer], jobs=self.jobs, digests=True
            ):
                score = result.missing(scorer) or f"{result.scores[scorer]:.9f}"
                whole.update(f"{result.digest} {score}\n".encode())
        return whole.hexdigest()

    def as_frozen(self) -> Frozen:
        """The record that freezing it now would write."""
        return Frozen(self.plan.content, self.fingerprint, self.sources)

    def deviations(self) -> list[Deviation]:
        """What of it is not as it was frozen; all of it, when it never was."""
        if self.frozen is None:
            return [Deviation("frozen record", "written beforehand", "absent")]
        return deviations(self.frozen, self.as_frozen())

    @cached_property
    def comparisons(self) -> dict[tuple[str, int | None], Comparison]:
        """Both arms of every rule and measured subject, by agent and quota."""
        found = {}
        scorers = tuple(self.target.scorers)
        for design in self.designs:
            for agent in dict.fromkeys((*self.plan.agents.rules, *self.measured)):
                results = run_trials(
                    self.target,
                    design.adversaries,
                    design.trials(agent),
                    base=self.base,
                    jobs=self.jobs,
                )
                found[agent, design.quota] = compare(
                    self.target, results, scorers, self.plan.outcome.statistics
                )
        return found

    @cached_property
    def rules(self) -> list[Subject]:
        """The rules that calibrate it, by quota."""
        return [
            self._measured(agent, design)
            for design in self.designs
            for agent in self.plan.agents.rules
        ]

    @cached_property
    def subjects(self) -> list[Subject]:
        """The agents that the hypothesis is about, by quota; p not yet adjusted."""
        measured = [
            self._measured(agent, design) for design in self.designs for agent in self.measured
        ]
        quotas = [design.quota for design in self.designs]
        keys = dict.fromkeys((r.agent, r.quota) for r in self.records)
        published = [
            _published([r for r in self.records if (r.agent, r.quota) == (agent, quota)], self.plan)
            for agent, quota in keys
            if agent in self.plan.agents.subjects and quota in quotas
        ]
        return [*published, *measured]

    @cached_property
    def sources(self) -> dict[str, str]:
        """SHA-256 of the file of every agent that is given as ``file.py:function``, by agent."""
        agents = self.plan.agents
        pilots = (self.plan.power.pilot,) if self.plan.power else ()
        return {
            agent: hashlib.sha256(source.read_bytes()).hexdigest()
            for agent in (*agents.subjects, *agents.rules, *pilots)
            if (source := rule_file(agent, self.base))
        }

    def pilot(self, design: Design) -> list[float]:
        """The differences of the pilot rule on the seeds set aside for it.

        Raises:
            InputError: when no power is registered, or no pair of the pilot is complete.
        """
        asked, scorer = self.plan.power, self.plan.outcome.scorer
        if asked is None:
            raise InputError(f"{self.path}: power: register a floor, an effect and a pilot")
        apart = Design(
            design.escalating, design.constant, asked.seeds.values, design.units, design.quota
        )
        results = run_trials(
            self.target,
            apart.adversaries,
            apart.trials(asked.pilot),
            [scorer],
            base=self.base,
            jobs=self.jobs,
        )
        found = compare(self.target, results, [scorer])
        if scorer not in found.vectors:
            raise InputError(f"{self.path}: power.pilot: {results[0].missing(scorer)}")
        return found.differences(scorer)

    def _measured(self, agent: str, design: Design) -> Subject:
        found = self.comparisons[agent, design.quota]
        return Subject(
            found.agent,
            found.quota,
            "measured",
            {scorer: Estimate.of(found.effect(scorer)) for scorer in found.vectors},
            {arm: found.arms[arm].figures for arm in ARMS},
            found.incomplete[self.plan.outcome.scorer],
        )


def _published(records: Sequence[Record], plan: Preregistration) -> Subject:
    """A subject from its published records, one a scorer; recomputed where the data are there."""
    figures: dict[str, dict[str, float]] = {arm: {} for arm in ARMS}
    for record in records:
        for arm, table in zip(ARMS, (record.escalating, record.constant), strict=True):
            figures[arm].update(table.figures)
    return Subject(
        records[0].agent,
        records[0].quota,
        "published",
        {r.scorer: estimate for r in records if (estimate := _estimate(r, plan)) is not None},
        figures,
    )


def _estimate(record: Record, plan: Preregistration) -> Estimate | None:
    """The effect behind a record: from its vectors, else as printed; None when neither is."""
    if record.differences:
        unit = 1 / record.denominator
        return Estimate.of(paired_effect(record.differences, unit, plan.outcome.statistics))
    if record.delta is None:
        return None
    return Estimate(
        float(record.delta),
        _bounds(record.interval),
        _float(record.cliffs),
        _bounds(record.cliffs_interval),
        _float(record.p),
    )


def _float(printed: Decimal | None) -> float | None:
    return None if printed is None else float(printed)


def _bounds(printed: tuple[Decimal, Decimal] | None) -> tuple[float, float] | None:
    return None if printed is None else (float(printed[0]), float(printed[1]))
