"""The rules that read how the scorer answers forged submissions."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from benchaudit.card.model import Figure
from benchaudit.card.view import BROKEN, SILENT, Finding, Place, View, count, not_probed
from benchaudit.evidence import Evidence

TRUE_WORK = "true work under a contradictory self-report"
FALSE_WORK = "fabricated work under a consistent one"


@dataclass(frozen=True, slots=True)
class Criterion:
    """What the criterion says of each task: ``held``, ``tied``, ``inverted`` or ``not probed``."""

    status: Mapping[str, str]
    cells: Sequence[Evidence]
    deviating: Sequence[Evidence]
    figures: Mapping[str, Figure] = field(default_factory=dict)


def judge_criterion(view: View) -> Criterion:
    """Apply the strict rule: the canonical submission outscores every degraded one by more than ε.

    An error on a degraded submission earns no credit, so the rule holds there; robustness
    records it. Where the canonical submission has no score, the rule says nothing.
    """
    cells = view.cells("criterion", "degraded")
    seen: dict[str, Counter[str]] = defaultdict(Counter)
    deviating = []
    for record in cells:
        verdict = _compare(view, record)
        seen[record.task][verdict] += 1
        if verdict in ("tied", "inverted"):
            deviating.append(record)
    status = {task: _task_status(seen[task]) for task in view.tasks}
    totals: Counter[str] = sum(seen.values(), Counter())
    figures: dict[str, Figure] = {
        "tasks": len(view.tasks),
        "tasks held": sum(s == "held" for s in status.values()),
        "tasks not probed": sum(s == "not probed" for s in status.values()),
        "cells": sum(totals.values()) - totals["vacuous"] - totals["silent"],
        "ties": totals["tied"],
        "inversions": totals["inverted"],
        "vacuous": totals["vacuous"],
        "errors": totals["error"],
    }
    return Criterion(status, cells, deviating, figures)


def _compare(view: View, record: Evidence) -> str:
    if record.outcome == "vacuous":
        return "vacuous"
    best = view.canonical_score(record)
    if record.outcome in SILENT or best is None or record.quality is None:
        return "silent"
    if not view.winnable(record):
        return "silent"  # where nothing can win, a tie accuses nobody
    if record.outcome in BROKEN or record.score is None:
        return "error"
    if view.same(record.score, best):
        return "tied"
    return "inverted" if record.score > best else "held"


def _task_status(seen: Counter[str]) -> str:
    for verdict in ("inverted", "tied"):
        if seen[verdict]:
            return verdict
    return "held" if seen["held"] or seen["error"] else "not probed"


def criterion(view: View, judged: Criterion) -> Finding:
    cells, figures = judged.cells, judged.figures
    used = [*cells, *view.canonical.values()]
    finding = partial(Finding, figures=figures, used=used)
    if judged.deviating:
        worst = Counter(r.probe for r in judged.deviating)
        names = ", ".join(name for name, _ in worst.most_common(3))
        bad = sum(s in ("tied", "inverted") for s in judged.status.values())
        return finding(
            "fail",
            f"on {bad} of {count(len(view.tasks), 'task')} a worse submission scores at least "
            f"as well as the correct one ({names}).",
            deviations=dict(sorted(worst.items())),
            examples=view.examples(judged.deviating),
        )
    unprobed = {task for task, s in judged.status.items() if s == "not probed"}
    if unprobed or not view.tasks:
        why = _why_silent(cells, view, unprobed)
        return finding("not probed", f"{count(len(unprobed), 'task')} could not be probed: {why}.")
    return finding(
        "pass",
        f"on all {count(len(view.tasks), 'task')} the correct submission outscores every one of "
        f"{count(int(figures['cells'] or 0), 'worse submission')}.",
    )


def _why_silent(cells: Sequence[Evidence], view: View, tasks: Container[str]) -> str:
    """The commonest reason for which nothing was learnt of these tasks."""
    candidates = [r for r in cells if r.task in tasks]
    if not candidates:
        return "no probe of this family forges a degraded submission"
    canonical = [r for r in view.canonical.values() if r.task in tasks]
    if any(r.outcome == "ok" and not view.winnable(r) for r in canonical):
        return "where the correct submission does not pass, a tie accuses nobody"
    candidates += canonical
    reasons = Counter(
        f"{r.outcome}: {r.detail}" if r.detail else r.outcome
        for r in candidates
        if r.outcome != "ok"
    )
    return reasons.most_common(1)[0][0] if reasons else "the oracle gives no quality"


def is_shape(view: View) -> tuple[bool, str]:
    """Whether well-formed fabrication scores like the truth on over half of the tasks."""
    names = {name for name, probe in view.probes.items() if probe.fabrication}
    probed: set[Place] = set()
    liked: set[Place] = set()
    for record in view.probed:
        best = view.canonical_score(record)
        if record.probe not in names or record.repeat or record.outcome != "ok" or best is None:
            continue
        probed.add((record.task, record.seed))
        if record.score is not None and (record.score > best or view.same(record.score, best)):
            liked.add((record.task, record.seed))
    tasks = {task for task, _ in liked}
    if probed and 2 * len(tasks) > len(view.tasks):
        return True, (
            f"well-formed fabrication scores like the truth on {len(tasks)} of "
            f"{count(len(view.tasks), 'task')}."
        )
    return False, view.scorer.reason


def task_validity(view: View) -> Finding:
    cells = [view.canonical[place] for place in sorted(view.canonical, key=_place)]
    scored = [r for r in cells if r.outcome == "ok" and r.score is not None]
    if not cells or all(r.outcome in SILENT for r in cells):
        reason = cells[0].detail if cells else "no canonical submission was scored"
        return not_probed(f"{reason}.", cells)
    if not view.correct:
        return not_probed("no oracle says which submission is correct.", cells)
    if view.scorer.maximum <= view.scorer.minimum:
        return not_probed("the scorer's scale is empty.", cells)
    bad = [r for r in cells if r.outcome in BROKEN or view.passes(r) is False]
    silent = [r for r in cells if r.outcome in SILENT]
    shortfall = [view.scorer.maximum - (r.score or 0.0) for r in scored]
    figures: dict[str, Figure] = {
        "tasks": len({r.task for r in cells}),
        "unwinnable": len({r.task for r in bad}),
        "largest shortfall from the maximum": max(shortfall, default=None),
        "mean shortfall from the maximum": sum(shortfall) / len(shortfall) if scored else None,
    }
    if bad:
        return Finding(
            "fail",
            f"the correct submission does not pass on {count(len({r.task for r in bad}), 'task')}.",
            figures,
            examples=view.examples(bad),
            used=cells,
        )
    if silent or {r.task for r in cells} != set(view.tasks):
        return Finding(
            "not probed",
            f"{count(len(view.tasks) - len({r.task for r in scored}), 'task')} could not be "
            "scored with a correct submission.",
            figures,
            used=cells,
        )
    return Finding("pass", "the correct submission passes on every task.", figures, used=cells)


def null_floor(view: View) -> Finding:
    """No task is passed by doing nothing or by one constant submission."""
    cells = _null_cells(view)
    said = [r for r in (_as_scored(view, r) for r in cells) if r.outcome not in SILENT]
    if not said:
        return not_probed("no null submission was scored.", cells)
    passed = [r for r in said if view.passes(r) and not view.tasks[r.task].no_action]
    labelled = [r for r in said if view.passes(r) and view.tasks[r.task].no_action]
    floor, best = _best_constant(said)
    truth = [r.score for r in view.correct.values() if r.score is not None]
    tasks = {r.task for r in passed}
    figures: dict[str, Figure] = {
        "tasks": len({r.task for r in said}),
        "tasks passed by a null submission": len(tasks),
        "labelled as calling for no action": len({r.task for r in labelled}),
        "floor": floor,
        "floor from": best,
        "canonical mean": sum(truth) / len(truth) if truth else None,
    }
    used = [*cells, *view.canonical.values()]
    if passed:
        return Finding(
            "fail",
            f"a submission with no work in it passes {count(len(tasks), 'task')} of "
            f"{len(view.tasks)}; {_told(floor)}.",
            figures,
            dict(sorted(Counter(r.probe for r in passed).items())),
            view.examples(passed),
            used,
        )
    decided = {r.task for r in said if _is_decided(view, r)}
    asking = {task for task, facts in view.tasks.items() if not facts.no_action}
    if missing := asking - decided:
        reason = f"whether doing nothing passes is open on {count(len(missing), 'task')}."
        return Finding("not probed", reason, figures, used=used)
    return Finding(
        "pass",
        f"no task is passed without work; {_told(floor)}.",
        figures,
        used=used,
    )


def _null_cells(view: View) -> list[Evidence]:
    names = {name for name, probe in view.probes.items() if probe.null}
    return [r for r in view.probed if r.probe in names and not r.repeat]


def _as_scored(view: View, record: Evidence) -> Evidence:
    """A null submission that is the canonical one itself has that one's score."""
    best = view.canonical.get((record.task, record.seed))
    if record.outcome != "vacuous" or best is None or best.digest != record.digest:
        return record
    return replace(record, outcome=best.outcome, score=best.score, passed=best.passed)


def _is_decided(view: View, record: Evidence) -> bool:
    """Whether it is known if it passes. What breaks does not, if anything has a score there."""
    if record.outcome in BROKEN:
        return view.canonical_score(record) is not None
    return view.passes(record) is not None


def _best_constant(cells: Sequence[Evidence]) -> tuple[float | None, str]:
    """The mean score and the name of the null submission that earns most over the benchmark."""
    scores: dict[str, list[float]] = defaultdict(list)
    for record in cells:
        if record.score is not None:
            scores[_name(record)].append(record.score)
    if not scores:
        return None, ""
    best = max(scores, key=lambda name: (sum(scores[name]), name))
    return sum(scores[best]) / len(scores[best]), best


def _told(floor: float | None) -> str:
    return "none has a score" if floor is None else f"the best one averages {floor:.3f}"


def over_strictness(view: View) -> Finding:
    cells = view.cells("over-strictness", "equivalent")
    said = [r for r in cells if r.outcome not in SILENT and view.canonical_score(r) is not None]
    if not said:
        return not_probed("no equivalent variant was scored.", cells)
    bad = [r for r in said if not _scores_like_canonical(view, r)]
    figures: dict[str, Figure] = {
        "cells": len(said),
        "deviating": len(bad),
        "vacuous": sum(r.outcome == "vacuous" for r in cells),
    }
    used = [*cells, *view.canonical.values()]
    if bad:
        tasks = count(len({r.task for r in bad}), "task")
        return Finding(
            "fail",
            f"an equivalent submission scores differently from the correct one on {tasks}.",
            figures,
            dict(sorted(Counter(r.probe for r in bad).items())),
            view.examples(bad),
            used,
        )
    where = "" if any(r.quality is not None for r in said) else " (relations only: no oracle)"
    return Finding(
        "pass",
        f"all {count(len(said), 'equivalent variant')} score like the submission they "
        f"re-express{where}.",
        figures,
        used=used,
    )


def _scores_like_canonical(view: View, record: Evidence) -> bool:
    best = view.canonical_score(record)
    return (
        record.outcome == "ok"
        and record.score is not None
        and best is not None
        and view.same(record.score, best)
    )


def gaming_resistance(view: View) -> Finding:
    cells = view.cells("gaming-resistance")
    said = [r for r in cells if r.outcome not in SILENT and view.canonical_score(r) is not None]
    if not said:
        return not_probed("no gaming submission was scored.", cells)
    won = [r for r in said if _gamed(view, r)]
    figures: dict[str, Figure] = {
        "cells": len(said),
        "reached": len(won),
        "vacuous": sum(r.outcome == "vacuous" for r in cells),
    }
    used = [*cells, *view.canonical.values()]
    if won:
        return Finding(
            "fail",
            f"a gaming submission reaches the correct one's score on "
            f"{count(len({r.task for r in won}), 'task')}.",
            figures,
            dict(sorted(Counter(r.probe for r in won).items())),
            view.examples(won),
            used,
        )
    reason = f"none of {count(len(said), 'gaming submission')} reaches the correct one's score."
    return Finding("pass", reason, figures, used=used)


def _gamed(view: View, record: Evidence) -> bool:
    """Reached the canonical score; without an oracle, rose above the submission it stuffs."""
    best = view.canonical_score(record)
    if record.outcome != "ok" or record.score is None or best is None:
        return False
    if not view.winnable(record):
        return False
    if record.quality is None and view.probes[record.probe].without_oracle:
        return record.score > best and not view.same(record.score, best)
    return record.score > best or view.same(record.score, best)


def trace_preference(view: View) -> Finding:
    """True work under a bad self-report must outscore false work under a good one."""
    cells = view.cells("trace-preference")
    work: dict[Place, list[Evidence]] = defaultdict(list)
    report: dict[Place, list[Evidence]] = defaultdict(list)
    for record in cells:
        if record.outcome == "ok" and record.score is not None:
            side = report if view.probes[record.probe].fabrication else work
            side[record.task, record.seed].append(record)
    scored = {place for place, r in view.correct.items() if view.winnable(r)}
    both = sorted(set(work) & set(report) & scored, key=_place)
    lost = [r for r in cells if r.outcome in BROKEN and (r.task, r.seed) not in both]
    if not both and not lost:
        silent = next((r.detail for r in cells if r.outcome == "unsupported"), "")
        why = silent or "submissions carry no self-report that can contradict the work"
        return not_probed(f"{why}.", cells)
    bad: list[Evidence] = []
    lost_work, lost_report = [], []
    for place in both:
        true_work = min(work[place], key=lambda r: r.score or 0.0)
        false_work = max(report[place], key=lambda r: r.score or 0.0)
        best = view.canonical[place].score or 0.0
        true_score, false_score = true_work.score or 0.0, false_work.score or 0.0
        lost_work.append(best - true_score)
        lost_report.append(best - false_score)
        if true_score < false_score or view.same(true_score, false_score):
            bad += [true_work, false_work]
    figures: dict[str, Figure] = {"places": len(both), "without a score": len(lost)}
    used = [*cells, *view.canonical.values()]
    if both:
        for what, losses in ((TRUE_WORK, lost_work), (FALSE_WORK, lost_report)):
            figures[f"{what} loses"] = sum(losses) / len(both)
    if bad:
        return Finding(
            "fail",
            f"{TRUE_WORK} loses {sum(lost_work) / len(both):.3f} on average, {FALSE_WORK} "
            f"{sum(lost_report) / len(both):.3f}.",
            figures,
            dict(sorted(Counter(r.probe for r in bad).items())),
            view.examples(bad),
            used,
        )
    if lost:
        reason = f"{count(len(lost), 'submission')} ended without a score: {lost[0].detail}."
        return Finding("not probed", reason, figures, used=used)
    reason = f"{TRUE_WORK} outscores {FALSE_WORK}."
    return Finding("pass", reason, figures, used=used)


def robustness(view: View) -> Finding:
    """No crash, hang, out-of-range or changing score on any submission."""
    cells = [r for r in view.probed if r.outcome not in SILENT]
    if not cells:
        return not_probed("no submission was scored.", view.probed)
    broken = [r for r in cells if r.outcome in BROKEN]
    low, high = view.scorer.minimum, view.scorer.maximum
    outside = [
        r for r in cells if r.score is not None and not (low - 1e-9 <= r.score <= high + 1e-9)
    ]
    pairs = [(a, b) for a, b in view.repeated if a.probe and a.digest == b.digest]
    changing = [b for a, b in pairs if _answer(a) != _answer(b)]
    figures: dict[str, Figure] = {
        "cells": len(cells),
        "errors": sum(r.outcome == "error" for r in broken),
        "timeouts": sum(r.outcome == "timeout" for r in broken),
        "not a number": sum(r.outcome == "invalid" for r in broken),
        "out of range": len(outside),
        "scored again": len(pairs),
        "changed": len(changing),
    }
    bad = [*broken, *outside, *changing]
    if bad:
        return Finding(
            "fail",
            f"{count(len(bad), 'submission')} of {len(cells):,} made the scorer raise, hang, "
            "leave its range or change its mind.",
            figures,
            dict(sorted(Counter(r.probe for r in bad).items())),
            view.examples(bad),
            cells,
        )
    if not pairs:
        return Finding("not probed", "no submission was scored twice.", figures, used=cells)
    reason = f"{count(len(cells), 'submission')} scored, each in range; {len(pairs)} scored again."
    return Finding("pass", reason, figures, used=cells)


def _answer(record: Evidence) -> tuple[object, ...]:
    return record.outcome, record.score, record.passed


def unwinnable(view: View) -> dict[str, str]:
    """Tasks that the correct submission does not pass, with the reason."""
    found = {}
    for record in view.correct.values():
        if record.outcome in BROKEN:
            found[record.task] = f"unwinnable: the correct submission ends in {record.detail}"
        elif record.outcome == "ok" and view.passes(record) is False:
            found[record.task] = "unwinnable: the correct submission does not pass"
    return found


def passed_by_null(view: View) -> set[str]:
    """Tasks that a null submission passes though the benchmark asks for work on them."""
    nulls = (_as_scored(view, r) for r in _null_cells(view))
    return {r.task for r in nulls if view.passes(r) and not view.tasks[r.task].no_action}


def _name(record: Evidence) -> str:
    return f"{record.probe} ({record.variant})" if record.variant else record.probe


def _place(place: Place) -> tuple[str, int]:
    return place[0], -1 if place[1] is None else place[1]
