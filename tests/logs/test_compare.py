from __future__ import annotations

import itertools

import numpy as np
import pytest

from benchaudit.logs.compare import Side, compare_sides
from benchaudit.logs.pool import Pool
from benchaudit.logs.readings import Settings
from benchaudit.logs.runs import Outcome, Run, Serving


def _pool(scores_by_task, model="m", kind="seed", metric="acc", **more):
    return Pool(
        Run(
            task,
            model,
            score,
            Outcome.OK if score is not None else Outcome.ERROR,
            metric,
            repeat=str(repeat),
            repeat_kind=kind,
            **more,
        )
        for task, scores in scores_by_task.items()
        for repeat, score in enumerate(scores)
    )


def _compare(first, second, settings=None, smallest=0.05, **more):
    sides = Side(_pool(first, "a", **more)), Side(_pool(second, "b", **more))
    (result,) = compare_sides(*sides, settings or Settings(), smallest)
    return result


def _brute_force_p(totals):
    observed = abs(sum(totals))
    means = [
        abs(sum(s * t for s, t in zip(signs, totals)))
        for signs in itertools.product((1, -1), repeat=len(totals))
    ]
    return sum(mean >= observed - 1e-9 for mean in means) / len(means)


def test_runs_of_one_task_and_seed_are_paired():
    first = {"a": [0, 1, 0], "b": [1, 1, 0], "c": [0, 0, 0]}
    second = {"a": [1, 1, 1], "b": [1, 1, 1], "c": [0, 1, 0]}
    result = _compare(first, second)
    assert (result.pairing, result.tasks, result.pairs) == ("seed", 3, 9)
    assert result.effect == pytest.approx(4 / 9)
    assert result.cliffs_delta == pytest.approx(4 / 9)
    assert result.exact
    assert result.p == _brute_force_p([2, 1, 1]) == 0.25
    assert [row.task for row in result.by_task] == ["a", "b", "c"]
    assert result.by_task[0].p == _brute_force_p([1, 0, 1]) == 0.5
    assert result.by_task[0].p_holm == 1.0


def test_the_test_over_tasks_is_exact_for_fractions_as_well():
    chance = np.random.default_rng(3)
    first = {str(i): (chance.integers(0, 4, 3) / 4).tolist() for i in range(12)}
    second = {str(i): (chance.integers(0, 5, 3) / 4).tolist() for i in range(12)}
    result = _compare(first, second)
    totals = [sum(second[task]) - sum(first[task]) for task in first]
    assert result.exact
    assert result.p == pytest.approx(_brute_force_p(totals))


def test_swapping_the_sides_turns_the_sign_and_nothing_else():
    first = {str(i): [i % 2, 1, 0] for i in range(8)}
    second = {str(i): [1, i % 3 == 0, 1] for i in range(8)}
    there, back = _compare(first, second), _compare(second, first)
    assert there.effect == -back.effect
    assert there.p == back.p
    assert there.verdict == back.verdict


def test_a_clear_difference_is_told_apart_and_the_better_one_is_named():
    low, high = {str(i): [0, 0] for i in range(8)}, {str(i): [1, 1] for i in range(8)}
    result = _compare(low, high)
    assert result.verdict == "told apart"
    assert result.p == pytest.approx(2 / 2**8)
    assert result.sentence.startswith("Told apart: b scores higher than a (+1.000 [+1.000, +1.000]")
    assert "a scores higher than b" in _compare(high, low).sentence


def test_too_few_runs_say_how_many_it_takes():
    first = {str(i): [i % 2] for i in range(10)}
    second = {str(i): [(i + 1) % 2 if i < 4 else i % 2] for i in range(10)}
    result = _compare(first, second)
    assert result.verdict == "too few runs"
    assert result.needed > 10
    assert f"It takes {result.needed} tasks to find a difference of 0.05" in result.sentence


def test_enough_runs_without_a_difference_are_not_told_apart():
    chance = np.random.default_rng(1)
    first = {str(i): chance.normal(0.5, 0.01, 4).tolist() for i in range(40)}
    second = {str(i): chance.normal(0.5, 0.01, 4).tolist() for i in range(40)}
    result = _compare(first, second)
    assert result.verdict == "not told apart"
    assert "enough to find a difference of 0.05 with 80% power" in result.sentence


def test_four_tasks_are_never_enough_for_the_test_to_reject():
    result = _compare({str(i): [0] for i in range(4)}, {str(i): [1] for i in range(4)})
    assert result.p == 0.125
    assert (result.verdict, result.needed) == ("too few runs", 6)


def test_running_numbers_pair_tasks_only():
    first = {"a": [1, 0], "b": [1, 1]}
    result = _compare(first, {"a": [0, 0, 0], "b": [1, 1, 1]}, kind="order")
    assert (result.pairing, result.pairs) == ("task", 2)
    assert result.effect == pytest.approx(-0.25)
    assert result.by_task[-1].p == pytest.approx(0.4)  # Fisher: 1 of 2 against 0 of 3
    graded = _compare({"a": [0.3], "b": [0.2]}, {"a": [0.4], "b": [0.1]}, kind="order")
    assert [row.p for row in graded.by_task] == [None, None]


def test_seeds_that_only_one_side_has_are_left_out_and_counted():
    result = _compare({"a": [1, 1, 1], "b": [1]}, {"a": [0, 0], "c": [1]})
    assert (result.pairs, result.unpaired) == (2, 1)
    assert (result.only_first, result.only_second) == (1, 1)


def test_a_seed_that_comes_twice_has_no_partner():
    twice = Pool(
        Run("a", "m", score, Outcome.OK, "acc", repeat=seed, repeat_kind="seed")
        for seed, score in (("0", 1.0), ("0", 0.0), ("1", 0.0))
    )
    (result,) = compare_sides(Side(twice), Side(_pool({"a": [1, 1]})), Settings(), 0.05)
    assert (result.pairs, result.unpaired, result.effect) == (1, 3, 1.0)


def test_seeds_without_any_partner_fall_back_to_tasks():
    first, second = _pool({"a": [1]}, "a"), _pool({"a": [None, 0]}, "b")
    (result,) = compare_sides(Side(first), Side(second), Settings(errors="exclude"), 0.05)
    assert (result.pairing, result.pairs, result.effect) == ("task", 1, -1.0)


def test_one_task_is_tested_over_its_seeds():
    result = _compare({"a": [0] * 8}, {"a": [1] * 8})
    assert (result.tasks, result.pairs) == (1, 8)
    assert result.p == pytest.approx(2 / 2**8)
    assert result.interval == (1.0, 1.0)


def test_runs_without_a_score_are_left_out_or_zeros_side_by_side():
    first = {"a": [1, None], "b": [1, 1]}
    sides = Side(_pool(first, "a")), Side(_pool({"a": [1, 1], "b": [1, 1]}, "b"))
    results = compare_sides(*sides, Settings(), 0.05)
    assert [(r.errors, r.pairs, r.effect) for r in results] == [
        ("exclude", 3, 0.0),
        ("zero", 4, 0.25),
    ]


def test_runs_to_separate_need_repeats_and_a_difference():
    first, second = {"a": [0, 1], "b": [0, 0]}, {"a": [1, 1], "b": [0, 1]}
    assert _compare(first, second).runs_to_separate >= 2
    assert _compare(first, first).runs_to_separate is None
    assert _compare({"a": [0]}, {"a": [1]}).runs_to_separate is None


def test_a_side_of_several_systems_must_name_one():
    several = Pool([Run("t", name, 1.0, Outcome.OK, "acc", scaffold="s") for name in ("m1", "m2")])
    other = Side(_pool({"t": [1]}))
    with pytest.raises(ValueError, match="several systems: m1 / s, m2 / s"):
        compare_sides(Side(several), other, Settings(), 0.05)
    with pytest.raises(ValueError, match="no system 'm3'; there are: m1 / s, m2 / s"):
        compare_sides(Side(several, "m3"), other, Settings(), 0.05)
    for name in ("m1", "m1 / s"):
        (result,) = compare_sides(Side(several, name), other, Settings(), 0.05)
        assert result.first == "m1 / s"


def test_sides_without_anything_in_common_are_told():
    sides = Side(_pool({"t": [1]}, suite="x")), Side(_pool({"t": [1]}, suite="y"))
    with pytest.raises(ValueError, match="no suite, metric and task in common: x/acc and y/acc"):
        compare_sides(*sides, Settings(), 0.05)
    sides = Side(_pool({"t": [1]})), Side(_pool({"u": [1]}))
    with pytest.raises(ValueError, match="in common"):
        compare_sides(*sides, Settings(), 0.05)


def test_what_to_know_about_the_runs_of_both_sides_comes_along():
    first = Pool(
        Run("t", "a", float(i % 2), Outcome.OK, "acc", serving=Serving(provider))
        for provider in ("x", "y")
        for i in range(4)
    )
    (result,) = compare_sides(Side(first), Side(_pool({"t": [1]}, "b")), Settings(), 0.05)
    found = {(finding.kind, finding.about) for finding in result.findings}
    assert ("serving", "a") in found
    assert ("repeats", "b") in found
