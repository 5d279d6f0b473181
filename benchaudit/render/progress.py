"""Progress on a terminal; nothing in a pipe."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def progress(*, quiet: bool) -> Iterator[Callable[[int, int], None]]:
    """Yield a function that is told how many cells of how many are done."""
    from benchaudit.render.terminal import console

    out = console(stderr=True)
    if quiet or not out.is_terminal:
        yield lambda *_: None
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("auditing"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=out, transient=True) as bar:
        task = bar.add_task("cells", total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)
