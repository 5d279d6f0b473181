"""Decompression that is bounded at every step: gzip, and the members of zip files.

The standard readers do not do here: ``zipfile`` reads Zstandard (method 93, which Inspect writes)
from Python 3.14 on only, and hands out whatever a compressed block expands to; ``gzip`` loses what
it has read when a file ends early. Zstandard itself comes from Python 3.14's
``compression.zstd`` or its backport, which the maintainer of that module publishes.
"""

from __future__ import annotations

import io
import sys
import zlib
from typing import BinaryIO, Protocol

if sys.version_info >= (3, 14):
    from compression.zstd import ZstdDecompressor, ZstdError
else:
    from backports.zstd import ZstdDecompressor, ZstdError

MAX_RATIO = 500
"""Most bytes out for a byte in, once `FREE_BYTES` have come out. Logs stay below 100."""

FREE_BYTES = 64 << 20

_PIECE = 64 << 10

STORED, DEFLATE, ZSTD = 0, 8, 93
"""Compression methods by their number in a zip file; no evaluation log was met with another."""


class Cut(Exception):  # noqa: N818 - the end came early: an event that partial reading accepts
    """The data end before they are complete."""


class Corrupt(Exception):  # noqa: N818 - becomes a LogError where the file's name is known
    """The data are not what they claim to be; the message says how."""


class _Decompressor(Protocol):
    @property
    def eof(self) -> bool: ...
    @property
    def needs_input(self) -> bool: ...
    @property
    def unused_data(self) -> bytes: ...
    def decompress(self, data: bytes, max_length: int) -> bytes: ...


class _Zlib:
    """zlib's decompressor behind the interface that the other ones in Python share."""

    def __init__(self, wbits: int) -> None:
        self._zlib = zlib.decompressobj(wbits)

    @property
    def eof(self) -> bool:
        return self._zlib.eof

    @property
    def needs_input(self) -> bool:
        return not self._zlib.unconsumed_tail

    @property
    def unused_data(self) -> bytes:
        return self._zlib.unused_data

    def decompress(self, data: bytes, max_length: int) -> bytes:
        return self._zlib.decompress(self._zlib.unconsumed_tail + data, max_length)


class _Stored:
    """No compression: the data end where the member does."""

    eof = False
    unused_data = b""

    def __init__(self) -> None:
        self._held = b""

    @property
    def needs_input(self) -> bool:
        return not self._held

    def decompress(self, data: bytes, max_length: int) -> bytes:
        data = self._held + data
        self._held = data[max_length:]
        return data[:max_length]


class Inflated(io.RawIOBase):
    """A readable stream of what a compressed file holds.

    Reads raise `Cut` where the data end early and `Corrupt` where they are damaged, fail their
    checksum or expand beyond `MAX_RATIO`.
    """

    def __init__(
        self, raw: BinaryIO, method: int | None, *, size: int | None = None, crc: int | None = None
    ) -> None:
        """Read from where ``raw`` stands.

        Args:
            raw: the compressed file; closed with this stream.
            method: a zip method, or None for gzip.
            size: number of compressed bytes, where known.
            crc: CRC-32 of what comes out, where known.
        """
        self._raw, self._method, self._crc = raw, method, crc
        self._left = sys.maxsize if size is None else size
        self._decompressor = self._fresh()
        self._in = self._out = self._sum = 0
        self._done = False

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        while not self._done:
            if self._decompressor.eof:
                self._next_stream()
                continue
            hungry = self._decompressor.needs_input
            data = self._take() if hungry else b""
            try:
                piece = self._decompressor.decompress(data, len(buffer))
            except (zlib.error, ZstdError) as error:
                raise Corrupt(f"damaged compressed data ({error})") from None
            if piece:
                self._count(piece)
                buffer[: len(piece)] = piece
                return len(piece)
            if hungry and not data and not self._decompressor.eof:
                self._end_of_input()
        return 0

    def close(self) -> None:
        self._raw.close()
        super().close()

    def tell_end(self) -> int:
        """Offset in the raw file right after the compressed data; valid once all is read."""
        return self._raw.tell() - len(self._decompressor.unused_data)

    def _fresh(self) -> _Decompressor:
        if self._method is None:
            return _Zlib(zlib.MAX_WBITS | 16)
        if self._method == STORED:
            return _Stored()
        if self._method == DEFLATE:
            return _Zlib(-zlib.MAX_WBITS)
        if self._method == ZSTD:
            return ZstdDecompressor()
        raise Corrupt(f"compression method {self._method} is not supported")

    def _take(self) -> bytes:
        data = self._raw.read(min(_PIECE, self._left))
        self._left -= len(data)
        self._in += len(data)
        return data

    def _count(self, piece: bytes) -> None:
        self._out += len(piece)
        self._sum = zlib.crc32(piece, self._sum)
        if self._out > FREE_BYTES and self._out > MAX_RATIO * self._in:
            raise Corrupt(
                f"expands to over {self._out >> 20} MiB, more than {MAX_RATIO} times its size: "
                "this looks like a decompression bomb"
            )

    def _next_stream(self) -> None:
        """After one gzip stream another may follow; after a zip member nothing does."""
        rest = self._decompressor.unused_data
        if self._method is None and (rest := (rest or self._take()).lstrip(b"\0")):
            self._decompressor = self._fresh()
            self._raw.seek(-len(rest), io.SEEK_CUR)
            return
        self._finish()

    def _end_of_input(self) -> None:
        if self._method != STORED or (0 < self._left < sys.maxsize):
            raise Cut
        self._finish()

    def _finish(self) -> None:
        self._done = True
        if self._crc is not None and self._crc != self._sum:
            raise Corrupt("the checksum does not match the content")
