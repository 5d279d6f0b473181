"""The README shows the card that is published, as a terminal of 80 columns shows it."""

from __future__ import annotations

from pathlib import Path

from rich.console import Console

from benchaudit.render.terminal import card_view
from benchaudit.store import read_card

ROOT = Path(__file__).parents[2]


def test_the_readme_shows_the_published_card() -> None:
    _, _, rest = (ROOT / "README.md").read_text(encoding="utf-8").partition("```text\n")
    shown, _, _ = rest.partition("\n```")
    console = Console(width=80, no_color=True, highlight=False)
    with console.capture() as printed:
        console.print(card_view(read_card(ROOT / "cards" / "comtradebench.json")))
    lines = [line.rstrip() for line in printed.get().splitlines()]
    assert shown in "\n".join(lines)
    assert shown.splitlines()[0].startswith("ComtradeBench")
