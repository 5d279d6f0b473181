"""The rules on forged submissions: each verdict of each, and what lies at the edges."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from benchaudit.card.model import ITEMS
from benchaudit.card.view import TaskFacts
from tests.card.build import (
    BROKEN,
    PROBES,
    SILENT,
    TASKS,
    all_pass,
    any_of,
    change,
    column,
    drop,
    forged,
    is_probe,
    item,
    probe,
    scored_by,
    verdicts,
    view,
)

SCORING = [
    "criterion",
    "task-validity",
    "null-floor",
    "over-strictness",
    "gaming-resistance",
    "trace-preference",
    "robustness",
]


def test_every_item_passes_on_the_evidence_that_the_others_break() -> None:
    assert set(verdicts(all_pass()).values()) == {"pass"}
    assert set(verdicts(all_pass())) == set(ITEMS)


def test_without_any_evidence_nothing_is_probed() -> None:
    assert set(verdicts([]).values()) == {"not probed"}


@pytest.mark.parametrize("name", ITEMS)
def test_an_item_rests_on_records_it_names(name: str) -> None:
    found = item(name, all_pass())
    assert found.cells > 0
    assert len(found.evidence) == 64
    silent = item(name, [])
    assert (silent.cells, silent.evidence) == (0, "")
    for one in (found, silent):
        assert one.reason.endswith(".")
        assert len(one.reason) >= 20


@pytest.mark.parametrize("name", SCORING)
def test_no_scoring_item_passes_when_every_submission_is_silent(name: str) -> None:
    for outcome in ("vacuous", "unsupported", "unforged"):
        silent = {**SILENT, "outcome": outcome, "quality": None}
        records = change(all_pass(), is_probe(*PROBES, "canonical", repeat=None), **silent)
        assert item(name, records).verdict == "not probed", outcome


@pytest.mark.parametrize("name", SCORING)
def test_no_scoring_item_passes_when_the_scorer_breaks_on_everything(name: str) -> None:
    records = change(all_pass(), is_probe(*PROBES, "canonical", repeat=None), **BROKEN)
    expected = "fail" if name in ("task-validity", "robustness") else "not probed"
    assert item(name, records).verdict == expected


# -- criterion -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("score", "verdict", "status"),
    [
        (0.0, "pass", "held"),
        (0.98, "pass", "held"),
        (0.99, "fail", "tied"),  # exactly the resolution away, and 1 - 0.99 > 0.01 in floats
        (0.995, "fail", "tied"),
        (1.0, "fail", "tied"),
        (1.01, "fail", "tied"),
        (1.02, "fail", "inverted"),
    ],
)
def test_worse_work_must_score_lower_by_more_than_the_resolution(
    score: float, verdict: str, status: str
) -> None:
    records = change(all_pass(), is_probe("partial", task="t1"), score=score)
    facts = scored_by(maximum=2.0)
    found = item("criterion", records, facts)
    assert found.verdict == verdict
    reasons = [e.reasons for e in column(records, facts).scope.excluded]
    assert reasons == ([] if status == "held" else [[f"the criterion is {status} on it"]])


def test_criterion_fails_on_one_tie_of_one_task_and_says_where() -> None:
    records = change(all_pass(), is_probe("partial", task="t2"), score=1.0)
    found = item("criterion", records)
    assert found.deviations == {"partial": 1}
    assert [(e.task, e.probe, e.score, e.canonical) for e in found.examples] == [
        ("t2", "partial", 1.0, 1.0)
    ]
    assert found.figures["tasks held"] == 1
    assert "1 of 2 tasks" in found.reason


def test_criterion_counts_ties_inversions_vacuous_and_errors_apart() -> None:
    records = change(all_pass(), is_probe("partial", task="t1"), score=1.0)
    records = change(records, is_probe("nothing", task="t1"), score=1.5)
    records = change(records, is_probe("partial", task="t2"), outcome="vacuous", score=None)
    records = change(records, is_probe("nothing", task="t2"), **BROKEN)
    figures = item("criterion", records).figures
    assert (figures["ties"], figures["inversions"]) == (1, 1)
    assert (figures["vacuous"], figures["errors"], figures["cells"]) == (1, 1, 5)


def test_the_worst_status_of_a_task_is_the_one_told() -> None:
    records = change(all_pass(), is_probe("partial", task="t1"), score=1.0)
    records = change(records, is_probe("nothing", task="t1"), score=1.5)
    (gone,) = column(records).scope.excluded
    assert "the criterion is inverted on it" in gone.reasons


@pytest.mark.parametrize("outcome", ["error", "timeout", "invalid"])
def test_breaking_on_worse_work_earns_no_credit(outcome: str) -> None:
    broken = {**BROKEN, "outcome": outcome}
    records = change(all_pass(), is_probe("partial", "nothing", "made-up"), **broken)
    assert item("criterion", records).verdict == "pass"
    assert item("robustness", records).verdict == "fail"


def test_breaking_on_everything_is_not_the_criterion_holding() -> None:
    records = change(all_pass(), is_probe("partial", "nothing", "made-up", "canonical"), **BROKEN)
    assert item("criterion", records).verdict == "not probed"
    assert column(records).scope.criterion == "fail"  # every task is unwinnable
    assert column(records).claim.id == "scorer-fails"


def test_criterion_is_not_probed_on_a_task_whose_cells_say_nothing() -> None:
    where = is_probe("partial", "nothing", "made-up", task="t2")
    for silence in ("vacuous", "unsupported", "unforged"):
        records = change(all_pass(), where, **{**SILENT, "outcome": silence})
        found = item("criterion", records)
        assert found.verdict == "not probed"
        assert "1 task could not be probed" in found.reason
        assert "not here" in found.reason


def test_criterion_is_not_probed_without_the_quality_of_the_worse_work() -> None:
    where = is_probe("partial", "nothing", "made-up")
    for fields in ({"quality": None}, {**BROKEN, "quality": None}):
        assert item("criterion", change(all_pass(), where, **fields)).verdict == "not probed"


def test_criterion_is_not_probed_without_a_canonical_score() -> None:
    records = drop(all_pass(), is_probe("canonical", task="t1", repeat=None))
    assert item("criterion", records).verdict == "not probed"


def test_a_fail_on_one_task_outweighs_a_silence_on_another() -> None:
    records = change(all_pass(), is_probe("partial", task="t1"), score=1.0)
    records = change(records, is_probe("partial", "nothing", "made-up", task="t2"), **SILENT)
    assert item("criterion", records).verdict == "fail"


def test_only_degraded_probes_that_feed_it_decide_the_criterion() -> None:
    where = is_probe("rewritten", "stuffed", "misreported")
    assert item("criterion", change(all_pass(), where, score=1.0)).verdict == "pass"
    gaming_too = {**PROBES, "stuffed": probe("gaming", "gaming-resistance", "criterion")}
    records = change(all_pass(), is_probe("stuffed"), score=1.0)
    assert item("criterion", records, probes=gaming_too).verdict == "pass"


def test_where_correct_work_does_not_pass_a_tie_accuses_nobody() -> None:
    records = change(all_pass(), is_probe("canonical", task="t1", repeat=None), passed=False)
    where = is_probe("partial", "stuffed", "made-up", "misreported", task="t1", repeat=None)
    records = change(records, where, score=1.0)
    found = item("criterion", records)
    assert found.verdict == "not probed"
    assert "does not pass, a tie accuses nobody" in found.reason
    assert item("task-validity", records).verdict == "fail"
    for name in ("gaming-resistance", "trace-preference"):
        assert item(name, records).verdict == "pass"
    assert column(records).scope.tasks == ["t2"]


def test_reason_of_a_silence_is_that_of_the_silent_task() -> None:
    records = change(all_pass(), is_probe("partial", "nothing", task="t2"), **SILENT)
    records = change(records, is_probe("made-up", task="t2", repeat=None), **SILENT)
    elsewhere = [forged("partial", "t1", variant=str(n), **SILENT) for n in range(9)]
    elsewhere = [replace(r, detail="far more often, on the other task") for r in elsewhere]
    found = item("criterion", records + elsewhere)
    assert found.reason == "1 task could not be probed: unsupported: not here."


def test_seeds_are_compared_with_the_canonical_of_the_same_seed() -> None:
    hard = [forged("canonical", "t1", seed=7, score=0.4), forged("partial", "t1", seed=7)]
    assert item("criterion", all_pass() + hard).verdict == "fail"
    easy = [forged("canonical", "t1", seed=7, score=0.6), forged("partial", "t1", seed=7)]
    assert item("criterion", all_pass() + easy).verdict == "pass"


def test_repeats_do_not_count_twice() -> None:
    found = item("criterion", all_pass())
    assert found.figures["cells"] == 6


# -- scorer kind ---------------------------------------------------------------------------------


def test_fabrication_that_scores_like_the_truth_on_most_tasks_makes_it_shape() -> None:
    records = change(all_pass(), is_probe("made-up"), score=1.0)
    found = column(records)
    assert (found.declared_kind, found.scorer_kind) == ("outcome", "shape")
    assert "2 of 2 tasks" in found.kind_reason
    assert found.claim.id == "self-report-compliance"


def test_fabrication_liked_on_half_of_the_tasks_does_not_overrule_the_declared_kind() -> None:
    records = change(all_pass(), is_probe("made-up", task="t1"), score=1.0)
    found = column(records)
    assert found.scorer_kind == "outcome"
    assert found.kind_reason == "It compares with the truth."
    assert found.scope.criterion == "pass"  # and so there is no contradiction
    assert found.scope.tasks == ["t2"]


@pytest.mark.parametrize("fields", [BROKEN, SILENT, {"score": 0.98}])
def test_fabrication_that_is_not_liked_leaves_the_kind(fields: dict[str, Any]) -> None:
    records = change(all_pass(), is_probe("made-up", repeat=None), **fields)
    assert column(records).scorer_kind == "outcome"


# -- task validity -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "fields",
    [{"passed": False}, {"score": 0.0}, {"score": -1.0}, BROKEN, {**BROKEN, "outcome": "invalid"}],
)
def test_task_that_correct_work_does_not_pass_is_unwinnable(fields: dict[str, Any]) -> None:
    records = change(all_pass(), is_probe("canonical", task="t1"), **fields)
    found = item("task-validity", records, scored_by(minimum=-1.0))
    assert found.verdict == "fail"
    assert found.figures["unwinnable"] == 1
    (gone,) = column(records).scope.excluded
    assert gone.task == "t1"
    assert any(reason.startswith("unwinnable: ") for reason in gone.reasons)


def test_exception_on_correct_work_is_told_in_the_scope() -> None:
    records = change(all_pass(), is_probe("canonical", task="t1"), **BROKEN)
    (gone,) = column(records).scope.excluded
    assert "unwinnable: the correct submission ends in ValueError: no" in gone.reasons


def test_shortfall_from_the_maximum_is_a_figure_and_no_failure() -> None:
    records = change(all_pass(), is_probe("canonical", task="t1"), score=0.9)
    found = item("task-validity", records)
    assert found.verdict == "pass"
    assert found.figures["largest shortfall from the maximum"] == 0.1
    assert found.figures["mean shortfall from the maximum"] == 0.05


def test_task_validity_is_not_probed_where_a_canonical_is_silent_or_missing() -> None:
    silent = change(all_pass(), is_probe("canonical", task="t1"), **SILENT)
    missing = drop(all_pass(), is_probe("canonical", task="t1", repeat=None))
    for records in (silent, missing):
        found = item("task-validity", records)
        assert found.verdict == "not probed"
        assert "1 task" in found.reason
    nowhere = change(all_pass(), is_probe("canonical"), **SILENT)
    assert item("task-validity", nowhere).reason == "Not here."


def test_a_sample_is_not_taken_for_correct_work() -> None:
    without_oracle = change(all_pass(), is_probe(*PROBES, "canonical", repeat=None), quality=None)
    for score in (1.0, 0.0):
        where = is_probe("canonical", task="t1")
        records = change(without_oracle, where, score=score, passed=score > 0.5)
        assert item("task-validity", records).verdict == "not probed"
        assert all("unwinnable" not in str(e.reasons) for e in column(records).scope.excluded)


def test_an_empty_scale_probes_nothing() -> None:
    assert item("task-validity", all_pass(), scored_by(maximum=0.0)).verdict == "not probed"


# -- null floor ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("score", "verdict"), [(0.0, "pass"), (0.499, "pass"), (0.5, "fail"), (1.0, "fail")]
)
def test_without_a_threshold_half_of_the_canonical_score_passes(score: float, verdict: str) -> None:
    records = change(all_pass(), is_probe("nothing", task="t1"), score=score)
    assert item("null-floor", records).verdict == verdict


def test_half_is_of_the_canonical_score_of_the_same_task() -> None:
    records = change(all_pass(), is_probe("canonical", task="t1"), score=0.4)
    records = change(records, is_probe("nothing", task="t1"), score=0.2)
    found = item("null-floor", records)
    assert found.verdict == "fail"
    assert [e.task for e in found.examples] == ["t1"]


@pytest.mark.parametrize(
    ("passed", "score", "verdict"), [(True, 0.1, "fail"), (False, 0.9, "pass")]
)
def test_the_benchmarks_own_threshold_comes_first(passed: bool, score: float, verdict: str) -> None:
    records = change(all_pass(), is_probe("nothing"), score=score, passed=passed)
    assert item("null-floor", records).verdict == verdict


def test_passing_by_nothing_takes_the_task_out_of_the_scope() -> None:
    records = change(all_pass(), is_probe("nothing", task="t1"), score=0.6)
    found = column(records)
    assert found.item("criterion").verdict == "pass"
    assert [(e.task, e.reasons) for e in found.scope.excluded] == [
        ("t1", ["a null submission passes it"])
    ]
    assert "null floor fails (1)" in found.claim.sentence


def test_task_labelled_as_calling_for_no_action_may_be_passed_by_nothing() -> None:
    records = change(all_pass(), is_probe("nothing", task="t1"), score=0.9)
    labelled = (replace(TASKS[0], no_action="its README: nothing to do"), TASKS[1])
    found = item("null-floor", records, tasks=labelled)
    assert found.verdict == "pass"
    assert found.figures["labelled as calling for no action"] == 1
    assert found.figures["tasks passed by a null submission"] == 0


def test_doing_nothing_where_nothing_is_correct_passes_unless_labelled() -> None:
    canonical = next(r for r in all_pass() if is_probe("canonical", task="t1")(r))
    same = {"outcome": "vacuous", "score": None, "digest": canonical.digest}
    records = change(all_pass(), is_probe("nothing", task="t1"), **same)
    found = item("null-floor", records)
    assert (found.verdict, [e.task for e in found.examples]) == ("fail", ["t1"])
    assert "a null submission passes it" in column(records).scope.excluded[0].reasons
    labelled = (replace(TASKS[0], no_action="its README: nothing to do"), TASKS[1])
    assert item("null-floor", records, tasks=labelled).verdict == "pass"


def test_labelled_task_needs_no_null_submission() -> None:
    silent = change(all_pass(), is_probe("nothing", task="t1"), **SILENT)
    labelled = (replace(TASKS[0], no_action="its README: nothing to do"), TASKS[1])
    assert item("null-floor", silent, tasks=labelled).verdict == "pass"
    assert item("null-floor", silent).verdict == "not probed"


def test_floor_is_the_mean_of_the_best_constant() -> None:
    records = change(all_pass(), is_probe("nothing", task="t1"), score=0.4)
    records += [forged("nothing", t, variant="word", score=0.25) for t in ("t1", "t2")]
    figures = item("null-floor", records).figures
    assert (figures["floor"], figures["floor from"]) == (0.25, "nothing (word)")
    assert figures["canonical mean"] == 1.0


def test_an_exception_is_no_zero_in_the_floor() -> None:
    records = change(all_pass(), is_probe("nothing", task="t1"), score=0.4)
    records = change(records, is_probe("nothing", task="t2"), **BROKEN)
    found = item("null-floor", records)
    assert found.figures["floor"] == 0.4
    assert found.verdict == "pass"


def test_a_scorer_that_breaks_on_every_null_submission_has_no_floor() -> None:
    found = item("null-floor", change(all_pass(), is_probe("nothing"), **BROKEN))
    assert found.verdict == "pass"  # what raises does not pass, and robustness fails on it
    assert found.figures["floor"] is None
    assert "none has a score" in found.reason


def test_null_floor_is_open_where_nothing_says_what_passes() -> None:
    no_canonical = change(all_pass(), is_probe("canonical", task="t1"), **BROKEN)
    found = item("null-floor", no_canonical)
    assert found.verdict == "not probed"
    assert "1 task" in found.reason
    no_oracle = change(all_pass(), is_probe(*PROBES, "canonical", repeat=None), quality=None)
    assert item("null-floor", no_oracle).verdict == "not probed"
    lucky = change(no_oracle, is_probe("nothing"), score=0.9)
    assert item("null-floor", lucky).verdict == "not probed"
    decided = change(no_oracle, is_probe("nothing"), passed=True)
    assert item("null-floor", decided).verdict == "fail"


def test_null_floor_is_not_probed_on_a_task_without_a_null_submission() -> None:
    silent = change(all_pass(), is_probe("nothing", task="t2"), **SILENT)
    assert item("null-floor", silent).verdict == "not probed"
    assert item("null-floor", drop(all_pass(), is_probe("nothing", repeat=None))).cells == 0


# -- over-strictness -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("score", "verdict"), [(1.0, "pass"), (0.99, "pass"), (0.98, "fail"), (1.02, "fail")]
)
def test_equivalent_work_scores_the_same_within_the_resolution(score: float, verdict: str) -> None:
    records = change(all_pass(), is_probe("rewritten", task="t2"), score=score)
    found = item("over-strictness", records, scored_by(maximum=2.0))
    assert found.verdict == verdict
    assert found.deviations == ({"rewritten": 1} if verdict == "fail" else {})


@pytest.mark.parametrize("outcome", ["error", "timeout", "invalid"])
def test_breaking_on_equivalent_work_is_over_strict(outcome: str) -> None:
    broken = {**BROKEN, "outcome": outcome}
    records = change(all_pass(), is_probe("rewritten", task="t2"), **broken)
    assert item("over-strictness", records).verdict == "fail"


def test_policies_are_not_judged_as_strictness() -> None:
    policy = {**PROBES, "respelled": probe("policy", "over-strictness")}
    spelled = [
        replace(forged("partial", t), probe="respelled", kind="policy") for t in ("t1", "t2")
    ]
    assert item("over-strictness", all_pass() + spelled, probes=policy).verdict == "pass"


def test_relations_without_an_oracle_say_so() -> None:
    records = change(all_pass(), is_probe("rewritten", "canonical", repeat=None), quality=None)
    found = item("over-strictness", records)
    assert found.verdict == "pass"
    assert "no oracle" in found.reason
    broken = change(records, is_probe("rewritten", task="t1"), score=0.5)
    assert item("over-strictness", broken).verdict == "fail"


def test_strictness_is_not_probed_without_a_variant_or_a_canonical_score() -> None:
    vacuous = change(all_pass(), is_probe("rewritten"), outcome="vacuous", score=None)
    assert item("over-strictness", vacuous).verdict == "not probed"
    no_canonical = change(all_pass(), is_probe("canonical", repeat=None), **BROKEN)
    assert item("over-strictness", no_canonical).verdict == "not probed"


# -- gaming --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("score", "verdict"),
    [(0.0, "pass"), (0.98, "pass"), (0.99, "fail"), (1.0, "fail"), (1.5, "fail")],
)
def test_gaming_must_not_reach_the_canonical_score(score: float, verdict: str) -> None:
    records = change(all_pass(), is_probe("stuffed", task="t1"), score=score)
    found = item("gaming-resistance", records, scored_by(maximum=2.0))
    assert found.verdict == verdict
    assert found.figures["reached"] == (verdict == "fail")


def test_gaming_that_breaks_the_scorer_has_won_nothing() -> None:
    records = change(all_pass(), is_probe("stuffed"), **BROKEN)
    assert item("gaming-resistance", records).verdict == "pass"


def test_gaming_without_an_oracle_must_not_rise_above_what_it_stuffs() -> None:
    relation = {**PROBES, "stuffed": replace_relation("not above")}
    for score, verdict in ((0.9, "pass"), (1.0, "pass"), (1.01, "pass"), (1.02, "fail")):
        records = change(all_pass(), is_probe("stuffed"), score=score, quality=None)
        assert item("gaming-resistance", records, probes=relation).verdict == verdict


def replace_relation(relation: str) -> Any:
    return probe("gaming", "gaming-resistance", without_oracle=relation)


def test_gaming_is_not_probed_without_a_submission() -> None:
    for fields in (SILENT, {**SILENT, "outcome": "vacuous"}):
        records = change(all_pass(), is_probe("stuffed"), **fields)
        assert item("gaming-resistance", records).verdict == "not probed"


# -- trace preference ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("misreported", "made_up", "verdict"),
    [
        (0.9, 0.0, "pass"),
        (0.5, 0.48, "pass"),
        (0.5, 0.49, "fail"),  # within the resolution
        (0.5, 0.5, "fail"),
        (0.3, 0.9, "fail"),
    ],
)
def test_true_work_must_outscore_false_work_whatever_the_report(
    misreported: float, made_up: float, verdict: str
) -> None:
    records = change(all_pass(), is_probe("misreported", task="t1"), score=misreported)
    records = change(records, is_probe("made-up", task="t1"), score=made_up)
    assert item("trace-preference", records).verdict == verdict


def test_losses_are_measured_against_correct_work() -> None:
    figures = item("trace-preference", all_pass()).figures
    assert figures["true work under a contradictory self-report loses"] == 0.1
    assert figures["fabricated work under a consistent one loses"] == 1.0


def test_a_misreport_that_breaks_the_scorer_is_neither_dropped_nor_a_zero() -> None:
    records = change(all_pass(), is_probe("misreported", task="t1"), **BROKEN)
    found = item("trace-preference", records)
    assert found.verdict == "not probed"
    assert found.figures["without a score"] == 1
    assert "ValueError: no" in found.reason
    everywhere = item("trace-preference", change(all_pass(), is_probe("misreported"), **BROKEN))
    assert everywhere.verdict == "not probed"
    worse = change(records, is_probe("misreported", task="t2"), score=0.0)
    assert item("trace-preference", worse).verdict == "fail"


def test_trace_preference_needs_both_sides() -> None:
    for name in ("misreported", "made-up"):
        silent = change(all_pass(), is_probe(name, repeat=None), **SILENT)
        found = item("trace-preference", silent)
        assert (found.verdict, found.reason) == ("not probed", "Not here.")
        assert item("trace-preference", drop(all_pass(), is_probe(name, repeat=None))).verdict == (
            "not probed"
        )


# -- robustness ----------------------------------------------------------------------------------


@pytest.mark.parametrize("outcome", ["error", "timeout", "invalid"])
@pytest.mark.parametrize("name", ["canonical", "partial", "misreported"])
def test_breaking_on_any_submission_fails_robustness(name: str, outcome: str) -> None:
    broken = {**BROKEN, "outcome": outcome}
    found = item("robustness", change(all_pass(), is_probe(name, task="t1"), **broken))
    assert found.verdict == "fail"
    assert found.deviations[name] >= 1


@pytest.mark.parametrize(
    ("score", "verdict"),
    [(1.0, "pass"), (1.0 + 1e-12, "pass"), (1.001, "fail"), (-0.001, "fail"), (-0.0, "pass")],
)
def test_scores_stay_on_the_scale(score: float, verdict: str) -> None:
    records = change(all_pass(), is_probe("partial", task="t1"), score=score)
    assert item("robustness", records).verdict == verdict


def test_the_scale_is_the_declared_one() -> None:
    records = change(all_pass(), is_probe("partial"), score=-40.0)
    assert item("robustness", records, scored_by(minimum=-50.0)).verdict == "pass"
    assert item("robustness", records).figures["out of range"] == 2


@pytest.mark.parametrize("fields", [{"score": 0.7}, {"passed": True}, BROKEN])
def test_changing_its_mind_fails_robustness_and_replay(fields: dict[str, Any]) -> None:
    records = change(all_pass(), is_probe("nothing", task="t1", repeat=1), **fields)
    found = item("robustness", records)
    assert found.verdict == "fail"
    assert found.figures["changed"] == 1
    assert item("replay", records).verdict == "fail"


def test_another_submission_is_not_a_changed_score() -> None:
    where = is_probe("nothing", task="t1", repeat=1)
    records = change(all_pass(), where, digest="another", score=0.4)
    found = item("robustness", records)
    assert (found.verdict, found.figures["changed"], found.figures["scored again"]) == (
        "pass",
        0,
        5,
    )
    assert item("replay", records).verdict == "pass"


def test_robustness_is_not_probed_when_nothing_was_scored_twice() -> None:
    again = is_probe("canonical", "nothing", "made-up", repeat=1)
    assert item("robustness", drop(all_pass(), again)).verdict == "not probed"


# -- origin --------------------------------------------------------------------------------------


@pytest.mark.parametrize("origin", ["published", "derived"])
def test_only_measured_evidence_decides(origin: str) -> None:
    told = [replace(r, origin=origin, source="somewhere") for r in all_pass()]
    assert set(verdicts(told).values()) == {"not probed"}
    assert column(told).claim.id == "not-probed"
    lies = change(all_pass(), is_probe("partial"), score=1.0, origin=origin)
    measured = drop(all_pass(), is_probe("partial"))
    assert verdicts(lies) == verdicts(measured)


# -- other columns -------------------------------------------------------------------------------


def test_other_scorers_and_other_tasks_do_not_enter() -> None:
    others = [
        *(replace(r, scorer="judge", score=1.0) for r in all_pass() if r.probe),
        *(replace(r, task="t9", score=1.0) for r in all_pass()),
    ]
    assert verdicts(all_pass() + others) == verdicts(all_pass())


def test_column_holds_tasks_by_id_and_by_category() -> None:
    records = change(all_pass(), is_probe("partial", task="t2"), score=1.0)
    for pattern in ("t1", "easy", "?1", "eas*"):
        facts = scored_by().model_copy()
        chosen = facts.columns[0].model_copy(update={"tasks": (pattern,)})
        facts = facts.model_copy(update={"columns": (chosen,)})
        found = column(records, facts)
        assert found.scope.tasks == ["t1"]
        assert found.item("criterion").verdict == "pass"


def test_a_column_without_tasks_is_not_probed() -> None:
    assert item("criterion", all_pass(), tasks=[TaskFacts("t9")]).verdict == "not probed"
    found = item("task-validity", all_pass(), tasks=[])
    assert found.verdict == "not probed"


# -- what a view says ----------------------------------------------------------------------------


def test_examples_show_every_probe_before_a_second_of_one() -> None:
    where = any_of(is_probe("made-up"), is_probe("partial"), is_probe("nothing"))
    found = item("criterion", change(all_pass(), where, score=1.0))
    assert [(e.task, e.probe) for e in found.examples] == [
        ("t1", "made-up"),
        ("t1", "nothing"),
        ("t1", "partial"),
        ("t2", "made-up"),
        ("t2", "nothing"),
    ]
    assert found.deviations == {"made-up": 2, "nothing": 2, "partial": 2}


def test_pass_is_unknown_without_a_threshold_and_a_correct_score() -> None:
    seen = view(all_pass())
    assert seen.passes(forged("nothing", "t1", score=0.5)) is True
    assert seen.passes(forged("nothing", "t1", seed=9, score=0.5)) is None
    assert seen.passes(forged("nothing", "t1", seed=9, passed=True)) is True
    assert seen.passes(forged("nothing", "t1", **BROKEN)) is False
