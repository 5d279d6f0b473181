"""Finds the log files among given paths, tells their formats and reads them one after another."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import count
from operator import itemgetter
from pathlib import Path
from typing import NamedTuple

from benchaudit.logs.formats import FORMATS, Format
from benchaudit.logs.runs import LogError, Note, Run
from benchaudit.logs.source import Options, Source

_EMPTY = ("{}", "[]")


class LogFile(NamedTuple):
    """One file that was looked at.

    Attributes:
        path: as given, or found in a given folder.
        format: name of its format; "" for a file that is no log of a known one.
        runs: number of runs that it gave.
        notes: what its reader noted.
    """

    path: Path
    format: str
    runs: int
    notes: tuple[Note, ...]


class Logs:
    """The runs of some files and folders: iterate once, then look at `files`.

    Attributes:
        files: what was looked at so far, in order.
    """

    def __init__(
        self,
        paths: Sequence[Path],
        format: str | None,  # noqa: A002 - the option's name
        options: Options,
        watch: Callable[[Path], None] | None,
    ) -> None:
        self.files: list[LogFile] = []
        self._paths, self._format, self._options = paths, format, options
        self._watch = watch or (lambda _: None)

    def __iter__(self) -> Iterator[Run]:
        for path, named in _find(self._paths):
            self._watch(path)
            source = Source(path, self._options)
            try:
                format_ = self._format_of(source, named)
                if format_ is not None:
                    yield from self._read(source, format_)
            except LogError as error:
                if named or not self._options.partial:
                    raise
                self._add(source, "", 0, Note(f"not read: {error.what}", 1, error.place))

    def _format_of(self, source: Source, named: bool) -> Format | None:
        """The format; None for a file in a folder that is no log, which is noted."""
        if self._format is not None:
            return FORMATS[self._format]
        if source.head.strip() in _EMPTY:
            if named:
                raise source.error("", "an empty document: no data", "leave it out")
            self._add(source, "", 0, Note("an empty document: no data"))
            return None
        for format_ in FORMATS.values():
            if format_.detect(source):
                return format_
        if named:
            raise source.error(
                "",
                "not a log of a known format",
                f"name its format with --format ({', '.join(FORMATS)}), or the columns of a table "
                "with --task and --score",
            )
        self._add(source, "", 0, Note("not a log of a known format"))
        return None

    def _read(self, source: Source, format_: Format) -> Iterator[Run]:
        # Counting in C: a loop of its own would cost as much as reading a table's row.
        counter = count()
        try:
            yield from map(itemgetter(0), zip(format_.read(source), counter))
        except (KeyError, TypeError, AttributeError, ValueError, RecursionError) as error:
            # A reader trusts the shape of its format; what breaks that trust is the file.
            what = f"not the shape of a {format_.NAME} log ({type(error).__name__}: {error})"
            raise source.error(f"after {next(counter)} runs", what) from error
        self._add(source, format_.NAME, next(counter), *source.notes)

    def _add(self, source: Source, format_name: str, runs: int, *notes: Note) -> None:
        self.files.append(LogFile(source.path, format_name, runs, notes))


def read_logs(
    paths: Sequence[Path],
    *,
    format: str | None = None,  # noqa: A002 - the option's name
    options: Options = Options(),  # noqa: B008 - immutable
    watch: Callable[[Path], None] | None = None,
) -> Logs:
    """Read the runs of log files and of all log files in folders.

    Args:
        paths: files and folders. Folders are walked in order of names, hidden files left out.
        format: name of the format of all files, or None to tell it from each.
        options: see `Options`.
        watch: called with each file before it is read.

    Raises (while iterating):
        LogError: for a file that cannot be read, or a given one that is no log.
    """
    return Logs(paths, format, options, watch)


def _find(paths: Sequence[Path]) -> Iterator[tuple[Path, bool]]:
    """Each file once, and whether it was itself given."""
    seen: set[Path] = set()
    for path in paths:
        if not path.exists():
            raise LogError(path, "", "no such file or folder", "check the path")
        for file in _walk(path) if path.is_dir() else [path]:
            if (real := file.resolve()) not in seen:
                seen.add(real)
                yield file, file == path


def _walk(folder: Path) -> Iterator[Path]:
    for path in sorted(folder.rglob("*")):
        inside = path.relative_to(folder).parts
        if path.is_file() and not any(part.startswith(".") for part in inside):
            yield path
