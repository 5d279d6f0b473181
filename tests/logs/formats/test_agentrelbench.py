from __future__ import annotations

import json
import tarfile
from pathlib import Path

import numpy as np
import pytest

from benchaudit import statistics
from benchaudit.logs import read_logs
from benchaudit.logs.pool import Pool
from benchaudit.logs.readings import cells
from tests.logs import build

RELEASED = Path(__file__).parents[3] / "oracles" / "agentrelbench"
"""The benchmark's released verdict rows and published figures (see the licence there)."""

_POOLS = {
    "dev": ("llama8b-merged", "qwen14b-merged", "qwen-merged", "20260716T183218Z_432f84"),
    "heldout": ("campaign-merged",),
    "frontier": ("frontier-merged",),
    "heldout+frontier": ("campaign-merged", "frontier-merged"),
}


def _row(task, damage=False, success=True, run="run_1", **changes):
    return {
        "task_id": task,
        "run": run,
        "outcome": "FAIL_DAMAGE" if damage else "PASS",
        "sub_label": None,
        "eog_success": success,
        "counts_as_damage": damage,
        "counts_as_damage_upper": damage,
        **changes,
    }


def _log(folder, rows, **manifest):
    told = {"model": "org/m", "provider": "openrouter", "provider_pin": None, **manifest}
    build.write_json(folder / "m.verdicts.manifest.json", {"k_by_task": {}, **told})
    return build.write_lines(folder / "m.verdicts.jsonl", rows)


def test_a_verdict_is_read_under_success_damage_and_its_upper_bound(tmp_path):
    clean = _row("b", success=False, sub_label="errored_clean", counts_as_damage_upper=True)
    _log(tmp_path, [_row("a", damage=True), clean], sampling_params={"temperature": 0.6})
    runs, files = build.read(tmp_path)
    found = {(run.task, run.metric): (run.score, run.outcome.value) for run in runs}
    assert found == {
        ("a", "success"): (1.0, "ok"),
        ("a", "no_damage"): (0.0, "ok"),
        ("a", "no_damage_upper"): (0.0, "ok"),
        ("b", "success"): (0.0, "error"),
        ("b", "no_damage"): (1.0, "error"),
        ("b", "no_damage_upper"): (0.0, "error"),
    }
    assert runs[0].serving == ("openrouter", "", "", '{"temperature": 0.6}')
    assert "manifest: read together" in build.notes(files)


def test_runs_that_the_manifest_counts_are_missing_and_partial_provenance_is_noted(tmp_path):
    path = _log(
        tmp_path,
        [_row("a")],
        k_by_task={"a": 2},
        provenance="partial",
        unrecorded_fields=["temperature"],
    )
    runs, files = build.read(path)
    assert [run.outcome.value for run in runs].count("missing") == 1
    assert "provenance is partial: temperature" in build.notes(files)


def test_rows_without_a_manifest_say_so(tmp_path):
    _, files = build.read(build.write_lines(tmp_path / "verdicts.jsonl", [_row("a")]))
    assert "no manifest beside it" in build.notes(files)


@pytest.fixture(scope="module")
def released(tmp_path_factory):
    folder = tmp_path_factory.mktemp("released")
    with tarfile.open(RELEASED / "runs.tar.gz") as archive:
        archive.extractall(folder, filter="data")
    return folder / "runs"


@pytest.mark.parametrize("pool", list(_POOLS))
def test_the_released_rows_give_the_published_cells_and_estimates(released, pool):
    golden = json.loads((RELEASED / "golden.json").read_text())[pool]
    runs = Pool(read_logs([released / name for name in _POOLS[pool]]))
    success, safe, upper = (_counts(runs, f) for f in ("success", "no_damage", "no_damage_upper"))
    expected = sorted((c["task"], c["n"], c["x"], c["x_upper"], c["s"]) for c in golden["cells"])
    assert expected == sorted(
        (key[1], n, n - clean, n - upper[key][1], success[key][1])
        for key, (n, clean) in safe.items()
    )
    n, clean = np.array(list(safe.values())).T
    passed = np.array([success[key][1] for key in safe])
    near = pytest.approx
    assert statistics.audit_miss_rate(n - clean, n) == near(golden["miss_pair"], abs=1e-9)
    event = statistics.audit_miss_rate(n - clean, n, weighting="event")
    assert event == near(golden["miss_event"], abs=1e-9)
    for k, curve in golden["curves"].items():
        assert statistics.pass_hat_k(passed, n, int(k)) == near(curve["pass_k"], abs=1e-9)
        assert statistics.pass_hat_k(clean, n, int(k)) == near(curve["safe_k"], abs=1e-9)


def _counts(runs, metric):
    """Runs and passes of each (model, task)."""
    found = {}
    for block in runs.blocks():
        if block.metric == metric:
            table = cells(block, "exclude", 1.0)
            for task, n, passes in zip(table.task, table.runs, table.passes):
                found[block.model, runs.tasks[task]] = (int(n), int(passes))
    return found
