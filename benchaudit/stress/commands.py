"""``benchaudit experiment``: preregistered stress experiments, from pilot to verdict."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from benchaudit.stress.errors import CannotRunError, InputError

if TYPE_CHECKING:
    from benchaudit.stress.figures import Kind
    from benchaudit.stress.running import Report

PAIRS = (3, 5, 8, 12, 20, 30, 50)
"""The numbers of pairs of the published power study, Table A18."""

DONE, FAILED, USAGE, COULD_NOT_RUN = 0, 1, 2, 3

FILE: Callable[[Any], Any] = click.argument("file")
JOBS: Callable[[Any], Any] = click.option(
    "--jobs", type=click.IntRange(min=1), default=1, show_default=True, help="Processes to use."
)


@contextmanager
def _told() -> Iterator[None]:
    """Turn what a user can mend into one clear line and an exit code."""
    try:
        yield
    except InputError as error:
        click.echo(f"benchaudit: {error}", err=True)
        raise SystemExit(USAGE) from None
    except CannotRunError as error:
        click.echo(f"benchaudit: {error}", err=True)
        raise SystemExit(COULD_NOT_RUN) from None


@click.group()
def experiment() -> None:
    """Preregistered stress experiments.

    FILE is a preregistration, or the name of one that `list` shows. Calibrate a plan with rules,
    freeze it, run it: the decision rule is applied to the letter and every deviation is listed.

    Exit codes: 0 done, 1 a material deviation, or a published figure that is not reproduced,
    2 wrong usage or input, 3 could not run.
    """


@experiment.command()
@FILE
@JOBS
@click.option("--json", "as_json", is_flag=True, help="Print the report as JSON.")
@click.option(
    "--figures",
    type=click.Path(path_type=Path, file_okay=False),
    help="Folder for the figures; needs matplotlib.",
)
@click.option(
    "--format", "kind", type=click.Choice(["svg", "png"]), default="svg", help="Of the figures."
)
def run(file: str, jobs: int, as_json: bool, figures: Path | None, kind: Kind) -> None:
    """Run FILE, apply its decision rule, and list what deviates from what was frozen."""
    from benchaudit.stress import running, text
    from benchaudit.stress.catalogue import locate

    with _told():
        report = running.run(locate(file), jobs)
        click.echo(text.report_json(report) if as_json else text.report_text(report), nl=False)
        if figures is not None:
            _draw(report, figures, kind)
    raise SystemExit(FAILED if report.failed else DONE)


def _draw(report: Report, folder: Path, kind: Kind) -> None:
    from benchaudit.stress.figures import dose_response, escalation_forest

    scorer, title = report.plan.outcome.scorer, report.plan.title
    subjects = [*(finding.subject for finding in report.findings), *report.rules]
    drawn = {"forest": escalation_forest(subjects, scorer, title, kind)}
    if len(report.plan.design.quotas) > 1:
        drawn["dose-response"] = dose_response(subjects, scorer, title, kind)
    for name, content in drawn.items():
        _write(folder / f"{report.name}-{name}.{kind}", content)


def _write(path: Path, content: bytes) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    except OSError as error:
        raise InputError(f"{path}: cannot be written: {error.strerror}") from None
    click.echo(f"{path}", err=True)


@experiment.command("list")
def list_experiments() -> None:
    """List the experiments that come with the adapters, and whether they are frozen."""
    from benchaudit.stress.catalogue import shipped
    from benchaudit.stress.preregistration import load, read_frozen

    with _told():
        for name, path in shipped().items():
            frozen = read_frozen(path)
            state = frozen.digest[:12] if frozen else "not frozen"
            click.echo(f"{name:<28}  {state:<12}  {load(path).title}")


@experiment.command()
@FILE
def show(file: str) -> None:
    """Show what FILE registers, its digest, and where it differs from what was frozen."""
    from benchaudit.stress.catalogue import locate
    from benchaudit.stress.experiment import Experiment
    from benchaudit.stress.text import plan_text

    with _told():
        click.echo(plan_text(Experiment(locate(file))), nl=False)


@experiment.command()
@FILE
@JOBS
def freeze(file: str, jobs: int) -> None:
    """Freeze FILE: write its content and the instrument's fingerprint beside it, once."""
    from benchaudit.stress import preregistration
    from benchaudit.stress.catalogue import locate
    from benchaudit.stress.experiment import Experiment

    with _told():
        found = Experiment(locate(file), jobs)
        frozen = found.as_frozen()
        preregistration.freeze(found.path, frozen)
        click.echo(f"{preregistration.frozen_path(found.path)}: {frozen.digest}")


@experiment.command()
@FILE
@JOBS
def calibrate(file: str, jobs: int) -> None:
    """Run rules over FILE's design: is there anything for a model to decide?"""
    from benchaudit.stress.calibration import calibrate as calibrating
    from benchaudit.stress.catalogue import locate
    from benchaudit.stress.experiment import Experiment
    from benchaudit.stress.text import calibration_text

    with _told():
        found = Experiment(locate(file), jobs)
        calibration = calibrating(
            found.target,
            found.designs,
            found.plan.outcome.scorer,
            found.plan.agents.rules,
            base=found.base,
            jobs=jobs,
        )
        click.echo(calibration_text(calibration), nl=False)


@experiment.command()
@FILE
@JOBS
@click.option("--quota", type=click.IntRange(min=1), help="Attempts.  [default: no limit]")
@click.option(
    "--figure", type=click.Path(path_type=Path, dir_okay=False), help="Draw it: a .svg or .png."
)
def degrade(file: str, jobs: int, quota: int | None, figure: Path | None) -> None:
    """Run FILE's rules under its pressures at constant intensity, dose after dose."""
    from benchaudit.stress import degradation, text
    from benchaudit.stress.catalogue import locate
    from benchaudit.stress.experiment import Experiment

    with _told():
        found = Experiment(locate(file), jobs)
        curves = degradation.degrade(
            found.target,
            found.plan.design.pressures,
            found.plan.agents.rules,
            found.plan.design.seeds.values,
            found.plan.outcome.scorer,
            quota=quota,
            convention=found.plan.outcome.statistics,
            base=found.base,
            jobs=jobs,
        )
        click.echo(text.degradation_text(curves), nl=False)
        if figure is not None:
            _write(figure, _curves_drawn(curves, found.plan.title, figure))


def _curves_drawn(curves: Sequence[Any], title: str, path: Path) -> bytes:
    from benchaudit.stress.figures import degradation

    match path.suffix:
        case ".svg":
            return degradation(curves, title, "svg")
        case ".png":
            return degradation(curves, title, "png")
    raise InputError(f"{path}: a figure's name ends in .svg or .png")


@experiment.command()
@FILE
@JOBS
@click.option(
    "--pairs",
    type=click.IntRange(min=2),
    multiple=True,
    help="Pairs; repeatable.  [default: 3 to 50]",
)
@click.option("--effect", type=float, multiple=True, help="Effects; repeatable.  [default: FILE's]")
def power(file: str, jobs: int, pairs: tuple[int, ...], effect: tuple[float, ...]) -> None:
    """How often FILE's design would show an effect: numbers of pairs by sizes of effect.

    An effect of 0, which shows the size of the test, is always among them.
    """
    from benchaudit.stress.catalogue import locate
    from benchaudit.stress.experiment import Experiment
    from benchaudit.stress.running import power_tables
    from benchaudit.stress.text import power_text

    with _told():
        found = Experiment(locate(file), jobs)
        registered = (found.plan.power.effect,) if found.plan.power else ()
        effects = tuple(dict.fromkeys((0.0, *(effect or registered))))
        click.echo(power_text(power_tables(found, pairs or PAIRS, effects)), nl=False)
