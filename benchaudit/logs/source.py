"""One log file: found, opened, decompressed and decoded, with errors that say where they are."""

from __future__ import annotations

import io
import json
from collections.abc import Collection, Iterator
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple, TextIO

from benchaudit.logs import jsonstream
from benchaudit.logs.inflate import Corrupt, Cut, Inflated
from benchaudit.logs.runs import LogError, Note

MAX_LINE = 256 << 20
"""Longest line, in characters."""

_HEAD = 64 << 10
_LFS = "version https://git-lfs.github.com/spec/"
_PARTIAL = "finish or restore the file, or read what is there with --partial"


class Columns(NamedTuple):
    """Names of a table's columns; "" where the user named none."""

    task: str = ""
    model: str = ""
    seed: str = ""
    score: str = ""
    error: str = ""
    provider: str = ""


class Options(NamedTuple):
    """What a user says about the logs.

    Attributes:
        partial: leave out what cannot be read, with a note, instead of an error.
        columns: names of a table's columns.
        instances: number of instances in the split, for SWE-bench results, which do not say it.
    """

    partial: bool = False
    columns: Columns = Columns()
    instances: int | None = None


class Source:
    """A log file, with the user's options and what the readers noted about it."""

    def __init__(self, path: Path, options: Options = Options()) -> None:  # noqa: B008 - immutable
        self.path, self.options = path, options
        self._notes: dict[str, Note] = {}

    @property
    def name(self) -> str:
        """The file's name without ``.gz``."""
        return self.path.name.removesuffix(".gz")

    @property
    def notes(self) -> list[Note]:
        """What the readers noted, each text once, in the order of their first place."""
        return list(self._notes.values())

    def note(self, text: str, place: str = "", times: int = 1) -> None:
        """Say something about the file; the same text again adds to its count."""
        known = self._notes.get(text)
        self._notes[text] = (
            known._replace(times=known.times + times) if known else Note(text, times, place)
        )

    def error(self, place: str, what: str, remedy: str = "") -> LogError:
        """An error about a place in this file."""
        return LogError(self.path, place, what, remedy or "check the file, or fetch it again")

    def give_up(self, place: str, what: str, remedy: str = _PARTIAL) -> None:
        """Leave out what cannot be read, with a note, or raise if that was not asked for."""
        if not self.options.partial:
            raise self.error(place, what, remedy)
        self.note(f"left out: {what}", place)

    def beside(self, path: Path) -> Source | None:
        """The file that belongs to this one, plain or gzipped, if it is there.

        What is noted about it is noted here.
        """
        for candidate in (path, path.with_name(path.name + ".gz")):
            if candidate.is_file():
                found = Source(candidate, self.options)
                found._notes = self._notes
                return found
        return None

    @cached_property
    def head(self) -> str:
        """The first 64 KiB as text, for telling formats apart; what does not decode is replaced.

        Raises:
            LogError: when the file cannot be opened, is empty or stands for another one.
        """
        head = b""
        try:
            with self.open() as stream:
                while len(head) < _HEAD and (piece := stream.read1(_HEAD)):
                    head += piece
        except OSError as error:
            raise self._unopened(error) from None
        except Cut:
            pass  # what is there still tells the format; reading on will meet the cut again
        except Corrupt as error:
            raise self.error("", str(error)) from None
        text = head.decode("utf-8-sig", "replace")
        if text.startswith(_LFS):
            raise self.error("", "a Git LFS pointer, not the log itself", "run `git lfs pull`")
        if not head:
            raise self.error("", "the file is empty", "leave it out, or wait for its first run")
        return text

    def open(self) -> io.BufferedReader:
        """The content, decompressed if the name ends in ``.gz``."""
        raw = self.path.open("rb")
        if self.path.suffix != ".gz":
            return raw
        return io.BufferedReader(Inflated(raw, None))

    def seekable_path(self) -> Path:
        """The path, for formats that must jump about in the file.

        Raises:
            LogError: when the file is gzipped.
        """
        if self.path.suffix == ".gz":
            raise self.error("", "this format cannot be read inside gzip", "unpack it with gunzip")
        return self.path

    def text(self, newline: str | None = None) -> TextIO:
        """The content as text; ``newline`` as for the built-in open."""
        self.head  # noqa: B018 - refuses what is no log at all
        return io.TextIOWrapper(self.open(), encoding="utf-8-sig", newline=newline)

    def lines(self, newline: str | None = None) -> Iterator[str]:
        """The lines of the text, bounded in length. What ends early is left out or an error."""
        number = 0
        try:
            with self.text(newline) as stream:
                while line := stream.readline(MAX_LINE):
                    number += 1
                    if len(line) == MAX_LINE:
                        raise self.error(f"line {number}", f"over {MAX_LINE >> 20} MiB long")
                    yield line
        except (Cut, Corrupt, UnicodeDecodeError) as error:
            self._broken(f"after line {number}", error)

    def json_lines(self) -> Iterator[tuple[str, dict[str, Any]]]:
        """The objects of a file with one on each line, with their place."""
        for number, line in enumerate(self.lines(), 1):
            if line.isspace():
                continue
            place = f"line {number}"
            try:
                value = json.loads(line)
            except (ValueError, RecursionError) as error:
                self.give_up(place, _bad_line(line, error))
                continue
            if isinstance(value, dict):
                yield place, value
            else:
                self.give_up(place, "not a JSON object")

    def json_elements(self) -> Iterator[tuple[str, Any]]:
        """The elements of a file that is one JSON list, with their place."""
        number = -1
        try:
            with self.text() as stream:
                for number, element in enumerate(jsonstream.elements(stream)):
                    yield f"element {number}", element
        except (Cut, Corrupt, UnicodeDecodeError) as error:
            self._broken(f"after element {number}" if number >= 0 else "", error)

    def json_members(self, split: Collection[str] = ()) -> Iterator[tuple[str, Any]]:
        """Keys and values of a file that is one JSON object; see `jsonstream.members`."""
        key = ""
        try:
            with self.text() as stream:
                for key, value in jsonstream.members(stream, split):
                    yield key, value
        except (Cut, Corrupt, UnicodeDecodeError) as error:
            self._broken(f"after key {key!r}" if key else "", error)

    def json_object(self) -> dict[str, Any]:
        """A small file that is one JSON object."""
        return dict(self.json_members())

    def json_values(self, wanted: Collection[str], split: Collection[str]) -> dict[str, Any]:
        """The wanted values of a file that is one object; reads no further than it must."""
        found: dict[str, Any] = {}
        for key, value in self.json_members(split):
            if key in wanted:
                found[key] = value
            if len(found) == len(wanted):
                break
        return found

    def _broken(self, place: str, error: Exception) -> None:
        if isinstance(error, Cut):
            self.give_up(place, "the file ends early: truncated, or still being written")
        elif isinstance(error, UnicodeDecodeError):
            self.give_up(place, f"not UTF-8 text ({error.reason})", "convert the file to UTF-8")
        else:
            self.give_up(place, str(error))

    def _unopened(self, error: OSError) -> LogError:
        remedy = "check the path and its permissions"
        return self.error("", f"cannot be opened: {error.strerror or error}", remedy)


def _bad_line(line: str, error: Exception) -> str:
    if not line.endswith("\n"):
        return "the last line is cut off: the file is incomplete or still being written"
    if isinstance(error, RecursionError):
        return "not JSON: nested too deep"
    return f"not JSON: {error}"
