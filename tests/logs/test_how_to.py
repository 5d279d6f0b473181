"""The page on run logs: its table of formats is whole, its commands print what it shows."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

from benchaudit.logs.commands import plan, reliability
from benchaudit.logs.formats import FORMATS

PAGE = Path(__file__).parents[2] / "docs" / "how-to" / "read-your-run-logs.md"
COMMANDS = {"reliability": reliability, "plan": plan}


def test_every_format_has_its_row():
    rows = re.findall(r"^\| `([\w-]+)` \|", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    assert rows == list(FORMATS)


def test_every_command_prints_what_the_page_shows(tmp_path, monkeypatch, capsys):
    text = PAGE.read_text(encoding="utf-8")
    (table,) = re.findall(r"```csv\n(.*?)```", text, re.DOTALL)
    (tmp_path / "runs.csv").write_text(table)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    shown = re.findall(
        r"```console\n\$ benchaudit ((?:[^\n]*\\\n)*[^\n]*)\n(.*?)```", text, re.DOTALL
    )
    assert len(shown) == 4
    for command, expected in shown:
        name, *arguments = shlex.split(command.replace("\\\n", " "))
        COMMANDS[name].main(arguments, name, standalone_mode=False)
        printed = capsys.readouterr().out
        assert [line.rstrip() for line in printed.splitlines()] == expected.splitlines()
