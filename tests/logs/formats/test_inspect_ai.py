from __future__ import annotations

import gzip
import json

import pytest

from benchaudit.logs.runs import LogError
from tests.logs import build
from tests.logs.build import inspect_header, inspect_sample


@pytest.mark.parametrize("method", [8, 93])
def test_an_eval_file_gives_a_run_a_sample_in_any_member_order(tmp_path, method):
    samples = [inspect_sample(2, "I"), inspect_sample(1, "C"), inspect_sample(3, "P")]
    path = build.inspect_zip(tmp_path / "a.eval", inspect_header(), samples, method)
    runs, files = build.read(path)
    assert build.summary(runs) == [("1", 1.0, "ok"), ("2", 0.0, "ok"), ("3", 0.5, "ok")]
    run = runs[0]
    assert (run.model, run.suite, run.metric) == ("openai/gpt-x", "sums", "match")
    assert (run.batch, run.repeat, run.repeat_kind) == ("run-1", "1", "epoch")
    assert run.place == "member samples/2_epoch_1.json"
    assert run.file == str(path)
    assert files[0].format == "inspect"
    assert build.notes(files) == ""


def test_a_json_log_gives_the_same_whether_its_results_come_first_or_last(tmp_path):
    samples = [inspect_sample(task, "C") for task in (1, 2, 3)]
    results = {"total_samples": 3}
    for name, parts in {
        "first": {"results": results, "samples": samples},
        "last": {"samples": samples, "results": results},
    }.items():
        path = build.write_json(tmp_path / f"{name}.json", {**inspect_header(), **parts})
        runs, _ = build.read(path)
        assert build.summary(runs) == [(str(task), 1.0, "ok") for task in (1, 2, 3)]


def test_a_json_log_may_name_its_model_after_its_samples(tmp_path):
    header = inspect_header()
    late = {"version": 2, "status": "success", "samples": [inspect_sample(1, "C")], **header}
    late["eval"] = late.pop("eval")
    runs, _ = build.read(build.write_json(tmp_path / "a.json", late))
    assert runs[0].model == "openai/gpt-x"


def test_version_1_has_one_nameless_score_and_no_epochs(tmp_path):
    old = {
        "version": 1,
        "status": "success",
        "eval": {"task": "facts", "model": "openai/gpt-4", "dataset": {}, "config": {}},
        "results": {"scorer": {"name": "facts"}, "metrics": {}},
        "samples": [
            {"id": "a", "epoch": 1, "score": {"value": "G:50.0 : T:100.0"}},
            {"id": "b", "epoch": 1, "score": {"value": 0.25}},
        ],
    }
    runs, files = build.read(build.write_json(tmp_path / "a.json", old))
    assert build.summary(runs) == [("a", None, "unscored"), ("b", 0.25, "ok")]
    assert runs[0].detail == "score is 'G:50.0 : T:100.0'"
    assert "scores of score that are not numbers" in build.notes(files)


def test_letters_and_numbers_in_one_scorer_are_noted(tmp_path):
    samples = [inspect_sample(1, "10"), inspect_sample(2, "I"), inspect_sample(3, "7.5")]
    runs, files = build.read(build.inspect_zip(tmp_path / "a.eval", inspect_header(), samples))
    assert build.summary(runs) == [("1", 10.0, "ok"), ("2", 0.0, "ok"), ("3", 7.5, "ok")]
    assert "match mixes letters and numbers" in build.notes(files)


def test_scores_can_be_numbers_truth_values_or_dictionaries_of_them(tmp_path):
    scores = {
        "float": {"value": 0.5},
        "truth": {"value": True},
        "judge": {"value": {"a": 1, "b": 0}},
    }
    sample = inspect_sample(1, scores=scores)
    header = inspect_header(eval={"dataset": {"sample_ids": [1]}})
    runs, _ = build.read(build.inspect_zip(tmp_path / "a.eval", header, [sample]))
    assert {run.metric: run.score for run in runs} == {
        "float": 0.5,
        "truth": 1.0,
        "judge/a": 1.0,
        "judge/b": 0.0,
    }


def test_an_errored_sample_is_no_zero_and_an_unscored_one_is_no_error(tmp_path):
    samples = [
        inspect_sample(1, "C"),
        inspect_sample(2, error={"message": "boom"}),
        inspect_sample(3),
    ]
    path = build.inspect_zip(
        tmp_path / "a.eval", inspect_header(results={"total_samples": 3}), samples
    )
    runs, _ = build.read(path)
    assert build.summary(runs) == [
        ("1", 1.0, "ok"),
        ("2", None, "error"),
        ("3", None, "unscored"),
    ]
    assert next(run.detail for run in runs if run.task == "2") == "boom"


def test_a_nan_score_is_unscored(tmp_path):
    header = inspect_header(eval={"dataset": {"sample_ids": [1]}})
    runs, _ = build.read(
        build.inspect_zip(tmp_path / "a.eval", header, [inspect_sample(1, float("nan"))])
    )
    assert build.summary(runs) == [("1", None, "unscored")]


@pytest.mark.parametrize(
    ("kind", "outcome"), [("time", "timeout"), ("working", "timeout"), ("token", "ok")]
)
def test_a_limit_keeps_the_score_and_a_time_limit_is_a_timeout(tmp_path, kind, outcome):
    sample = inspect_sample(1, "I", limit={"type": kind, "limit": 5})
    header = inspect_header(eval={"dataset": {"sample_ids": [1]}})
    runs, _ = build.read(build.inspect_zip(tmp_path / "a.eval", header, [sample]))
    assert build.summary(runs) == [("1", 0.0, outcome)]
    assert runs[0].detail == f"stopped at its {kind} limit"


def test_what_the_log_plans_and_lacks_is_missing_and_the_dataset_size_is_not_asked(tmp_path):
    header = inspect_header("error", results=None, error={"message": "bad key"})
    runs, files = build.read(
        build.inspect_zip(tmp_path / "a.eval", header, [inspect_sample(1, "C")])
    )
    assert build.summary(runs) == [
        ("1", 1.0, "ok"),
        ("2", None, "missing"),
        ("3", None, "missing"),
    ]
    assert "status of the log: error (bad key)" in build.notes(files)


def test_epochs_count_in_what_is_planned(tmp_path):
    header = inspect_header(
        "cancelled", eval={"config": {"epochs": 2}, "dataset": {"sample_ids": [1, 2]}}
    )
    samples = [inspect_sample(1, "C"), inspect_sample(1, "I", 2)]
    runs, _ = build.read(build.inspect_zip(tmp_path / "a.eval", header, samples))
    assert [(run.task, run.repeat, run.outcome.value) for run in runs] == [
        ("1", "1", "ok"),
        ("1", "2", "ok"),
        ("2", "1", "missing"),
        ("2", "2", "missing"),
    ]


def test_samples_that_were_taken_out_later_are_not_missing_runs(tmp_path):
    header = inspect_header(results={"total_samples": 1})
    runs, files = build.read(
        build.inspect_zip(tmp_path / "a.eval", header, [inspect_sample(1, "C")])
    )
    assert len(runs) == 1
    assert "3 samples were planned, the log reports on 1 of them" in build.notes(files)


def test_results_without_their_samples_are_missing_runs(tmp_path):
    header = inspect_header(
        "cancelled", results={"total_samples": 2}, eval={"dataset": {"samples": 100}}
    )
    path = build.write_json(tmp_path / "a.json", {**header, "samples": []})
    runs, _ = build.read(path)
    assert [run.task for run in runs] == ["(unnamed 1 of a.json)", "(unnamed 2 of a.json)"]
    assert {run.outcome.value for run in runs} == {"missing"}


def test_a_log_that_is_being_written_is_read_only_when_asked(tmp_path):
    path = build.inspect_zip(tmp_path / "a.eval", None, [inspect_sample(1, "C")])
    with pytest.raises(LogError, match=r"no header.json yet: the evaluation is running"):
        build.read(path)
    runs, files = build.read(path, partial=True)
    assert [run.outcome.value for run in runs] == ["ok", "missing", "missing"]
    assert "status of the log: started" in build.notes(files)


def test_a_truncated_eval_file_gives_its_whole_samples_when_asked(tmp_path):
    samples = [inspect_sample(task, "C") for task in range(20)]
    path = build.inspect_zip(tmp_path / "a.eval", inspect_header(), samples)
    path.write_bytes(path.read_bytes()[:4000])
    with pytest.raises(LogError, match="not a whole zip file"):
        build.read(path)
    runs, _ = build.read(path, partial=True)
    assert sum(run.outcome == "ok" for run in runs) >= 3


def test_a_truncated_json_log_gives_its_whole_samples_when_asked(tmp_path):
    log = {**inspect_header(), "samples": [inspect_sample(task, "C") for task in (1, 2, 3)]}
    path = tmp_path / "a.json"
    path.write_text(json.dumps(log)[:-400])
    with pytest.raises(LogError, match="the file ends early"):
        build.read(path)
    runs, _ = build.read(path, partial=True)
    assert build.summary(runs) == [("1", 1.0, "ok"), ("2", 1.0, "ok"), ("3", None, "missing")]


def test_compressed_json_logs_are_read(tmp_path):
    log = {**inspect_header(), "samples": [inspect_sample(task, "C") for task in (1, 2, 3)]}
    path = tmp_path / "a.json.gz"
    path.write_bytes(gzip.compress(json.dumps(log).encode()))
    assert len(build.read(path)[0]) == 3


def test_an_eval_file_inside_gzip_says_how_to_unpack_it(tmp_path):
    path = build.inspect_zip(tmp_path / "a.eval", inspect_header(), [inspect_sample(1, "C")])
    packed = tmp_path / "b.eval.gz"
    packed.write_bytes(gzip.compress(path.read_bytes()))
    with pytest.raises(LogError, match="unpack it with gunzip"):
        build.read(packed)


def test_a_zip_that_is_no_log_is_told(tmp_path):
    path = build.write_zip(tmp_path / "a.eval", {"readme.json": {}})
    with pytest.raises(LogError, match=r"neither header.json nor _journal/start.json"):
        build.read(path)


def test_samples_tried_again_after_an_error_and_invalidated_logs_are_noted(tmp_path):
    header = inspect_header(invalidated=True, eval={"dataset": {"sample_ids": [1]}})
    sample = inspect_sample(1, "C", error_retries=[{"message": "boom"}])
    _, files = build.read(build.inspect_zip(tmp_path / "a.eval", header, [sample]))
    assert "run again after an error" in build.notes(files)
    assert "marked as invalidated" in build.notes(files)


def test_what_served_the_model_is_kept_where_the_log_says_it(tmp_path):
    header = inspect_header(
        plan={"config": {"temperature": 0.5, "max_connections": 9}},
        eval={
            "model": "vllm/org/model",
            "model_args": {"quantization": "awq"},
            "model_base_url": "https://host.example/v1",
            "model_generate_config": {"max_tokens": 5},
            "dataset": {"sample_ids": [1]},
        },
    )
    runs, _ = build.read(build.inspect_zip(tmp_path / "a.eval", header, [inspect_sample(1, "C")]))
    assert runs[0].serving == (
        "host.example",
        "vllm",
        "quantization=awq",
        '{"max_tokens": 5, "temperature": 0.5}',
    )


def test_long_outputs_are_known_again_and_short_ones_are_not(tmp_path):
    def output(text):
        return {"choices": [{"message": {"content": text}}]}

    samples = [
        inspect_sample(1, "C", output=output("No")),
        inspect_sample(2, "C", output=output(build.LONG)),
        inspect_sample(3, "C", output=output(build.LONG)),
    ]
    runs, _ = build.read(build.inspect_zip(tmp_path / "a.eval", inspect_header(), samples))
    outputs = {run.task: run.output for run in runs}
    assert outputs["1"] == ""
    assert outputs["2"] == outputs["3"] != ""
