"""Oracle checks: what agrees, what is selected, and that a check can fail."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest

from benchaudit import oracles, packs
from benchaudit.oracles import Check
from benchaudit.packs import Pack, PackError
from benchaudit.render.checks import line, summary


@pytest.mark.parametrize(
    ("expected", "got", "tolerance", "ok"),
    [
        (1.0, 1.0, 0.0, True),
        (1.0, 1, 0.0, True),
        (1.0, 1.001, 0.0, False),
        (1.0, 1.001, 0.01, True),
        (0.987, 0.9874, 0.0005, True),
        (1.0, math.nan, 10.0, False),
        (1.0, math.inf, 10.0, False),
        (1.0, None, 10.0, False),
        (1.0, "1.0", 10.0, False),
        (True, True, 0.0, True),
        (True, 1, 1.0, False),
        (1, True, 1.0, False),
        ("abc", "abc", 0.0, True),
        ("abc", "abd", 9.0, False),
        ([1.0, 2.0], (1.0, 2.0), 0.0, True),
        ([1.0, 2.0], [1.0], 0.0, False),
        ([1.0, [2.0]], [1.0, [2.1]], 0.2, True),
        ([1.0, [2.0]], [1.0, [2.3]], 0.2, False),
        ([1.0], 1.0, 0.0, False),
        ([], [], 0.0, True),
        (None, None, 0.0, True),
    ],
)
def test_agreement(expected: object, got: object, tolerance: float, ok: bool) -> None:
    assert Check("c", expected, got, tolerance).ok is ok


def oracle(folder: Path, code: str, facts: str = 'title = "X"\ntargets = ["toy"]\n') -> Pack:
    folder.mkdir(exist_ok=True)
    (folder / "check.py").write_text(code, encoding="utf-8")
    (folder / "oracle.toml").write_text(facts, encoding="utf-8")
    return Pack("oracles", folder.name, folder)


HEAD = "from benchaudit.oracles import Check\n"


def test_checks_come_in_their_order(tmp_path: Path) -> None:
    code = HEAD + "def checks():\n    yield Check('a', 1, 1)\n    yield Check('b', 1, 2)\n"
    assert [(c.id, c.ok) for c in oracles.run(oracle(tmp_path / "o", code))] == [
        ("a", True),
        ("b", False),
    ]


def test_checks_that_raise_fail_and_keep_what_came_before(tmp_path: Path) -> None:
    code = HEAD + "def checks():\n    yield Check('a', 1, 1)\n    1 / 0\n"
    first, last = oracles.run(oracle(tmp_path / "o", code))
    assert (first.ok, last.ok) == (True, False)
    assert "ZeroDivisionError" in str(last.got)


def test_an_oracle_that_checks_nothing_fails(tmp_path: Path) -> None:
    (only,) = oracles.run(oracle(tmp_path / "o", "def checks():\n    return []\n"))
    assert not only.ok


@pytest.mark.parametrize("code", ["", "checks = 3", "1 / 0", "import nowhere_at_all"])
def test_oracle_that_does_not_load_names_its_file(tmp_path: Path, code: str) -> None:
    with pytest.raises(PackError, match=r"check\.py"):
        list(oracles.run(oracle(tmp_path / "o", code)))


# -- selection -----------------------------------------------------------------------------------


@pytest.fixture
def known(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Pack]:
    found = {
        "paper": oracle(tmp_path / "paper", "", 'targets = ["toy", "other-bench"]\n'),
        "toy-judge": oracle(tmp_path / "judge", "", 'targets = ["toy"]\n'),
    }
    monkeypatch.setattr(packs, "available", lambda _kind: found)
    return found


@pytest.mark.parametrize(
    ("targets", "chosen"),
    [
        ([], ["paper", "toy-judge"]),
        (["toy"], ["paper", "toy-judge"]),
        (["toy_judge"], ["toy-judge"]),
        (["other_bench"], ["paper"]),
        (["paper", "toy"], ["paper", "toy-judge"]),
    ],
)
def test_oracles_are_chosen_by_target_or_name(
    known: dict[str, Pack], targets: list[str], chosen: list[str]
) -> None:
    assert oracles.select(targets) == [known[name] for name in chosen]


@pytest.mark.usefixtures("known")
def test_target_without_an_oracle_is_told_what_there_is() -> None:
    with pytest.raises(PackError, match="there are: other-bench, paper, toy, toy-judge"):
        oracles.select(["toy", "none"])


@pytest.mark.parametrize("facts", ["", 'targets = "toy"', "targets = [3]", "targets = "])
def test_oracle_that_does_not_say_what_it_is_about_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, facts: str
) -> None:
    broken = oracle(tmp_path / "o", "", facts)
    monkeypatch.setattr(packs, "available", lambda _kind: {"o": broken})
    for targets in ([], ["toy"]):
        with pytest.raises(PackError, match=r"oracle\.toml: "):
            oracles.select(targets)


def test_no_oracles_at_all_is_no_success(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packs, "available", lambda _kind: {})
    with pytest.raises(PackError, match="nothing would be checked"):
        oracles.select([])


# -- lines ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("check", "told"),
    [
        (Check("a", 1.0, 1.0, source="Table 1"), "ok   paper: a: expected 1, got 1"),
        (
            Check("a", [0.5, "x"], [0.25, "x"], source="Table 1"),
            "FAIL paper: a: expected [0.5, x], got [0.25, x] [Table 1]",
        ),
        (Check("a\x1b[2J", "x\ny", "x\ny"), "ok   paper: a�[2J: expected x y, got x y"),
    ],
)
def test_line_tells_what_was_expected_and_what_came(check: Check, told: str) -> None:
    assert line("paper", check, as_json=False) == told


def test_line_of_json_holds_all_of_it() -> None:
    check = Check("a", (1, 2.5), {3}, 0.5, "Table 1")
    data: dict[str, Any] = json.loads(line("paper", check, as_json=True))
    assert data == {
        "oracle": "paper",
        "id": "a",
        "ok": False,
        "expected": [1, 2.5],
        "got": "{3}",
        "tolerance": 0.5,
        "source": "Table 1",
    }


def test_summary_counts() -> None:
    assert summary(3, 1) == "3 passed, 1 failed"
