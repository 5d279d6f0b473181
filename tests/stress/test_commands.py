from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from benchaudit.cli import main

Write = Callable[..., Path]


def call(*arguments: object) -> Result:
    return CliRunner().invoke(main, ["experiment", *map(str, arguments)])


def test_from_plan_to_verdict(plan_file: Write) -> None:
    path = plan_file()
    assert call("run", path).exit_code == 1
    frozen = call("freeze", path)
    assert frozen.exit_code == 0
    digest = frozen.output.split(": ")[-1].strip()
    done = call("run", path, "--json")
    assert done.exit_code == 0
    assert json.loads(done.stdout)["digest"] == digest
    assert digest in call("show", path).output


def test_freezing_twice_is_wrong_usage(plan_file: Write) -> None:
    path = plan_file()
    call("freeze", path)
    again = call("freeze", path)
    assert again.exit_code == 2
    assert "frozen already" in again.output


def test_show_tells_what_was_changed_since(plan_file: Write) -> None:
    call("freeze", plan_file())
    shown = call("show", plan_file(("quotas = [9]", "quotas = [8]")))
    assert shown.exit_code == 0
    assert "- design.quotas.0: 9 → 8" in shown.output


def test_show_of_a_plan_that_is_not_frozen_says_so(plan_file: Write) -> None:
    assert "Not frozen" in call("show", plan_file()).output


def test_list_names_the_shipped_experiments() -> None:
    listed = call("list")
    assert listed.exit_code == 0
    assert "comtradebench/b2-slack" in listed.output


def test_a_wrong_name_is_wrong_usage_and_gets_the_closest() -> None:
    result = call("run", "comtradebench/b22")
    assert result.exit_code == 2
    assert "did you mean comtradebench/b2" in result.output
    assert "Traceback" not in result.output


def test_code_that_does_not_load_could_not_run(plan_file: Write, tmp_path: Path) -> None:
    (tmp_path / "bad.py").write_text("1 / 0\n", encoding="utf-8")
    path = plan_file()
    text = path.read_text(encoding="utf-8")
    head, _, tail = text.partition('target = "')
    path.write_text(f'{head}target = "bad.py:TARGET"{tail.partition(chr(34))[2]}', encoding="utf-8")
    result = call("run", path)
    assert result.exit_code == 3
    assert "ZeroDivisionError" in result.output


def test_a_published_figure_that_is_not_reproduced_fails_the_run(plan_file: Write) -> None:
    path = plan_file()
    path.with_suffix(".published.toml").write_text(
        '[[records]]\nagent = "always-again"\nquota = 9\nscorer = "resolved"\n'
        'source = "x"\ndelta = 9.0\n',
        encoding="utf-8",
    )
    call("freeze", path)
    result = call("run", path)
    assert result.exit_code == 1
    assert "always-again, quota 9, delta: printed 9.0" in result.output


def test_calibrate_says_whether_there_is_anything_to_decide(plan_file: Write) -> None:
    result = call("calibrate", plan_file())
    assert result.exit_code == 0
    assert result.output.startswith("Alive: ")


def test_degrade_prints_one_row_a_dose(plan_file: Write) -> None:
    result = call("degrade", plan_file(), "--quota", 9)
    assert result.exit_code == 0
    assert result.output.count("\n| 0.") == 9
    assert "mean drop" in result.output


def test_power_prints_the_size_and_the_effects_asked_for(plan_file: Write) -> None:
    table = (
        '\n[power]\nfloor = 0.8\neffect = 0.1\npilot = "always-again"\n'
        "seeds = { first = 100, count = 40 }\n"
    )
    result = call("power", plan_file(extra=table), "--effect", 0.3, "--pairs", 5, "--pairs", 20)
    assert result.exit_code == 0
    assert "| effect | n = 5 | n = 20 |" in result.output
    assert "\n| 0 |" in result.output and "\n| 0.3 |" in result.output


def test_power_without_a_registered_pilot_says_what_to_register(plan_file: Write) -> None:
    result = call("power", plan_file())
    assert result.exit_code == 2
    assert "register a floor, an effect and a pilot" in result.output


@pytest.mark.parametrize("kind", ["svg", "png"])
def test_figures_are_the_same_bytes_on_every_run(
    plan_file: Write, tmp_path: Path, kind: str
) -> None:
    pytest.importorskip("matplotlib")
    path = plan_file(("quotas = [9]", "quotas = [8, 9]"))
    for folder in ("one", "two"):
        call("run", path, "--figures", tmp_path / folder, "--format", kind)
        call("degrade", path, "--figure", tmp_path / folder / f"curve.{kind}")
    names = sorted(file.name for file in (tmp_path / "one").iterdir())
    assert names == [f"curve.{kind}", f"tickets-dose-response.{kind}", f"tickets-forest.{kind}"]
    for name in names:
        content = (tmp_path / "one" / name).read_bytes()
        assert len(content) > 1000
        assert content == (tmp_path / "two" / name).read_bytes()


def test_a_figure_of_another_kind_is_refused(plan_file: Write, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    result = call("degrade", plan_file(), "--figure", tmp_path / "curve.gif")
    assert result.exit_code == 2
    assert "ends in .svg or .png" in result.output


def test_without_matplotlib_a_figure_could_not_be_drawn(
    plan_file: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "matplotlib", None)
    result = call("degrade", plan_file(), "--figure", tmp_path / "curve.svg")
    assert result.exit_code == 3
    assert "agent-benchaudit[plot]" in result.output
