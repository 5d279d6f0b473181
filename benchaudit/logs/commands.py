"""``benchaudit reliability`` and ``benchaudit plan``: parse, call one function, print."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, TypeVar

import click

from benchaudit.logs.formats import FORMATS
from benchaudit.logs.reading import Logs, read_logs
from benchaudit.logs.readings import Settings
from benchaudit.logs.runs import LogError
from benchaudit.logs.source import Columns, Options

if TYPE_CHECKING:
    from rich.console import RenderableType

    from benchaudit.logs.compare import Comparison
    from benchaudit.logs.report import Report

F = TypeVar("F", bound=Callable[..., Any])


class _Error(click.ClickException):
    """One clear line for a person, on standard error."""

    def show(self, file: IO[Any] | None = None) -> None:
        click.echo(f"benchaudit: {self.message}", file=file, err=True)


class _WrongInputError(_Error):
    """Wrong usage or input."""

    exit_code = 2


class _CouldNotRunError(_Error):
    """Something that the command needs is not there."""

    exit_code = 3


class _PathsOrCommand(click.Group):
    """A group whose first argument may be a path: then the report on it is meant."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if args and args[0] not in (*self.commands, *self.get_help_option_names(ctx)):
            args = ["report", *args]
        return super().parse_args(ctx, args)


_READING = (
    click.option(
        "--format", "format_", type=click.Choice(list(FORMATS)), help="Format of all files."
    ),
    click.option("--partial", is_flag=True, help="Leave out what cannot be read, and say so."),
    click.option("--task", default="", metavar="COLUMN", help="Of a table: the task's id."),
    click.option("--model", default="", metavar="COLUMN", help="Of a table: the model's name."),
    click.option(
        "--seed", default="", metavar="COLUMN", help="Of a table: the repeat or its seed."
    ),
    click.option("--score", default="", metavar="COLUMN", help="Of a table: the score."),
    click.option("--error", default="", metavar="COLUMN", help="Of a table: the error, if any."),
    click.option(
        "--provider", default="", metavar="COLUMN", help="Of a table: what served the model."
    ),
    click.option(
        "--instances",
        type=click.IntRange(1),
        help="Instances of the split, for SWE-bench result files.",
    ),
    click.option(
        "--metric", "metrics", multiple=True, help="Only this metric; may be given again."
    ),
)

_FIGURES = (
    click.option(
        "--errors",
        type=click.Choice(["exclude", "zero", "bounds"]),
        default="bounds",
        show_default=True,
        help="How runs without a score count.",
    ),
    click.option(
        "--pass",
        "pass_at",
        type=float,
        default=1.0,
        show_default=True,
        help="Lowest score that passes.",
    ),
    click.option(
        "--level",
        type=click.FloatRange(0, 1, min_open=True, max_open=True),
        default=0.95,
        show_default=True,
        help="Confidence of intervals and tests.",
    ),
    click.option("--json", "as_json", is_flag=True, help="Print JSON."),
)


def _with(*options: Callable[[F], F]) -> Callable[[F], F]:
    def decorate(function: F) -> F:
        for option in reversed(options):
            function = option(function)
        return function

    return decorate


@click.group("reliability", cls=_PathsOrCommand, options_metavar="[OPTIONS] PATH... |")
def reliability() -> None:
    """What repeated runs show beyond the mean, from anyone's run logs.

    `benchaudit reliability PATH...` reports on log files and folders (see `report --help`);
    `benchaudit reliability compare A B` tells two systems apart.
    """


@reliability.command()
@click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=Path))
@_with(*_READING, *_FIGURES)
@click.option(
    "--tau", type=float, default=0.5, show_default=True, help="Threshold of Reliability@tau."
)
@click.option(
    "--alpha",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    default=0.2,
    show_default=True,
    help="Share of the worst runs that CVaR averages.",
)
@click.option(
    "--range",
    "range_",
    type=(float, float),
    metavar="LOW HIGH",
    help="Declared range of the scores.",
)
@click.option(
    "--plot",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="FOLDER",
    help="Draw one figure a question into this folder.",
)
@click.option("--plot-format", type=click.Choice(["svg", "png"]), default="svg", show_default=True)
def report(
    paths: tuple[Path, ...],
    pass_at: float,
    tau: float,
    alpha: float,
    range_: tuple[float, float] | None,
    errors: Any,
    level: float,
    as_json: bool,
    plot: Path | None,
    plot_format: str,
    metrics: tuple[str, ...],
    **reading: Any,
) -> None:
    """Intervals, worst case, tail, and what one run misses, by model; each suite on its own."""
    from benchaudit.logs.report import reliability as make_report
    from benchaudit.logs.report import to_json
    from benchaudit.logs.text import report_text

    low, high = range_ or (None, None)
    settings = Settings(
        errors=errors,
        pass_at=pass_at,
        threshold=tau,
        alpha=alpha,
        low=low,
        high=high,
        level=level,
    )
    with _reading(paths, reading) as logs:
        made = make_report(logs, settings, metrics=metrics)
    if not made.groups:
        raise _WrongInputError(f"no runs in {', '.join(map(str, paths))}")
    _print(to_json(made) if as_json else report_text(made))
    if plot is not None:
        _draw(made, plot, plot_format)


@reliability.command("compare")
@click.argument("first", type=click.Path(path_type=Path), metavar="A")
@click.argument("second", type=click.Path(path_type=Path), metavar="B")
@click.option("--model-a", default="", help="The system meant in A, where there are several.")
@click.option("--model-b", default="", help="The system meant in B, where there are several.")
@_with(*_READING, *_FIGURES)
@click.option(
    "--difference",
    type=click.FloatRange(0, min_open=True),
    default=0.05,
    show_default=True,
    help="Smallest difference that matters.",
)
@click.option(
    "--plot",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="FOLDER",
    help="Draw a forest of the tasks' differences into this folder.",
)
@click.option("--plot-format", type=click.Choice(["svg", "png"]), default="svg", show_default=True)
def compare_command(
    first: Path,
    second: Path,
    model_a: str,
    model_b: str,
    errors: Any,
    pass_at: float,
    level: float,
    difference: float,
    as_json: bool,
    plot: Path | None,
    plot_format: str,
    metrics: tuple[str, ...],
    **reading: Any,
) -> None:
    """Are two systems told apart? Paired by task, and by seed where the logs have it."""
    from benchaudit.logs.compare import Side, compare_sides
    from benchaudit.logs.pool import Pool
    from benchaudit.logs.report import plain
    from benchaudit.logs.text import comparison_text

    settings = Settings(errors=errors, pass_at=pass_at, level=level)
    pools, files = [], []
    for path in (first, second):
        with _reading([path], reading) as logs:
            pools.append(Pool(logs))
        files += logs.files
    sides = Side(pools[0], model_a), Side(pools[1], model_b)
    try:
        results = compare_sides(*sides, settings, difference, metrics)
    except ValueError as error:
        raise _WrongInputError(f"{first} and {second}: {error} (--model-a, --model-b)") from None
    _print({"comparisons": plain(results)} if as_json else comparison_text(results, files))
    if plot is not None:
        _draw_forests(results, plot, plot_format)


@click.command("plan")
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path))
@_with(*_READING)
@click.option(
    "--pass",
    "pass_at",
    type=float,
    default=1.0,
    show_default=True,
    help="Lowest score that passes.",
)
@click.option(
    "--rate",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    help="Without a pilot: the mean pass rate to assume.",
)
@click.option(
    "--icc",
    type=click.FloatRange(0, 1),
    default=0.3,
    show_default=True,
    help="Without a pilot: share of the variance between tasks.",
)
@click.option(
    "--tasks",
    type=click.IntRange(1),
    default=100,
    show_default=True,
    help="Without a pilot: tasks of the benchmark.",
)
@click.option(
    "--half-width",
    type=click.FloatRange(0, min_open=True),
    default=0.05,
    show_default=True,
    help="Wanted half-width of the mean's interval.",
)
@click.option(
    "--difference",
    type=click.FloatRange(0, min_open=True),
    default=0.05,
    show_default=True,
    help="Difference between two systems to be found with 80 % power.",
)
@click.option(
    "--failure-rate",
    type=click.FloatRange(0, 1, min_open=True),
    default=0.05,
    show_default=True,
    help="Failure rate of a task that is to be seen once.",
)
@click.option(
    "--level",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    default=0.95,
    show_default=True,
    help="Confidence.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def plan(
    paths: tuple[Path, ...],
    pass_at: float,
    rate: float | None,
    icc: float,
    tasks: int,
    half_width: float,
    difference: float,
    failure_rate: float,
    level: float,
    as_json: bool,
    metrics: tuple[str, ...],
    **reading: Any,
) -> None:
    """How many runs a wanted precision takes: from a pilot's logs (PATHS), or from --rate."""
    from benchaudit.logs.planning import Aims, from_rates, pilots
    from benchaudit.logs.planning import plan as make_plan
    from benchaudit.logs.pool import Pool
    from benchaudit.logs.report import plain
    from benchaudit.logs.text import plans_text

    if bool(paths) == (rate is not None):
        raise click.UsageError("give either logs of a pilot, or --rate")
    try:
        if rate is not None:
            bases = [from_rates(rate, icc, tasks)]
        else:
            with _reading(paths, reading) as logs:
                bases = pilots(Pool(logs).blocks(), pass_at, metrics)
    except ValueError as error:
        raise _WrongInputError(f"no plan: {error}") from None
    aims = Aims(half_width, difference, failure_rate, level)
    plans = [make_plan(basis, aims) for basis in bases]
    _print({"plans": plain(plans)} if as_json else plans_text(plans))


@contextmanager
def _reading(paths: Sequence[Path], given: dict[str, Any]) -> Iterator[Logs]:
    """The logs, with their progress on a terminal and their errors as exit codes."""
    from rich.console import Console

    columns = Columns(*(given[name] for name in Columns._fields))
    options = Options(given["partial"], columns, given["instances"])
    console = Console(stderr=True)
    status = console.status("reading")
    try:
        if console.is_terminal:
            status.start()
        yield read_logs(
            paths,
            format=given["format_"],
            options=options,
            watch=lambda path: status.update(f"reading {path.name}"),
        )
    except LogError as error:
        raise _WrongInputError(str(error)) from None
    finally:
        status.stop()


def _print(what: dict[str, Any] | RenderableType) -> None:
    if isinstance(what, dict):
        click.echo(json.dumps(what, ensure_ascii=False))
        return
    from rich.console import Console

    Console(highlight=False).print(what)


def _draw(made: Report, folder: Path, kind: Any) -> None:
    from benchaudit.logs import figures

    for group in made.groups:
        if any(system.readings for system in group.systems):
            for name, question in figures.QUESTIONS.items():
                path = folder / f"{_file_name(group.suite, group.metric, name)}.{kind}"
                _write(path, lambda: question(made, group, kind))  # noqa: B023 - called at once


def _draw_forests(results: Sequence[Comparison], folder: Path, kind: Any) -> None:
    from benchaudit.logs import figures

    for result in results:
        name = _file_name(result.suite, result.metric, result.errors, "differences")
        _write(folder / f"{name}.{kind}", lambda: figures.difference_forest(result, kind))  # noqa: B023


def _write(path: Path, draw: Callable[[], bytes]) -> None:
    from benchaudit.logs.figures import NoMatplotlibError

    try:
        content = draw()
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    except NoMatplotlibError:
        what = 'figures need matplotlib: pip install "agent-benchaudit[plot]"'
        raise _CouldNotRunError(what) from None
    except OSError as error:
        raise _CouldNotRunError(f"{path}: cannot be written: {error.strerror}") from None


def _file_name(*parts: str) -> str:
    return "-".join(re.sub(r"[^\w.-]+", "_", part) for part in parts if part)
