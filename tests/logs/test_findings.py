from __future__ import annotations

import pytest

from benchaudit.logs import read_logs
from benchaudit.logs.findings import contrasts
from benchaudit.logs.pool import Pool
from benchaudit.logs.readings import Settings
from benchaudit.logs.report import reliability
from benchaudit.logs.runs import Outcome, Run, Serving
from tests.logs import build

OK = Outcome.OK


class Given(list):
    """Runs in place of logs, with the files that they are from."""

    files = ()


def _run(task, score=1.0, model="m", metric="acc", **more):
    return Run(task, model, score, OK if score is not None else Outcome.ERROR, metric, **more)


def _findings(runs, kind, settings=None, **options):
    report = reliability(Given(runs), settings or Settings(), **options)
    return [finding for finding in report.findings if finding.kind == kind]


def test_runs_of_one_task_and_seed_are_told_and_not_dropped():
    runs = [_run("a", repeat="7", repeat_kind="seed", batch="b") for _ in range(3)]
    (finding,) = _findings(runs, "duplicates")
    assert finding.times == 2
    assert "task and seed of another one" in finding.text
    assert "the first is task a, b seed 7" in finding.text
    assert reliability(Given(runs)).groups[0].systems[0].runs == 3


def test_repeats_without_any_name_are_no_duplicates():
    assert _findings([_run("a"), _run("a")], "duplicates") == []


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        (Settings(), "2 scores outside 0 to 1 (they go from -1 to 10); declare"),
        (Settings(low=-1, high=10), None),
        (Settings(low=0, high=10), "1 scores outside 0 to 10"),
    ],
)
def test_scores_out_of_the_range_are_told(settings, told):
    found = _findings([_run("a", 10.0), _run("b", -1.0), _run("c", 0.5)], "range", settings)
    assert [told in finding.text for finding in found] == ([True] if told else [])


def test_uneven_and_single_repeats_are_told():
    (uneven,) = _findings([_run("a"), _run("a"), _run("b")], "repeats")
    assert "1 to 2 scored runs a task, fewer than 2 on 1 of 2" in uneven.text
    (single,) = _findings([_run("a"), _run("b")], "repeats")
    assert "nothing here shows how runs vary" in single.text
    assert _findings([_run("a"), _run("a")], "repeats") == []


def test_outputs_that_are_the_same_in_all_repeats_are_told():
    runs = [_run("a", output="11"), _run("a", output="11"), _run("b", output="11")]
    runs += [_run("c", output="11"), _run("c", output="22")]
    (finding,) = _findings(runs, "identical")
    assert "in 1 of 2 tasks with repeats all outputs are the same" in finding.text


def test_metrics_stand_apart_and_the_ones_left_out_are_named():
    runs = [_run("a"), _run("a", 0.0, metric="f1")]
    report = reliability(Given(runs))
    means = [(g.metric, g.systems[0].readings[0].mean) for g in report.groups]
    assert means == [("acc", 1.0), ("f1", 0.0)]
    (finding,) = _findings(runs, "metrics")
    assert "2 metrics, each reported on its own: acc, f1" in finding.text
    (finding,) = _findings(runs, "metrics", metrics=["acc"])
    assert "left out by --metric: f1" in finding.text


def test_tasks_that_not_every_model_ran_are_told():
    runs = [_run("a"), _run("b"), _run("a", model="n")]
    (finding,) = _findings(runs, "tasks")
    assert "1 of 2 in common (m: 2, n: 1)" in finding.text


def test_a_passing_score_that_nothing_reaches_is_told():
    (finding,) = _findings([_run("a", 0.4), _run("b", 0.8)], "passes")
    assert "no run reaches the passing score 1 (the best has 0.8)" in finding.text
    assert _findings([_run("a", 0.0)], "passes") == []


def test_runs_that_one_file_lacks_and_another_holds_are_told():
    lost = Run("a", "m", None, Outcome.MISSING, repeat="1")
    (finding,) = _findings([_run("a", repeat="1"), lost], "missing")
    assert finding.text.startswith("1 runs that one file lacks are in another one")


def test_what_a_log_does_not_say_of_the_serving_is_listed():
    runs = [_run("a", batch="x", serving=Serving("p")), _run("a", batch="y")]
    (finding,) = _findings(runs, "unrecorded")
    assert finding.text == (
        "unrecorded: provider, stack, quantisation, sampling; "
        "2 batches are pooled without knowing it to be the same"
    )
    full = Serving("p", "s", "q", "{}")
    assert _findings([_run("a", serving=full)], "unrecorded") == []


def _contrast(first, second, tasks="abcdefgh"):
    """Contrast of two providers; each a number of passes on the tasks."""
    runs = []
    for provider, passes in (("x", first), ("y", second)):
        for i, task in enumerate(tasks):
            score = float(i < passes)
            runs.append(_run(task, score, serving=Serving(provider, "s", "q", "{}")))
    runs.append(_run(tasks[0], serving=Serving("x", "s", "q", "{}"), repeat="again"))
    pool = Pool(runs)
    (found,) = contrasts(pool, pool.blocks()[0], Settings())
    return found


def test_providers_are_contrasted_by_fishers_exact_test():
    found = _contrast(8, 0)
    assert (found.first, found.second) == ("provider x", "provider y")
    assert (found.tasks, found.runs, found.passes) == (8, (9, 8), (9, 0))
    assert found.p == pytest.approx(1 / 24310)
    assert found.diverge


def test_a_null_contrast_says_no_detected_divergence():
    found = _contrast(4, 3)
    assert found.p > 0.05
    assert not found.diverge


def test_a_contrast_is_over_the_tasks_that_both_servings_ran():
    runs = [_run("a", serving=Serving("x")), _run("a", serving=Serving("y"))]
    runs += [_run(str(i), 0.0, serving=Serving("x")) for i in range(30)]
    pool = Pool(runs)
    (found,) = contrasts(pool, pool.blocks()[0], Settings())
    assert (found.tasks, found.runs, found.passes) == (1, (1, 1), (1, 1))


def test_servings_without_a_common_task_have_no_contrast():
    runs = [_run("a", serving=Serving("x")), _run("b", serving=Serving("y"))]
    pool = Pool(runs)
    (found,) = contrasts(pool, pool.blocks()[0], Settings())
    assert (found.tasks, found.p, found.diverge) == (0, None, False)


def test_several_servings_are_adjusted_for_each_other():
    def runs(provider, passes):
        return [_run(str(i), float(i < passes), serving=Serving(provider)) for i in range(8)] + [
            _run("0", serving=Serving("x"))
        ]

    pool = Pool(runs("x", 7) + runs("y", 1) + runs("z", 1))
    found = contrasts(pool, pool.blocks()[0], Settings())
    assert [contrast.second for contrast in found] == ["provider y", "provider z"]
    assert found[0].p == found[1].p
    pool = Pool(runs("x", 7) + runs("y", 1) + [_run("0", serving=Serving("x"))])
    (alone,) = contrasts(pool, pool.blocks()[0], Settings())
    assert alone.p < found[0].p


def test_files_that_are_the_same_to_the_byte_are_told(tmp_path):
    rows = [{"doc_id": i, "acc": i % 2, "resps": []} for i in range(4)]
    for second in range(2):
        name = f"samples_t_2024-08-21T03-40-1{second}.0.jsonl"
        build.write_lines(tmp_path / name, rows)
    report = reliability(read_logs([tmp_path]))
    (finding,) = (f for f in report.findings if f.kind == "identical")
    assert "1 files equal another one to the byte" in finding.text
    assert "no evidence of stability" in finding.text
