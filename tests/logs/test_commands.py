from __future__ import annotations

import json
import sys
from typing import NamedTuple

import pytest

from benchaudit.logs.commands import plan, reliability
from tests.logs import build


class Result(NamedTuple):
    exit_code: int
    stdout: str
    stderr: str


@pytest.fixture
def run(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")

    def invoke(command, *arguments):
        with pytest.raises(SystemExit) as ended:
            command.main([str(argument) for argument in arguments], command.name)
        return Result(ended.value.code, *capsys.readouterr())

    return invoke


@pytest.fixture
def log(tmp_path):
    """A tau-bench file of two tasks, three trials each; one trial errored."""

    def write(name="m.json", rewards=((1, 0, 1), (1, 1, None))):
        rows = [
            {
                "task_id": task,
                "reward": reward or 0.0,
                "info": {"error": "boom"} if reward is None else {},
                "traj": [],
                "trial": trial,
            }
            for task, of_task in enumerate(rewards)
            for trial, reward in enumerate(of_task)
        ]
        return build.write_json(tmp_path / name, rows)

    return write


TABLE = ("--task", "task", "--model", "model", "--seed", "seed", "--score", "score")


def test_paths_are_reported_on_without_naming_a_command(run, log):
    result = run(reliability, log())
    assert result.exit_code == 0
    assert "6 runs from 1 of 1 files" in result.stdout
    assert "0.667" in result.stdout
    assert result.stderr == ""


def test_options_may_come_first(run, log):
    result = run(reliability, "--errors", "zero", log())
    assert result.exit_code == 0
    assert "as 0" in result.stdout
    assert "scored  0." not in result.stdout


def test_json_has_every_figure_and_is_the_same_each_time(run, log):
    path = log()
    first, again = run(reliability, "--json", path), run(reliability, "--json", path)
    assert first.stdout == again.stdout
    told = json.loads(first.stdout)
    (system,) = told["groups"][0]["systems"]
    assert system["outcomes"] == {"ok": 5, "error": 1, "timeout": 0, "unscored": 0, "missing": 0}
    assert [reading["errors"] for reading in system["readings"]] == ["exclude", "zero"]
    assert system["readings"][0]["mean"] == 0.8
    assert system["cells"][1] == {
        "task": "1",
        "runs": 3,
        "scored": 2,
        "passes": 2,
        "pass_rate_interval": [0.158114, 1.0],
        "mean": 1.0,
        "worst": 1.0,
    }
    assert told["files"][0]["notes"][0]["text"] == "the model is known from the file's name only"


def test_every_option_reaches_the_figures(run, tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("task,model,seed,score\na,m,0,8\na,m,1,4\nb,m,0,9\nb,m,1,9\n")
    options = (
        "--pass",
        "5",
        "--tau",
        "9",
        "--alpha",
        "0.5",
        "--range",
        "0",
        "10",
        "--level",
        "0.5",
    )
    told = json.loads(run(reliability, path, *TABLE, *options, "--json").stdout)
    assert told["settings"] == {
        "errors": "bounds",
        "pass_at": 5.0,
        "threshold": 9.0,
        "alpha": 0.5,
        "low": 0.0,
        "high": 10.0,
        "level": 0.5,
        "seed": 0,
        "resamples": 2000,
    }
    (reading,) = told["groups"][0]["systems"][0]["readings"]
    assert (reading["reliability"], reading["cvar"], reading["always_pass"]) == (0.5, 6.0, 1)
    assert "range" not in {finding["kind"] for finding in told["findings"]}


def test_the_metric_can_be_chosen(run, tmp_path):
    build.write_lines(
        tmp_path / "samples_t_2024-08-21T03-40-10.0.jsonl",
        [{"doc_id": i, "acc": 1, "f1": 0.5} for i in range(2)],
    )
    told = json.loads(run(reliability, tmp_path, "--metric", "f1", "--json").stdout)
    assert [group["metric"] for group in told["groups"]] == ["f1"]


@pytest.mark.parametrize(
    ("content", "what"),
    [("[{", "ends early"), ("", "empty"), ("hello", "not a log of a known format")],
)
def test_a_log_that_cannot_be_read_is_one_line_and_exit_2(run, tmp_path, content, what):
    path = tmp_path / "a.json"
    path.write_text(content)
    arguments = ("--format", "tau-bench") if what == "ends early" else ()
    result = run(reliability, path, *arguments)
    assert result.exit_code == 2
    assert what in result.stderr
    assert result.stderr.startswith(f"benchaudit: {path}")
    assert result.stdout == ""


def test_a_folder_without_runs_is_exit_2(run, tmp_path):
    (tmp_path / "notes.md").write_text("notes")
    result = run(reliability, tmp_path)
    assert (result.exit_code, "no runs in" in result.stderr) == (2, True)


def test_wrong_options_are_exit_2(run, log):
    assert run(reliability, log(), "--alpha", "2").exit_code == 2
    assert run(reliability, log(), "--format", "none").exit_code == 2
    assert run(plan).exit_code == 2
    assert run(plan, log(), "--rate", "0.5").exit_code == 2


def test_partial_reads_what_is_there(run, log):
    path = log()
    path.write_text(path.read_text()[:-20])
    assert run(reliability, path).exit_code == 2
    result = run(reliability, path, "--partial")
    assert result.exit_code == 0
    assert "left out: the file ends early" in " ".join(result.stdout.split())


def test_figures_are_drawn_into_a_folder(run, log, tmp_path):
    pytest.importorskip("matplotlib")
    result = run(reliability, log(), "--plot", tmp_path / "figures")
    assert result.exit_code == 0
    assert sorted(path.name for path in (tmp_path / "figures").iterdir()) == [
        "reward-audit-miss.svg",
        "reward-failures.svg",
        "reward-mean-worst.svg",
        "reward-spectrum.svg",
    ]


def test_figures_without_their_library_are_exit_3(run, log, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    result = run(reliability, log(), "--plot", tmp_path)
    assert result.exit_code == 3
    assert 'pip install "agent-benchaudit[plot]"' in result.stderr


def test_a_folder_that_cannot_be_written_is_exit_3(run, log, tmp_path):
    pytest.importorskip("matplotlib")
    (tmp_path / "taken").write_text("")
    result = run(reliability, log(), "--plot", tmp_path / "taken" / "below")
    assert result.exit_code == 3
    assert "cannot be written" in result.stderr


def test_compare_tells_two_logs_apart(run, log, tmp_path):
    first = log("a.json", ((0, 0),) * 8)
    second = log("b.json", ((1, 1),) * 8)
    result = run(reliability, "compare", first, second)
    assert result.exit_code == 0
    assert "Told apart: b scores higher than a" in " ".join(result.stdout.split())
    told = json.loads(run(reliability, "compare", first, second, "--json").stdout)
    assert told["comparisons"][0]["p"] == 0.007812
    assert told["comparisons"][0]["pairing"] == "trial"
    result = run(reliability, "compare", first, second, "--plot", tmp_path / "figures")
    assert [path.name for path in (tmp_path / "figures").iterdir()] == [
        "reward-exclude-differences.svg"
    ]


def test_compare_within_one_file_names_its_models(run, tmp_path):
    path = tmp_path / "a.csv"
    rows = [f"t{t},m{m},{s},{m}" for t in range(8) for m in range(2) for s in range(2)]
    path.write_text("task,model,seed,score\n" + "\n".join(rows) + "\n")
    result = run(reliability, "compare", path, path, *TABLE)
    assert result.exit_code == 2
    assert "several systems: m0, m1; name one of them (--model-a, --model-b)" in result.stderr
    named = ("--model-a", "m0", "--model-b", "m1")
    result = run(reliability, "compare", path, path, *TABLE, *named)
    assert "Told apart: m1 scores higher than m0" in " ".join(result.stdout.split())


def test_plan_from_a_pilot_and_from_rates(run, log):
    result = run(plan, log(rewards=((1, 0, 1), (1, 1, 1), (0, 0, 0))))
    assert result.exit_code == 0
    assert "pilot: m, reward, 3 tasks, 3 scored runs a task" in result.stdout
    told = json.loads(run(plan, "--rate", "0.8", "--tasks", "50", "--icc", "0", "--json").stdout)
    (made,) = told["plans"]
    assert made["basis"]["within"] == 0.4
    assert made["repeats_for_width"] == 5
    assert made["runs_to_see"] == 59


def test_a_pilot_that_shows_no_variation_is_exit_2(run, log):
    result = run(plan, log(rewards=((1,), (0,))))
    assert result.exit_code == 2
    assert "no task has two scored runs" in result.stderr


def test_help_names_both_ways_of_calling(run):
    text = run(reliability, "--help").stdout
    assert "reliability PATH..." in text
    assert "compare" in text
