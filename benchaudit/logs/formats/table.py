"""Plain tables with one run a row: CSV, TSV, JSON lines and Parquet; the user names the columns."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from operator import itemgetter
from typing import Any

from benchaudit.logs.runs import NOTHING_RECORDED, Outcome, Run, Serving, as_score
from benchaudit.logs.source import MAX_LINE, Source

NAME = "table"

_SUFFIXES = (".csv", ".tsv", ".jsonl", ".ndjson", ".parquet")
_NO_ERROR = frozenset(("", "none", "null", "nan", "false", "0"))
_BATCH_ROWS = 16384


# Task, model, seed, score, error and provider of a row, as `Columns` has them; None where no column
# was named. A plain tuple: tables are the one format that holds millions of runs.
_Row = tuple[Any, ...]


def detect(source: Source) -> bool:
    """A table by its name, once the user has named the columns of the task and the score."""
    named = source.options.columns
    return source.name.endswith(_SUFFIXES) and bool(named.task and named.score)


def read(source: Source) -> Iterator[Run]:
    """The rows. A row with an error has no score, whatever its score column holds."""
    columns = source.options.columns
    if not (columns.task and columns.score):
        raise source.error("", "a table whose columns are not named", "give --task and --score")
    model = source.name.rpartition(".")[0]
    if not columns.model:
        source.note(f"no column named for the model: taken from the file's name, {model}")
    kind = "seed" if columns.seed else ""
    servings: dict[Any, Serving] = {None: NOTHING_RECORDED}
    # Names of this loop alone: it runs a million times.
    ok, metric, file = Outcome.OK, columns.score, str(source.path)
    for place, (task, named, seed, scored, error, provider) in _rows(source):
        score, outcome, detail = as_score(scored), ok, ""
        if error and (detail := _error(error)):
            score, outcome = None, _ending(detail)
        elif score is None:
            outcome = Outcome.UNSCORED
            _note_unscored(source, scored)
        serving = servings.get(provider)
        if serving is None:
            serving = servings.setdefault(provider, Serving(provider=str(provider)))
        yield Run(
            str(task),
            model if named is None else str(named),
            score,
            outcome,
            metric,
            "",
            "",
            "",
            "" if seed is None else str(seed),
            kind,
            serving,
            file,
            place,
            detail,
        )


def _error(cell: Any) -> str:
    """What an error column says; "" where it says that there is none."""
    text = str(cell).strip()
    return "" if text.lower() in _NO_ERROR else text[:200]


def _ending(error: str) -> Outcome:
    late = "timeout" in error.lower() or "timed out" in error.lower()
    return Outcome.TIMEOUT if late else Outcome.ERROR


def _note_unscored(source: Source, cell: Any) -> None:
    if cell not in (None, ""):
        source.note(f"scores that are not numbers, such as {str(cell)[:40]!r}: unscored")


def _rows(source: Source) -> Iterator[tuple[str, _Row]]:
    if source.name.endswith(".parquet"):
        return _parquet(source)
    return _delimited(source) if source.name.endswith((".csv", ".tsv")) else _json(source)


def _delimited(source: Source) -> Iterator[tuple[str, _Row]]:
    """Rows of a CSV or TSV file; quoted cells may hold line breaks and be of any length."""
    csv.field_size_limit(MAX_LINE)
    tab = source.name.endswith(".tsv")
    rows = csv.reader(source.lines(newline=""), delimiter="\t" if tab else ",", strict=True)
    header = next(rows, [])
    pick, width = itemgetter(*_positions(source, header)), len(header)
    while True:
        place = f"line {rows.line_num + 1}"
        try:
            row = next(rows)
        except StopIteration:
            return
        except csv.Error as error:
            source.give_up(place, f"not CSV: {error}", _BAD_ROW)
            continue
        if len(row) == width:
            yield place, pick([*row, None])
        elif row:
            source.give_up(place, f"a row of {len(row)} cells under {width} columns", _BAD_ROW)


_BAD_ROW = "mend the row, or leave out what cannot be read with --partial"


def _positions(source: Source, header: list[str]) -> list[int]:
    """Where each named column stands; right behind the last one if it was not named."""
    named = source.options.columns
    for column in filter(None, named):
        if column not in header:
            raise _no_column(source, column, header)
    return [header.index(column) if column else len(header) for column in named]


def _json(source: Source) -> Iterator[tuple[str, _Row]]:
    """Rows of a JSON lines file; a key that a row lacks is an empty cell, the task's an error."""
    named = source.options.columns
    for place, row in source.json_lines():
        if named.task not in row:
            source.give_up(place, f"no {named.task!r} in it", "name another column with --task")
            continue
        yield place, tuple(row.get(column, "") if column else None for column in named)


def _parquet(source: Source) -> Iterator[tuple[str, _Row]]:
    """Rows of a Parquet file, batch by batch; needs pyarrow."""
    try:
        import pyarrow  # type: ignore[import-untyped,import-not-found,unused-ignore]
        import pyarrow.parquet  # type: ignore[import-untyped,import-not-found,unused-ignore]
    except ImportError:
        raise source.error(
            "", "Parquet files need pyarrow", 'pip install "agent-benchaudit[parquet]"'
        ) from None
    named = source.options.columns
    wanted = [column for column in named if column]
    try:
        with pyarrow.parquet.ParquetFile(source.seekable_path()) as table:
            names = table.schema_arrow.names
            for column in wanted:
                if column not in names:
                    raise _no_column(source, column, names)
            number = 0
            for batch in table.iter_batches(_BATCH_ROWS, columns=wanted):
                cells = batch.to_pydict()
                blank = [None] * batch.num_rows
                picked = [cells[column] if column else blank for column in named]
                for values in zip(*picked, strict=True):
                    yield f"row {number}", values
                    number += 1
    except (pyarrow.ArrowException, OSError) as error:
        raise source.error("", f"not a readable Parquet file: {error}") from None


def _no_column(source: Source, column: str, there: list[str]) -> Exception:
    shown = ", ".join(there[:20]) + (", ..." if len(there) > 20 else "")
    return source.error("", f"no column {column!r}", f"name one of its columns: {shown}")
