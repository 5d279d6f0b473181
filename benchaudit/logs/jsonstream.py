"""JSON documents of any size, read a piece at a time.

A document that is one list, or an object with one long list in it, is decoded element by element
with the standard library's decoder on a window of text: memory is bounded by the largest element.
ijson would do the walking, but none of its backends accepts NaN, which Python's own ``json``
writes into evaluation logs.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator
from typing import Any, TextIO

from benchaudit.logs.inflate import Corrupt, Cut

MAX_VALUE = 256 << 20
"""Longest single value, in characters, that is decoded at once."""

_WINDOW = 64 << 10
_MARGIN = 12
"""Text this close to the window's end may be half a number, literal or escape."""


def elements(stream: TextIO) -> Iterator[Any]:
    """The elements of a document that is one list.

    Raises:
        Cut: where the text ends early.
        Corrupt: where it is not JSON, not a list, or an element is longer than `MAX_VALUE`.
    """
    text = _Text(stream)
    yield from text.array()
    text.finish()


def members(stream: TextIO, split: Collection[str] = ()) -> Iterator[tuple[str, Any]]:
    """The keys and values of a document that is one object.

    A value whose key is in ``split`` comes in pieces, each under that key: the elements of a
    list, or the (key, value) pairs of an object.

    Raises:
        Cut: where the text ends early.
        Corrupt: where it is not JSON, not an object, or a piece is longer than `MAX_VALUE`.
    """
    text = _Text(stream)
    for key in text.entries():
        opening = text.peek() if key in split else ""
        if opening == "[":
            yield from ((key, element) for element in text.array())
        elif opening == "{":
            yield from ((key, (inner, text.value())) for inner in text.entries())
        else:
            yield key, text.value()
    text.finish()


class _Text:
    """A window on a JSON text that moves forward."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._window = ""
        self._at = 0
        self._before = 0
        self._ended = False

    def array(self) -> Iterator[Any]:
        self._take("[", "a list")
        if self.peek() == "]":
            self._at += 1
            return
        yield self.value()
        while self._take(",]", "',' or ']'") == ",":
            yield self.value()

    def entries(self) -> Iterator[str]:
        """The keys of an object; the caller reads a key's value before it asks for the next."""
        self._take("{", "an object")
        if self.peek() == "}":
            self._at += 1
            return
        yield self._key()
        while self._take(",}", "',' or '}'") == ",":
            yield self._key()

    def value(self) -> Any:
        self.peek()
        while True:
            try:
                value, end = _DECODER.raw_decode(self._window, self._at)
            except json.JSONDecodeError as error:
                if not self._may_be_cut(error):
                    raise self._bad(error.msg, error.pos) from None
                if self._ended:
                    raise Cut from None
            except (RecursionError, ValueError) as error:
                raise self._bad(_unreadable(error), self._at) from None
            else:
                if self._ended or end < len(self._window) - _MARGIN:
                    self._at = end
                    return value
            if len(self._window) - self._at > MAX_VALUE:
                raise self._bad(f"a single value of more than {MAX_VALUE >> 20} MiB", self._at)
            self._more()

    def peek(self) -> str:
        """The next character that is not white space."""
        while True:
            self._at = _SPACE.match(self._window, self._at).end()  # type: ignore[union-attr]
            if self._at < len(self._window):
                return self._window[self._at]
            if self._ended:
                raise Cut
            self._more()

    def finish(self) -> None:
        """Make sure that nothing follows."""
        try:
            self.peek()
        except Cut:
            return
        raise self._bad("text after the end of the document", self._at)

    def _key(self) -> str:
        key = self.value()
        if not isinstance(key, str):
            raise self._bad("a key that is not text", self._at)
        self._take(":", "':'")
        return key

    def _take(self, wanted: str, name: str) -> str:
        if (found := self.peek()) not in wanted:
            raise self._bad(f"expected {name}, found {found!r}", self._at)
        self._at += 1
        return found

    def _more(self) -> None:
        # The window doubles while one value fills it: decoding stays linear in its length.
        more = self._stream.read(max(_WINDOW, len(self._window) - self._at))
        self._before += self._at
        self._window = self._window[self._at :] + more
        self._at = 0
        self._ended = not more

    def _may_be_cut(self, error: json.JSONDecodeError) -> bool:
        unterminated = error.msg.startswith("Unterminated string")
        return unterminated or error.pos >= len(self._window) - _MARGIN

    def _bad(self, what: str, at: int) -> Corrupt:
        return Corrupt(f"not JSON at character {self._before + at}: {what}")


_DECODER = json.JSONDecoder()
_SPACE = re.compile(r"[ \t\n\r]*")


def _unreadable(error: RecursionError | ValueError) -> str:
    return "nested too deep" if isinstance(error, RecursionError) else str(error)
