"""One figure for each question, as SVG or PNG with the same bytes on every run.

Needs matplotlib (the ``plot`` extra), which is loaded when a figure is drawn.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Literal

import numpy as np

from benchaudit.logs.compare import Comparison
from benchaudit.logs.pool import FloatArray
from benchaudit.logs.readings import Reading, Settings, cells
from benchaudit.logs.report import Group, Report, System

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Kind = Literal["svg", "png"]

_MOST_TASKS = 60
"""Rows of a heat map or forest; the ones that say most are kept, and the title says so."""

_STYLE = {
    "svg.hashsalt": "benchaudit",
    "svg.fonttype": "path",
    "font.family": "DejaVu Sans",
    "font.size": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "figure.dpi": 100,
}
_BLUE, _RED, _GREY = "#2b6cb0", "#c53030", "#a0aec0"


class NoMatplotlibError(Exception):
    """Matplotlib is not installed."""


def spectrum(report: Report, group: Group, kind: Kind = "svg") -> bytes:
    """Runs of each system, sorted by mean: box, whiskers to the extremes, mean and CVaR."""
    systems = sorted(_with_reading(group), key=lambda s: (s.readings[0].mean, s.name))

    def draw(axes: Axes) -> None:
        scores = [_scores(system, report.settings) for system in systems]
        axes.boxplot(
            scores,
            orientation="horizontal",
            whis=(0, 100),
            widths=0.5,
            medianprops={"color": _GREY},
        )
        for row, system in enumerate(systems, 1):
            reading = system.readings[0]
            if reading.interval:
                axes.plot(reading.interval, [row, row], color=_BLUE, linewidth=4, alpha=0.4)
            axes.plot(reading.mean, row, "o", color=_BLUE, label="mean" if row == 1 else None)
            label = f"CVaR@{report.settings.alpha:g}" if row == 1 else None
            axes.plot(reading.cvar, row, "|", color=_RED, markersize=14, label=label)
        axes.set_yticks(range(1, len(systems) + 1), [system.name for system in systems])
        axes.set_xlabel(group.metric)
        axes.legend(loc="upper left", bbox_to_anchor=(0, -0.15), ncols=2, frameon=False)

    return _figure(draw, f"Spectrum of runs: {_title(group)}", len(systems), kind)


def mean_against_worst(report: Report, group: Group, kind: Kind = "svg") -> bytes:
    """Each system's mean against its tasks' worst repeats, averaged: off the diagonal is hidden."""
    del report
    systems = _with_reading(group)

    def draw(axes: Axes) -> None:
        means = [system.readings[0].mean for system in systems]
        worsts = [system.readings[0].mean_worst for system in systems]
        low, high = min(0.0, *worsts), max(1.0, *means)
        axes.plot([low, high], [low, high], color=_GREY, linestyle="--", linewidth=1)
        axes.plot(means, worsts, "o", color=_BLUE)
        for system, x, y in zip(systems, means, worsts):
            left = x > (low + high) / 2
            axes.annotate(
                system.name,
                (x, y),
                xytext=(-6 if left else 6, -3),
                textcoords="offset points",
                ha="right" if left else "left",
            )
        axes.set_xlabel(f"mean {group.metric}")
        axes.set_ylabel("worst repeat of each task, averaged")

    return _figure(draw, f"Mean against worst case: {_title(group)}", 10, kind)


def failure_map(report: Report, group: Group, kind: Kind = "svg") -> bytes:
    """Failure rates by task and system, the tasks that fail now and then first."""
    systems = _with_reading(group)
    names, rates = _failure_rates(report, systems)
    certain = np.nanmean(np.abs(rates - 0.5), axis=1) if names else np.empty(0)
    mostly = -np.nanmean(rates, axis=1) if names else np.empty(0)
    shown, note = _most_telling(certain.round(9), mostly.round(9), names)

    def draw(axes: Axes) -> None:
        axes.set_facecolor(_GREY)
        masked = np.ma.masked_invalid(rates[shown])
        image = axes.imshow(masked, aspect="auto", cmap="Reds", vmin=0, vmax=1)
        axes.set_xticks(range(len(systems)), [s.name for s in systems], rotation=30, ha="right")
        axes.set_yticks(range(len(shown)), [names[i] for i in shown])
        bar = axes.figure.colorbar(image, ax=axes)
        bar.set_label("failure rate (grey: not run)")

    return _figure(draw, f"Failure rates: {_title(group)}{note}", len(shown), kind)


def audit_decay(report: Report, group: Group, kind: Kind = "svg") -> bytes:
    """Chance that an audit of k runs misses a failing task, falling with k."""
    del report
    systems = [system for system in _with_reading(group) if system.readings[0].miss]

    def draw(axes: Axes) -> None:
        from matplotlib.ticker import MaxNLocator

        for system in systems:
            decay = _miss_decay(system.readings[0])
            axes.plot(range(1, len(decay) + 1), decay, "o-", markersize=3, label=system.name)
        if not systems:
            axes.text(0.5, 0.5, "no failing task with repeats", ha="center", va="center")
        else:
            axes.legend(frameon=False)
        axes.set_ylim(0, 1)
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        axes.set_xlabel("runs in the audit, k")
        axes.set_ylabel("failing tasks missed")

    return _figure(draw, f"What an audit of k runs misses: {_title(group)}", 10, kind)


def difference_forest(comparison: Comparison, kind: Kind = "svg") -> bytes:
    """Difference of each task, and over all with its interval; filled where Holm's p < .05."""
    rows = comparison.by_task
    sizes, signs = np.abs([row.difference for row in rows]), [-row.difference for row in rows]
    shown, note = _most_telling(-sizes.round(9), np.array(signs), [row.task for row in rows])

    def draw(axes: Axes) -> None:
        axes.axvline(0, color=_GREY, linewidth=1)
        for y, i in enumerate(shown):
            row = rows[i]
            told = row.p_holm is not None and row.p_holm < 0.05
            axes.plot(row.difference, y, "o", color=_BLUE, fillstyle="full" if told else "none")
        bottom = len(shown)
        if comparison.interval:
            axes.plot(comparison.interval, [bottom, bottom], color=_RED, linewidth=2)
        axes.plot(comparison.effect, bottom, "D", color=_RED)
        axes.set_yticks(range(bottom + 1), [*(rows[i].task for i in shown), "all"])
        axes.invert_yaxis()
        axes.set_xlabel(f"{comparison.metric}: {comparison.second} minus {comparison.first}")

    title = f"Paired differences{f': {comparison.suite}' if comparison.suite else ''}{note}"
    return _figure(draw, title, len(shown) + 1, kind)


QUESTIONS: dict[str, Callable[[Report, Group, Kind], bytes]] = {
    "spectrum": spectrum,
    "mean-worst": mean_against_worst,
    "failures": failure_map,
    "audit-miss": audit_decay,
}
"""The figures of a report, by the name that their files get."""


def _with_reading(group: Group) -> list[System]:
    return [system for system in group.systems if system.readings]


def _scores(system: System, settings: Settings) -> FloatArray:
    return cells(system.block, system.readings[0].errors, settings.pass_at).scores


def _failure_rates(report: Report, systems: Sequence[System]) -> tuple[list[str], FloatArray]:
    """Task names and failure rates (tasks x systems, NaN where not run)."""
    numbers: dict[int, int] = {}
    tables = [
        cells(system.block, system.readings[0].errors, report.settings.pass_at)
        for system in systems
    ]
    for table in tables:
        for task in table.task.tolist():
            numbers.setdefault(task, len(numbers))
    rates = np.full((len(numbers), len(systems)), np.nan)
    for column, table in enumerate(tables):
        rows = [numbers[task] for task in table.task.tolist()]
        rates[rows, column] = 1 - table.passes / table.runs
    return [report.pool.tasks[number] for number in numbers], rates


def _most_telling(
    rank: FloatArray, then: FloatArray, names: Sequence[str]
) -> tuple[list[int], str]:
    """Rows to show, in the order of two ranks and of names, and what to say of the rest."""
    order = sorted(range(len(names)), key=lambda row: (rank[row], then[row], names[row]))
    more = f" ({_MOST_TASKS} of {len(names)} tasks)" if len(names) > _MOST_TASKS else ""
    return order[:_MOST_TASKS], more


def _miss_decay(reading: Reading) -> tuple[float, ...]:
    return reading.miss.decay if reading.miss else ()


def _title(group: Group) -> str:
    return f"{group.suite or 'suite unrecorded'}, {group.metric}"


def _figure(draw: Callable[[Axes], None], title: str, rows: int, kind: Kind) -> bytes:
    with _style():
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure

        figure = Figure(figsize=(7, 1.6 + 0.24 * max(rows, 6)), layout="constrained")
        FigureCanvasAgg(figure)
        axes = figure.subplots()
        draw(axes)
        axes.set_title(title, loc="left", fontsize=9)
        buffer = io.BytesIO()
        # The date and the version that wrote a file would differ between runs and machines.
        metadata = {"Date": None, "Creator": None} if kind == "svg" else {"Software": None}
        figure.savefig(buffer, format=kind, metadata=metadata)
        return buffer.getvalue()


def _style() -> AbstractContextManager[None]:
    try:
        import matplotlib
    except ImportError:
        raise NoMatplotlibError from None
    return matplotlib.rc_context(_STYLE)  # type: ignore[arg-type]
