"""The reports for a person: tables and sentences that fit 80 columns."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from benchaudit.logs.compare import Comparison
from benchaudit.logs.findings import Finding
from benchaudit.logs.planning import Plan
from benchaudit.logs.reading import LogFile
from benchaudit.logs.readings import Reading
from benchaudit.logs.report import Group as ReportGroup
from benchaudit.logs.report import Report, System

_NAMES_SHOWN = 3
_TASKS_SHOWN = 10
_READING_NAMES = {"exclude": "scored", "zero": "as 0"}


def report_text(report: Report) -> RenderableType:
    """The whole report: how runs ended, the figures, then what to know about both."""
    parts: list[RenderableType] = [Text(_headline(report))]
    for group in report.groups:
        parts += ["", Text(_title(group), style="bold")]
        parts.append(_endings(group.systems))
        parts += _figures(group.systems, report)
        parts += _repeats(group.systems)
        contrasts = [(s, contrast) for s in group.systems for contrast in s.contrasts]
        parts += [Text(f"{system.name}: {contrast.sentence}") for system, contrast in contrasts]
    parts += _know(report.findings)
    parts += _files(report.files)
    return Group(*parts)


def comparison_text(
    comparisons: Sequence[Comparison], files: Sequence[LogFile] = ()
) -> RenderableType:
    """The verdict of each comparison, the tasks that differ most, then what to know of both."""
    parts: list[RenderableType] = []
    for result in comparisons:
        title = " / ".join(part for part in (result.suite, result.metric) if part)
        parts += ["", Text(f"{title}: {result.first} → {result.second}", style="bold")]
        parts += [Text(result.sentence), Text(_pairing_line(result)), _differences(result)]
    known = dict.fromkeys(finding for result in comparisons for finding in result.findings)
    return Group(*parts, *_know(list(known)), *_files(files))


def plans_text(plans: Sequence[Plan]) -> RenderableType:
    """Each plan: the basis, what the aims take, and a row for each number of repeats."""
    parts: list[RenderableType] = []
    for plan in plans:
        parts += [*([""] if parts else []), _plan(plan)]
    return Group(*parts)


def _plan(plan: Plan) -> RenderableType:
    basis, aims = plan.basis, plan.aims
    table = Table(box=None, pad_edge=False)
    for heading in ("runs a task", f"tasks for ±{aims.half_width:g}", "runs in all", "detectable"):
        table.add_column(heading, justify="right")
    for row in plan.rows:
        table.add_row(
            str(row.repeats),
            f"{row.tasks_for_width:,}",
            f"{row.runs_for_width:,}",
            f"{row.detectable:.3f}",
        )
    lines = (
        f"Basis: {basis.text}",
        f"Mean {basis.mean:.3f}; standard deviation {basis.within:.3f} of a run about its task's "
        f"mean, {basis.between:.3f} of the tasks' means.",
        f"Mean over these {basis.tasks} tasks to ±{aims.half_width:g}: "
        f"{plan.repeats_for_width} runs a task.",
        f"Difference of {aims.difference:g} between two systems on them, 80 % power: "
        f"{plan.repeats_for_difference} runs a task.",
        f"A failure that {aims.failure_rate:.0%} of a task's runs show, seen once with "
        f"{aims.level:.0%}: {plan.runs_to_see} runs.",
    )
    return Group(*(Text(line) for line in lines), "", table)


def _headline(report: Report) -> str:
    read = sum(1 for file in report.files if file.runs)
    return f"{report.runs:,} runs from {read} of {len(report.files)} files"


def _title(group: ReportGroup) -> str:
    suite = group.suite or "(suite unrecorded)"
    return f"{suite}, {group.metric or 'no score'}"


def _endings(systems: Sequence[System]) -> Table:
    table = _table("model", "runs", "scored", "errors", "timeouts", "unscored", "missing")
    for system in systems:
        ended = system.outcomes
        counts = (system.runs, system.scored, ended["error"], ended["timeout"])
        others = (ended["unscored"], ended["missing"])
        table.add_row(Text(system.name), *(f"{count:,}" for count in (*counts, *others)))
    return table


def _figures(systems: Sequence[System], report: Report) -> list[RenderableType]:
    settings = report.settings
    rows = _readings(systems)
    if not rows:
        return [Text("No run has a score.")]
    table = _table("model", "reading", "mean", f"{settings.level:.0%}", "worst", "CVaR", "Rel")
    for system, reading in rows:
        table.add_row(
            Text(system.name),
            "all" if system.scored == system.runs else _READING_NAMES[reading.errors],
            f"{reading.mean:.3f}",
            _bounds(reading.interval),
            f"{reading.mean_worst:.3f}",
            f"{reading.cvar:.3f}",
            f"{reading.reliability:.3f}",
        )
    legend = (
        f"worst: each task's lowest run, averaged; CVaR: mean of the worst {settings.alpha:.0%} "
        f"of runs; Rel: share of runs at {settings.threshold:g} or above."
    )
    return [table, Text(legend, style="dim")]


def _repeats(systems: Sequence[System]) -> list[RenderableType]:
    """What only repeated runs can show."""
    table = _table(
        "model", "reading", "k", "pass^1", "pass^k", "missed", "by event", "always", "never"
    )
    for system, reading in _readings(systems):
        if not _repeated(reading):
            continue
        miss = reading.miss
        table.add_row(
            Text(system.name),
            "all" if system.scored == system.runs else _READING_NAMES[reading.errors],
            _span(reading.fewest, reading.most),
            f"{reading.pass_hat[0]:.3f}",
            f"{reading.pass_hat[-1]:.3f}",
            f"{miss.pair:.3f}" if miss else "-",
            f"{miss.event:.3f}" if miss else "-",
            f"{reading.always_pass}/{reading.tasks}",
            f"{reading.always_fail}/{reading.tasks}",
        )
    if not table.rows:
        return []
    legend = (
        "k: runs a task; pass^k: all of the fewest k pass; missed: one run sees no failure of a "
        "task that fails (by event: weighted by failures); always, never: tasks that pass."
    )
    return [table, Text(legend, style="dim")]


def _repeated(reading: Reading) -> bool:
    return reading.most > 1


def _readings(systems: Iterable[System]) -> list[tuple[System, Reading]]:
    return [(system, reading) for system in systems for reading in system.readings]


def _know(findings: Sequence[Finding]) -> list[RenderableType]:
    """The findings, each text once with the names that it holds for."""
    if not findings:
        return []
    about: dict[str, list[str]] = {}
    for finding in findings:
        names = about.setdefault(finding.text, [])
        if finding.about not in names:
            names.append(finding.about)
    lines = [f"- {_names(names)}: {text}" for text, names in about.items()]
    return ["", Text("To know", style="bold"), *(Text(line) for line in lines)]


def _files(files: Sequence[LogFile]) -> list[RenderableType]:
    """The notes of the readers, each text once with the files that it holds for."""
    holds: dict[str, list[str]] = {}
    times: dict[str, int] = {}
    for file in files:
        for note in file.notes:
            where = f"{file.path.name}{f', {note.place}' if note.place else ''}"
            holds.setdefault(note.text, []).append(where)
            times[note.text] = times.get(note.text, 0) + note.times
    if not holds:
        return []
    lines = [
        f"- {_names(names)}: {text}{f' ({times[text]}×)' if times[text] > len(names) else ''}"
        for text, names in holds.items()
    ]
    return ["", Text("About the files", style="bold"), *(Text(line) for line in lines)]


def _names(names: Sequence[str]) -> str:
    shown = ", ".join(name or "(suite unrecorded)" for name in names[:_NAMES_SHOWN])
    more = len(names) - _NAMES_SHOWN
    return f"{shown} and {more} more" if more > 0 else shown


def _pairing_line(result: Comparison) -> str:
    left = [
        f"{count} {what}"
        for count, what in (
            (result.only_first, f"tasks of {result.first} alone"),
            (result.only_second, f"tasks of {result.second} alone"),
            (result.unpaired, "runs without a partner"),
        )
        if count
    ]
    reading = {"exclude": "scored runs only", "zero": "runs without a score as 0"}[result.errors]
    paired = "paired by task" + (f" and {result.pairing}" if result.pairing != "task" else "")
    return (
        f"{result.tasks} tasks, {result.pairs} pairs, {paired} ({reading}); "
        f"Cliff's δ {result.cliffs_delta:+.3f}{'; left out: ' if left else ''}{', '.join(left)}"
    )


def _differences(result: Comparison) -> Table:
    table = _table("task", "runs", "first", "second", "difference", "p", "p (Holm)")
    ordered = sorted(result.by_task, key=lambda row: (-abs(row.difference), row.task))
    for row in ordered[:_TASKS_SHOWN]:
        table.add_row(
            Text(row.task),
            "/".join(str(count) for count in dict.fromkeys(row.runs)),
            f"{row.first:.3f}",
            f"{row.second:.3f}",
            f"{row.difference:+.3f}",
            "-" if row.p is None else f"{row.p:.4f}",
            "-" if row.p_holm is None else f"{row.p_holm:.4f}",
        )
    if len(ordered) > _TASKS_SHOWN:
        table.add_row(f"and {len(ordered) - _TASKS_SHOWN} more tasks", *[""] * 6)
    return table


def _table(first: str, *others: str) -> Table:
    table = Table(box=None, pad_edge=False, header_style="dim")
    table.add_column(first, overflow="fold", ratio=1)
    for heading in others:
        table.add_column(heading, justify="right")
    return table


def _bounds(interval: tuple[float, float] | None) -> str:
    return "[one task]" if interval is None else f"[{interval[0]:.3f}, {interval[1]:.3f}]"


def _span(fewest: int, most: int) -> str:
    return str(most) if fewest == most else f"{fewest}-{most}"
