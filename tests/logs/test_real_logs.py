"""Every file of a folder of real logs, against facts that were counted independently of us.

The facts stand in the folder's INDEX.json; nothing of the folder is part of the project.
"""

from __future__ import annotations

import json
import math
from collections import Counter, defaultdict
from itertools import pairwise

import pytest

from benchaudit.logs import Outcome, read_logs
from benchaudit.logs.archive import Archive
from benchaudit.logs.findings import twin_files
from benchaudit.logs.reading import LogFile
from benchaudit.logs.report import reliability
from benchaudit.logs.source import Columns, Options, Source

COLUMNS = Columns("task_id", "model", "run_index", "correct", "error", "hardware")
OPTIONS = Options(columns=COLUMNS, instances=500)
SKIPPED = {"INDEX.json", "NOTES.md"}


@pytest.fixture(scope="module")
def index(real_logs):
    return json.loads((real_logs / "INDEX.json").read_text())


@pytest.fixture(scope="module")
def everything(real_logs):
    """All runs by file, and what was said of each file."""
    logs = read_logs([real_logs], options=OPTIONS)
    runs = defaultdict(list)
    for run in logs:
        runs[run.file].append(run)
    by_path = {str(file.path.relative_to(real_logs)): file for file in logs.files}
    return {str(path): runs[str(path)] for path in map(real_logs.joinpath, by_path)}, by_path


@pytest.fixture(scope="module")
def of_file(real_logs, index, everything):
    """Facts, runs and notes of each indexed file, by its format and path."""
    runs, files = everything
    return {
        (entry["format"], entry["file"]): (
            entry["facts"],
            runs[str(real_logs / entry["file"])],
            files[entry["file"]],
        )
        for entry in index["files"]
    }


def _of(of_file, *formats):
    found = [(path, *rest) for (kind, path), rest in of_file.items() if kind in formats]
    assert found
    return found


def _pass_counts(runs):
    """[passes, attempts] by task, runs without a score counted as failures."""
    counts = defaultdict(lambda: [0, 0])
    for run in runs:
        counts[run.task][0] += run.score is not None and run.score >= 1
        counts[run.task][1] += 1
    return dict(counts)


def _histogram(counts):
    return dict(Counter(f"{passes}/{attempts}" for passes, attempts in counts.values()))


def _mean(runs, *, zero=False):
    scores = [run.score for run in runs if run.score is not None]
    return math.fsum(scores) / (len(runs) if zero else len(scores))


def _outcomes(runs):
    return Counter(run.outcome.value for run in runs)


def _notes(file: LogFile):
    return " ".join(note.text for note in file.notes)


def _duplicates(runs):
    return len(runs) - len({(run.task, run.metric, run.repeat) for run in runs})


def test_every_file_is_read_or_named(real_logs, index, everything):
    _, files = everything
    there = {str(p.relative_to(real_logs)) for p in real_logs.rglob("*") if p.is_file()}
    assert files.keys() == there
    assert {path for path, file in files.items() if not file.format} == SKIPPED
    assert {entry["file"] for entry in index["files"]} <= there
    silent = {path for path, file in files.items() if not file.runs and not file.notes}
    assert silent == set()


def test_every_indexed_format_is_told_from_its_content(of_file):
    names = {
        "inspect-eval": "inspect",
        "inspect-json": "inspect",
        "swebench-results": "swe-bench",
        "swebench-per-instance-tests": "swe-bench",
        "csv-task-model-run": "table",
        "tau2-bench": "tau2-bench",
        "tau-bench": "tau-bench",
        "terminal-bench-run": "terminal-bench",
        "terminal-bench-trial": "terminal-bench",
        "terminal-bench-metadata": "terminal-bench",
        "lm-eval-samples": "lm-eval",
        "lm-eval-results": "lm-eval",
    }
    for (kind, path), (_, _, file) in of_file.items():
        assert file.format == names.get(kind, kind.split("-")[0]), path


def test_inspect_samples_outcomes_and_scores(of_file):
    for path, facts, every, file in _of(of_file, "inspect-eval", "inspect-json"):
        runs = [run for run in every if run.outcome != Outcome.MISSING]
        samples = {(run.task, run.repeat) for run in runs}
        assert len(samples) == facts["n_samples"], path
        assert len({task for task, _ in samples}) == facts["n_tasks"], path
        assert sorted({int(repeat) for _, repeat in samples}) == facts["epochs_seen"], path
        assert _duplicates(runs) == facts["duplicate_task_epoch_rows"], path
        ended = _outcomes(runs)
        assert ended["error"] == facts["n_errored_samples"], path
        assert {run.suite for run in every} == {facts["task"]}, path
        assert [*{run.model for run in every}] == facts["models"], path
        unscored = {run.task for run in runs if not run.metric}
        assert len(unscored) == facts["n_unscored_samples"], path
        assert not any(run.detail.startswith("stopped at its") for run in runs)
        assert facts["n_limit_samples"] == facts["n_samples_with_error_retries"] == 0
        assert "run again after an error" not in _notes(file)
        for name, told in facts["scores"].items():
            metric = "score" if "v1" in name else name
            scored = [run for run in runs if run.metric == metric]
            assert len(scored) == told["n_scored"], path
            if told["mean_over_scored"] is None:
                assert {run.outcome for run in scored} == {Outcome.UNSCORED}, path
                continue
            assert _mean(scored) == pytest.approx(told["mean_over_scored"], abs=1e-12), path
            zero = pytest.approx(told["mean_unscored_as_0"], abs=1e-12)
            assert _mean(scored, zero=True) == zero, path
            if "per_task_pass_counts" in told:
                counts = _pass_counts(scored)
                assert counts == told["per_task_pass_counts"], path
                assert _histogram(counts) == told["pass_count_histogram"], path


def test_inspect_missing_samples_are_the_planned_ones(of_file):
    missing = {
        path: _outcomes(runs)["missing"]
        for path, _, runs, _ in _of(of_file, "inspect-eval", "inspect-json")
    }
    assert {path: count for path, count in missing.items() if count} == {
        "inspect/a2ui-status-error-zstd.eval": 51 - 27,
        "inspect/popularity-cancelled-no-samples.json": 3,
    }


def test_inspect_status_and_compression(real_logs, of_file):
    for path, facts, _, file in _of(of_file, "inspect-eval", "inspect-json"):
        if facts["status"] != "success":
            assert f"status of the log: {facts['status']}" in _notes(file), path
        if "run_error" in facts:
            assert facts["run_error"][:80] in _notes(file)
        if facts["compression"]:
            source = Source(real_logs / path)
            archive = Archive(source)
            assert archive.methods() == {
                {"deflate": 8, "zstd": 93}[c] for c in facts["compression"]
            }
            others = {name for name in archive if not name.startswith("samples/")}
            assert others == set(facts["non_sample_members"])
            header = dict(archive.json_members("header.json"))
            assert header["version"] == facts["log_version"]
            assert header["eval"]["packages"]["inspect_ai"] == facts["inspect_version"]


def test_tau_bench_records(of_file):
    for path, facts, runs, file in _of(of_file, "tau-bench"):
        assert len(runs) == facts["n_samples"], path
        assert len({run.task for run in runs}) == facts["n_tasks"]
        assert sorted({int(run.repeat) for run in runs}) == facts["trials"]
        assert _outcomes(runs)["error"] == facts["n_errored"]
        assert _duplicates(runs) == facts["duplicate_task_trial_rows"]
        assert "file's name only" in _notes(file)
        assert _mean(runs, zero=True) == pytest.approx(facts["mean_reward"], abs=1e-12)
        for trial, mean in facts["mean_by_trial"].items():
            of_trial = [run for run in runs if run.repeat == trial]
            assert _mean(of_trial, zero=True) == pytest.approx(mean, abs=1e-12)
        if "per_task_pass_counts" in facts:
            counts = _pass_counts(runs)
            assert counts == facts["per_task_pass_counts"]
            assert _histogram(counts) == facts["pass_count_histogram"]


def test_tau2_bench_simulations(of_file):
    for path, facts, runs, _ in _of(of_file, "tau2-bench"):
        assert len(runs) == facts["n_samples"], path
        assert len({run.task for run in runs}) == facts["n_tasks"] == facts["declared_tasks"]
        assert [*{run.model for run in runs}] == facts["models"]
        assert {run.scaffold for run in runs} == {facts["agent"]}
        assert {run.repeat for run in runs} == {str(s) for s in facts["seeds_by_trial"].values()}
        assert {run.repeat_kind for run in runs} == {"seed"}
        assert json.loads(runs[0].serving.sampling)["user"] == facts["user_model"]
        assert sum(run.score is None for run in runs) == facts["n_unscored"]
        assert Counter(run.detail for run in runs) == facts["termination"]
        assert _duplicates(runs) == facts["duplicate_task_trial_rows"]
        assert _mean(runs) == pytest.approx(facts["mean_reward"], abs=1e-12)
        for trial, mean in facts["mean_by_trial"].items():
            seed = str(facts["seeds_by_trial"][trial])
            of_trial = [run for run in runs if run.repeat == seed]
            assert _mean(of_trial) == pytest.approx(mean, abs=1e-12)
        counts = _pass_counts(runs)
        assert counts == facts["per_task_pass_counts"]
        assert _histogram(counts) == facts["pass_count_histogram"]


def test_bfcl_pairs(of_file):
    results = {path: facts for path, facts, _, _ in _of(of_file, "bfcl-result")}
    for path, facts, runs, file in _of(of_file, "bfcl-score"):
        mirrored = path.replace("/score/", "/result/").replace("_score.json", "_result.json")
        answers = results[mirrored]
        assert len(runs) == facts["n_samples"] == answers["n_samples"], path
        assert _duplicates(runs) == answers["duplicate_ids"]
        assert [*{run.model for run in runs}] == facts["models"]
        assert {run.batch for run in runs} == {path.split("/")[1]}
        assert _mean(runs, zero=True) == pytest.approx(facts["mean_score"], abs=1e-12)
        assert _outcomes(runs)["error"] == answers["has_traceback"]
        failed = {run.task for run in runs if run.score != 1}
        assert sorted(failed) == sorted(facts["failed_ids"])
        assert len(failed) == facts["n_failed_rows"]
        kinds = Counter(run.detail for run in runs if run.score == 0)
        inference = {"multi_turn:inference_error": answers["has_traceback"]}
        assert kinds + Counter(inference) == facts["error_types"]
        assert facts["recount_matches"]
        assert _notes(file) == ""


def test_lm_eval_samples(of_file):
    results = {
        path.rpartition("results_")[2].removesuffix(".json"): facts
        for path, facts, _, _ in _of(of_file, "lm-eval-results")
    }
    for path, facts, runs, file in _of(of_file, "lm-eval-samples"):
        assert _duplicates(runs) == facts["duplicate_doc_filter_rows"], path
        for metric, told in facts["metrics"].items():
            of_metric = [run for run in runs if run.metric == metric]
            if "not_numeric" in told:
                assert f"{metric} has no number for a single run" in _notes(file)
                assert of_metric == []
                continue
            assert len(of_metric) == facts["n_rows"], path
            assert len({run.task for run in of_metric}) == facts["n_tasks"]
            assert _mean(of_metric) == pytest.approx(told["mean"], abs=1e-12)
            assert sum(run.score is None for run in of_metric) == told["n_nan"]
        told = results.get(runs[0].batch)
        if told is None:
            assert "model known from the folder only" in _notes(file)
            continue
        assert [*{run.model for run in runs}] == told["models"]
        assert len(runs) == told["n_samples"]["asdiv"]["effective"] == told["limit"]
        assert told["tasks"]["asdiv"]["acc,none"] == pytest.approx(_mean(runs))
        seeds = json.loads(runs[0].serving.sampling)
        assert {key: seeds[key] for key in told["seeds"]} == told["seeds"]


def test_terminal_bench_runs(of_file):
    for path, facts, runs, file in _of(of_file, "terminal-bench-run"):
        assert len(runs) == facts["n_samples"], path
        assert len({run.task for run in runs}) == facts["n_tasks"]
        verdicts = Counter(run.score for run in runs)
        assert verdicts[1.0] == facts["n_true"] == facts["file_reported"]["n_resolved"]
        assert verdicts[0.0] == facts["n_false"]
        assert verdicts[None] == facts["n_null_unscored"]
        assert _mean(runs) == pytest.approx(facts["mean_over_scored"], abs=1e-12)
        assert _mean(runs, zero=True) == pytest.approx(facts["mean_null_as_0"], abs=1e-12)
        assert Counter(run.detail or "unset" for run in runs) == facts["failure_modes"]
        late = sum(run.score == 1 and bool(run.detail) for run in runs)
        assert late == facts["resolved_but_failure_mode_not_unset"]
        assert _duplicates(runs) == facts["duplicate_task_rows"]
        assert "folder's name only" in _notes(file)


def test_terminal_bench_trials_and_metadata(real_logs, of_file):
    for path, facts, runs, file in _of(of_file, "terminal-bench-trial"):
        assert runs == [], path
        assert "counted there" in _notes(file)
        folder = real_logs / path
        run_file = str(folder.parents[2].relative_to(real_logs) / "results.json")
        listed = of_file["terminal-bench-run", run_file][1]
        (run,) = (run for run in listed if run.task == facts["task"])
        assert (run.score is None) == (facts["is_resolved"] is None)
        assert run.score is None or bool(run.score) == facts["is_resolved"]
        assert (run.detail or "unset") == facts["failure_mode"]
        assert run.place == f"trial {facts['trial_name']}"
    for path, facts, runs, _ in _of(of_file, "terminal-bench-metadata"):
        run_file = path.replace("run_metadata.json", "results.json")
        listed = of_file["terminal-bench-run", run_file][1]
        assert runs == []
        assert {run.batch for run in listed} == {facts["run_id"]}
        assert len(listed) == facts["n_task_ids"]


def test_verifiers_rollouts(of_file):
    metadata = {path: facts for path, facts, _, _ in _of(of_file, "verifiers-metadata")}
    for path, facts, every, _ in _of(of_file, "verifiers-results"):
        told = metadata[path.replace("results.jsonl", "metadata.json")]
        runs = [run for run in every if run.metric == "reward"]
        assert len(runs) == facts["n_samples"]
        assert len({run.task for run in runs}) == facts["n_tasks"] == told["num_examples"]
        assert {count for _, count in _pass_counts(runs).values()} == {*facts["rollouts_per_task"]}
        assert _mean(runs) == pytest.approx(facts["mean_reward"], abs=1e-12)
        assert min(run.score for run in runs) == facts["min_reward"]
        assert max(run.score for run in runs) == facts["max_reward"]
        assert sum(run.score is None for run in runs) == facts["n_reward_null"]
        assert _pass_counts(runs) == facts["per_task_counts_reward_ge_1"]
        assert {run.model for run in runs} == {told["model"]}
        assert {run.suite for run in runs} == {told["env"]}
        for metric, mean in facts["component_means"].items():
            of_metric = [run for run in every if run.metric == metric]
            assert _mean(of_metric) == pytest.approx(mean, abs=1e-12)


def test_swe_bench_results(of_file):
    for path, facts, runs, file in _of(of_file, "swebench-results"):
        named = [run for run in runs if not run.task.startswith("(unnamed")]
        assert len(named) == facts["n_instances_named_anywhere"], path
        resolved = [run for run in named if run.score == 1]
        assert len(resolved) == facts["n_resolved_unique"]
        rate = pytest.approx(facts["resolve_rate_over_500_verified"], abs=1e-12)
        assert _mean(runs, zero=True) == rate
        for key, count in facts["duplicate_ids"].items():
            note = next(note for note in file.notes if f"in {key} more than once" in note.text)
            assert note.times == count
        assert "file's name only" in _notes(file)
    for _, facts, runs, file in _of(of_file, "swebench-per-instance-tests"):
        whole = [run for run in runs if run.metric == "all_tests_resolved"]
        assert len(whole) == facts["n_instances"]
        assert sum(run.score == 1 for run in whole) == facts["n_all_tests_resolved"]
        assert _outcomes(whole)["unscored"] == facts["n_zero_tests"]
        assert "instances without any test" in _notes(file)


def test_csv_rows(of_file):
    for path, facts, runs, _ in _of(of_file, "csv-task-model-run"):
        assert len(runs) == facts["n_samples"], path
        assert len({run.task for run in runs}) == facts["n_tasks"]
        assert [*{run.model for run in runs}] == facts["models"]
        assert [*{run.serving.provider for run in runs}] == facts["hardware"]
        assert [*{run.repeat for run in runs}] == facts["run_index"]
        assert _mean(runs) == pytest.approx(facts["mean_correct"], abs=1e-12)
        assert _outcomes(runs)["error"] == facts["n_error_nonempty"]
        assert _duplicates(runs) == facts["duplicate_task_run_rows"]
        counts = Counter(str(run.score == 1) for run in runs)
        assert counts == facts["correct_values"]
        last = int(runs[-1].place.removeprefix("line "))
        assert last <= facts["physical_lines"]
        by_category = defaultdict(list)
        for run in runs:
            by_category[run.task.rpartition("_")[0]].append(run)
        means = {category: _mean(of_it) for category, of_it in by_category.items()}
        assert means == pytest.approx(facts["by_category"])


def test_harbor_trials_and_job(of_file):
    ((_, facts, runs, _),) = _of(of_file, "harbor-trial")
    (run,) = runs
    assert (run.task, run.score, run.outcome) == (facts["task"], None, Outcome.ERROR)
    assert [run.model] == facts["models"]
    assert run.scaffold == facts["agent"]
    assert run.detail.startswith(facts["exception_type"])
    ((_, facts, runs, file),) = _of(of_file, "harbor-job")
    assert len(runs) == 0 == facts["n_total_trials"] - 1
    for name in facts["evals"]:
        assert f'{name} reports [{{"mean": 0.0}}] over no scored trial' in _notes(file)


def test_repeated_runs_over_files(real_logs, index):
    for group in index["groups"]:
        paths = [real_logs / name for name in group["files"]]
        runs = list(read_logs(paths, options=OPTIONS))
        counts = _pass_counts(runs)
        assert counts == group["per_task_pass_counts"], group["group"]
        assert _histogram(counts) == group["pass_count_histogram"]
        assert _mean(runs, zero=True) == pytest.approx(group["mean"], abs=1e-12)
        by_file = [[run for run in runs if run.file == str(path)] for path in paths]
        means = [_mean(of_file, zero=True) for of_file in by_file]
        assert means == pytest.approx(group.get("mean_by_run", means), abs=1e-12)
        assert sum(run.score is None for run in runs) == group.get("n_null", 0)
        assert len(paths) == group["n_runs"]


def test_the_report_gives_the_same_pass_counts(real_logs, index):
    group = next(g for g in index["groups"] if "goose" in g["group"])
    report = reliability(read_logs([real_logs / group["group"]], options=OPTIONS))
    ((system,),) = [g.systems for g in report.groups]
    scored, zero = system.readings
    assert zero.mean == pytest.approx(group["mean"], abs=1e-12)
    assert (zero.always_fail, zero.always_pass) == (35, 26)
    assert zero.pass_hat[-1] == pytest.approx(26 / 80)
    assert system.outcomes["timeout"] > 0
    assert scored.runs == 400 - group["n_null"]
    assert all(later <= earlier for earlier, later in pairwise(zero.pass_hat))


def test_byte_identical_repeats_are_no_evidence_of_stability(real_logs):
    folder = real_logs / "lm-eval" / "meta-llama__Meta-Llama-3-8B-Instruct"
    samples = sorted(str(path) for path in folder.glob("samples_*"))
    assert twin_files(samples) == {samples[1]: samples[0], samples[2]: samples[0]}
    report = reliability(read_logs([folder]))
    (finding,) = (f for f in report.findings if f.kind == "identical")
    assert "2 files equal another one to the byte" in finding.text
    assert "no evidence of stability" in finding.text
