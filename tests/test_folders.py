"""Locks and temporary folders, with processes that are killed while they hold them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from benchaudit import folders

HOLD = """
import sys, time
from pathlib import Path
from benchaudit import folders
with getattr(folders, sys.argv[1])(Path(sys.argv[2])):
    print("held", flush=True)
    time.sleep(60)
"""


def hold(what: str, path: Path) -> subprocess.Popen[str]:
    """Another process that holds a lock or a folder until it is killed."""
    process = subprocess.Popen(
        [sys.executable, "-c", HOLD, what, str(path)], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "held\n"
    return process


def made(parent: Path) -> list[Path]:
    return [path for path in parent.iterdir() if path.is_dir()]


def test_a_held_lock_is_waited_for_and_a_kill_lets_go_of_it(tmp_path: Path) -> None:
    lock = tmp_path / "folder" / "lock"
    with hold("locked", lock) as other, folders.locked(lock, waiting=other.kill):
        assert other.wait(10) != 0


def test_a_free_lock_is_not_waited_for(tmp_path: Path) -> None:
    with folders.locked(tmp_path / "lock", waiting=lambda: pytest.fail("waited")):
        pass


def test_a_temporary_folder_is_removed_on_leaving(tmp_path: Path) -> None:
    with folders.temporary(tmp_path / "parent") as folder:
        (folder / "file").write_text("x")
    assert made(tmp_path / "parent") == []


def test_the_folder_of_a_killed_process_is_removed_by_the_next(tmp_path: Path) -> None:
    with hold("temporary", tmp_path) as other:
        other.kill()
    assert len(made(tmp_path)) == 1
    with folders.temporary(tmp_path) as folder:
        assert made(tmp_path) == [folder]


def test_the_folder_of_a_living_process_stays(tmp_path: Path) -> None:
    with hold("temporary", tmp_path) as other:
        (theirs,) = made(tmp_path)
        with folders.temporary(tmp_path) as folder:
            assert set(made(tmp_path)) == {theirs, folder}
        other.kill()


def test_the_cache_is_where_the_variable_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(folders.CACHE_VARIABLE, str(tmp_path))
    assert folders.cache() == tmp_path
    monkeypatch.delenv(folders.CACHE_VARIABLE)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    if sys.platform == "linux":
        assert folders.cache() == tmp_path / "xdg" / "benchaudit"
