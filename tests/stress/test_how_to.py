"""The how-to guide's own files and commands, as a reader would run them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from benchaudit import packs
from benchaudit.cli import main

GUIDE = packs.root() / "docs" / "how-to" / "stress-an-environment.md"


def blocks(language: str) -> list[str]:
    text = GUIDE.read_text(encoding="utf-8")
    return re.findall(rf"```{language}\n(.*?)```", text, flags=re.DOTALL)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "store.py").write_text(blocks("python")[0], encoding="utf-8")
    (tmp_path / "copy.toml").write_text(blocks("toml")[0], encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_every_command_of_the_guide_runs(folder: Path) -> None:
    commands = [
        line.removeprefix("$ benchaudit ").split()
        for block in blocks("console")
        for line in block.splitlines()
    ]
    assert len(commands) == 7
    for command in commands:
        result = CliRunner().invoke(main, command)
        assert result.exit_code == 0, result.output
    assert (folder / "copy.frozen.json").is_file()


def test_the_guides_python_runs(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    exec(compile(blocks("python")[1], str(folder / "guide"), "exec"), {})
    assert re.fullmatch(r"\d attempts, value 0\n", capsys.readouterr().out)
