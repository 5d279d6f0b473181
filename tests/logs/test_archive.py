from __future__ import annotations

import io
import struct
import zipfile

import pytest

from benchaudit.logs.archive import Archive
from benchaudit.logs.runs import LogError
from benchaudit.logs.source import Options, Source
from tests.logs import build

PARTIAL = Options(partial=True)


def _object(archive, name):
    return dict(archive.json_members(name))


@pytest.mark.parametrize("method", [0, 8, 93])
def test_members_of_every_method_are_read(tmp_path, method):
    path = build.write_zip(tmp_path / "a", {"x.json": {"a": 1}, "y.json": {"b": [2]}}, method)
    archive = Archive(Source(path))
    assert list(archive) == ["x.json", "y.json"]
    assert archive.methods() == {method}
    assert _object(archive, "y.json") == {"b": [2]}


@pytest.mark.parametrize("method", [0, 8, 93])
def test_a_zip_that_lost_its_directory_gives_its_whole_members_when_asked(tmp_path, method):
    members = {f"{i}.json": {"n": i, "text": str(i) * 500} for i in range(20)}
    whole = build.write_zip(tmp_path / "whole", members, method).read_bytes()
    with zipfile.ZipFile(tmp_path / "whole") as archive:
        end = archive.getinfo("10.json").header_offset + 50
    path = tmp_path / "cut"
    path.write_bytes(whole[:end])
    with pytest.raises(LogError, match=r"not a whole zip file.*truncated, or still being written"):
        Archive(Source(path))
    source = Source(path, PARTIAL)
    found = Archive(source)
    assert [_object(found, name)["n"] for name in found] == list(range(10))
    assert any("cut off" in note.text for note in source.notes)


def test_members_that_were_streamed_are_found_without_their_sizes(tmp_path):
    class Pipe(io.BytesIO):
        def seekable(self):
            return False

        def seek(self, *_):
            raise io.UnsupportedOperation

    pipe = Pipe()
    with zipfile.ZipFile(pipe, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("x.json", '{"a": 1}')
        archive.writestr("y.json", '{"b": 2}')
    path = tmp_path / "cut"
    path.write_bytes(pipe.getvalue()[:-40])
    found = Archive(Source(path, PARTIAL))
    assert [_object(found, name) for name in found] == [{"a": 1}, {"b": 2}]


def test_the_last_of_members_with_one_name_counts_and_the_others_are_noted(tmp_path):
    path = tmp_path / "a"
    with zipfile.ZipFile(path, "w") as archive, pytest.warns(UserWarning, match="Duplicate"):
        archive.writestr("x.json", '{"a": 1}')
        archive.writestr("x.json", '{"a": 2}')
    source = Source(path)
    assert _object(Archive(source), "x.json") == {"a": 2}
    assert [note.times for note in source.notes] == [1]


def test_members_that_share_bytes_are_refused(tmp_path):
    path = build.write_zip(tmp_path / "a", {"x.json": {"a": 1}, "y.json": {"b": 1}})
    content = bytearray(path.read_bytes())
    second = content.rfind(b"PK\x01\x02")
    struct.pack_into("<I", content, second + 42, 0)
    path.write_bytes(content)
    with pytest.raises(LogError, match=r"member .*members overlap.*bomb"):
        Archive(Source(path))


def test_an_encrypted_member_is_told(tmp_path):
    path = build.write_zip(tmp_path / "a", {"x.json": {"a": 1}})
    content = bytearray(path.read_bytes())
    content[content.rfind(b"PK\x01\x02") + 8] |= 1
    path.write_bytes(content)
    with pytest.raises(LogError, match=r"member x.json: the member is encrypted"):
        Archive(Source(path))


def test_a_damaged_member_is_told_by_its_name(tmp_path):
    path = build.write_zip(tmp_path / "a", {"x.json": {"a": "y" * 100}}, 0)
    content = bytearray(path.read_bytes())
    content[content.find(b"yyy")] = ord("z")
    path.write_bytes(content)
    with pytest.raises(LogError, match=r"member x.json: the checksum does not match"):
        _object(Archive(Source(path)), "x.json")


def test_a_member_that_is_no_json_is_told_by_its_name(tmp_path):
    path = build.write_zip(tmp_path / "a", {"x.json": b"hello"})
    with pytest.raises(LogError, match=r"member x.json: not JSON at character 0"):
        _object(Archive(Source(path)), "x.json")


def test_another_method_is_told_by_the_member_name(tmp_path):
    path = build.write_zip(tmp_path / "a", {"x.json": {"a": 1}}, zipfile.ZIP_BZIP2)
    with pytest.raises(LogError, match=r"member x.json: compression method 12 is not supported"):
        _object(Archive(Source(path)), "x.json")
