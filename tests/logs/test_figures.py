from __future__ import annotations

import subprocess
import sys
import xml.etree.ElementTree as ElementTree

import pytest

from benchaudit.logs.compare import Side, compare_sides
from benchaudit.logs.pool import Pool
from benchaudit.logs.readings import Settings
from benchaudit.logs.report import reliability
from benchaudit.logs.runs import Outcome, Run

pytest.importorskip("matplotlib")

from benchaudit.logs import figures


class Given(list):
    files = ()


def _runs(models=("one", "two"), tasks=5):
    return [
        Run(f"t{t}", model, float((t + i + m) % 3 > 0), Outcome.OK, "acc", repeat=str(i))
        for m, model in enumerate(models)
        for t in range(tasks)
        for i in range(3)
    ]


@pytest.fixture(scope="module")
def report():
    return reliability(Given(_runs()))


@pytest.mark.parametrize("name", list(figures.QUESTIONS))
def test_figures_are_well_formed_and_the_same_bytes_each_time(report, name):
    question = figures.QUESTIONS[name]
    first, again = (question(report, report.groups[0], "svg") for _ in range(2))
    assert first == again
    root = ElementTree.fromstring(first)
    assert root.tag.endswith("svg")
    assert b"<dc:date>" not in first
    png = question(report, report.groups[0], "png")
    assert png.startswith(b"\x89PNG")
    assert png == question(report, report.groups[0], "png")


def test_figures_depend_on_their_runs(report):
    other = reliability(Given([run._replace(score=1 - run.score) for run in _runs()]))
    for question in figures.QUESTIONS.values():
        assert question(report, report.groups[0], "png") != question(other, other.groups[0], "png")


def test_the_forest_marks_what_is_told_apart_after_holm():
    runs = _runs(tasks=8)
    first = Side(Pool(run for run in runs if run.model == "one"))
    second = Side(Pool(run for run in runs if run.model == "two"))
    (result,) = compare_sides(first, second, Settings(), 0.05)
    drawn = figures.difference_forest(result)
    assert drawn == figures.difference_forest(result)
    assert ElementTree.fromstring(drawn).tag.endswith("svg")


def test_long_lists_of_tasks_are_cut_and_say_so(report, monkeypatch):
    monkeypatch.setattr(figures, "_MOST_TASKS", 3)
    shown, note = figures._most_telling([0.0] * 5, [0.0] * 5, list("edcba"))
    assert (shown, note) == ([4, 3, 2], " (3 of 5 tasks)")
    assert figures.failure_map(report, report.groups[0])


def test_groups_without_repeats_or_scores_can_be_drawn():
    bare = reliability(
        Given([Run("t", "m", None, Outcome.ERROR), Run("u", "m", 1.0, Outcome.OK, "a")])
    )
    for question in figures.QUESTIONS.values():
        assert question(bare, bare.groups[0], "svg")


def test_nothing_loads_matplotlib_before_a_figure_is_drawn():
    program = (
        "import sys, benchaudit.logs.commands, benchaudit.logs.figures, benchaudit.logs.text;"
        "sys.exit('matplotlib' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


def test_a_figure_without_matplotlib_is_an_error_of_its_own(report, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(figures.NoMatplotlibError):
        figures.spectrum(report, report.groups[0])
