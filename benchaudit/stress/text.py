"""Reports as Markdown and as JSON: no figure here is computed, all are carried over."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from typing import Any

from benchaudit.stress.calibration import SENSES, Calibration
from benchaudit.stress.degradation import Curve
from benchaudit.stress.experiment import Experiment
from benchaudit.stress.pairing import ARMS
from benchaudit.stress.preregistration import Deviation, flat
from benchaudit.stress.reproduction import Reproduction
from benchaudit.stress.running import PowerTable, Report
from benchaudit.stress.verdicts import Estimate, Finding, Subject

_UNKNOWN = "–"
_DECIMALS = 6


def report_text(report: Report) -> str:
    """A run as Markdown: what was registered, what came of it, what deviates."""
    return "\n".join(_report_lines(report)) + "\n"


def report_json(report: Report) -> str:
    """A run as JSON, figures rounded to 6 decimals; the same bytes for the same run."""
    data = {
        "name": report.name,
        "plan": report.plan.content,
        "digest": report.digest,
        "deviations": [asdict(one) for one in report.deviations],
        "findings": [asdict(one) for one in report.findings],
        "rules": [asdict(one) for one in report.rules],
        "decision_channel": {
            "finding": report.calibration.finding,
            "alive": report.calibration.alive,
            **asdict(report.calibration),
        },
        "power": {_quota(quota): value for quota, value in report.power.items()},
        "reproductions": [asdict(one) for one in report.reproductions],
    }
    return json.dumps(_rounded(data), indent=1, sort_keys=True, allow_nan=False) + "\n"


def plan_text(experiment: Experiment) -> str:
    """What a preregistration says, field by field, and how it stands to its frozen record."""
    plan, frozen = experiment.plan, experiment.frozen
    lines = [f"# {plan.title}", "", " ".join(plan.hypothesis.split()), ""]
    lines += [" ".join(plan.source.split()), ""] if plan.source else []
    if frozen is None:
        lines += ["Not frozen: nothing that it finds can be confirmed.", ""]
    else:
        found = map(_deviation_line, experiment.deviations())
        lines += [f"Frozen: {frozen.digest}", *found, ""]
    told = ("title", "hypothesis", "source")
    lines += [f"- {place}: {value}" for place, value in flat(plan.content) if place not in told]
    return "\n".join(lines) + "\n"


def power_text(tables: Sequence[PowerTable]) -> str:
    """Power as Markdown: numbers of pairs by sizes of effect, a table a quota."""
    lines: list[str] = []
    for one in tables:
        noise = f"standard deviation of the noise {one.deviation:.4f}"
        rows = [
            [f"{effect:g}", *(f"{share:.2f}" for share in shares)]
            for effect, shares in zip(one.study.effects, one.study.power, strict=True)
        ]
        head = ["effect", *(f"n = {n}" for n in one.study.sizes)]
        lines += [f"Quota {_quota(one.quota)}: {noise}", "", *table(head, rows), ""]
    return "\n".join(lines)


def calibration_text(calibration: Calibration) -> str:
    """The state of the decision channel as Markdown."""
    return "\n".join(_calibration_lines(calibration)) + "\n"


def degradation_text(curves: Sequence[Curve]) -> str:
    """Degradation curves as a Markdown table, one column an agent."""
    head = ["dose", *(curve.agent for curve in curves)]
    rows = [
        [f"{points[0].dose:g}", *(f"{p.mean:.3f} {_interval(p.interval)}" for p in points)]
        for points in zip(*(curve.doses for curve in curves), strict=True)
    ]
    drops = ["mean drop", *(f"{curve.mean_drop:.3f}" for curve in curves)]
    return "\n".join(table(head, [*rows, drops])) + "\n"


def effects_table(subjects: Iterable[Subject], scorer: str) -> list[str]:
    """Effects under one scorer as a Markdown table; the exact p stands beside every other."""
    rows = []
    for subject in subjects:
        estimate = subject.estimates.get(scorer)
        if estimate is not None:
            rows.append(
                [subject.agent, _quota(subject.quota), subject.origin, *_effect_cells(estimate)]
            )
    head = ["agent", "quota", "origin", "Δ", "95 % interval", "Cliff's δ", "95 % interval"]
    return table([*head, "p", "exact p", "Holm p"], rows)


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """The lines of a Markdown table."""
    ruled = ["---"] * len(head)
    return [f"| {' | '.join(cells)} |" for cells in (head, ruled, *rows)]


def _report_lines(report: Report) -> Iterator[str]:
    plan, scorer = report.plan, report.plan.outcome.scorer
    yield from (f"# {plan.title}", "", " ".join(plan.hypothesis.split()), "")
    yield f"Frozen: {report.digest or 'never'}"
    yield ""
    yield "## Findings"
    yield ""
    for finding in report.findings:
        yield from _finding_lines(finding)
    yield from ("", f"## Effects on {scorer} (constant minus escalating)", "")
    subjects = [finding.subject for finding in report.findings]
    yield from effects_table([*subjects, *report.rules], scorer)
    for other in _other_scorers(report):
        yield from ("", f"Under {other}:", "")
        yield from effects_table([*subjects, *report.rules], other)
    yield from ("", "## Events", "")
    yield from _events_table([*subjects, *report.rules])
    yield from ("", "## Decision channel", "")
    yield from _calibration_lines(report.calibration)
    if report.power and plan.power:
        yield from ("", "## Power", "")
        for quota, value in report.power.items():
            yield (
                f"Quota {_quota(quota)}: {value:.3f} for an effect of {plan.power.effect:g} "
                f"(floor {plan.power.floor:g}; noise: {plan.power.pilot})"
            )
    yield from ("", "## Deviations from what was frozen", "")
    for deviation in report.deviations:
        yield _deviation_line(deviation)
    if not report.deviations:
        yield "None."
    if report.reproductions:
        yield from ("", "## Published figures", "")
        yield from _reproduction_lines(report.reproductions)
    if plan.exploratory:
        yield from ("", "## Exploratory, confirms nothing", "")
        yield from (f"- {what}" for what in plan.exploratory)


def _finding_lines(finding: Finding) -> Iterator[str]:
    subject = finding.subject
    at = "" if subject.quota is None else f", quota {subject.quota}"
    yield f"- **{subject.agent}**{at} ({subject.origin}): **{finding.verdict}**"
    for clause in finding.clauses:
        mark = {True: "holds", False: "does not hold", None: "cannot be checked"}[clause.holds]
        yield f"  - {clause.text}: {mark}"
    yield from (f"  - because: {why}" for why in finding.because)
    yield from (f"  - note: {flag}" for flag in finding.flags)
    if subject.incomplete:
        seeds = ", ".join(map(str, sorted(subject.incomplete)))
        yield f"  - incomplete pairs: seeds {seeds}"


def _deviation_line(deviation: Deviation) -> str:
    weight = "" if deviation.material else " (immaterial)"
    return f"- {deviation.field}: {deviation.frozen} → {deviation.ran}{weight}"


def _other_scorers(report: Report) -> list[str]:
    subjects = [*(finding.subject for finding in report.findings), *report.rules]
    names = {name for subject in subjects for name in subject.estimates}
    return sorted(names - {report.plan.outcome.scorer})


def _effect_cells(estimate: Estimate) -> list[str]:
    return [
        f"{estimate.delta:.3f}",
        _interval(estimate.interval),
        _UNKNOWN if estimate.cliffs is None else f"{estimate.cliffs:.2f}",
        _interval(estimate.cliffs_interval, 2),
        *(
            _UNKNOWN if p is None else f"{p:.4f}"
            for p in (estimate.p, estimate.p_exact, estimate.p_holm)
        ),
    ]


def _events_table(subjects: Sequence[Subject]) -> list[str]:
    names = list(dict.fromkeys(n for s in subjects for f in s.figures.values() for n in f))
    rows = [
        [subject.agent, _quota(subject.quota)]
        + [
            " / ".join(_count(subject.figures.get(arm, {}).get(name)) for arm in ARMS)
            for name in names
        ]
        for subject in subjects
    ]
    lines = table(["agent", "quota", *names], rows)
    return [*lines, "", "Each figure: escalating / constant."]


def _calibration_lines(calibration: Calibration) -> Iterator[str]:
    yield calibration.finding[0].upper() + calibration.finding[1:] + "."
    yield ""
    yield from table(
        ["rule", "episodes", "without a score", "actions"],
        [
            [
                rule,
                str(usage.episodes),
                str(usage.errors),
                ", ".join(f"{action} {times}" for action, times in usage.actions.items()),
            ]
            for rule, usage in calibration.usage.items()
        ],
    )
    yield ""
    rules = list(calibration.usage)
    yield from table(
        ["quota", "arm", *rules, *SENSES, "stake", "regret"],
        [
            [_quota(row.quota), row.arm]
            + [f"{row.scores[rule]:.3f}" if rule in row.scores else _UNKNOWN for rule in rules]
            + [str(row.senses[sense]) for sense in SENSES]
            + [f"{row.stake:.3f}", f"{row.regret:.3f}"]
            for row in calibration.slack
        ],
    )
    yield ""
    yield (
        "Rules: mean score. None to error: episodes by what their decisions are worth. Stake: best "
        "less worst score over the ways an episode can go; regret: best less repeating every time."
    )


def _reproduction_lines(found: Sequence[Reproduction]) -> Iterator[str]:
    wrong = [one for one in found if not one.agrees]
    yield f"{len(found) - len(wrong)} of {len(found)} agree to the printed digit."
    for one in wrong:
        yield (
            f"- {one.agent}, quota {_quota(one.quota)}, {one.figure}: printed {one.printed}, "
            f"got {one.got:.6g}"
        )


def _interval(bounds: tuple[float, float] | None, digits: int = 3) -> str:
    return _UNKNOWN if bounds is None else f"[{bounds[0]:.{digits}f}, {bounds[1]:.{digits}f}]"


def _count(value: float | None) -> str:
    return _UNKNOWN if value is None else f"{value:.2f}".rstrip("0").rstrip(".")


def _quota(quota: int | None) -> str:
    return "none" if quota is None else str(quota)


def _rounded(value: Any) -> Any:
    if isinstance(value, float):
        return round(value, _DECIMALS)
    if isinstance(value, dict):
        return {str(key): _rounded(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_rounded(item) for item in value]
    return value
