"""The rules that read episodes: who owns each decision, and what scaffold and scorer hide."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations

from benchaudit.card.model import Figure, Table
from benchaudit.card.view import (
    SCORED,
    Finding,
    View,
    count,
    not_probed,
    pairs_by_place,
    sort_key,
    unforced,
)
from benchaudit.evidence import Evidence
from benchaudit.manifest import AdapterManifest, Decision


@dataclass(slots=True)
class Forced:
    """One decision, forced both ways: what the two runs of each pair differ in."""

    pairs: list[tuple[Evidence, Evidence]] = field(default_factory=list)
    owners: Counter[str] = field(default_factory=Counter)

    @property
    def differing(self) -> list[tuple[Evidence, Evidence]]:
        return [(a, b) for a, b in self.pairs if _handed_in(a) != _handed_in(b)]

    @property
    def owner(self) -> str:
        """Who the episodes show in charge; "" when the decision was never reached.

        The submissions decide: when forcing the agent's answer changes nothing, the harness is
        in charge whatever the trace says. Where they differ, a trace with both owners is shared.
        """
        if not self.pairs or not self.owners:
            return ""
        if not self.differing:
            return "harness"
        return "shared" if len(self.owners) > 1 else next(iter(self.owners))


def _handed_in(record: Evidence) -> tuple[str, str]:
    return record.outcome, record.digest


def force_decisions(view: View) -> dict[str, Forced]:
    """The decisions forced at the column's scaffold, by name."""
    return pair_up(view.manifest.decisions, view.episodes())


def pair_up(decisions: Mapping[str, Decision], episodes: Iterable[Evidence]) -> dict[str, Forced]:
    """Pair up the episodes in which one decision was forced either way, by decision."""
    result = {name: Forced() for name in decisions}
    found = {(r.task, r.seed, r.agent): r for r in episodes if r.outcome in SCORED}
    ordered = sorted(found.items(), key=lambda item: sort_key(item[1]))
    for name, decision in decisions.items():
        one, other = (f" {name}={action}" for action in decision.actions)
        for (task, seed, agent), record in ordered:
            if not agent.endswith(one):
                continue
            twin = found.get((task, seed, agent.removesuffix(one) + other))
            if twin is not None:
                result[name].pairs.append((record, twin))
                for run in (record, twin):
                    result[name].owners.update(_owners(run, name))
    return result


def _owners(record: Evidence, decision: str) -> Counter[str]:
    owners: Counter[str] = Counter()
    for step, times in record.steps.items():
        name, _, owner = _parts(step)
        if name == decision:
            owners[owner] += times
    return owners


def _parts(step: str) -> tuple[str, str, str]:
    """Decision, action and owner; an action may hold any text."""
    decision, _, rest = step.partition(":")
    action, _, owner = rest.rpartition(":")
    return decision, action, owner


def _actions(records: Iterable[Evidence], decision: str) -> set[str]:
    """The actions that agents took of their own accord."""
    return {
        action
        for record in records
        for name, action, owner in map(_parts, record.steps)
        if name == decision and owner != "harness"
    }


def decision_table(manifest: AdapterManifest, evidence: Sequence[Evidence]) -> Table | None:
    """Who holds each decision at each scaffold: as declared, and as the episodes show.

    Scaffolds that no column uses are in here too: what is measured of them belongs on the card,
    and decides no verdict.
    """
    rows: list[list[Figure]] = []
    for scaffold in manifest.scaffolds:
        episodes = (r for r in evidence if is_first(r) and r.scaffold == scaffold)
        forced = pair_up(manifest.decisions, episodes)
        for name, decision in manifest.decisions.items():
            if (held := decision.levels.get(scaffold)) is not None:
                found = forced[name]
                shown = found.owner or "not probed"
                figures = [len(found.pairs), len(found.differing)]
                rows.append([name, scaffold, held.owner, shown, *figures, held.seen])
    if not rows:
        return None
    return Table(
        id="decisions",
        title="Who holds each decision",
        header=["decision", "scaffold", "declared", "executed", "pairs", "differing", "seen in"],
        rows=rows,
        note="pairs: episodes of the same agent, task and seed with the decision forced either "
        "way. differing: pairs whose submissions differ.",
    )


def is_first(record: Evidence) -> bool:
    """A measured episode's first run, without a budget."""
    return (
        record.origin == "measured"
        and bool(record.agent)
        and record.repeat == 0
        and record.budget is None
    )


def ownership(view: View) -> Finding:
    level = view.column.scaffold
    claimed = [n for n, d in view.manifest.decisions.items() if d.claimed and d.arises_at(level)]
    if not claimed:
        return not_probed("the adapter cites no decision that the score is said to measure.")
    forced = force_decisions(view)
    used = [r for name in claimed for pair in forced[name].pairs for r in pair]
    owners = {name: forced[name].owner for name in claimed}
    taken = [name for name, owner in owners.items() if owner in ("harness", "shared")]
    unseen = [name for name, owner in owners.items() if not owner]
    plain = unforced(view.episodes())
    pairs = [(a, b) for a, b in pairs_by_place(r for r in plain if r.outcome in SCORED)]
    figures: dict[str, Figure] = {
        "claimed decisions": len(claimed),
        "held by the harness": sum(owner == "harness" for owner in owners.values()),
        "shared": sum(owner == "shared" for owner in owners.values()),
        "without executed evidence": len(unseen),
        "agent pairs": len(pairs),
        "agent pairs with identical submissions": sum(
            _handed_in(a) == _handed_in(b) for a, b in pairs
        ),
        "declared otherwise": len(_misdeclared(view, owners)),
    }
    used += plain
    if taken:
        idle = not any(forced[name].differing for name in taken)
        return Finding(
            "fail",
            f"the harness holds {len(taken)} of {count(len(claimed), 'claimed decision')} "
            f"({', '.join(taken)}): forcing the agent's answer changes no submission."
            if idle
            else f"not the model's alone: {', '.join(taken)}.",
            figures,
            {name: len(forced[name].pairs) for name in taken},
            view.examples(r for name in taken for pair in forced[name].pairs[:1] for r in pair),
            used,
        )
    if unseen:
        return Finding("not probed", _why_unseen(view, unseen), figures, used=used)
    return Finding(
        "pass",
        f"all {count(len(claimed), 'claimed decision')} change the submission when the agent's "
        "answer is forced.",
        figures,
        used=used,
    )


def _why_unseen(view: View, unseen: Sequence[str]) -> str:
    if not view.column.scaffold:
        return "no scaffold of this column can be run; the ownership map is declared only."
    failed = [r for r in view.episodes() if r.outcome not in SCORED]
    why = f" ({failed[0].outcome}: {failed[0].detail})" if failed else ""
    return f"no episode reached {', '.join(unseen)}{why}."


def _misdeclared(view: View, owners: Mapping[str, str]) -> list[str]:
    """Claimed decisions that the declared map gives to somebody else than the episodes show."""
    declared = _declared(view)
    return [name for name, owner in owners.items() if owner and declared.get(name, owner) != owner]


def _declared(view: View) -> dict[str, str]:
    """Who holds each decision at the column's scaffold, by the adapter's map."""
    return {
        name: held.owner
        for name, decision in view.manifest.decisions.items()
        if (held := decision.levels.get(view.column.scaffold)) is not None
    }


def non_degeneracy(view: View) -> Finding:
    """Each decision the agent owns matters for some task, and agents take it both ways."""
    forced = force_decisions(view)
    owned = [name for name, f in forced.items() if f.owner in ("model", "shared")]
    declared = _declared(view)
    unseen = [n for n, f in forced.items() if not f.owner and declared.get(n) == "model"]
    if not owned:
        why = _why_unseen(view, unseen) if unseen else "the agent owns no decision at this level."
        return not_probed(why)
    plain = unforced(view.episodes())
    flat, single = [], []
    figures: dict[str, Figure] = {"decisions owned by the agent": len(owned)}
    for name in owned:
        moved = [(a, b) for a, b in forced[name].pairs if _scores_differ(view, a, b)]
        taken = _actions(plain, name)
        figures[f"{name}: pairs that change the outcome"] = len(moved)
        figures[f"{name}: actions taken"] = len(taken)
        if not moved:
            flat.append(name)
        if len(taken) < 2:
            single.append(name)
    used = [r for name in owned for pair in forced[name].pairs for r in pair] + plain
    if flat or single:
        said = [f"{name} changes no outcome" for name in flat]
        said += [f"{name} is only ever taken one way" for name in single]
        return Finding("fail", "; ".join(said) + ".", figures, used=used)
    if unseen:
        return Finding("not probed", _why_unseen(view, unseen), figures, used=used)
    return Finding(
        "pass",
        f"each of {count(len(owned), 'decision')} that the agent owns changes the outcome of some "
        "task, and agents take it both ways.",
        figures,
        used=used,
    )


def _scores_differ(view: View, one: Evidence, other: Evidence) -> bool:
    if one.score is None or other.score is None:
        return False
    return not view.same(one.score, other.score)


def interface_floor(view: View) -> Finding:
    """An ideal agent within the stated budgets reaches the canonical score."""
    stated = [
        b
        for b in view.manifest.interface
        if b.scaffold == view.column.scaffold and b.task in view.tasks
    ]
    if not stated:
        return not_probed("no budget is stated for what an agent may hand in at this level.")
    runs = [r for r in view.budgeted if r.outcome in SCORED and r.score is not None]
    figures: dict[str, Figure] = {}
    short: list[Evidence] = []
    used, missing = list(runs), 0
    for budget in stated:
        control = _control(view, budget.task)
        best = view.canonical.get((budget.task, None))
        if control is None or control.score is None or best is None or best.score is None:
            return not_probed("no control without the budget was run.", used)
        used += [control, best]
        figures[f"{budget.task} without a budget"] = control.score
        if not _reaches(view, control, best):
            reason = "the control without a budget does not reach the canonical score either."
            return Finding("not probed", reason, figures, used=used)
        within = [r for r in runs if r.task == budget.task and r.budget in budget.tokens]
        missing += len(set(budget.tokens) - {r.budget for r in within})
        short += [run for run in within if not _reaches(view, run, best)]
        figures |= {f"{run.task} at {run.budget:,} tokens": run.score for run in within}
    if short:
        return Finding(
            "fail",
            f"within the stated budgets an ideal agent cannot reach the correct score on "
            f"{count(len({r.task for r in short}), 'task')}.",
            figures,
            dict(sorted(Counter(r.task for r in short).items())),
            view.examples(short),
            used,
        )
    if missing:
        reason = f"no scored episode under {count(missing, 'stated budget')}."
        return Finding("not probed", reason, figures, used=used)
    reason = "an ideal agent reaches the correct score within every stated budget."
    return Finding("pass", reason, figures, used=used)


def _reaches(view: View, run: Evidence, best: Evidence) -> bool:
    if run.score is None or best.score is None:
        return False
    return run.score >= best.score or view.same(run.score, best.score)


def _control(view: View, task: str) -> Evidence | None:
    careful = [r for r in unforced(view.episodes()) if r.task == task and r.seed is None]
    return careful[0] if careful else None


Means = dict[tuple[str, str], float]
"""Mean score by (task, agent)."""


def cell_means(records: Iterable[Evidence]) -> Means:
    """Mean score over seeds by (task, agent); a pair with a run that has no score is left out."""
    scores: dict[tuple[str, str], list[float | None]] = defaultdict(list)
    for record in records:
        scores[record.task, record.agent].append(record.score)
    return {
        key: sum(s for s in values if s is not None) / len(values)
        for key, values in sorted(scores.items())
        if None not in values
    }


@dataclass(frozen=True, slots=True)
class Intervention:
    """The 2×2 of scaffold and scorer on the tasks and agents that all four cells share."""

    means: Mapping[tuple[str, str], Means]
    records: Sequence[Evidence]
    left_out: int

    def spread(self, scaffold: str, scorer: str) -> float:
        """The largest difference between two agents on one task."""
        by_task: dict[str, list[float]] = defaultdict(list)
        for (task, _), value in self.means[scaffold, scorer].items():
            by_task[task].append(value)
        return max((max(v) - min(v) for v in by_task.values()), default=0.0)


def intervene(view: View) -> Intervention | None:
    """Gather the 2×2 from the episodes of both scaffolds under both scorers."""
    plan = view.manifest.intervention
    if plan is None:
        return None
    means, records = {}, []
    for scaffold in plan.scaffolds:
        for scorer in plan.scorers:
            cell = [
                r
                for r in unforced(view.episodes(scaffold, scorer))
                if r.task in plan.tasks and r.seed is not None
            ]
            means[scaffold, scorer] = cell_means(cell)
            records += cell
    shared = set.intersection(*(set(m) for m in means.values()))
    whole = set.union(*(set(m) for m in means.values()))
    kept = {k: {p: v for p, v in m.items() if p in shared} for k, m in means.items()}
    return Intervention(kept, records, len(whole - shared)) if shared else None


def joint_intervention(view: View) -> Finding:
    """The column orders agents as ground truth does once the scaffold is taken away."""
    plan = view.manifest.intervention
    if plan is None:
        return not_probed("the adapter plans no swap of scaffold and scorer.")
    if plan.not_licensed:
        return not_probed(f"not licensed here: {plan.not_licensed}")
    here = (view.column.scaffold, view.column.scorer)
    if here[0] not in plan.scaffolds or here[1] not in plan.scorers:
        return not_probed("this column is not a cell of the 2×2.")
    found = intervene(view)
    if found is None:
        return not_probed("the 2×2 was not run.")
    truth = (plan.scaffolds[1], plan.scorers[1])
    figures: dict[str, Figure] = {
        f"spread {scaffold} {scorer}": found.spread(scaffold, scorer)
        for scaffold in plan.scaffolds
        for scorer in plan.scorers
    }
    pairs = _ordered_pairs(view, found.means[truth], plan.scorers[1])
    figures["pairs that differ in truth"] = len(pairs)
    hidden = _misordered(view, found.means[here], pairs, here[1])
    scaffold_hides = _misordered(view, found.means[plan.scaffolds[0], truth[1]], pairs, truth[1])
    scorer_hides = _misordered(view, found.means[truth[0], plan.scorers[0]], pairs, plan.scorers[0])
    inverted = _inverted(view, found.means[truth[0], plan.scorers[0]], pairs, plan.scorers[0])
    figures["pairs hidden or inverted here"] = len(hidden)
    figures["by the scaffold alone"] = len(scaffold_hides)
    figures["by the scorer alone"] = len(scorer_hides)
    figures["inverted by the scorer alone"] = len(inverted)
    figures["agent and task pairs left out"] = found.left_out
    if not pairs:
        reason = "no two agents differ in truth, so nothing could be hidden."
        return Finding("not probed", reason, figures, used=found.records)
    if hidden:
        names = Counter(f"{a} / {b}" for _, a, b in hidden)
        return Finding(
            "fail",
            f"{len(hidden)} of {count(len(pairs), 'agent pair')} that differ in truth are tied or "
            f"inverted here: {len(scaffold_hides)} by the scaffold alone, "
            f"{len(scorer_hides)} by the scorer alone.",
            figures,
            dict(names.most_common(8)),
            used=found.records,
        )
    return Finding(
        "pass",
        f"all {count(len(pairs), 'agent pair')} that differ in truth are ordered so here.",
        figures,
        used=found.records,
    )


Pair = tuple[str, str, str]
"""A task, the better agent, the worse one."""


def _ordered_pairs(view: View, means: Means, scorer: str) -> list[Pair]:
    room = view.manifest.scorers[scorer].resolution
    pairs = []
    for (task, one), (other_task, other) in combinations(sorted(means), 2):
        gap = means[task, one] - means[other_task, other]
        if task == other_task and abs(gap) > room:
            pairs.append((task, one, other) if gap > 0 else (task, other, one))
    return pairs


def _misordered(view: View, means: Means, pairs: Sequence[Pair], scorer: str) -> list[Pair]:
    """Pairs that are tied or inverted in these means."""
    room = view.manifest.scorers[scorer].resolution
    return [(t, a, b) for t, a, b in pairs if means[t, a] - means[t, b] <= room]


def _inverted(view: View, means: Means, pairs: Sequence[Pair], scorer: str) -> list[Pair]:
    room = view.manifest.scorers[scorer].resolution
    return [(t, a, b) for t, a, b in pairs if means[t, b] - means[t, a] > room]
