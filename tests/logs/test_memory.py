"""Readers hold one run at a time: their memory does not grow with the file."""

from __future__ import annotations

import json
import tracemalloc
from collections import deque

import pytest

from benchaudit.logs import read_logs
from benchaudit.logs.source import Columns, Options
from tests.logs import build

RECORDS = 300
TEXT = "a long trajectory " * 3000
BYTES = RECORDS * len(TEXT)
BOUND = 4 << 20


def _tau(tmp_path):
    rows = [
        {"task_id": i, "reward": 1.0, "info": {}, "traj": [{"content": f"{TEXT}{i}"}], "trial": 0}
        for i in range(RECORDS)
    ]
    return build.write_json(tmp_path / "a.json", rows)


def _lm_eval(tmp_path):
    rows = [{"doc_id": i, "acc": 1, "doc": f"{TEXT}{i}"} for i in range(RECORDS)]
    return build.write_lines(tmp_path / "samples_t_2024-08-21T03-40-10.0.jsonl", rows)


def _csv(tmp_path):
    rows = "".join(f'{i},1,"{TEXT}"\n' for i in range(RECORDS))
    path, _ = build.table(tmp_path / "a.csv", f"task,score,out\n{rows}")
    return path


def _inspect(tmp_path):
    header = build.inspect_header(eval={"dataset": {"sample_ids": list(range(RECORDS))}})
    samples = [build.inspect_sample(i, "C", store={"text": f"{TEXT}{i}"}) for i in range(RECORDS)]
    return build.inspect_zip(tmp_path / "a.eval", header, samples)


def _inspect_sample(tmp_path):
    """One sample that is itself larger than the bound."""
    header = build.inspect_header(eval={"dataset": {"sample_ids": [1]}})
    events = [{"text": f"{TEXT}{i}"} for i in range(RECORDS)]
    return build.inspect_zip(
        tmp_path / "a.eval", header, [build.inspect_sample(1, "C", events=events)]
    )


def _inspect_json(tmp_path):
    samples = [build.inspect_sample(i, "C", store={"text": f"{TEXT}{i}"}) for i in range(RECORDS)]
    return build.write_json(tmp_path / "a.json", {**build.inspect_header(), "samples": samples})


@pytest.mark.parametrize("make", [_tau, _lm_eval, _csv, _inspect, _inspect_sample, _inspect_json])
def test_memory_stays_far_below_the_size_of_the_file(tmp_path, make):
    path = make(tmp_path)
    assert BYTES > 3 * BOUND
    options = Options(columns=Columns(task="task", score="score"))
    runs = iter(read_logs([path], options=options))
    tracemalloc.start()
    try:
        deque(runs, maxlen=0)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < BOUND


def test_a_document_on_one_line_without_end_does_not_fill_the_memory(tmp_path, monkeypatch):
    from benchaudit.logs import source

    monkeypatch.setattr(source, "MAX_LINE", 1 << 20)
    path = tmp_path / "a.jsonl"
    path.write_text(json.dumps({"task": 1, "score": 1, "text": TEXT * 300}))
    tracemalloc.start()
    with pytest.raises(Exception, match="line 1: over 1 MiB long"):
        build.read(path, columns=Columns(task="task", score="score"))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 2 * BOUND
