"""The adapter on a real checkout, where the variable names one: the figures of its notes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

CHECKOUT = os.environ.get("BENCHAUDIT_TAU_BENCH", "")

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not CHECKOUT, reason="BENCHAUDIT_TAU_BENCH names no checkout"),
]


def _run(code: str) -> Any:
    head = "import json\nfrom benchaudit import packs\nTAU = packs.find('adapters', 'tau-bench')\n"
    paths = [str(Path(__file__).parents[3]), CHECKOUT]
    done = subprocess.run(
        [sys.executable, "-c", head + code],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_gold_work_passes_on_every_task() -> None:
    said = _run("""
adapter = packs.load_adapter(TAU)
scores = []
for task in adapter.tasks(None):
    submission = adapter.oracle.compose(task, adapter.oracle.work(task))
    score = adapter.score(task, submission, "reward").value
    scores.append([task.category, score, adapter.oracle.quality(task, submission)])
print(json.dumps(scores))
""")
    assert said == [["retail", 1.0, 1.0]] * 115 + [["airline", 1.0, 1.0]] * 50


def test_demonstrations_contain_the_work_of_test_tasks() -> None:
    said = _run("""
contained = TAU.module("demonstrations").contained
splits = [("retail", "test"), ("retail", "dev"), ("retail", "train"), ("airline", "test")]
found = [contained(*split) for split in splits]
print(json.dumps([[c.tasks, len(c.contained)] for c in found]))
""")
    assert said == [[104, 59], [19, 0], [495, 3], [30, 8]]


def test_released_trajectories_earn_what_was_recorded() -> None:
    path = Path(CHECKOUT) / "historical_trajectories" / "gpt-4o-airline.json"
    said = _run(f"""
from pathlib import Path
found = list(TAU.module("recorded").replay(Path({str(path)!r}), "airline", faster=True))
print(json.dumps([len(found), sum(r.recorded for r in found), sum(r.agrees for r in found)]))
""")
    assert said == [200, 84.0, 200]
