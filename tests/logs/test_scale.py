"""A million runs: time as a multiple of reading the rows as dictionaries, memory as a bound."""

from __future__ import annotations

import csv
import os
import random
import subprocess
import sys
import time
from collections import deque

import pytest

MODELS, TASKS, SEEDS = 100, 1000, 10
MOST_MEMORY = 1 << 30

PROGRAM = """
import resource, sys
from benchaudit.logs.commands import reliability
columns = ["--task", "task", "--model", "model", "--seed", "seed", "--score", "score"]
try:
    reliability.main([sys.argv[1], *columns, "--error", "error", "--json"])
finally:
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024, file=sys.stderr)
"""


@pytest.mark.slow
def test_a_million_runs_are_summarised_in_bounded_time_and_memory(tmp_path):
    chance = random.Random(1)
    path = tmp_path / "runs.csv"
    with path.open("w", newline="") as stream:
        rows = csv.writer(stream)
        rows.writerow(["task", "model", "seed", "score", "error"])
        for model in range(MODELS):
            for task in range(TASKS):
                rate = chance.random()
                for seed in range(SEEDS):
                    score = int(chance.random() < rate)
                    rows.writerow([f"task-{task}", f"model-{model}", seed, score, ""])
    start = time.process_time()
    with path.open(newline="") as stream:
        deque(csv.DictReader(stream), maxlen=0)
    bare = time.process_time() - start
    before = os.times()
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(path)], capture_output=True, text=True, check=True
    )
    after = os.times()
    spent = after.children_user - before.children_user
    assert done.stdout.count('"model"') == MODELS
    assert int(done.stderr.split()[-1]) < MOST_MEMORY
    assert spent < 12 * bare, f"{spent:.1f} s against {bare:.1f} s for rows as dictionaries"
