"""The adapter on a small benchmark of ours with the same interface; see small/README.md."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from benchaudit import audit, packs
from benchaudit.cells import Cell
from benchaudit.evidence import Evidence
from benchaudit.execution import Workers
from benchaudit.manifest import AdapterManifest, read_adapter

Run = Callable[[Sequence[Cell]], list[Evidence]]
Python = Callable[[str], Any]

PACK = packs.find("adapters", "tau-bench")
SMALL = Path(__file__).with_name("small")


@pytest.fixture(scope="session")
def manifest() -> AdapterManifest:
    return read_adapter(PACK)


@pytest.fixture(scope="session")
def workers(manifest: AdapterManifest) -> Iterator[Workers]:
    probes = audit.applicable_probes(PACK, manifest)
    settings = audit.bench_settings(PACK, manifest, probes)
    with Workers(settings, source=SMALL) as found:
        yield found


@pytest.fixture(scope="session")
def run(workers: Workers) -> Run:
    """Run cells on the small benchmark."""

    def run_cells(cells: Sequence[Cell]) -> list[Evidence]:
        return [record for records in workers.run([cells]) for record in records]

    return run_cells


@pytest.fixture(scope="session")
def python() -> Python:
    """Run code with ``TAU`` as the pack; what it prints is JSON."""
    head = "import json\nfrom benchaudit import packs\nTAU = packs.find('adapters', 'tau-bench')\n"
    paths = [str(Path(__file__).parents[3]), str(SMALL)]

    def run_code(code: str) -> Any:
        done = subprocess.run(
            [sys.executable, "-c", head + code],
            env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    return run_code
