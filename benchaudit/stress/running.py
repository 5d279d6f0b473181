"""Running a preregistration: its rule applied to the letter, and every deviation listed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchaudit.statistics import (
    PowerStudy,
    holm,
    pilot_differences,
    population_deviation,
    power_study,
)
from benchaudit.stress.calibration import Calibration, calibrate
from benchaudit.stress.experiment import Experiment
from benchaudit.stress.preregistration import Deviation, Preregistration
from benchaudit.stress.reproduction import Reproduction, reproductions
from benchaudit.stress.verdicts import Estimate, Finding, Subject, clauses, find, uncorrected_p


@dataclass(frozen=True, slots=True)
class Report:
    """What came of an experiment.

    Attributes:
        name: the file's name without its ending.
        plan: what was registered.
        digest: of the frozen record; "" when it was never frozen.
        deviations: between what was frozen and what ran.
        findings: one a subject and quota.
        rules: the same figures for the rules that calibrate it.
        calibration: what the rules say of the decision channel.
        power: by quota, for the effect of interest; empty when no floor asks for it.
        reproductions: published figures beside ours.
    """

    name: str
    plan: Preregistration
    digest: str
    deviations: Sequence[Deviation]
    findings: Sequence[Finding]
    rules: Sequence[Subject]
    calibration: Calibration
    power: Mapping[int | None, float]
    reproductions: Sequence[Reproduction]

    @property
    def failed(self) -> bool:
        """Whether a material deviation, or a published figure that is not reproduced, is left."""
        return any(d.material for d in self.deviations) or not all(
            r.agrees for r in self.reproductions
        )


@dataclass(frozen=True, slots=True)
class PowerTable:
    """Power at one quota: the noise it rests on, and the shares by effect and number of pairs."""

    quota: int | None
    deviation: float
    study: PowerStudy


def run(path: Path, jobs: int = 1) -> Report:
    """Run a preregistration, apply its rule to the letter, and list what deviates.

    Args:
        path: the preregistration file; its frozen record and its published results, if any,
            stand beside it.
        jobs: processes to use; the report is the same for any number.

    Raises:
        InputError: for anything in the files that is wrong.
        CannotRunError: when code that they name fails to load, or a worker dies.
    """
    experiment = Experiment(path, jobs)
    plan = experiment.plan
    subjects, rules = adjusted(experiment), experiment.rules
    found = _deviations(experiment, [*subjects, *rules])
    powers = _powers(experiment)
    return Report(
        name=path.stem,
        plan=plan,
        digest=experiment.frozen.digest if experiment.frozen else "",
        deviations=found,
        findings=[
            find(
                plan,
                subject,
                actions=experiment.actions,
                scorers=tuple(experiment.target.scorers),
                deviating=[_phrase(d) for d in found if d.material],
                power=powers.get(subject.quota),
                rules_that_show_it=[
                    r.agent for r in rules if r.quota == subject.quota and _shows_it(plan, r)
                ],
            )
            for subject in subjects
        ],
        rules=rules,
        calibration=calibrate(
            experiment.target,
            experiment.designs,
            plan.outcome.scorer,
            plan.agents.rules,
            base=experiment.base,
            jobs=jobs,
        ),
        power=powers,
        reproductions=reproductions(experiment.records, [*subjects, *rules]),
    )


def adjusted(experiment: Experiment) -> list[Subject]:
    """The subjects, p adjusted over this file and its family where the rule asks for it.

    Raises:
        InputError: for anything in the family's files that is wrong.
    """
    decision, subjects = experiment.plan.decision, experiment.subjects
    if decision is None or decision.correction == "none":
        return subjects
    siblings = [experiment.base / f"{name}.toml" for name in decision.family]
    members = [experiment, *(Experiment(path, experiment.jobs) for path in siblings)]
    estimates = [_registered(member, subject) for member in members for subject in member.subjects]
    convention = experiment.plan.outcome.statistics
    values = [uncorrected_p(convention, estimate) if estimate else None for estimate in estimates]
    known = [value for value in values if value is not None]
    if len(known) < len(values):
        return subjects
    corrected = holm(known)[: len(subjects)]
    scorer = experiment.plan.outcome.scorer
    return [s.with_holm(scorer, float(p)) for s, p in zip(subjects, corrected, strict=True)]


def _registered(experiment: Experiment, subject: Subject) -> Estimate | None:
    return subject.estimates.get(experiment.plan.outcome.scorer)


def _shows_it(plan: Preregistration, rule: Subject) -> bool:
    """Whether a rule meets the decision rule; its p belongs to no family."""
    estimate = rule.estimates.get(plan.outcome.scorer)
    return plan.decision is not None and all(
        clause.holds
        for clause in clauses(plan.decision, plan.outcome.statistics, estimate, corrected=False)
    )


def _deviations(experiment: Experiment, subjects: Sequence[Subject]) -> list[Deviation]:
    """Between the frozen record and the file, the instrument, and what really ran."""
    found = experiment.deviations()
    ran = {(subject.agent, subject.quota) for subject in subjects}
    for design in experiment.designs:
        for name in experiment.plan.agents.subjects:
            if (name, design.quota) not in ran:
                field = f"agents.subjects: {_named(name, design.quota)}"
                found.append(Deviation(field, "registered", "no result"))
    excluding = experiment.plan.exclusions.incomplete_pairs == "exclude"
    for subject in subjects:
        for seed, why in subject.incomplete.items():
            field = f"design.seeds: {seed} of {_named(subject.agent, subject.quota)}"
            found.append(Deviation(field, "a pair", why, material=not excluding))
    return list(dict.fromkeys(found))


def _named(agent: str, quota: int | None) -> str:
    return agent if quota is None else f"{agent} at quota {quota}"


def _phrase(deviation: Deviation) -> str:
    return f"deviates in {deviation.field}: {deviation.frozen} → {deviation.ran}"


def _powers(experiment: Experiment) -> dict[int | None, float]:
    """The power of each quota's comparison for the effect of interest; none where none is asked."""
    asked = experiment.plan.power
    if asked is None:
        return {}
    pairs, effects = [experiment.plan.design.seeds.count], [asked.effect]
    return {
        one.quota: float(one.study.power[0, 0])
        for one in power_tables(experiment, pairs, effects, asked.replications)
    }


def power_tables(
    experiment: Experiment,
    pairs: Sequence[int],
    effects: Sequence[float],
    replications: int = 400,
) -> list[PowerTable]:
    """How often each quota's comparison would show an effect.

    Differences are drawn from the pilot's, centred, plus the effect; an experiment shows it when
    its 95 % bootstrap interval excludes zero.

    Raises:
        InputError: when no pilot is registered, or none of its pairs is complete.
    """
    tables = []
    for design in experiment.designs:
        differences = experiment.pilot(design)
        found = power_study(
            effects, pairs, pilot_differences(differences), seed=0, replications=replications
        )
        tables.append(PowerTable(design.quota, population_deviation(differences), found))
    return tables
