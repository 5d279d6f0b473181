"""Messages over pipes, from an end that may send anything."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator

import pytest

from benchaudit import wire


@pytest.fixture
def pipe() -> Iterator[tuple[int, int]]:
    ours, theirs = os.pipe()
    yield ours, theirs
    for end in (ours, theirs):
        try:
            os.close(end)
        except OSError:
            continue


def test_messages_arrive_as_sent_and_in_order(pipe: tuple[int, int]) -> None:
    reader = wire.Reader(pipe[0])
    for number in range(3):
        wire.send(pipe[1], {"n": number, "text": "line\nbreak \ud800"})
    assert [reader.read(1)["n"] for _ in range(3)] == [0, 1, 2]


def test_a_message_in_pieces_arrives_whole(pipe: tuple[int, int]) -> None:
    reader = wire.Reader(pipe[0])
    os.write(pipe[1], b'\n{"n"')
    with pytest.raises(TimeoutError):
        reader.read(0.01)
    os.write(pipe[1], b': 1}\n{"n": 2}\n{')
    assert reader.read(1) == {"n": 1}
    assert reader.read(1) == {"n": 2}


def test_a_message_larger_than_the_pipe_arrives_whole(pipe: tuple[int, int]) -> None:
    message = {"text": "x" * 2**21}
    writer = threading.Thread(target=wire.send, args=(pipe[1], message))
    writer.start()
    assert wire.Reader(pipe[0]).read(10) == message
    writer.join()


def test_the_end_of_the_other_side_is_told(pipe: tuple[int, int]) -> None:
    os.close(pipe[1])
    with pytest.raises(EOFError):
        wire.Reader(pipe[0]).read(1)


@pytest.mark.parametrize(
    "line", [b"no json", b"[1]", b'"\xff"', b"[" * 100_000, b'{"a":' * 100_000, b"9" * 5000]
)
def test_what_is_no_message_is_refused(pipe: tuple[int, int], line: bytes) -> None:
    writer = threading.Thread(target=os.write, args=(pipe[1], line + b"\n"))
    writer.start()
    reader = wire.Reader(pipe[0])
    with pytest.raises(wire.WireError):
        reader.read(5)
    writer.join()


def test_a_line_without_end_is_refused(
    pipe: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(wire, "MAX_LINE", 1000)
    os.write(pipe[1], b"x" * 2000)
    with pytest.raises(wire.WireError, match="more than 1000 bytes"):
        wire.Reader(pipe[0]).read(1)
