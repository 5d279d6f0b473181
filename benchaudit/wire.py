"""JSON lines over pipes, between a command and its workers. Both ends bound what they read.

Submissions do not cross: they are forged where they are scored, and only their digests come back.
So every message is plain JSON, and whoever reads one checks the types it expects.

Standard library only: this module runs inside benchmark environments.
"""

from __future__ import annotations

import json
import os
import select
import time
from collections import deque
from typing import Any

MAX_LINE = 256 * 2**20
"""Longest line that is read, in bytes: room for the largest submission that `explain` shows."""

_CHUNK = 2**18
_encode = json.JSONEncoder(allow_nan=False, separators=(",", ":")).encode


class WireError(Exception):
    """Bytes that are no message: too long, not JSON, not an object, or nested too deep."""


def send(pipe: int, message: dict[str, Any]) -> None:
    """Write one message whole; blocks while the pipe is full."""
    _write(pipe, _encode(message).encode("ascii") + b"\n")


def end_line(pipe: int) -> None:
    """End the line that a writer which was killed may have left unfinished."""
    _write(pipe, b"\n")


def _write(pipe: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(pipe, view) :]


class Reader:
    """Reads the messages that arrive on a pipe, one at a time, with a deadline."""

    def __init__(self, pipe: int) -> None:
        self._pipe = pipe
        self._lines: deque[bytes] = deque()
        self._rest = bytearray()
        self._poll = select.poll()
        self._poll.register(pipe, select.POLLIN)

    def read(self, seconds: float | None = None) -> dict[str, Any]:
        """The next message.

        Raises:
            TimeoutError: when it is not there within ``seconds``.
            EOFError: when the other end is gone.
            WireError: when what arrived is no message.
        """
        deadline = None if seconds is None else time.monotonic() + seconds
        while True:
            while self._lines:
                if line := self._lines.popleft():
                    return _decode(line)
            self._wait(deadline)
            self._receive()

    def holds_message(self) -> bool:
        """Whether a message has arrived already: the pipe itself may say nothing any more."""
        return any(self._lines)

    def _wait(self, deadline: float | None) -> None:
        left = None if deadline is None else max(0.0, deadline - time.monotonic()) * 1000
        if not self._poll.poll(left):
            raise TimeoutError

    def _receive(self) -> None:
        chunk = os.read(self._pipe, _CHUNK)
        if not chunk:
            raise EOFError
        *whole, rest = chunk.split(b"\n")
        if whole:
            self._lines.append(bytes(self._rest) + whole[0])
            self._lines.extend(whole[1:])
            self._rest.clear()
        self._rest += rest
        if len(self._rest) > MAX_LINE:
            raise WireError(f"a line of more than {MAX_LINE} bytes")


def _decode(line: bytes) -> dict[str, Any]:
    try:
        message = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise WireError(f"not JSON: {error}") from None
    if not isinstance(message, dict):
        raise WireError("not an object")
    return message
