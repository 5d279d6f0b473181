"""Every block of the tutorial is run: files are written, commands give what the page shows."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs" / "tutorial" / "first-adapter.md"
BLOCK = re.compile(r"^```(\w+)([^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
GAP = "…"


def test_the_tutorial_works_as_it_is_written(tmp_path: Path) -> None:
    commands = 0
    for kind, options, body in BLOCK.findall(PAGE.read_text(encoding="utf-8")):
        settings = dict(re.findall(r'(\w+)="([^"]*)"', options))
        if kind == "console":
            run_and_compare(body, tmp_path)
            commands += 1
        elif "replace" in settings:
            put_in_place(tmp_path / settings["title"], settings["replace"], body)
        else:
            path = tmp_path / settings["title"]
            path.parent.mkdir(exist_ok=True)
            path.write_text(body, encoding="utf-8")
    assert commands == 4


def put_in_place(path: Path, start: str, body: str) -> None:
    """Replace the section of a file that begins with ``start``, up to the next blank-line break."""
    text = path.read_text(encoding="utf-8")
    head, found, rest = text.partition("\n" + start)
    assert found, f"{start!r} is not in {path.name}"
    end = re.search(r"\n\n\n|\n\n\[", rest)
    tail = rest[end.start() :] if end else "\n"
    path.write_text(f"{head}\n{body.rstrip()}{tail}", encoding="utf-8")


def run_and_compare(body: str, folder: Path) -> None:
    """Run the command of a block; every line shown must come out, in this order."""
    command, *shown = body.splitlines()
    words = shlex.split(command.removeprefix("$ "))
    assert words[0] == "benchaudit"
    done = subprocess.run(
        [sys.executable, "-m", "benchaudit.cli", *words[1:]],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        env={"COLUMNS": "100", "PATH": "", "PYTHONIOENCODING": "utf-8"},
    )
    assert done.returncode == 0, done.stderr
    lines = iter(done.stdout.splitlines())
    for line in shown:
        if line.strip() != GAP:
            assert any(squeeze(line) in squeeze(out) for out in lines), f"{line!r} did not come out"


def squeeze(line: str) -> str:
    return " ".join(line.split())
