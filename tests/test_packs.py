"""Finding and loading packs: by name, by path, by entry point; and every way it can go wrong."""

from __future__ import annotations

import pickle
import sys
from importlib import metadata
from pathlib import Path

import pytest

from benchaudit import packs
from benchaudit.hooks import Adapter
from benchaudit.packs import Pack, PackError


def test_built_in_packs_are_found_by_name() -> None:
    found = packs.available("probes")
    assert {"empty", "fabricated", "altered-values"} <= set(found)
    assert list(found) == sorted(found)
    for pack in found.values():
        assert pack.manifest_path.is_file()


def test_either_spelling_of_a_name_is_found() -> None:
    assert packs.find("probes", "altered_values") == packs.find("probes", "altered-values")


def test_pack_is_found_by_its_folder(toy: Path) -> None:
    for target in (str(toy), f"{toy}/", str(toy.parent / "." / "toy")):
        found = packs.find("adapters", target)
        assert (found.name, found.folder) == ("toy", toy.resolve())
    assert isinstance(packs.load_adapter(packs.find("adapters", str(toy))), Adapter)


def test_relative_folder_is_found(toy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(toy.parent)
    assert packs.find("adapters", "toy").folder == toy.resolve()
    monkeypatch.chdir(toy)
    assert packs.find("adapters", ".").name == "toy"


def test_pack_is_found_by_entry_point(toy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (toy / "__init__.py").touch()
    monkeypatch.syspath_prepend(toy.parent)
    point = metadata.EntryPoint("outside", "toy", "benchaudit.adapters")

    def points(group: str) -> list[metadata.EntryPoint]:
        return [point] if group == "benchaudit.adapters" else []

    monkeypatch.setattr(metadata, "entry_points", points)
    found = packs.find("adapters", "outside")
    assert found.folder == toy
    assert packs.load_adapter(found).ownership is not None


@pytest.mark.parametrize(
    ("target", "told"),
    [
        ("fabricatd", "did you mean fabricated"),
        ("zzzzzzz", "there are: "),
        ("", "no probe named ''"),
    ],
)
def test_unknown_name_is_told_the_closest_names(target: str, told: str) -> None:
    with pytest.raises(PackError) as caught:
        packs.find("probes", target)
    assert told in str(caught.value)


def test_folder_without_a_manifest_is_told_so(tmp_path: Path) -> None:
    with pytest.raises(PackError, match=r"holds no adapter\.toml"):
        packs.find("adapters", str(tmp_path))


# -- broken packs --------------------------------------------------------------------------------


def adapter(folder: Path, code: str | None, facts: str = "") -> Pack:
    folder.mkdir()
    (folder / "adapter.toml").write_text(facts, encoding="utf-8")
    if code is not None:
        (folder / "adapter.py").write_text(code, encoding="utf-8")
    return Pack("adapters", folder.name, folder)


@pytest.mark.parametrize(
    ("code", "told"),
    [
        (None, "no adapter.py there"),
        ("", "states no ADAPTER: Adapter = Adapter(...)"),
        ("ADAPTER = 3", "states no ADAPTER"),
        ("import nowhere_to_be_found", "adapter.py: No module named 'nowhere_to_be_found'"),
        ("from . import missing", "adapter.py: "),
        ("1 / 0", "adapter.py: ZeroDivisionError: division by zero"),
        ("def broken(:", "adapter.py: SyntaxError: "),
    ],
)
def test_adapter_that_does_not_load_names_its_file(
    tmp_path: Path, code: str | None, told: str
) -> None:
    pack = adapter(tmp_path / "broken", code)
    with pytest.raises(PackError) as caught:
        packs.load_adapter(pack)
    assert str(tmp_path / "broken") in str(caught.value)
    assert told in str(caught.value)


def test_probe_without_a_forger_names_its_file(tmp_path: Path) -> None:
    (tmp_path / "probe.py").write_text("forge = 3", encoding="utf-8")
    with pytest.raises(PackError, match=r"probe\.py: has no function forge"):
        packs.load_forge(Pack("probes", "mine", tmp_path))


@pytest.mark.parametrize(
    ("facts", "told"),
    [
        ("name = ?\n", "adapter.toml: Invalid value (at line 1, column 8)"),
        ('a = 1\nb = "x\n', "(at line 2"),
        ("\x00", "adapter.toml: "),
    ],
)
def test_unreadable_manifest_names_file_and_place(tmp_path: Path, facts: str, told: str) -> None:
    pack = adapter(tmp_path / "broken", None, facts)
    with pytest.raises(PackError) as caught:
        pack.manifest()
    assert told in str(caught.value)


def test_manifest_that_is_not_text_or_not_there_is_told(tmp_path: Path) -> None:
    pack = adapter(tmp_path / "broken", None)
    pack.manifest_path.write_bytes(b"\xff\xfe")
    with pytest.raises(PackError, match=r"adapter\.toml: "):
        pack.manifest()
    pack.manifest_path.unlink()
    with pytest.raises(PackError, match=r"no adapter\.toml there"):
        pack.manifest()


# -- modules -------------------------------------------------------------------------------------

VALUES = """
from dataclasses import dataclass

@dataclass
class Value:
    number: int
"""
USES = """
from benchaudit.hooks import Adapter
from .values import Value
VALUE = Value(3)
ADAPTER = Adapter(tasks=lambda seed: [])
"""


def test_modules_of_a_pack_import_each_other_and_pickle(tmp_path: Path) -> None:
    pack = adapter(tmp_path / "odd name (copy)", USES)
    (pack.folder / "values.py").write_text(VALUES, encoding="utf-8")
    packs.load_adapter(pack)
    value = pack.module().VALUE
    assert pickle.loads(pickle.dumps(value)) == value
    assert type(value).__module__.startswith("benchaudit_packs.adapters.")


def test_packs_of_one_name_in_two_places_do_not_mix(tmp_path: Path) -> None:
    loaded = []
    for number in (1, 2):
        (tmp_path / str(number)).mkdir()
        code = (
            f"from benchaudit.hooks import Adapter\nN = {number}\nADAPTER = Adapter(tasks=list)\n"
        )
        pack = adapter(tmp_path / str(number) / "same", code)
        packs.load_adapter(pack)
        loaded.append(pack.module().N)
    assert loaded == [1, 2]


def test_loading_leaves_no_top_level_module_behind(toy: Path) -> None:
    before = set(sys.modules)
    packs.load_adapter(packs.find("adapters", str(toy)))
    assert {name.partition(".")[0] for name in set(sys.modules) - before} <= {"benchaudit_packs"}
