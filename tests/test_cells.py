"""One cell against the hooks: whatever the benchmark's code does becomes a record."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest

from benchaudit.cells import CANONICAL, Bench, Cell, Draft, failed
from benchaudit.evidence import Evidence
from benchaudit.hooks import (
    Adapter,
    Agent,
    Episode,
    Forge,
    Forged,
    Gold,
    Oracle,
    Ownership,
    Score,
    Step,
    Submission,
    Task,
    Unsupported,
)

WORK = [1, 2, 3, 4]

ORACLE = Oracle(
    work=lambda _task: list(WORK),
    compose=lambda _task, work: Submission({"work": list(work)}),
    quality=lambda _task, submission: len(set(submission.payload["work"]) & set(WORK)) / 4,
)
ADAPTER = Adapter(
    tasks=lambda seed: [Task(id=name, family="list", seed=seed) for name in "ab"],
    score=lambda _task, submission, _name: Score(float(len(submission.payload["work"]))),
    oracle=ORACLE,
)


def half(gold: Gold) -> Iterator[Forged]:
    yield Forged(gold.compose(gold.work[:2]), "first", kept=2, note="the first half")
    yield Forged(gold.compose(gold.work[2:]), "last", kept=2, note="the last half")


def run(
    adapter: Adapter = ADAPTER, forge: Forge = half, kind: str = "degraded", **cell: Any
) -> list[Evidence]:
    bench = Bench(adapter, {"half": forge}, unsubmitted=-1.0)
    given: dict[str, Any] = {"task": "a", "probe": "half", "kind": kind, "scorers": ("s",)}
    return bench.run(Cell(**{**given, **cell}))


def yields(*forged: Forged) -> Forge:
    return lambda _gold: iter(forged)


def list_of(*numbers: int) -> Submission:
    return Submission({"work": list(numbers)})


# -- probes --------------------------------------------------------------------------------------


def test_every_forged_submission_under_every_scorer_is_a_record() -> None:
    records = run(scorers=("s", "other"))
    assert [(r.variant, r.scorer) for r in records] == [
        ("first", "s"),
        ("first", "other"),
        ("last", "s"),
        ("last", "other"),
    ]
    for record in records:
        assert (record.outcome, record.score, record.quality) == ("ok", 2.0, 0.5)
        assert (record.task, record.probe, record.kind) == ("a", "half", "degraded")
        assert record.detail.startswith("the ")
    assert records[0].digest == list_of(1, 2).digest


def test_canonical_submission_is_the_composed_work() -> None:
    (record,) = run(probe=CANONICAL, kind=CANONICAL)
    assert (record.score, record.quality) == (4.0, 1.0)
    assert record.digest == list_of(1, 2, 3, 4).digest


@pytest.mark.parametrize("kind", ["degraded", "gaming", "equivalent"])
def test_copy_of_the_canonical_submission_says_nothing(kind: str) -> None:
    (record,) = run(forge=yields(Forged(list_of(1, 2, 3, 4), kept=4)), kind=kind)
    assert (record.outcome, record.detail) == ("vacuous", "equal to the canonical submission")


@pytest.mark.parametrize(
    ("numbers", "kind", "outcome"),
    [
        ((1, 2, 3), "degraded", "ok"),
        ((1, 2, 3), "gaming", "ok"),
        ((1, 2, 3), "equivalent", "vacuous"),
        ((4, 3, 2, 1), "degraded", "vacuous"),
        ((4, 3, 2, 1), "gaming", "vacuous"),
        ((4, 3, 2, 1), "equivalent", "ok"),
        ((1,), "policy", "ok"),
        ((4, 3, 2, 1), "policy", "ok"),
    ],
)
def test_what_is_not_what_its_probe_means_is_vacuous(
    numbers: tuple[int, ...], kind: str, outcome: str
) -> None:
    (record,) = run(forge=yields(Forged(list_of(*numbers), kept=len(numbers))), kind=kind)
    assert record.outcome == outcome


def test_forgers_account_is_the_quality_of_a_ground_truth_scorer() -> None:
    bench = Bench(ADAPTER, {"half": yields(Forged(list_of(1, 9), kept=1, invented=1))})
    cell = Cell(task="a", probe="half", kind="degraded", scorers=("s",))
    assert [r.quality for r in bench.run(cell)] == [0.25]
    itself = replace(bench, ground_truth=frozenset({"s"}))
    assert [r.quality for r in itself.run(cell)] == [2 * 1 / (4 + 2)]
    blind = replace(bench, adapter=replace(ADAPTER, oracle=replace(ORACLE, quality=None)))
    assert [r.quality for r in blind.run(cell)] == [2 * 1 / (4 + 2)]


def test_without_quality_or_account_nothing_is_known_to_be_worse() -> None:
    adapter = replace(ADAPTER, oracle=replace(ORACLE, quality=None))
    (record,) = run(adapter, yields(Forged(list_of(1))))
    assert (record.outcome, record.quality) == ("vacuous", None)


def test_without_an_oracle_the_sample_is_the_start_and_has_no_quality() -> None:
    adapter = replace(ADAPTER, oracle=None, samples=lambda _task: [list_of(7), list_of(8)])
    (base,) = run(adapter, probe=CANONICAL, kind=CANONICAL)
    assert (base.digest, base.quality, base.outcome) == (list_of(7).digest, None, "ok")
    (forged,) = run(adapter, yields(Forged(list_of(7, 7))))
    assert (forged.outcome, forged.quality) == ("ok", None)
    assert [r.outcome for r in run(adapter)] == ["unsupported"]  # it asks for the work
    assert [r.outcome for r in run(replace(adapter, samples=None))] == ["unsupported"]


def test_forger_that_raises_is_our_error_and_not_the_benchmarks() -> None:
    def raising(_gold: Gold) -> Iterator[Forged]:
        yield Forged(list_of(1), kept=1)
        raise ZeroDivisionError("halfway")

    (record,) = run(forge=raising)
    assert (record.outcome, record.detail) == ("unforged", "ZeroDivisionError: halfway")


def test_forger_that_declines_is_unsupported_with_its_reason() -> None:
    def declining(_gold: Gold) -> Iterator[Forged]:
        raise Unsupported("nothing to halve")

    (record,) = run(forge=declining)
    assert (record.outcome, record.detail) == ("unsupported", "nothing to halve")


def test_forger_that_changes_the_work_in_place_is_found_out_and_spoils_nothing() -> None:
    shared = list(WORK)

    def spoiling(gold: Gold) -> Iterator[Forged]:
        gold.work.clear()
        yield Forged(gold.compose([]), kept=0)

    oracle = replace(ORACLE, work=lambda _task: shared)
    bench = Bench(replace(ADAPTER, oracle=oracle), {"spoil": spoiling})
    cell = Cell(task="a", probe="spoil", kind="degraded", scorers=("s",))
    (record,) = bench.run(cell)
    assert record.outcome == "unforged"
    assert "in place" in record.detail


@pytest.mark.parametrize("payload", [{1, 2}, object()])
def test_submission_that_cannot_be_carried_is_our_error(payload: object) -> None:
    (record,) = run(forge=yields(Forged(Submission(payload), kept=0)))
    assert record.outcome == "unforged"


@pytest.mark.parametrize("hook", ["work", "compose", "quality"])
def test_oracle_that_raises_is_not_held_against_the_benchmark(hook: str) -> None:
    def raising(*_args: object) -> Any:
        raise KeyError("no truth")

    adapter = replace(ADAPTER, oracle=replace(ORACLE, **{hook: raising}))
    assert {r.outcome for r in run(adapter)} == {"unforged"}


@pytest.mark.parametrize("value", [math.nan, math.inf, None, "high", True])
def test_quality_that_is_no_figure_is_not_held_against_the_benchmark(value: Any) -> None:
    oracle = replace(ORACLE, quality=lambda _task, _submission: value)
    for record in run(replace(ADAPTER, oracle=oracle)):
        assert record.outcome in ("unforged", "vacuous")
        record.as_line()


def test_chance_depends_on_probe_task_and_seed_alone() -> None:
    def drawing(gold: Gold) -> Iterator[Forged]:
        yield Forged(list_of(*gold.rng.sample(range(1000), 5)), kept=0)

    bench = Bench(ADAPTER, {"one": drawing, "two": drawing})
    cells = [
        Cell(task=task, seed=seed, probe=probe, kind="degraded", scorers=("s",))
        for task in "ab"
        for seed in (None, 0, 1)
        for probe in ("one", "two")
    ]
    first = {cell: bench.run(cell)[0].digest for cell in cells}
    assert len(set(first.values())) == len(cells)
    random.Random(0).shuffle(cells)
    again = Bench(ADAPTER, {"one": drawing, "two": drawing})
    assert {cell: again.run(cell)[0].digest for cell in cells} == first


# -- scoring -------------------------------------------------------------------------------------


def scoring(answer: Callable[[], Any]) -> Evidence:
    adapter = replace(ADAPTER, score=lambda _task, _submission, _name: answer())
    (record,) = run(adapter, probe=CANONICAL, kind=CANONICAL)
    record.as_line()  # whatever it is, it can be written
    return record


class Odd:
    """No score, with an address in its text."""


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (lambda: Score(math.nan), "the score is nan"),
        (lambda: Score(-math.inf), "the score is -inf"),
        (lambda: Score("1.0"), "the score is '1.0'"),  # type: ignore[arg-type]
        (lambda: Score(True), "the score is True"),
        (lambda: Score(None), "the score is None"),  # type: ignore[arg-type]
        (lambda: Score(10**400), ""),
        (lambda: Score(1.0, passed="yes"), "passed is a str"),  # type: ignore[arg-type]
        (lambda: Score(1.0, passed=1), "passed is a int"),  # type: ignore[arg-type]
        (lambda: Score(1.0, breakdown={"a": math.nan}), "a is nan"),
        (lambda: Score(1.0, breakdown=None), ""),  # type: ignore[arg-type]
        (lambda: None, ""),
        (lambda: 0.5, ""),
        (lambda: Score(Odd()), "the score is <"),  # type: ignore[arg-type]
    ],
)
def test_answer_that_is_no_score_is_an_outcome(answer: Callable[[], Any], told: str) -> None:
    record = scoring(answer)
    assert (record.outcome, record.score) == ("invalid", None)
    assert told in record.detail
    assert "0x7" not in record.detail


def test_whole_numbers_are_scores_and_come_out_as_floats() -> None:
    record = scoring(lambda: Score(3, passed=True, breakdown={"part": 1}))
    assert (record.outcome, record.score, record.passed) == ("ok", 3.0, True)
    assert type(record.score) is float
    assert record.breakdown == {"part": 1.0}


def raising(error: BaseException) -> Callable[[], Any]:
    def answer() -> Any:
        raise error

    return answer


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (ValueError("two\n  lines"), "ValueError: two lines"),
        (SystemExit(3), "SystemExit: 3"),
        (RecursionError("deep"), "RecursionError: deep"),
        (MemoryError(), "MemoryError:"),
        (KeyError(Odd()), "0x…"),
        (ValueError("x" * 1000), "..."),
    ],
)
def test_exception_of_the_scorer_is_an_outcome(error: BaseException, told: str) -> None:
    record = scoring(raising(error))
    assert (record.outcome, record.score) == ("error", None)
    assert told in record.detail
    assert len(record.detail) <= 300
    assert record.quality == 1.0


def test_a_scorer_may_decline() -> None:
    record = scoring(raising(Unsupported("no judge here")))
    assert (record.outcome, record.detail) == ("unsupported", "no judge here")


def test_the_users_stop_is_not_an_outcome() -> None:
    with pytest.raises(KeyboardInterrupt):
        scoring(raising(KeyboardInterrupt()))


def test_adapter_without_a_scorer_is_unsupported() -> None:
    (record,) = run(replace(ADAPTER, score=None), probe=CANONICAL, kind=CANONICAL)
    assert record.outcome == "unsupported"


# -- episodes ------------------------------------------------------------------------------------


def episode(answer: Callable[[Agent, int | None], Episode], **cell: Any) -> list[Evidence]:
    ownership = Ownership(
        episode=lambda _task, _scaffold, agent, budget: answer(agent, budget), agents=("one",)
    )
    return run(
        replace(ADAPTER, ownership=ownership),
        **{"probe": "", "kind": "", "scaffold": "L0", "agent": "one", **cell},
    )


def test_episode_is_scored_with_its_trace_and_figures() -> None:
    steps = [Step("retry", "skip", "model"), Step("retry", "skip", "model")]
    (record,) = episode(
        lambda _agent, _budget: Episode(list_of(1), steps, {"requests": 3}), seed=2, budget=50
    )
    assert (record.outcome, record.score, record.seed, record.budget) == ("ok", 1.0, 2, 50)
    assert record.steps == {"retry:skip:model": 2}
    assert record.figures == {"requests": 3.0}
    assert (record.probe, record.quality) == ("", None)


def test_forced_decisions_reach_the_agent() -> None:
    seen = []

    def answer(agent: Agent, budget: int | None) -> Episode:
        seen.append((agent, budget))
        return Episode(list_of(1))

    episode(answer, agent="one retry=skip", budget=9)
    assert seen == [(Agent("one", {"retry": "skip"}), 9)]


def test_nothing_handed_in_is_scored_as_the_benchmark_says() -> None:
    (record,) = episode(lambda _agent, _budget: Episode(None, [Step("submit", "no", "model")]))
    assert (record.outcome, record.score, record.digest) == ("unsubmitted", -1.0, "")
    assert record.steps == {"submit:no:model": 1}


@pytest.mark.parametrize(
    ("error", "outcome"),
    [(Unsupported("no"), "unsupported"), (OSError("gone"), "error"), (SystemExit(1), "error")],
)
def test_episode_that_does_not_come_out_is_an_outcome(error: BaseException, outcome: str) -> None:
    def answer(_agent: Agent, _budget: int | None) -> Episode:
        raise error

    (record,) = episode(answer)
    assert (record.outcome, record.score) == (outcome, None)


def test_episode_figures_must_be_figures() -> None:
    (record,) = episode(lambda _a, _b: Episode(list_of(1), figures={"x": math.nan}))
    assert record.outcome == "error"


def test_adapter_without_episodes_is_unsupported() -> None:
    (record,) = run(probe="", kind="", scaffold="L0", agent="one")
    assert record.outcome == "unsupported"


# -- the rest ------------------------------------------------------------------------------------


def test_agents_are_read_back_from_their_text() -> None:
    for agent in (Agent("one"), Agent("one", {"b": "x", "a": "y=z"})):
        assert Agent.parse(str(agent)) == agent
    assert str(Agent("one", {"b": "x", "a": "y"})) == "one a=y b=x"
    with pytest.raises(ValueError, match="decision=action"):
        Agent.parse("one two")


def test_cells_cross_a_pipe() -> None:
    cell = Cell(task="a", seed=1, scaffold="L0", agent="one", budget=5, scorers=("s", "t"))
    assert Cell.from_json(cell.as_json()) == cell
    assert replace(cell, scorers=()).key == cell.key
    assert replace(cell, repeat=1).key != cell.key
    assert replace(cell, seed=None).key != replace(cell, seed=0).key


def test_failed_cell_has_a_record_a_scorer() -> None:
    cell = Cell(task="a", probe="half", kind="degraded", scorers=("s", "t"))
    records = failed(cell, "timeout", "60 s")
    assert [(r.scorer, r.outcome, r.detail) for r in records] == [
        ("s", "timeout", "60 s"),
        ("t", "timeout", "60 s"),
    ]


def test_final_drafts_are_not_scored() -> None:
    record = Evidence(task="a", outcome="vacuous")
    assert Bench(ADAPTER, {}).score(Draft(record, list_of(1))) is record


def test_submissions_are_made_again_by_variant() -> None:
    bench = Bench(ADAPTER, {"half": half})
    cell = Cell(task="a", probe="half", kind="degraded")
    assert bench.submissions(cell) == {
        "first": list_of(1, 2).encoded,
        "last": list_of(3, 4).encoded,
    }
    assert bench.submissions(replace(cell, probe=CANONICAL)) == {"": list_of(1, 2, 3, 4).encoded}


def test_registry_that_lists_a_task_twice_is_told_and_not_shortened() -> None:
    twice = [Task(id="one", family="records"), Task(id="two", family="records")] * 2
    bench = Bench(Adapter(tasks=lambda _seed: twice[:3]), {})
    with pytest.raises(ValueError, match="lists 'one' more than once"):
        bench.tasks(None)
