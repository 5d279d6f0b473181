"""``benchaudit env``: the environments of benchmarks."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NoReturn

import click

from benchaudit import environments, packs
from benchaudit.cli import COULD_NOT_RUN, USAGE, told
from benchaudit.environments import Built, Say, Unavailable
from benchaudit.manifest import Environment, read_adapter

_SOURCE = click.option(
    "--source",
    type=click.Path(exists=True, file_okay=False, resolve_path=True, path_type=Path),
    help="A checkout of yours, for a benchmark that is no package.",
)


@click.group()
def env() -> None:
    """Benchmark environments: list, build, remove."""


@env.command("list")
def list_environments() -> None:
    """List the environments that are built."""
    for built in environments.available():
        size = f"{built.size / 2**20:.0f} MB"
        click.echo(f"{built.adapter:24} {built.digest[:12]}  Python {built.python:8} {size:>8}")


@env.command()
@click.argument("target")
@_SOURCE
def build(target: str, source: Path | None) -> None:
    """Build the environment of TARGET, if it is not there."""
    name, environment = _needed(target)
    with _stopped_by_unavailable(name), progress() as say:
        built = environments.build(name, environment, source=source, say=say)
    click.echo(built.folder)


@env.command()
@click.argument("target")
@_SOURCE
def path(target: str, source: Path | None) -> None:
    """Print where the environment of TARGET is."""
    name, environment = _needed(target)
    with _stopped_by_unavailable(name):
        built = environments.find(name, environment, source=source)
    if built is None:
        _stop(f"{name}: its environment is not built; `benchaudit env build {target}`", USAGE)
    click.echo(built.folder)


@env.command()
@click.argument("targets", nargs=-1)
@click.option("--all", "everything", is_flag=True, help="Remove every environment.")
def remove(targets: tuple[str, ...], everything: bool) -> None:
    """Remove the environments of TARGETS; the next run builds them again."""
    if everything == bool(targets):
        _stop("name the adapters whose environments to remove, or --all", USAGE)
    built = environments.available()
    names = {one.adapter for one in built}
    if unknown := sorted(set(targets) - names):
        there = ", ".join(sorted(names)) or "none"
        _stop(f"{unknown[0]}: has no environment to remove; there are: {there}", USAGE)
    for one in built:
        if everything or one.adapter in targets:
            _remove(one)


@contextmanager
def progress() -> Iterator[Say]:
    """Shows the latest line of progress on a terminal, and nothing in a pipe."""
    if not sys.stderr.isatty():
        yield lambda _line: None
        return
    from rich.console import Console
    from rich.markup import escape

    with Console(stderr=True).status("building the benchmark's environment") as status:
        yield lambda line: status.update(f"building the benchmark's environment: {escape(line)}")


def _needed(target: str) -> tuple[str, Environment]:
    with told():
        manifest = read_adapter(packs.find("adapters", target))
    if manifest.environment is None:
        _stop(f"{manifest.name}: needs no environment of its own", USAGE)
    return manifest.name, manifest.environment


@contextmanager
def _stopped_by_unavailable(name: str) -> Iterator[None]:
    try:
        yield
    except Unavailable as error:
        _stop(f"{name}: {error}", COULD_NOT_RUN)


def _remove(built: Built) -> None:
    try:
        environments.remove(built)
    except OSError as error:
        _stop(f"{built.folder}: cannot be removed ({error})", COULD_NOT_RUN)
    click.echo(f"removed {built.folder}", err=True)


def _stop(message: str, code: int) -> NoReturn:
    click.echo(f"benchaudit: {message}", err=True)
    raise SystemExit(code)
