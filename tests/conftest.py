"""What several tests start from: a toy benchmark in a folder of its own."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

TOY = Path(__file__).parent / "controls" / "toy"


@pytest.fixture
def toy(tmp_path: Path) -> Path:
    """A copy of the toy benchmark that a test may spoil."""
    folder = tmp_path / "toy"
    shutil.copytree(TOY, folder, ignore=shutil.ignore_patterns("__pycache__"))
    return folder


@pytest.fixture
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Workers that leave nothing in the user's cache."""
    from benchaudit.folders import CACHE_VARIABLE

    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path / "cache"))


@pytest.fixture(scope="session")
def audited(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a finished audit of the toy; read only."""
    from benchaudit.audit import Options, audit

    home = tmp_path_factory.mktemp("audited")
    folder = home / "toy"
    shutil.copytree(TOY, folder, ignore=shutil.ignore_patterns("__pycache__"))
    audit(str(folder), home / "audit", Options(in_process=True), lambda _done, _total: None)
    return home / "audit"
