from __future__ import annotations

import gzip
import json

from tests.logs import build

TIME = "2024-08-21T03-40-10.802679"


def _row(doc, **metrics):
    return {
        "doc_id": doc,
        "doc": {"q": "?"},
        "target": "1",
        "arguments": {"a": build.LONG},
        "resps": [["x"]],
        "filtered_resps": ["x"],
        "doc_hash": "0",
        "prompt_hash": "0",
        "target_hash": "0",
        **metrics,
    }


def _results(folder, effective=2, **config):
    return build.write_json(
        folder / f"results_{TIME}.json",
        {
            "results": {"asdiv": {"acc,none": 0.5, "acc_stderr,none": "N/A"}},
            "configs": {"asdiv": {}},
            "config": {"model": "hf", "model_args": "pretrained=m", **config},
            "n-samples": {"asdiv": {"original": 2305, "effective": effective}},
            "model_name": "org/model",
        },
    )


def _samples(folder, rows, name=f"samples_asdiv_{TIME}.jsonl"):
    return build.write_lines(folder / name, rows)


def test_rows_are_runs_and_the_results_file_names_the_model(tmp_path):
    _results(tmp_path, model_dtype="torch.bfloat16", random_seed=42, gen_kwargs={"top_p": 1})
    _samples(tmp_path, [_row(0, acc=1.0), _row(1, acc=0)])
    runs, files = build.read(tmp_path)
    assert build.summary(runs) == [("0", 1.0, "ok"), ("1", 0.0, "ok")]
    run = runs[0]
    assert (run.model, run.suite, run.batch, run.metric) == ("org/model", "asdiv", TIME, "acc")
    assert run.serving == ("", "hf", "torch.bfloat16", '{"random_seed": 42, "top_p": 1}')
    assert "aggregate results" in build.notes(files)


def test_names_of_2024_end_in_json_and_the_folder_names_the_model(tmp_path):
    path = _samples(tmp_path / "org__model", [_row(0, acc=1)], f"samples_asdiv_{TIME}.json")
    packed = path.with_name(path.name + ".gz")
    packed.write_bytes(gzip.compress(path.read_bytes()))
    path.unlink()
    runs, files = build.read(packed)
    assert runs[0].model == "org__model"
    assert "no results file beside it" in build.notes(files)


def test_metrics_that_only_count_in_aggregate_are_noted_and_not_averaged(tmp_path):
    rows = [_row(0, acc=1.0, f1=[1, 1], hallucination="none", acc_norm=0.0)]
    runs, files = build.read(_samples(tmp_path, rows))
    assert {run.metric: run.score for run in runs} == {"acc": 1.0, "acc_norm": 0.0}
    assert "f1 has no number for a single run" in build.notes(files)
    assert "hallucination has no number" in build.notes(files)


def test_a_row_without_any_number_is_unscored(tmp_path):
    runs, _ = build.read(_samples(tmp_path, [_row(0, f1=[1, 1])]))
    assert build.summary(runs) == [("0", None, "unscored")]


def test_named_metrics_decide_where_the_row_names_them(tmp_path):
    row = _row(0, exact_match=1.0, extra=5.0, metrics=["exact_match"])
    runs, _ = build.read(_samples(tmp_path, [row]))
    assert [run.metric for run in runs] == ["exact_match"]


def test_filters_are_metrics_of_their_own(tmp_path):
    rows = [_row(0, filter=kind, exact_match=score) for kind, score in (("strict", 0), ("flex", 1))]
    _results(tmp_path, effective=1)
    runs, _ = build.read(_samples(tmp_path, rows))
    assert {run.metric: run.score for run in runs} == {
        "exact_match,strict": 0.0,
        "exact_match,flex": 1.0,
    }


def test_nan_is_unscored(tmp_path):
    path = _samples(tmp_path, [])
    path.write_text(json.dumps(_row(0, acc=float("nan"))) + "\n")
    runs, _ = build.read(path)
    assert build.summary(runs) == [("0", None, "unscored")]


def test_rows_that_the_results_file_counts_and_the_samples_lack_are_missing(tmp_path):
    _results(tmp_path, effective=3)
    runs, _ = build.read(_samples(tmp_path, [_row(0, acc=1.0), _row(1, acc=0)]))
    assert sum(run.outcome == "missing" for run in runs) == 1


def test_quantisation_is_taken_from_the_model_arguments(tmp_path):
    _results(tmp_path, model_args="pretrained=m,load_in_4bit=True,x=1")
    runs, _ = build.read(_samples(tmp_path, [_row(0, acc=1.0), _row(1, acc=1.0)]))
    assert runs[0].serving.quantisation == "load_in_4bit=True"
