"""A wheel in an empty environment, outside the checkout, audits ComtradeBench."""

from __future__ import annotations

import subprocess
import sys
import venv
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


@pytest.mark.slow
def test_an_installed_wheel_gives_the_published_card(tmp_path: Path) -> None:
    def call(*command: str | Path) -> None:
        done = subprocess.run(
            [str(word) for word in command],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr

    call(sys.executable, "-m", "pip", "wheel", "--no-deps", "--wheel-dir", tmp_path, ROOT)
    (wheel,) = tmp_path.glob("*.whl")
    venv.create(tmp_path / "empty", with_pip=True)
    python = tmp_path / "empty" / "bin" / "python"
    call(python, "-m", "pip", "install", "--constraint", ROOT / "constraints.txt", wheel)
    call(python.with_name("benchaudit"), "run", "comtradebench", "--out", "audit", "--quiet")
    published = ROOT / "cards" / "comtradebench.json"
    assert (tmp_path / "audit" / "card.json").read_bytes() == published.read_bytes()
