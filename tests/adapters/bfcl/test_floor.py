"""The floor under the leaderboard, by the benchmark's own evaluator and aggregation."""

from __future__ import annotations

from typing import Any

import pytest

pytestmark = pytest.mark.slow

CODE = """
import pathlib, tempfile
floor = BFCL.module("floor")
chosen = {name: floor.agents()[name] for name in %r}
with tempfile.TemporaryDirectory() as folder:
    print(json.dumps(floor.floor(pathlib.Path(folder), chosen)))
"""


def test_doing_nothing_scores_a_tenth_of_the_leaderboard(python: Any) -> None:
    rows = python(CODE % (["nothing", "first-function"],))
    nothing, first = rows["nothing"], rows["first-function"]
    assert nothing["Irrelevance Detection"] == "100.00%"
    assert nothing["Overall Acc"] == "10.00%"
    assert (first["Live Acc"], first["Overall Acc"]) == ("1.55%", "0.18%")


def test_the_agents_are_as_many_as_there_are_ways_to_do_no_work(python: Any) -> None:
    names = python("print(json.dumps(list(BFCL.module('floor').agents())))")
    assert names == ["nothing", "first-function", "unlisted-function", "numbers", "constant"]
