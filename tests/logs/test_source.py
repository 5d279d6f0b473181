from __future__ import annotations

import gzip
import json
import random

import pytest

from benchaudit.logs import source as module
from benchaudit.logs.runs import LogError
from benchaudit.logs.source import Options, Source
from tests.logs import build

PARTIAL = Options(partial=True)


def test_an_error_names_the_file_the_place_and_the_remedy(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text('{"a": 1}\nnot json\n{"a": 2}\n')
    with pytest.raises(LogError) as told:
        list(Source(path).json_lines())
    error = told.value
    assert (error.path, error.place) == (path, "line 2")
    assert "not JSON" in error.what
    assert "--partial" in error.remedy
    assert str(error).startswith(f"{path}, line 2: not JSON")


def test_the_readable_part_is_used_only_when_asked_for_and_is_noted(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text('{"a": 1}\nnot json\n\n[1]\n{"a": 2}\n{"a": ')
    source = Source(path, PARTIAL)
    assert [value for _, value in source.json_lines()] == [{"a": 1}, {"a": 2}]
    assert [(note.text.split(":")[1].strip(), note.place) for note in source.notes] == [
        ("not JSON", "line 2"),
        ("not a JSON object", "line 4"),
        ("the last line is cut off", "line 6"),
    ]


def test_a_line_that_is_still_being_written_is_told_as_such(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text('{"a": 1}\n{"a": ')
    with pytest.raises(LogError, match=r"line 2: the last line is cut off.*still being written"):
        list(Source(path).json_lines())


def test_a_last_line_without_a_line_break_is_whole(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text('{"a": 1}\n{"a": 2}')
    assert len(list(Source(path).json_lines())) == 2


def test_gzip_is_read_by_the_name(tmp_path):
    path = tmp_path / "a.json.gz"
    path.write_bytes(gzip.compress(b'[{"a": 1}, {"a": 2}]'))
    source = Source(path)
    assert source.name == "a.json"
    assert [place for place, _ in source.json_elements()] == ["element 0", "element 1"]


def test_a_truncated_gzip_gives_its_whole_lines_when_asked(tmp_path):
    chance = random.Random(5)
    rows = [json.dumps({"a": i, "text": chance.random()}) + "\n" for i in range(50_000)]
    path = tmp_path / "a.jsonl.gz"
    path.write_bytes(gzip.compress("".join(rows).encode())[:-200])
    with pytest.raises(LogError, match="the file ends early: truncated, or still being written"):
        list(Source(path).json_lines())
    source = Source(path, PARTIAL)
    found = [value["a"] for _, value in source.json_lines()]
    assert found == list(range(len(found)))
    assert len(found) > 40_000
    assert "ends early" in source.notes[0].text


def test_a_truncated_document_gives_its_whole_elements_when_asked(tmp_path):
    path = tmp_path / "a.json"
    path.write_text('[{"a": 1}, {"a": 2}, {"a":')
    with pytest.raises(LogError, match="after element 1: the file ends early"):
        list(Source(path).json_elements())
    assert len(list(Source(path, PARTIAL).json_elements())) == 2


def test_a_git_lfs_pointer_is_told_and_how_to_fetch_the_file(tmp_path):
    path = tmp_path / "a.eval"
    path.write_text("version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 12\n")
    with pytest.raises(LogError, match=r"Git LFS pointer.*git lfs pull"):
        Source(path).head  # noqa: B018


def test_an_empty_file_is_told(tmp_path):
    (tmp_path / "a.jsonl").touch()
    with pytest.raises(LogError, match="the file is empty"):
        list(Source(tmp_path / "a.jsonl").lines())


def test_a_file_that_cannot_be_opened_is_told(tmp_path):
    with pytest.raises(LogError, match="cannot be opened: No such file"):
        list(Source(tmp_path / "none.jsonl").lines())


def test_a_byte_order_mark_is_no_part_of_the_text(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_bytes(b'\xef\xbb\xbf{"a": 1}\n')
    assert [value for _, value in Source(path).json_lines()] == [{"a": 1}]


def test_another_encoding_is_told(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_bytes('{"a": "\u00e9"}\n'.encode("latin-1"))
    with pytest.raises(LogError, match=r"not UTF-8 text.*convert"):
        list(Source(path).json_lines())


def test_nesting_without_end_is_told_and_not_a_crash(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text("[" * 200_000 + "\n")
    with pytest.raises(LogError, match="nested too deep"):
        list(Source(path).json_lines())


def test_a_line_beyond_the_bound_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(module, "MAX_LINE", 1 << 20)
    path = tmp_path / "a.jsonl"
    path.write_text("x" * (3 << 20))
    with pytest.raises(LogError, match="line 1: over 1 MiB long"):
        list(Source(path).lines())


def test_the_same_note_is_counted_and_keeps_its_first_place(tmp_path):
    source = Source(build.write_json(tmp_path / "a", {}))
    source.note("odd", "line 1")
    source.note("odd", "line 5", 2)
    assert source.notes == [("odd", 3, "line 1")]


def test_a_compressed_file_cut_within_its_first_block_still_tells_its_format(tmp_path):
    path = tmp_path / "a.jsonl.gz"
    path.write_bytes(gzip.compress(b'{"a": 1}\n{"a": 2}\n', 0)[:-14])
    source = Source(path, PARTIAL)
    assert source.head.startswith('{"a": 1}')
    assert [value for _, value in source.json_lines()] == [{"a": 1}]


def test_what_is_noted_of_a_neighbour_is_noted_of_the_file(tmp_path):
    source = Source(tmp_path / "a")
    (tmp_path / "b").write_text("{")
    source.beside(tmp_path / "b").note("odd")
    assert [note.text for note in source.notes] == ["odd"]


def test_a_neighbour_is_found_plain_or_compressed(tmp_path):
    source = Source(tmp_path / "a")
    assert source.beside(tmp_path / "b") is None
    (tmp_path / "b.gz").write_bytes(gzip.compress(b"{}"))
    found = source.beside(tmp_path / "b")
    assert found is not None
    assert found.name == "b"
