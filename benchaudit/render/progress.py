"""Progress on a terminal; in a pipe only what a user must know."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import click

Shown = tuple[Callable[[int, int], None], Callable[[str], None]]


@contextmanager
def progress(*, quiet: bool) -> Iterator[Shown]:
    """Yield two functions: one is told how many cells of how many are done, one says a line."""
    from benchaudit.render.terminal import console

    out = console(stderr=True)

    def say(line: str) -> None:
        click.echo(line, err=True)

    if quiet or not out.is_terminal:
        yield (lambda *_: None), (lambda _: None) if quiet else say
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("auditing"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=out, transient=True) as bar:
        task = bar.add_task("cells", total=None)
        yield (
            lambda done, total: bar.update(task, completed=done, total=total),
            lambda line: bar.console.print(line, markup=False),
        )
