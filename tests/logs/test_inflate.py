from __future__ import annotations

import gzip
import io
import random
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchaudit.logs import inflate
from benchaudit.logs.inflate import Corrupt, Cut, Inflated
from tests.logs import build


def _raw_deflate(content: bytes) -> bytes:
    packer = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    return packer.compress(content) + packer.flush()


def _member(path, content, method):
    """Compressed bytes of a zip member of this method, by the library that writes them."""
    archive = build.write_zip(path, {"m": content}, method)
    with archive.open("rb") as raw:
        import zipfile

        info = zipfile.ZipFile(archive).getinfo("m")
        raw.seek(info.header_offset + 30 + len("m"))
        return raw.read(info.compress_size)


@given(st.binary(max_size=5000), st.integers(1, 700))
def test_gzip_comes_out_as_it_went_in_whatever_is_asked_for_at_a_time(content, piece):
    stream = Inflated(io.BytesIO(gzip.compress(content)), None)
    out = b""
    while part := stream.read(piece):
        out += part
    assert out == content


def test_gzip_streams_that_follow_each_other_are_one():
    packed = gzip.compress(b"one ") + gzip.compress(b"two") + b"\0" * 10
    assert Inflated(io.BytesIO(packed), None).read() == b"one two"


@pytest.mark.parametrize("method", [0, 8, 93])
def test_each_zip_method_comes_out_as_it_went_in(tmp_path, method):
    content = random.Random(1).randbytes(200_000) + b"a" * 300_000
    packed = _member(tmp_path / "z", content, method)
    stream = Inflated(
        io.BytesIO(packed + b"next member"), method, size=len(packed), crc=zlib.crc32(content)
    )
    out = io.BufferedReader(stream).read()
    assert out == content


@pytest.mark.parametrize("method", [0, 8, 93])
def test_a_wrong_checksum_is_told(tmp_path, method):
    packed = _member(tmp_path / "z", b"content" * 100, method)
    stream = Inflated(io.BytesIO(packed), method, size=len(packed), crc=1)
    with pytest.raises(Corrupt, match="checksum"):
        io.BufferedReader(stream).read()


@pytest.mark.parametrize("method", [0, 8, 93])
def test_data_that_end_early_are_cut(tmp_path, method):
    packed = _member(tmp_path / "z", random.Random(2).randbytes(100_000), method)
    stream = Inflated(io.BytesIO(packed[:50_000]), method, size=len(packed))
    with pytest.raises(Cut):
        io.BufferedReader(stream).read()


def test_gzip_that_ends_early_gives_what_is_there_first():
    content = random.Random(3).randbytes(400_000)
    stream = Inflated(io.BytesIO(gzip.compress(content)[:200_000]), None)
    out = b""
    with pytest.raises(Cut):
        while part := stream.read(8192):
            out += part
    assert len(out) > 150_000
    assert content.startswith(out)


def test_damaged_data_are_told():
    packed = bytearray(gzip.compress(random.Random(4).randbytes(10_000)))
    packed[5000] ^= 0xFF
    with pytest.raises(Corrupt, match="damaged"):
        io.BufferedReader(Inflated(io.BytesIO(bytes(packed)), None)).read()


def test_a_method_without_a_decompressor_is_told():
    with pytest.raises(Corrupt, match="method 12 is not supported"):
        Inflated(io.BytesIO(b""), 12)


def test_a_bomb_stops_before_it_fills_the_memory(monkeypatch):
    monkeypatch.setattr(inflate, "FREE_BYTES", 1 << 20)
    packed = _raw_deflate(b"\0" * (8 << 20))
    stream = Inflated(io.BytesIO(packed), inflate.DEFLATE, size=len(packed))
    out = 0
    with pytest.raises(Corrupt, match="decompression bomb"):
        while part := stream.read(65536):
            out += len(part)
    assert out <= inflate.MAX_RATIO * len(packed)


def test_a_zstandard_bomb_stops_as_well(tmp_path, monkeypatch):
    monkeypatch.setattr(inflate, "FREE_BYTES", 1 << 20)
    packed = _member(tmp_path / "z", b"\0" * (32 << 20), 93)
    stream = Inflated(io.BytesIO(packed), inflate.ZSTD, size=len(packed))
    with pytest.raises(Corrupt, match="decompression bomb"):
        while stream.read(65536):
            pass
