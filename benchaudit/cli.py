"""The command: parses, calls one function, prints. No logic, and no heavy import at the top."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from benchaudit import __version__

if TYPE_CHECKING:
    from benchaudit.card.model import Card

DONE, GATE, USAGE, COULD_NOT_RUN = 0, 1, 2, 3

ELSEWHERE = {
    "env": ("benchaudit.environment_commands:env", "Benchmark environments: list, build, remove."),
    "experiment": ("benchaudit.stress.commands:experiment", "Preregistered stress experiments."),
    "plan": ("benchaudit.logs.commands:plan", "How many runs a wanted precision needs."),
    "reliability": (
        "benchaudit.logs.commands:reliability",
        "Reliability of the runs in your own logs.",
    ),
}
"""Commands that live in other modules: where, and their line in the help, read without import."""


class _Commands(click.Group):
    """Loads a command's module when it is used, so that ``--help`` stays fast."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted({*super().list_commands(ctx), *ELSEWHERE})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name in ELSEWHERE:
            module, _, name = ELSEWHERE[cmd_name][0].partition(":")
            command: click.Command = getattr(importlib.import_module(module), name)
            return command
        return super().get_command(ctx, cmd_name)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        rows = []
        for name in self.list_commands(ctx):
            own = super().get_command(ctx, name)
            rows.append((name, own.get_short_help_str() if own else ELSEWHERE[name][1]))
        with formatter.section("Commands"):
            formatter.write_dl(rows)


@contextmanager
def told() -> Iterator[None]:
    """Turn what a user can mend into one clear line and an exit code."""
    from benchaudit.audit import UsageError
    from benchaudit.card.lattice import ContradictionError
    from benchaudit.evidence import EvidenceError
    from benchaudit.execution import WorkerError
    from benchaudit.installers import Unavailable
    from benchaudit.packs import PackError
    from benchaudit.store import StoreError

    try:
        yield
    except (PackError, StoreError, UsageError, EvidenceError) as error:
        _stop(str(error), USAGE)
    except (WorkerError, Unavailable) as error:
        _stop(str(error), COULD_NOT_RUN)
    except ContradictionError as error:
        _stop(f"the adapter contradicts its evidence: {error}", COULD_NOT_RUN)


def _stop(message: str, code: int) -> None:
    click.echo(f"benchaudit: {message}", err=True)
    raise SystemExit(code)


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="benchaudit")
def main() -> None:
    """Validity cards for agent benchmarks.

    Does a score respond to the model, and to the work? BenchAudit forges submissions, passes them
    through the benchmark's own scorer, swaps scaffold and scorer, repeats runs over seeds, and
    says what claim a score licenses. No model is called.

    Exit codes: 0 done, 1 a gate or a check failed, 2 wrong usage or input, 3 could not run.
    """


@main.command()
@click.argument("target")
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    help="Folder for card, evidence and provenance.  [default: audits/TARGET]",
)
@click.option(
    "--tasks", multiple=True, metavar="PATTERN", help="Only tasks that match; repeatable."
)
@click.option("--seeds", type=int, default=5, show_default=True, help="Seeds of repeated stages.")
@click.option("--jobs", type=click.IntRange(min=1), help="Workers.  [default: one a processor]")
@click.option(
    "--source",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    help="A checkout of the benchmark, where it is not a package.",
)
@click.option("--in-process", is_flag=True, help="No workers: to debug an adapter.")
@click.option("--resume", is_flag=True, help="Continue the unfinished run in the folder.")
@click.option("--json", "form", flag_value="json", help="Print the card as JSON.")
@click.option("--markdown", "form", flag_value="markdown", help="Print the card as Markdown.")
@click.option("--quiet", "form", flag_value="quiet", help="Print nothing.")
@click.option(
    "--gate",
    multiple=True,
    metavar="ITEM[@COLUMN]|any",
    help="Exit with 1 when the item fails or is not probed; 'any': when any item fails.",
)
def run(
    target: str,
    out: Path | None,
    tasks: tuple[str, ...],
    seeds: int,
    jobs: int | None,
    source: Path | None,
    in_process: bool,
    resume: bool,
    form: str | None,
    gate: tuple[str, ...],
) -> None:
    """Audit TARGET, an adapter's name or folder, and print its validity card."""
    from benchaudit import gates
    from benchaudit.audit import Options, audit, processors
    from benchaudit.render.progress import progress

    with told():
        asked = gates.parse(gate)
        folder = out or Path("audits") / Path(target).name
        options = Options(
            tasks=tasks,
            seeds=seeds,
            jobs=jobs or processors(),
            resume=resume,
            in_process=in_process,
            source=source,
        )
        try:
            with progress(quiet=form == "quiet") as (report, say):
                card = audit(target, folder, options, report, say)
        except KeyboardInterrupt:
            _stop(f"stopped; what was done is in {folder}, continue with --resume", 130)
        show_card(card, form)
        if form is None:
            click.echo(f"Card, evidence and provenance: {folder}", err=True)
        tripped = gates.tripped(card, asked)
    for line in tripped:
        click.echo(f"gate: {line}", err=True)
    raise SystemExit(GATE if tripped else COULD_NOT_RUN if card.unavailable else DONE)


def show_card(card: Card, form: str | None) -> None:
    """Print a card in the form asked for."""
    if form == "json":
        click.echo(card.as_text(), nl=False)
    elif form == "markdown":
        from benchaudit.render.markdown import render

        click.echo(render(card), nl=False)
    elif form is None:
        from benchaudit.render.terminal import card_view, console

        console().print(card_view(card))


@main.command("list")
@click.option("--json", "as_json", is_flag=True, help="Print as JSON.")
def list_targets(as_json: bool) -> None:
    """List the adapters, probes and oracles that can be found."""
    from benchaudit.render.listing import listing

    with told():
        click.echo(listing(as_json), nl=False)


CARD_ARGUMENT: Callable[[Any], Any] = click.argument("card", type=click.Path(path_type=Path))


@main.command()
@CARD_ARGUMENT
@click.option("--json", "form", flag_value="json", help="Print the card as JSON.")
@click.option("--markdown", "form", flag_value="markdown", help="Print the card as Markdown.")
def show(card: Path, form: str | None) -> None:
    """Show CARD, a card's file or an audit folder."""
    from benchaudit.store import read_card

    with told():
        show_card(read_card(card), form)


@main.command()
@CARD_ARGUMENT
@click.argument("item")
@click.option("--column", help="Only this column.")
@click.option("--task", help="The records of this task, not only the examples.")
@click.option("--submission", metavar="DIGEST", help="Forge a submission again and print it.")
def explain(
    card: Path, item: str, column: str | None, task: str | None, submission: str | None
) -> None:
    """Show the evidence behind ITEM of CARD, down to the submission."""
    from benchaudit import explain as explaining
    from benchaudit.render.terminal import console

    with told():
        out = console()
        for part in explaining.explain(card, item, column=column, task=task, digest=submission):
            out.print(part)


@main.command()
@CARD_ARGUMENT
@click.option("--column", help="The column whose scope is printed; needed when there are several.")
@click.option("--excluded", is_flag=True, help="Print the tasks that left the scope, with reasons.")
def subset(card: Path, column: str | None, excluded: bool) -> None:
    """Print the ids of the tasks of CARD that a claim may speak of, one a line."""
    from benchaudit.explain import chosen_columns
    from benchaudit.store import read_card

    with told():
        for chosen in chosen_columns(read_card(card), column, single=True):
            if excluded:
                for gone in chosen.scope.excluded:
                    click.echo(f"{gone.task}\t{'; '.join(gone.reasons)}")
            else:
                for task in chosen.scope.tasks:
                    click.echo(task)


@main.command("oracle-check")
@click.argument("targets", nargs=-1)
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")
def oracle_check(targets: tuple[str, ...], as_json: bool) -> None:
    """Recompute every published figure of TARGETS (default: all) and compare."""
    from benchaudit import oracles
    from benchaudit.render.checks import line, summary

    passed = failed = 0
    with told():
        for pack in oracles.select(targets):
            for check in oracles.run(pack):
                click.echo(line(pack.name, check, as_json=as_json))
                passed, failed = passed + check.ok, failed + (not check.ok)
    if not as_json:
        click.echo(summary(passed, failed))
    raise SystemExit(GATE if failed else DONE)


@main.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion(shell: str) -> None:
    """Print the completion script for a shell; source it from the shell's start-up file."""
    from click.shell_completion import get_completion_class

    found = get_completion_class(shell)
    if found is None:
        _stop(f"no completion for {shell}", USAGE)
    else:
        click.echo(found(main, {}, "benchaudit", "_BENCHAUDIT_COMPLETE").source())


if __name__ == "__main__":
    sys.exit(main())
