"""Plans: which cells each stage asks for, and how they are put together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import chain
from typing import Any

from benchaudit.audit import STAGES
from benchaudit.cells import CANONICAL, Cell
from benchaudit.hooks import Task
from benchaudit.stages import (
    BATCH,
    Stage,
    Target,
    interface,
    intervention,
    ownership,
    plan_cells,
    probe,
    reliability,
    replay,
)
from tests.card.build import AGENTS, FACTS, PROBES, manifest

TASKS = [Task("t1", "records", category="easy"), Task("t2", "records", category="hard")]


def target(tasks: list[Task] = TASKS, seeds: int = 3, **changes: Any) -> Target:
    facts = manifest(changes.pop("column", None), **changes)
    return Target(facts, tasks, PROBES, AGENTS, seeds)


def planned(stage: Stage, plan: Target) -> list[Cell]:
    return list(stage(plan))


def test_every_task_meets_the_canonical_and_every_probe_of_its_family() -> None:
    cells = planned(probe.plan, target([*TASKS, Task("other", "calls")]))
    seen = Counter((c.task, c.probe) for c in cells)
    assert set(seen.values()) == {1}
    for task in ("t1", "t2"):
        assert {p for t, p in seen if t == task} == {CANONICAL, *PROBES}
    assert {p for t, p in seen if t == "other"} == {CANONICAL}
    assert {c.kind for c in cells if c.probe == "made-up"} == {"degraded"}


def test_tasks_are_scored_by_the_columns_that_hold_them() -> None:
    columns = [
        {**FACTS["columns"][0], "id": "a", "tasks": ["t1"]},
        {**FACTS["columns"][0], "id": "b", "tasks": ["easy"], "scorer": "judge"},
    ]
    facts = manifest().model_validate({**FACTS, "columns": columns})
    cells = planned(probe.plan, replace(target(), manifest=facts))
    assert {(c.task, c.scorers) for c in cells} == {("t1", ("judge", "truth"))}


def test_decisions_are_forced_on_the_first_agent_only() -> None:
    cells = planned(ownership.plan, target())
    assert {c.agent for c in cells} == {*AGENTS, "careful retry=retry", "careful retry=skip"}
    bare = {(c.task, c.seed) for c in cells if c.scaffold == "bare"}
    assert bare == {("t1", 0), ("t1", 1)}


def test_scaffold_that_no_column_uses_meets_the_forced_agents_alone() -> None:
    cells = [c for c in planned(ownership.plan, target()) if c.scaffold != "bare"]
    assert {(c.scaffold, c.seed) for c in cells} == {("full", 0)}
    assert {c.agent for c in cells} == {"careful retry=retry", "careful retry=skip"}


def test_budgets_come_beside_a_control_without_one() -> None:
    cells = planned(interface.plan, target())
    assert [(c.task, c.agent, c.budget) for c in cells] == [
        ("t1", "careful", None),
        ("t1", "careful", 100),
        ("t1", "careful", 200),
    ]
    assert planned(interface.plan, target(column={"scaffold": "full"})) == []


def test_2x2_crosses_scaffolds_and_scorers_for_every_agent_and_seed() -> None:
    cells = planned(intervention.plan, target())
    assert len(cells) == 2 * 3 * len(AGENTS)
    assert {c.scorers for c in cells} == {("judge", "truth")}
    assert {c.task for c in cells} == {"t2"}
    stopped = {**FACTS["intervention"], "not_licensed": "it changes the task"}
    assert planned(intervention.plan, target(intervention=stopped)) == []
    assert planned(intervention.plan, target(intervention=None)) == []


def test_repeats_run_over_the_seeds_asked_for() -> None:
    for seeds in (1, 5):
        cells = planned(reliability.plan, target(seeds=seeds))
        assert {c.seed for c in cells} == set(range(seeds))
        assert {c.agent for c in cells} == set(AGENTS)


def test_replay_repeats_controls_and_the_episodes_of_the_first_seed() -> None:
    cells = planned(replay.plan, target())
    assert {c.repeat for c in cells} == {1}
    assert {c.probe for c in cells if c.probe} == {CANONICAL, "nothing", "made-up"}
    assert {(c.task, c.seed) for c in cells if c.agent} == {("t1", 0)}


def test_nothing_is_run_without_agents_or_a_scaffold() -> None:
    for stage in (ownership.plan, interface.plan, intervention.plan, reliability.plan):
        assert planned(stage, replace(target(), agents=())) == []
    for stage in (interface.plan, reliability.plan):
        assert planned(stage, target(column={"scaffold": ""})) == []


def test_decision_is_not_forced_where_it_does_not_arise() -> None:
    held = {"bare": FACTS["decisions"]["retry"]["levels"]["bare"]}
    decisions = {"retry": {**FACTS["decisions"]["retry"], "levels": held}}
    cells = planned(ownership.plan, target(decisions=decisions))
    assert {c.scaffold for c in cells} == {"bare"}


# -- together ------------------------------------------------------------------------------------


def test_cells_that_stages_share_are_run_once_under_all_their_scorers() -> None:
    batches = plan_cells(target(), STAGES)
    cells = list(chain.from_iterable(batches))
    assert max(Counter(c.key for c in cells).values()) == 1
    shared = [c for c in cells if c.task == "t2" and c.scaffold == "bare" and c.seed == 0]
    assert {c.scorers for c in shared} == {("judge", "truth")}
    asked = {(*c.key, scorer) for stage in STAGES for c in stage(target()) for scorer in c.scorers}
    assert {(*c.key, scorer) for c in cells for scorer in c.scorers} == asked


def test_batches_hold_one_task_and_seed_and_are_bounded() -> None:
    for batch in plan_cells(target(), STAGES):
        assert 0 < len(batch) <= BATCH
        assert len({(c.task, c.seed, bool(c.repeat)) for c in batch}) == 1


def test_repeats_come_last_and_in_reverse() -> None:
    cells = list(chain.from_iterable(plan_cells(target(), STAGES)))
    first, again = [c for c in cells if not c.repeat], [c for c in cells if c.repeat]
    assert cells == [*first, *again]
    order = [replace(c, repeat=1, scorers=()).key for c in first]
    ranks = [order.index(replace(c, scorers=()).key) for c in again]
    assert ranks == sorted(ranks, reverse=True)


def test_plan_does_not_depend_on_the_order_in_which_stages_ask() -> None:
    assert plan_cells(target(), STAGES) == plan_cells(target(), tuple(reversed(STAGES)))


def test_tasks_run_in_the_order_of_the_benchmark() -> None:
    cells = chain.from_iterable(plan_cells(target(list(reversed(TASKS))), STAGES))
    assert next(iter(cells)).task == "t2"


def test_chosen_tasks_are_those_of_the_run_and_the_column() -> None:
    plan = target()
    hard = plan.manifest.columns[0].model_copy(update={"tasks": ("hard",)})
    assert [t.id for t in plan.chosen(("t1", "t2", "t9"))] == ["t1", "t2"]
    assert [t.id for t in plan.chosen(("t1", "t2"), hard)] == ["t2"]


def test_an_empty_plan_is_no_batches() -> None:
    def nothing(_target: Target) -> Iterator[Cell]:
        yield from ()

    assert plan_cells(target(), [nothing]) == []
