from __future__ import annotations

import numpy as np

from benchaudit.logs.pool import OUTCOMES, Pool, by_group
from benchaudit.logs.runs import Outcome, Run


def _run(task="t", score=1.0, outcome=Outcome.OK, model="m", metric="acc", **more):
    return Run(task, model, score, outcome, metric, **more)


def test_runs_come_back_as_blocks_by_suite_metric_model_and_scaffold():
    runs = [
        _run("a", model="m2"),
        _run("a", 0.0),
        _run("b", None, Outcome.UNSCORED),
        _run("a", scaffold="react"),
    ]
    blocks = Pool(runs).blocks()
    assert [(b.model, b.scaffold, len(b.score)) for b in blocks] == [
        ("m", "", 2),
        ("m", "react", 1),
        ("m2", "", 1),
    ]
    assert [b.name for b in blocks] == ["m", "m / react", "m2"]
    assert blocks[0].scored.tolist() == [True, False]
    assert blocks[0].count(Outcome.UNSCORED) == 1


def test_the_order_of_runs_within_a_block_is_the_order_read():
    pool = Pool([_run(str(i % 3), float(i)) for i in range(40_000)])
    (block,) = pool.blocks()
    assert np.array_equal(block.score, np.arange(40_000.0))
    assert [pool.tasks[i] for i in block.task[:4]] == ["0", "1", "2", "0"]
    assert {OUTCOMES[code] for code in block.outcome} == {Outcome.OK}


def test_a_run_without_a_metric_belongs_to_every_metric_of_its_model():
    error = _run("b", None, Outcome.ERROR, metric="")
    blocks = Pool([_run("a"), _run("a", metric="f1"), error]).blocks()
    assert [(b.metric, b.count(Outcome.ERROR), len(b.score)) for b in blocks] == [
        ("acc", 1, 2),
        ("f1", 1, 2),
    ]


def test_a_model_without_any_score_joins_the_metrics_of_its_suite():
    error = _run("a", None, Outcome.ERROR, model="other", metric="")
    blocks = Pool([_run("a"), error]).blocks()
    assert [(b.model, b.metric) for b in blocks] == [("m", "acc"), ("other", "acc")]
    (alone,) = Pool([error]).blocks()
    assert alone.metric == ""


def test_a_missing_run_that_another_file_holds_is_not_missing():
    runs = [
        _run("a", repeat="1", batch="x"),
        _run("a", None, Outcome.MISSING, metric="", repeat="1", batch="x", file="copy"),
        _run("b", None, Outcome.MISSING, metric="", repeat="1", batch="x", file="copy"),
    ]
    (block,) = Pool(runs).blocks()
    assert block.count(Outcome.MISSING) == 1
    assert block.found == 1


def test_groups_keep_suites_and_metrics_apart():
    runs = [_run(), _run(metric="f1"), _run(suite="s"), _run(model="m2")]
    groups = dict(by_group(Pool(runs).blocks()))
    assert {key: len(blocks) for key, blocks in groups.items()} == {
        ("", "acc"): 2,
        ("", "f1"): 1,
        ("s", "acc"): 1,
    }
