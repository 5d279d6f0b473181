from __future__ import annotations

import io

from rich.console import Console

from benchaudit.logs.compare import Side, compare_sides
from benchaudit.logs.planning import Aims, from_rates, plan
from benchaudit.logs.pool import Pool
from benchaudit.logs.readings import Settings
from benchaudit.logs.report import reliability
from benchaudit.logs.runs import Outcome, Run, Serving
from benchaudit.logs.text import comparison_text, plans_text, report_text

OK = Outcome.OK


class Given(list):
    files = ()


def _shown(renderable, width=80):
    console = Console(width=width, file=io.StringIO(), color_system=None)
    console.print(renderable)
    return console.file.getvalue()


def _runs(model="a-model-with-a-very-long-name/that-does-not-fit", scores=(1, 0, 1), **more):
    return [
        Run(f"task-{t}", model, float(s), OK, "acc", repeat=str(i), repeat_kind="seed", **more)
        for t in range(4)
        for i, s in enumerate(scores)
    ]


def test_the_report_fits_80_columns_and_names_all_figures():
    runs = [*_runs(), Run("task-0", "m", None, Outcome.ERROR, "acc")]
    text = _shown(report_text(reliability(Given(runs))))
    assert max(len(line) for line in text.splitlines()) <= 80
    for word in ("scored", "errors", "timeouts", "missing", "CVaR", "pass^k", "missed", "To know"):
        assert word in text
    assert "0.667" in text


def test_a_run_without_a_score_shows_in_both_readings():
    runs = [*_runs("m"), Run("task-0", "m", None, Outcome.ERROR, "acc")]
    text = _shown(report_text(reliability(Given(runs))))
    assert "scored  0.667" in text
    assert "as 0  0.615" in text


def test_groups_without_any_score_say_so():
    text = _shown(report_text(reliability(Given([Run("t", "m", None, Outcome.ERROR)]))))
    assert "No run has a score." in text
    assert "0.000" not in text


def test_pooled_servings_are_told_with_their_verdict():
    runs = _runs("m", serving=Serving("x")) + _runs("m", serving=Serving("y"))
    text = " ".join(_shown(report_text(reliability(Given(runs)))).split())
    assert "8/12 passes (provider x) against 8/12 passes (provider y)" in text
    assert "p = 1.0000: no detected divergence" in text
    apart = [run._replace(score=0.0) for run in _runs("m", serving=Serving("y"))]
    runs = _runs("m", (1, 1, 1), serving=Serving("x")) + apart
    assert "they diverge, do not pool" in " ".join(
        _shown(report_text(reliability(Given(runs)))).split()
    )


def test_the_same_finding_is_said_once_for_all_it_holds_for():
    runs = [run for name in "abcde" for run in _runs(name)]
    text = " ".join(_shown(report_text(reliability(Given(runs)))).split())
    assert text.count("unrecorded: provider, stack") == 1
    assert "a, b, c and 2 more: unrecorded" in text


def test_markup_in_a_log_is_text():
    text = _shown(report_text(reliability(Given(_runs("[red]m[/red]")))))
    assert text.count("[red]m[/red]") == 4  # the three tables and what to know


def test_a_comparison_shows_its_sentence_and_the_largest_differences():
    sides = Side(Pool(_runs("a"))), Side(Pool(_runs("b", (1, 1, 1))))
    text = _shown(comparison_text(compare_sides(*sides, Settings(), 0.05)))
    assert "a → b" in text
    assert "Too few runs: +0.333 [+0.333, +0.333], p = 0.1250." in text
    assert "4 tasks, 12 pairs, paired by task and seed" in text
    many = Pool(Run(str(i), "a", float(i % 2), OK, "acc") for i in range(30))
    text = _shown(comparison_text(compare_sides(Side(many), Side(many), Settings(), 0.05)))
    assert "and 20 more tasks" in text


def test_a_plan_shows_what_each_aim_takes():
    text = _shown(plans_text([plan(from_rates(0.8, 0.3, 100), Aims())]))
    assert "assumed: pass rate 0.8, 30% of the variance between tasks" in text
    assert "59 runs" in text
    assert max(len(line) for line in text.splitlines()) <= 80
