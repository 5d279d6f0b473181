"""The figures of an experiment, as SVG or PNG with the same bytes on every run.

Needs matplotlib (the ``plot`` extra), which is loaded when a figure is drawn.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Literal

from benchaudit.stress.degradation import Curve
from benchaudit.stress.errors import CannotRunError
from benchaudit.stress.verdicts import Subject

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Kind = Literal["svg", "png"]

_STYLE = {
    "svg.hashsalt": "benchaudit",
    "svg.fonttype": "path",
    "font.family": "DejaVu Sans",
    "font.size": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "figure.dpi": 100,
}
_BLUE, _GREY = "#2b6cb0", "#a0aec0"
_BESIDE = 0.05
"""How far apart, in attempts, agents stand at one quota, so that intervals do not hide others."""


def escalation_forest(
    subjects: Sequence[Subject], scorer: str, title: str, kind: Kind = "svg"
) -> bytes:
    """The effect of escalation on each agent with its interval; filled where it was run here.

    Raises:
        CannotRunError: without matplotlib.
    """
    rows = [subject for subject in subjects if scorer in subject.estimates]

    def draw(axes: Axes) -> None:
        axes.axvline(0, color=_GREY, linewidth=1)
        for y, subject in enumerate(rows):
            estimate = subject.estimates[scorer]
            if estimate.interval:
                axes.plot(estimate.interval, [y, y], color=_BLUE, linewidth=2)
            filled = "full" if subject.origin == "measured" else "none"
            axes.plot(estimate.delta, y, "o", color=_BLUE, fillstyle=filled)
        axes.set_yticks(range(len(rows)), [_label(subject) for subject in rows])
        axes.invert_yaxis()
        axes.set_xlabel(f"{scorer}: constant minus escalating (open: published)")

    return _figure(draw, title, len(rows), kind)


def dose_response(
    subjects: Sequence[Subject], scorer: str, title: str, kind: Kind = "svg"
) -> bytes:
    """The effect of escalation over the quota, a line an agent; no interval where none is known.

    Raises:
        CannotRunError: without matplotlib.
    """
    lines: dict[str, list[tuple[int, Subject]]] = {}
    for subject in subjects:
        if subject.quota is not None and scorer in subject.estimates:
            lines.setdefault(subject.agent, []).append((subject.quota, subject))

    def draw(axes: Axes) -> None:
        axes.axhline(0, color=_GREY, linewidth=1)
        for number, (agent, points) in enumerate(lines.items()):
            points.sort(key=lambda point: point[0])
            beside = _BESIDE * (number - (len(lines) - 1) / 2)
            quotas = [quota + beside for quota, _ in points]
            estimates = [subject.estimates[scorer] for _, subject in points]
            (line,) = axes.plot(quotas, [e.delta for e in estimates], "o-", label=agent)
            for quota, estimate in zip(quotas, estimates, strict=True):
                if estimate.interval:
                    axes.plot([quota, quota], estimate.interval, color=line.get_color(), alpha=0.4)
        axes.set_xticks(sorted({quota for points in lines.values() for quota, _ in points}))
        axes.set_xlabel("quota")
        axes.set_ylabel(f"{scorer}: constant minus escalating")
        axes.legend(frameon=False, fontsize=8)

    return _figure(draw, title, 12, kind)


def degradation(curves: Sequence[Curve], title: str, kind: Kind = "svg") -> bytes:
    """The score over the dose, a line an agent, with its interval as a band.

    Raises:
        CannotRunError: without matplotlib.
    """

    def draw(axes: Axes) -> None:
        for curve in curves:
            doses = [point.dose for point in curve.doses]
            (line,) = axes.plot(doses, [p.mean for p in curve.doses], "o-", label=curve.agent)
            lows, highs = zip(*(point.interval for point in curve.doses), strict=True)
            axes.fill_between(doses, lows, highs, color=line.get_color(), alpha=0.15, linewidth=0)
        axes.set_xlabel("dose (constant intensity)")
        axes.set_ylabel(curves[0].scorer if curves else "score")
        axes.legend(frameon=False, fontsize=8)

    return _figure(draw, title, 12, kind)


def _label(subject: Subject) -> str:
    return subject.agent if subject.quota is None else f"{subject.agent}, quota {subject.quota}"


def _figure(draw: Callable[[Axes], None], title: str, rows: int, kind: Kind) -> bytes:
    try:
        import matplotlib
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError:
        what = 'figures need matplotlib: pip install "agent-benchaudit[plot]"'
        raise CannotRunError(what) from None
    with matplotlib.rc_context(_STYLE):  # type: ignore[arg-type]
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
