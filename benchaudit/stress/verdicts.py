"""The decision rule of a preregistration, applied to the letter; pure functions.

Rules demote. A claim that the decision rule confirms is taken back when what ran is not what was
frozen or when a criterion speaks against it, and counts as underpowered when the design could
not have shown the effect of interest. Nothing here can promote a result.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from benchaudit.stress.pairing import Convention, Effect
from benchaudit.stress.preregistration import Decision, Demotion, Outcome, Preregistration

Verdict = Literal["confirmed", "not confirmed", "demoted", "underpowered", "void", "exploratory"]
Origin = Literal["measured", "published"]


@dataclass(frozen=True, slots=True)
class Estimate:
    """An effect under one scorer; what was not published is None.

    Attributes:
        delta: constant minus escalating, in the score's unit.
        interval: its 95 % interval.
        cliffs: paired Cliff's delta.
        cliffs_interval: its 95 % interval.
        p: Monte Carlo sign-flip p.
        p_exact: over all sign patterns.
        p_holm: the p that decides, adjusted for its family.
        pairs: pairs behind it.
    """

    delta: float
    interval: tuple[float, float] | None = None
    cliffs: float | None = None
    cliffs_interval: tuple[float, float] | None = None
    p: float | None = None
    p_exact: float | None = None
    p_holm: float | None = None
    pairs: int | None = None

    @classmethod
    def of(cls, effect: Effect) -> Estimate:
        return cls(
            effect.delta,
            effect.interval,
            effect.cliffs,
            effect.cliffs_interval,
            effect.p,
            effect.p_exact,
            pairs=effect.n,
        )


@dataclass(frozen=True, slots=True)
class Subject:
    """One agent at one quota, run here or published.

    Attributes:
        agent, quota: who, and under which quota.
        origin: where its numbers are from.
        estimates: by scorer.
        figures: counted events, by arm and name; the demotion criteria read them.
        incomplete: why a seed has no pair, by seed.
    """

    agent: str
    quota: int | None
    origin: Origin
    estimates: Mapping[str, Estimate]
    figures: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    incomplete: Mapping[int, str] = field(default_factory=dict)

    def with_holm(self, scorer: str, p_holm: float | None) -> Subject:
        """The same with the adjusted p of one scorer filled in."""
        adjusted = replace(self.estimates[scorer], p_holm=p_holm)
        return replace(self, estimates={**self.estimates, scorer: adjusted})


@dataclass(frozen=True, slots=True)
class Clause:
    """One condition of the decision rule; ``holds`` is None where a figure it needs is missing."""

    text: str
    holds: bool | None


@dataclass(frozen=True, slots=True)
class Finding:
    """What the rule says of one subject.

    Attributes:
        subject: whom.
        clauses: the decision rule, clause by clause.
        verdict: the outcome.
        because: everything that took a claim back, or kept it from counting.
        flags: what a reader of the verdict must know beside it.
    """

    subject: Subject
    clauses: Sequence[Clause]
    verdict: Verdict
    because: Sequence[str] = ()
    flags: Sequence[str] = ()

    @property
    def met(self) -> bool:
        """Whether the decision rule itself is met, before anything is taken back."""
        return bool(self.clauses) and all(clause.holds for clause in self.clauses)


def clauses(
    decision: Decision, statistics: Convention, estimate: Estimate | None, *, corrected: bool
) -> list[Clause]:
    """The decision rule on one estimate.

    Args:
        decision: the rule.
        statistics: which p decides.
        estimate: the effect, or None where there is none.
        corrected: whether p is adjusted for the family, as the rule may ask.
    """
    if estimate is None:
        return [Clause("an effect was estimated", False)]
    found = []
    if decision.direction != "either":
        holds = estimate.delta > 0 if decision.direction == "positive" else estimate.delta < 0
        found.append(Clause(f"Δ is {decision.direction} ({estimate.delta:+.4f})", holds))
    if decision.interval_excludes_zero:
        found.append(_interval_clause(estimate))
    name, p = _deciding_p(decision, statistics, estimate, corrected)
    shown = "not known" if p is None else f"{p:.4f}"
    holds_p = None if p is None else p < decision.alpha
    found.append(Clause(f"{name} < {decision.alpha:g} ({shown})", holds_p))
    return found


def uncorrected_p(statistics: Convention, estimate: Estimate) -> float | None:
    """The p that the convention decides by; it enters the family's correction."""
    return estimate.p if statistics == "published" else estimate.p_exact


def _deciding_p(
    decision: Decision, statistics: Convention, estimate: Estimate, corrected: bool
) -> tuple[str, float | None]:
    if corrected and decision.correction == "holm":
        return "Holm p", estimate.p_holm
    name = "Monte Carlo p" if statistics == "published" else "exact p"
    return name, uncorrected_p(statistics, estimate)


def _interval_clause(estimate: Estimate) -> Clause:
    if estimate.interval is None:
        return Clause("the interval excludes 0 (not known)", None)
    low, high = estimate.interval
    return Clause(f"the interval excludes 0 ([{low:.4f}, {high:.4f}])", low > 0 or high < 0)


def find(
    plan: Preregistration,
    subject: Subject,
    *,
    actions: Sequence[str],
    scorers: Sequence[str],
    deviating: Sequence[str],
    power: float | None,
    rules_that_show_it: Sequence[str],
) -> Finding:
    """Apply the whole of a preregistration to one subject.

    Args:
        plan: the preregistration.
        subject: whom it is about.
        actions: what an agent can answer.
        scorers: all scorers of the target; a confirmed effect is looked for under each.
        deviating: how what ran differs from what was frozen, one phrase each.
        power: the design's power for the effect of interest, where a floor asks for it.
        rules_that_show_it: rules without a model that meet the same decision rule.
    """
    scorer = plan.outcome.scorer
    if plan.decision is None:
        why = "no decision rule was registered"
        return Finding(subject, (), "exploratory", (why,), one_action_only(subject, actions))
    statistics = plan.outcome.statistics
    rule = clauses(plan.decision, statistics, subject.estimates.get(scorer), corrected=True)
    plain = Finding(subject, rule, "not confirmed", flags=one_action_only(subject, actions))
    if subject.incomplete and plan.exclusions.incomplete_pairs == "void":
        missing = f"incomplete pairs: {len(subject.incomplete)}, and none may be"
        return replace(plain, verdict="void", because=(missing,))
    weak = _underpowered(plan, power)
    if not plain.met:
        return replace(plain, verdict="underpowered" if weak else "not confirmed", because=weak)
    against = (*deviating, *fired(plan.demotions, subject))
    flags = (
        *plain.flags,
        *_other_scorers(plan.decision, plan.outcome, subject, scorers),
        *_needs_no_model(subject, rules_that_show_it),
    )
    verdict: Verdict = "demoted" if against else "underpowered" if weak else "confirmed"
    return replace(plain, verdict=verdict, because=(*against, *weak), flags=flags)


def fired(demotions: Sequence[Demotion], subject: Subject) -> list[str]:
    """The criteria that speak against a claim, with the figure that makes them.

    A criterion whose figure is not there fires too: a safeguard that cannot be read is not one.
    """
    found = []
    for criterion in demotions:
        value = subject.figures.get(criterion.arm, {}).get(criterion.figure)
        place = f"{criterion.figure} in the {criterion.arm} arm"
        if value is None:
            found.append(f"{place} is not known, so that its criterion cannot be checked")
        elif criterion.minimum is not None and value < criterion.minimum:
            found.append(f"{place}: {value:g}, under {criterion.minimum:g}: {criterion.because}")
        elif criterion.bound is not None and value <= criterion.bound:
            found.append(
                f"{place}: {value:g}, at or under {criterion.bound:g}: {criterion.because}"
            )
    return found


def _underpowered(plan: Preregistration, power: float | None) -> tuple[str, ...]:
    if plan.power is None or power is None or power >= plan.power.floor:
        return ()
    return (
        f"power {power:.2f} for an effect of {plan.power.effect:g}, under the floor of "
        f"{plan.power.floor:g}",
    )


def one_action_only(subject: Subject, actions: Sequence[str]) -> tuple[str, ...]:
    """A flag when the agent never took more than one action: its decisions explain nothing."""
    arms = list(subject.figures.values())
    idle = [action for action in actions if arms and all(arm.get(action) == 0 for arm in arms)]
    if len(actions) - len(idle) > 1:
        return ()
    return (f"the decision channel is degenerate: it never took {' or '.join(idle)}",)


def _other_scorers(
    decision: Decision, outcome: Outcome, subject: Subject, scorers: Sequence[str]
) -> list[str]:
    """Flags from looking for a confirmed effect under the other scorers, p without correction.

    Leaving out the correction is lenient towards the claim.
    """
    others = {name: e for name, e in subject.estimates.items() if name != outcome.scorer}
    missing = [name for name in scorers if name not in subject.estimates]
    flags = []
    if missing:
        flags.append(f"not scored again under {', '.join(missing)}: there is no data to do so")
    if others and not any(
        all(clause.holds for clause in clauses(decision, outcome.statistics, e, corrected=False))
        for e in others.values()
    ):
        shown = ", ".join(f"{name} (Δ {e.delta:+.5f})" for name, e in others.items())
        flags.append(
            f"lives in one scorer only: confirmed under {outcome.scorer}, not under {shown}"
        )
    return flags


def _needs_no_model(subject: Subject, rules: Sequence[str]) -> list[str]:
    others = [rule for rule in rules if rule != subject.agent]
    if not others:
        return []
    return [f"needs no model: the same rule confirms it for {', '.join(others)}"]
