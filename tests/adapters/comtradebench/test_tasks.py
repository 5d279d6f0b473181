"""The task registry and the seeded generator."""

from __future__ import annotations

import pytest

from adapters.comtradebench.tasks import FIELDS, baseline, spec, stable_seed, tasks, truth


def test_there_are_eleven_tasks_under_the_same_ids_whatever_the_seed() -> None:
    release, seeded = tasks(None), tasks(7)
    assert len(release) == 11
    assert [task.id for task in release] == [task.id for task in seeded]
    assert {task.family for task in release} == {"records"}
    assert {task.seed for task in seeded} == {7}


@pytest.mark.parametrize("task_id", [task.id for task in tasks(None)])
def test_records_have_the_fields_and_the_number_that_the_task_states(task_id: str) -> None:
    rows = truth(task_id, 3)
    assert len(rows) == spec(task_id).rows
    assert {tuple(row) for row in rows} == {FIELDS}
    assert len({row["record_id"] for row in rows}) == len(rows)


def test_seeds_draw_different_values_under_the_same_ids() -> None:
    drawn = [truth("T3_duplicates", seed) for seed in (None, 0, 1)]
    assert len({tuple(row["tradeValue"] for row in rows) for rows in drawn}) == 3
    assert len({tuple(row["record_id"] for row in rows) for rows in drawn}) == 1


def test_truth_is_a_function_of_task_and_seed() -> None:
    before = truth("T8_mixed_faults", 5)
    truth.cache_clear()
    assert truth("T8_mixed_faults", 5) == before


def test_the_seed_of_a_text_is_the_head_of_its_digest() -> None:
    assert stable_seed("") == 0xE3B0C442


def test_the_query_is_text_but_for_the_year() -> None:
    query = spec("T6_page_drift").query
    assert query["hs"] == "09"
    assert {name for name, value in query.items() if isinstance(value, int)} == {"year"}


def test_an_unknown_task_is_named_with_those_there_are() -> None:
    with pytest.raises(ValueError, match="no task 'T12'; it has T1_single_page"):
        spec("T12")


def test_a_task_that_the_judge_does_not_know_has_the_default_baseline() -> None:
    assert (baseline("T1_single_page"), baseline("T9_clean_ab"), baseline(None)) == (1, 5, 5)
    with pytest.raises(TypeError):
        baseline([])
