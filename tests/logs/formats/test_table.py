from __future__ import annotations

import sys

import pytest

from benchaudit.logs.runs import LogError
from benchaudit.logs.source import Columns
from tests.logs import build

FULL = {"model": "model", "seed": "seed", "error": "error", "provider": "on"}


def test_named_columns_give_the_runs(tmp_path):
    rows = "task,model,seed,score,error,on\nt1,m,0,True,,gpu\nt1,m,1,0.5,,tpu\n"
    path, options = build.table(tmp_path / "a.csv", rows, **FULL)
    runs, files = build.read(path, **options)
    assert [(r.task, r.model, r.repeat, r.score, r.serving.provider) for r in runs] == [
        ("t1", "m", "0", 1.0, "gpu"),
        ("t1", "m", "1", 0.5, "tpu"),
    ]
    assert (runs[0].metric, runs[0].repeat_kind, runs[1].place) == ("score", "seed", "line 3")
    assert build.notes(files) == ""


def test_cells_may_hold_line_breaks_and_long_text(tmp_path):
    text = "x" * 200_000
    rows = f'out,task,score\n"two\nlines",t1,1\n"{text}",t2,0\nok,t3,1\n'
    path, options = build.table(tmp_path / "a.csv", rows)
    runs, _ = build.read(path, **options)
    assert [(run.task, run.place) for run in runs] == [
        ("t1", "line 2"),
        ("t2", "line 4"),
        ("t3", "line 5"),
    ]


@pytest.mark.parametrize(
    ("error", "score", "expected"),
    [
        ("", "1", (1.0, "ok")),
        ("None", "1", (1.0, "ok")),
        ("rate limit", "0", (None, "error")),
        ("Timed out after 60 s", "0", (None, "timeout")),
        ("", "", (None, "unscored")),
        ("", "n/a", (None, "unscored")),
        ("", "nan", (None, "unscored")),
    ],
)
def test_an_error_is_no_score_and_no_score_is_no_zero(tmp_path, error, score, expected):
    path, options = build.table(
        tmp_path / "a.csv", f"task,score,error\nt,{score},{error}\n", error="error"
    )
    runs, _ = build.read(path, **options)
    assert (runs[0].score, runs[0].outcome.value) == expected


def test_scores_that_are_text_are_noted(tmp_path):
    path, options = build.table(tmp_path / "a.csv", "task,score\nt,good\n")
    _, files = build.read(path, **options)
    assert "scores that are not numbers, such as 'good'" in build.notes(files)


def test_a_table_without_a_model_column_has_the_file_as_its_model(tmp_path):
    path, options = build.table(tmp_path / "gpt-x.csv", "task,score\nt,1\n")
    runs, files = build.read(path, **options)
    assert runs[0].model == "gpt-x"
    assert "taken from the file's name" in build.notes(files)


@pytest.mark.parametrize(
    ("row", "what"),
    [
        ("t2,1,extra\n", "a row of 3 cells under 2 columns"),
        ("t2\n", "a row of 1 cells under 2 columns"),
        ('"t2" x,1\n', "not CSV"),
    ],
)
def test_a_bad_row_is_told_with_its_line_or_left_out(tmp_path, row, what):
    path, options = build.table(tmp_path / "a.csv", f"task,score\nt1,1\n{row}t3,0\n")
    with pytest.raises(LogError, match=f"line 3: {what}"):
        build.read(path, **options)
    runs, files = build.read(path, partial=True, **options)
    assert [run.task for run in runs] == ["t1", "t3"]
    assert what in build.notes(files)


def test_a_quote_that_never_ends_is_told_where_it_begins(tmp_path):
    path, options = build.table(tmp_path / "a.csv", 'task,score\nt1,1\n"t2,1\nt3,0\n')
    with pytest.raises(LogError, match="line 3: not CSV: unexpected end of data"):
        build.read(path, **options)


def test_a_column_that_is_not_there_is_told_with_the_ones_that_are(tmp_path):
    path, options = build.table(tmp_path / "a.csv", "id,score\nt1,1\n")
    with pytest.raises(LogError, match=r"no column 'task'; name one of its columns: id, score"):
        build.read(path, **options)


def test_a_table_without_named_columns_is_no_log_of_a_known_format(tmp_path):
    path, _ = build.table(tmp_path / "a.csv", "task,score\nt1,1\n")
    with pytest.raises(LogError, match="with --task and --score"):
        build.read(path)
    with pytest.raises(LogError, match="columns are not named; give --task and --score"):
        build.read(path, format_="table")


def test_tabs_separate_tsv_files(tmp_path):
    path, options = build.table(tmp_path / "a.tsv", "task\tscore\nt,1\t0.5\n")
    assert build.summary(build.read(path, **options)[0]) == [("t,1", 0.5, "ok")]


def test_json_lines_are_tables_too(tmp_path):
    rows = [{"task": 1, "score": True, "seed": 3}, {"task": 2, "score": None}]
    path = build.write_lines(tmp_path / "a.jsonl", rows)
    options = {"columns": Columns(task="task", score="score", seed="seed")}
    runs, _ = build.read(path, **options)
    assert build.summary(runs) == [("1", 1.0, "ok"), ("2", None, "unscored")]
    assert [run.repeat for run in runs] == ["3", ""]
    build.write_lines(path, [{"id": 1}])
    with pytest.raises(LogError, match="line 1: no 'task' in it"):
        build.read(path, **options)


def test_parquet_is_read_batch_by_batch(tmp_path):
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    columns = {"task": ["a", "b"], "score": [0.5, None], "seed": [1, 2], "other": [0, 0]}
    parquet.write_table(pyarrow.table(columns), tmp_path / "a.parquet")
    options = {"columns": Columns(task="task", score="score", seed="seed")}
    runs, _ = build.read(tmp_path / "a.parquet", **options)
    assert build.summary(runs) == [("a", 0.5, "ok"), ("b", None, "unscored")]
    assert [(run.repeat, run.place) for run in runs] == [("1", "row 0"), ("2", "row 1")]
    with pytest.raises(LogError, match="no column 'model'"):
        build.read(
            tmp_path / "a.parquet", columns=Columns(task="task", score="score", model="model")
        )


def test_a_broken_parquet_file_is_told(tmp_path):
    pytest.importorskip("pyarrow")
    (tmp_path / "a.parquet").write_bytes(b"PAR1 not really")
    with pytest.raises(LogError, match="not a readable Parquet file"):
        build.read(tmp_path / "a.parquet", columns=Columns(task="t", score="s"))


def test_parquet_without_its_library_is_told(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    (tmp_path / "a.parquet").write_bytes(b"PAR1")
    with pytest.raises(LogError, match="need pyarrow; pip install"):
        build.read(tmp_path / "a.parquet", columns=Columns(task="t", score="s"))
