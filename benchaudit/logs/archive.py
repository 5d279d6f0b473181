"""Zip files of JSON members, whole or cut short, with deflate or Zstandard compression."""

from __future__ import annotations

import io
import struct
import zipfile
from collections.abc import Collection, Iterator
from typing import Any, BinaryIO, NamedTuple

from benchaudit.logs import jsonstream
from benchaudit.logs.inflate import STORED, Corrupt, Cut, Inflated
from benchaudit.logs.source import Source

_LOCAL = struct.Struct("<4s5H3I2H")
_SIGNATURE = b"PK\x03\x04"
_HAS_DESCRIPTOR = 0x08
_ENCRYPTED = 0x01
_DESCRIPTOR_ROOM = 64
_IN_ZIP64 = 0xFFFFFFFF


class _Member(NamedTuple):
    start: int
    """Offset of the compressed data."""
    size: int | None
    method: int
    crc: int | None


class Archive:
    """The members of a zip file.

    A file that was cut off has lost the directory at its end. Where the user asked for what is
    left, the members are found by their own headers instead.
    """

    def __init__(self, source: Source) -> None:
        self._source = source
        try:
            with zipfile.ZipFile(source.seekable_path()) as archive:
                entries = archive.infolist()
        except (zipfile.BadZipFile, ValueError, NotImplementedError, struct.error) as error:
            source.give_up("", f"not a whole zip file ({error}): truncated, or still being written")
            self._members = dict(self._scan())
            return
        self._refuse_overlap(entries)
        if twice := len(entries) - len({entry.filename for entry in entries}):
            source.note(
                "members written again under the same name: the last one counts", times=twice
            )
        self._members = dict(self._listed(entries))

    def __contains__(self, name: str) -> bool:
        return name in self._members

    def __iter__(self) -> Iterator[str]:
        return iter(self._members)

    def methods(self) -> set[int]:
        """The compression methods that occur."""
        return {member.method for member in self._members.values()}

    def json_members(self, name: str, split: Collection[str] = ()) -> Iterator[tuple[str, Any]]:
        """Keys and values of a member that is one JSON object; see `jsonstream.members`."""
        place = f"member {name}"
        try:
            with self._open(self._members[name]) as stream:
                text = io.TextIOWrapper(io.BufferedReader(stream), encoding="utf-8-sig")
                yield from jsonstream.members(text, split)
        except Cut:
            self._source.give_up(place, "the member ends early")
        except (Corrupt, UnicodeDecodeError) as error:
            self._source.give_up(place, str(error))

    def _open(self, member: _Member) -> Inflated:
        raw = self._source.path.open("rb")
        raw.seek(member.start)
        return Inflated(raw, member.method, size=member.size, crc=member.crc)

    def _listed(self, entries: list[zipfile.ZipInfo]) -> Iterator[tuple[str, _Member]]:
        with self._source.path.open("rb") as raw:
            for entry in entries:
                if entry.flag_bits & _ENCRYPTED:
                    raise self._source.error(
                        f"member {entry.filename}", "the member is encrypted", "decrypt it first"
                    )
                raw.seek(entry.header_offset)
                header = _read_header(raw)
                if header is None:
                    what = "the directory points to no member"
                    raise self._source.error(f"member {entry.filename}", what)
                yield (
                    entry.filename,
                    _Member(raw.tell(), entry.compress_size, entry.compress_type, entry.CRC),
                )

    def _scan(self) -> Iterator[tuple[str, _Member]]:
        """Members by their own headers, from the start of the file, as far as they are whole."""
        with self._source.path.open("rb") as raw:
            while header := _read_header(raw):
                name, flags, method, crc, size = header
                start = raw.tell()
                known = not flags & _HAS_DESCRIPTOR and size != _IN_ZIP64
                if not known and method == STORED:
                    return
                member = _Member(start, size if known else None, method, crc if known else None)
                end = self._end_of(member)
                if end is None:
                    self._source.note("left out: a member that is cut off", f"member {name}")
                    return
                yield name, member
                raw.seek(end)
                if not known:
                    self._skip_descriptor(raw)

    def _end_of(self, member: _Member) -> int | None:
        """Offset right after a member's data, or None if they end early or are damaged."""
        with self._open(member) as stream:
            try:
                while stream.read(io.DEFAULT_BUFFER_SIZE):
                    pass
            except (Cut, Corrupt):
                return None
            return stream.tell_end()

    def _skip_descriptor(self, raw: BinaryIO) -> None:
        start = raw.tell()
        found = raw.read(_DESCRIPTOR_ROOM).find(_SIGNATURE)
        raw.seek(start + max(found, 0))

    def _refuse_overlap(self, entries: list[zipfile.ZipInfo]) -> None:
        """Members that share bytes are how a small file holds a huge one."""
        end = 0
        for entry in sorted(entries, key=lambda entry: entry.header_offset):
            if entry.header_offset < end:
                raise self._source.error(
                    f"member {entry.filename}",
                    "members overlap: this looks like a decompression bomb",
                    "do not use this file",
                )
            end = entry.header_offset + _LOCAL.size + entry.compress_size


def _read_header(raw: BinaryIO) -> tuple[str, int, int, int, int] | None:
    """Name, flags, method, CRC and compressed size of the member that starts here, or None."""
    head = raw.read(_LOCAL.size)
    if len(head) < _LOCAL.size or not head.startswith(_SIGNATURE):
        return None
    _, _, flags, method, _, _, crc, size, _, name_length, extra_length = _LOCAL.unpack(head)
    name = raw.read(name_length)
    raw.seek(extra_length, io.SEEK_CUR)
    return name.decode("utf-8", "replace"), flags, method, crc, size
