"""The audit folder, and reading back with distrust."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from benchaudit import store
from benchaudit.card.model import Card
from benchaudit.evidence import Writer
from benchaudit.store import StoreError
from tests.card.build import all_pass, card, change, is_probe

CARD = card(all_pass())


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a card and the evidence that it rests on."""
    store.write_card(tmp_path / store.CARD, CARD)
    with Writer(tmp_path / store.EVIDENCE) as writer:
        writer.append(all_pass())
    return tmp_path


# -- the card ------------------------------------------------------------------------------------


def test_card_reads_back_from_its_file_and_from_its_folder(folder: Path) -> None:
    assert store.read_card(folder) == CARD
    assert store.read_card(folder / store.CARD) == CARD
    assert (folder / store.CARD).read_text("utf-8") == CARD.as_text()


def rewritten(change: Callable[[dict[str, Any]], None]) -> Callable[[str], str]:
    def rewrite(text: str) -> str:
        data = json.loads(text)
        change(data)
        return json.dumps(data)

    return rewrite


def resealed(change: Callable[[dict[str, Any]], None]) -> Callable[[str], str]:
    """Changed, with a digest that agrees: what a foreign tool would write."""

    def seal(data: dict[str, Any]) -> None:
        change(data)
        data["digest"] = Card.model_validate(data).compute_digest()

    return rewritten(seal)


def upgrade(data: dict[str, Any]) -> None:
    data["columns"][0]["claim"]["licensed"] = True
    data["columns"][0]["items"][0]["verdict"] = "pass"
    data["columns"][0]["items"][0]["reason"] = "Trust me."


def set_figure(value: Any) -> Callable[[dict[str, Any]], None]:
    def change(data: dict[str, Any]) -> None:
        data["columns"][0]["items"][0]["figures"]["tasks"] = value

    return change


def put(key: str, value: Any) -> Callable[[dict[str, Any]], None]:
    return lambda data: data.__setitem__(key, value)


def drop(key: str) -> Callable[[dict[str, Any]], None]:
    return lambda data: data.__delitem__(key)


@pytest.mark.parametrize(
    ("spoil", "told"),
    [
        (lambda _: "", "not JSON at line 1 column 1"),
        (lambda text: text[: len(text) // 2], "not JSON at line "),
        (lambda text: text[:-2], "not JSON at line "),
        (lambda _: "[" * 100_000, "cannot be read"),
        (lambda _: "[]", "not a validity card at the whole"),
        (lambda _: "null", "not a validity card at the whole"),
        (lambda _: '{"a": 1}', "not a validity card at the whole"),
        (rewritten(upgrade), "changed since it was written"),
        (rewritten(set_figure(99)), "changed since it was written"),
        (rewritten(put("digest", "0" * 64)), "changed since it was written"),
        (rewritten(drop("digest")), "changed since it was written"),
        (rewritten(set_figure([1])), "not a validity card at columns/0/items/0/figures/tasks"),
        (rewritten(set_figure(float("nan"))), "not a validity card at columns/0/items/0/figures"),
        (rewritten(set_figure(float("inf"))), "not a validity card at columns/0/items/0/figures"),
        (rewritten(set_figure("\ud800")), "changed since it was written"),
        (rewritten(put("\x1b[2J", 1)), "not a validity card at the whole"),
        (rewritten(drop("columns")), "'columns' is a required property"),
        (rewritten(put("columns", [{}])), "not a validity card at columns/0"),
        (rewritten(put("schema_version", 2)), "its schema version is 2"),
        (resealed(put("schema_version", 2)), "its schema version is 2"),
    ],
)
def test_spoilt_card_is_refused_with_its_place(
    folder: Path, spoil: Callable[[str], str], told: str
) -> None:
    path = folder / store.CARD
    path.write_text(spoil(path.read_text("utf-8")), encoding="utf-8")
    with pytest.raises(StoreError) as caught:
        store.read_card(folder)
    assert str(path) in str(caught.value)
    assert told in str(caught.value)
    assert str(caught.value).isprintable()


def test_tampered_card_is_told_the_remedy(folder: Path) -> None:
    path = folder / store.CARD
    path.write_text(rewritten(upgrade)(path.read_text("utf-8")), encoding="utf-8")
    with pytest.raises(StoreError, match="run the audit again"):
        store.read_card(path)


def test_layout_of_the_file_is_not_tampering(folder: Path) -> None:
    path = folder / store.CARD
    path.write_text(json.dumps(json.loads(path.read_text("utf-8"))), encoding="utf-8")
    assert store.read_card(path) == CARD


def test_absent_and_unreadable_cards_are_told(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="no card there; `benchaudit run` writes one"):
        store.read_card(tmp_path / "none.json")
    with pytest.raises(StoreError, match="no card there"):
        store.read_card(tmp_path)
    (tmp_path / "card.json").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(StoreError, match="cannot be read"):
        store.read_card(tmp_path)


def test_card_that_does_not_match_the_schema_is_not_written(tmp_path: Path) -> None:
    odd = CARD.model_copy(update={"columns": "none"})
    with (
        pytest.raises(StoreError, match="not a validity card at columns"),
        pytest.warns(UserWarning),
    ):
        store.write_card(tmp_path / "card.json", odd)
    assert not (tmp_path / "card.json").exists()


# -- the evidence --------------------------------------------------------------------------------


def test_evidence_is_the_cards_or_it_is_refused(folder: Path) -> None:
    assert store.read_evidence(folder, CARD) == all_pass()
    assert store.read_evidence(folder / store.CARD, CARD) == all_pass()
    other = card(change(all_pass(), is_probe("partial"), score=0.4))
    with pytest.raises(StoreError, match=r"not the evidence that card\.json rests on"):
        store.read_evidence(folder, other)


@pytest.mark.parametrize(
    ("spoil", "told"),
    [
        (lambda data: data[:-1], "the last line is cut off"),
        (lambda data: data[: data.rindex(b"{")], "the digest differs"),
        (lambda data: data.replace(b'"score":0.5', b'"score":0.6', 1), "the digest differs"),
        (lambda data: data + data.splitlines(keepends=True)[0], "the digest differs"),
        (lambda data: b"x" + data, ":1: not an evidence record"),
    ],
)
def test_spoilt_evidence_is_refused_with_its_place(
    folder: Path, spoil: Callable[[bytes], bytes], told: str
) -> None:
    path = folder / store.EVIDENCE
    path.write_bytes(spoil(path.read_bytes()))
    with pytest.raises(StoreError) as caught:
        store.read_evidence(folder, CARD)
    assert str(path) in str(caught.value)
    assert told in str(caught.value)


def test_order_of_the_evidence_is_not_tampering(folder: Path) -> None:
    path = folder / store.EVIDENCE
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(reversed(lines)))
    assert store.read_evidence(folder, CARD) == list(reversed(all_pass()))


def test_absent_evidence_is_none_and_empty_evidence_belongs_to_an_empty_card(folder: Path) -> None:
    (folder / store.EVIDENCE).write_text("")
    assert store.read_evidence(folder, card([])) == []
    with pytest.raises(StoreError, match="digest"):
        store.read_evidence(folder, CARD)
    (folder / store.EVIDENCE).unlink()
    assert store.read_evidence(folder, CARD) is None


# -- the folder ----------------------------------------------------------------------------------


def owned(folder: Path, target: str = "toy") -> Path:
    store.write_provenance(folder, {"target": target})
    return folder


def test_new_and_empty_folders_are_made_ready(tmp_path: Path) -> None:
    store.prepare(tmp_path / "a" / "b", "toy")
    store.prepare(tmp_path / "a" / "b", "toy")
    assert list((tmp_path / "a" / "b").iterdir()) == []


def test_folder_of_the_same_target_is_used_again(folder: Path) -> None:
    store.prepare(owned(folder), "toy")
    (folder / "card.json.part").touch()  # what a kill may leave
    store.prepare(folder, "toy")
    assert store.read_card(folder) == CARD


@pytest.mark.parametrize("name", ["thesis.tex", ".git", "card.json.bak", "notes.part", "sub"])
def test_folder_that_holds_anything_else_is_refused(folder: Path, name: str) -> None:
    owned(folder)
    (folder / name).mkdir() if name in (".git", "sub") else (folder / name).touch()
    with pytest.raises(StoreError) as caught:
        store.prepare(folder, "toy")
    assert f"holds {name!r}, which is not an audit's" in str(caught.value)
    assert "choose another --out" in str(caught.value)


def test_audit_of_another_target_is_not_overwritten(folder: Path) -> None:
    with pytest.raises(StoreError, match="holds an audit of 'toy'"):
        store.prepare(owned(folder), "other")
    (folder / store.PROVENANCE).write_text("{")
    with pytest.raises(StoreError, match="files of an unknown audit"):
        store.prepare(folder, "toy")
    (folder / store.PROVENANCE).unlink()
    with pytest.raises(StoreError, match="files of an unknown audit"):
        store.prepare(folder, "toy")


def test_a_file_in_the_place_of_the_folder_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(StoreError, match="cannot be used as output folder"):
        store.prepare(tmp_path / "file", "toy")


def test_files_are_written_whole_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "text"
    store.write_text(path, "ünï\n")
    assert path.read_text("utf-8") == "ünï\n"
    assert [p.name for p in tmp_path.iterdir()] == ["text"]
    shutil.rmtree(tmp_path)
    with pytest.raises(StoreError, match="cannot be written"):
        store.write_text(path, "again")
