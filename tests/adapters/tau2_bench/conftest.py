"""The real package, in its own environment: built once, and shared by the slow tests."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from benchaudit import audit, environments, packs
from benchaudit.cells import Cell
from benchaudit.environments import Built, Unavailable
from benchaudit.evidence import Evidence
from benchaudit.execution import Workers
from benchaudit.manifest import AdapterManifest, read_adapter

Run = Callable[[Sequence[Cell]], list[Evidence]]
Python = Callable[[str], Any]
Start = Callable[[int], Workers]

PACK = packs.find("adapters", "tau2-bench")


@pytest.fixture(scope="session")
def manifest() -> AdapterManifest:
    return read_adapter(PACK)


@pytest.fixture(scope="session")
def built(manifest: AdapterManifest) -> Built:
    assert manifest.environment is not None
    try:
        return environments.build(PACK.name, manifest.environment)
    except Unavailable as reason:
        pytest.skip(f"the benchmark cannot be had: {reason}")


@pytest.fixture(scope="session")
def start(built: Built, manifest: AdapterManifest) -> Start:
    """Start workers with a hash seed."""
    probes = audit.applicable_probes(PACK, manifest)
    settings = audit.bench_settings(PACK, manifest, probes)

    def start_workers(hash_seed: int) -> Workers:
        return Workers(
            settings, python=built.interpreter, jobs=2, reads=[built.folder], hash_seed=hash_seed
        )

    return start_workers


@pytest.fixture(scope="session")
def workers(start: Start) -> Iterator[Workers]:
    with start(0) as found:
        yield found


@pytest.fixture(scope="session")
def run(workers: Workers) -> Run:
    """Run cells in the benchmark's environment, eight a batch."""

    def run_cells(cells: Sequence[Cell]) -> list[Evidence]:
        batches = [cells[start : start + 8] for start in range(0, len(cells), 8)]
        return [record for records in workers.run(batches) for record in records]

    return run_cells


@pytest.fixture(scope="session")
def python(built: Built) -> Python:
    """Run code in the environment, with ``TAU`` as the pack; what it prints is JSON."""
    head = "import json\nfrom benchaudit import packs\nTAU = packs.find('adapters', 'tau2-bench')\n"
    repository = str(Path(__file__).parents[3])

    def run_code(code: str) -> Any:
        done = subprocess.run(
            [built.interpreter, "-c", head + code],
            env={**os.environ, "PYTHONPATH": repository},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    return run_code
