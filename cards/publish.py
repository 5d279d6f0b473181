"""Regenerate the published cards, or with --check compare them byte for byte.

Run from the checkout: ``make cards`` or ``make check-cards``.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from benchaudit.audit import Options, audit
from benchaudit.store import CARD, MARKDOWN

HERE = Path(__file__).resolve().parent
TARGETS = ("comtradebench",)
"""The benchmarks that are audited whole wherever the checkout is."""


def generate(target: str, folder: Path) -> dict[Path, bytes]:
    """The published files of a target, made anew in a folder of their own."""
    audit(target, folder, Options(jobs=2), lambda *_: None)
    return {
        HERE / f"{target}.json": (folder / CARD).read_bytes(),
        HERE / f"{target}.md": (folder / MARKDOWN).read_bytes(),
    }


def main(check: bool) -> int:
    differing = 0
    for target in TARGETS:
        with tempfile.TemporaryDirectory() as folder:
            for path, content in generate(target, Path(folder)).items():
                same = path.exists() and path.read_bytes() == content
                print(f"{path.name}: {'same' if same else 'differs'} ({len(content):,} bytes)")
                differing += not same
                if not check:
                    path.write_bytes(content)
    return int(check and differing > 0)


if __name__ == "__main__":
    raise SystemExit(main("--check" in sys.argv[1:]))
