from __future__ import annotations

import gzip

import pytest

from benchaudit.logs.runs import LogError
from tests.logs import build

ANSWERS = [
    {"id": "s_0", "result": [{"f": "{}"}]},
    {"id": "s_1", "result": "f(1)"},
    {"id": "s_2", "result": [["nested"]]},
]


def _pair(folder, answers=ANSWERS, failures=(), summary=None, run="v1"):
    def path(kind):
        name = f"BFCL_v4_simple_{kind}.json"
        return folder / run / kind / "org_model" / "non_live" / name

    total, wrong = len(answers), len(failures)
    header = summary or {
        "accuracy": (total - wrong) / total,
        "correct_count": total - wrong,
        "total_count": total,
    }
    build.write_lines(path("result"), answers)
    return build.write_lines(path("score"), [header, *failures])


def _failure(task, error):
    return {"id": task, "valid": False, "error": error, "error_type": "outer"}


def test_a_pair_is_read_once_and_model_category_and_run_come_from_the_path(tmp_path):
    _pair(tmp_path, failures=[_failure("s_1", ["wrong"])])
    runs, files = build.read(tmp_path)
    assert build.summary(runs) == [("s_0", 1.0, "ok"), ("s_1", 0.0, "ok"), ("s_2", 1.0, "ok")]
    run = runs[0]
    assert (run.model, run.suite, run.batch, run.metric) == ("org_model", "simple", "v1", "correct")
    assert [file.runs for file in files] == [0, 3]
    assert "read together with its score file" in build.notes(files)


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (["Wrong number of functions."], "outer"),
        ({"error_message": "...", "error_type": "multi_turn:mismatch"}, "multi_turn:mismatch"),
    ],
)
def test_errors_are_lists_or_objects(tmp_path, error, kind):
    runs, _ = build.read(_pair(tmp_path, failures=[_failure("s_1", error)]))
    assert [run.detail for run in runs] == ["", kind, ""]


def test_an_exception_in_inference_is_no_wrong_answer(tmp_path):
    failed = {"id": "s_3", "result": "Error during inference: 500", "traceback": "..."}
    error = {"error_message": ["..."], "error_type": "multi_turn:inference_error"}
    path = _pair(tmp_path, [*ANSWERS, failed], [_failure("s_3", error)])
    runs, files = build.read(path)
    assert build.summary(runs)[-1] == ("s_3", None, "error")
    assert build.notes(files) == ""


def test_a_score_file_alone_cannot_be_read(tmp_path):
    path = _pair(tmp_path)
    (tmp_path / "v1/result/org_model/non_live/BFCL_v4_simple_result.json").unlink()
    with pytest.raises(LogError, match="its result file is not there"):
        build.read(path)


def test_a_result_file_alone_is_unscored(tmp_path):
    _pair(tmp_path).unlink()
    runs, files = build.read(tmp_path)
    assert build.summary(runs) == [(f"s_{i}", None, "unscored") for i in range(3)]
    assert "no score file beside it" in build.notes(files)


def test_compressed_pairs_are_read(tmp_path):
    path = _pair(tmp_path, failures=[_failure("s_0", ["wrong"])])
    for plain in (path, tmp_path / "v1/result/org_model/non_live/BFCL_v4_simple_result.json"):
        plain.with_name(plain.name + ".gz").write_bytes(gzip.compress(plain.read_bytes()))
        plain.unlink()
    runs, _ = build.read(tmp_path)
    assert [run.score for run in runs] == [0.0, 1.0, 1.0]


def test_files_that_disagree_are_noted(tmp_path):
    summary = {"accuracy": 1.0, "correct_count": 9, "total_count": 9}
    path = _pair(tmp_path, failures=[_failure("s_9", ["wrong"])], summary=summary)
    runs, files = build.read(path)
    assert build.summary(runs)[-1] == ("s_9", 0.0, "ok")
    assert "says 9 right of 9, its rows and the result file say 3 of 4" in build.notes(files)


def test_a_file_outside_its_folders_says_that_its_model_is_unknown(tmp_path):
    path = build.write_lines(tmp_path / "BFCL_v4_simple_result.json", ANSWERS)
    runs, files = build.read(path)
    assert {run.model for run in runs} == {""}
    assert "model and run are unknown" in build.notes(files)
