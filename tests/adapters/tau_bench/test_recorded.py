"""Recorded trajectories and demonstrations, on the small benchmark."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from .conftest import Python


def _call(name: str, **arguments: Any) -> dict[str, Any]:
    function = {"name": name, "arguments": json.dumps(arguments)}
    return {"role": "assistant", "content": None, "tool_calls": [{"id": "1", "function": function}]}


CANCEL = _call("cancel_pending_order", order_id="#ann1", reason="no longer needed")
ENDED = [{"role": "assistant", "content": "Bye."}, {"role": "user", "content": "###STOP###"}]
HELLO = [{"role": "system", "content": "Be kind."}, {"role": "user", "content": "Cancel #ann1."}]
RECORDS = [
    {"task_id": 0, "trial": 0, "reward": 1.0, "traj": [*HELLO, CANCEL, *ENDED]},
    {"task_id": 0, "trial": 1, "reward": 0.0, "traj": [*HELLO, *ENDED]},
    {"task_id": 0, "trial": 2, "reward": 1.0, "traj": [*HELLO, *ENDED]},
    {"task_id": 0, "trial": 3, "reward": 0.0, "traj": [*HELLO, CANCEL]},
]


@pytest.mark.parametrize("faster", [True, False])
def test_a_released_file_is_replayed_trajectory_by_trajectory(
    python: Python, tmp_path: Path, faster: bool
) -> None:
    path = tmp_path / "results.json"
    path.write_text(json.dumps(RECORDS))
    said = python(f"""
from pathlib import Path
found = TAU.module("recorded").replay(Path({str(path)!r}), "retail", faster={faster})
print(json.dumps([[r.task, r.trial, r.recorded, r.replayed, r.agrees] for r in found]))
""")
    assert said == [
        ["retail/0", 0, 1.0, 1.0, True],
        ["retail/0", 1, 0.0, 0.0, True],
        ["retail/0", 2, 1.0, 0.0, False],
        ["retail/0", 3, 0.0, 0.0, True],
    ]


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("{", "cannot be read"),
        ("{}", "holds no list"),
        ('[{"task_id": 0}]', "record 0: no trajectory"),
    ],
)
def test_a_file_of_something_else_is_told(
    python: Python, tmp_path: Path, text: str, complaint: str
) -> None:
    path = tmp_path / "results.json"
    path.write_text(text)
    said = python(f"""
from pathlib import Path
recorded = TAU.module("recorded")
try:
    list(recorded.replay(Path({str(path)!r}), "retail"))
except recorded.RecordError as error:
    print(json.dumps(str(error)))
""")
    assert complaint in said
    assert str(path) in said


def test_demonstrations_that_hold_the_results_of_gold_writes_are_found(python: Python) -> None:
    said = python("""
contained = TAU.module("demonstrations").contained
found = [contained("retail", "test"), contained("retail", "dev"), contained("airline", "test")]
print(json.dumps([[c.split, c.tasks, list(c.contained)] for c in found]))
""")
    assert said == [["test", 3, [1]], ["dev", 1, [0]], ["test", 2, []]]
