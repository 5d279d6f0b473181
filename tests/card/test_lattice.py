"""The claim: every combination against a table written from the design, row by row."""

from __future__ import annotations

import itertools

import pytest

from benchaudit.card.lattice import (
    CLAIMS,
    ContradictionError,
    Kind,
    criterion_on_scope,
    license_claim,
    worse,
)
from benchaudit.manifest import Verdict

VERDICTS: tuple[Verdict, ...] = ("pass", "fail", "not probed")
KINDS: tuple[Kind, ...] = ("outcome", "specification", "model-judged", "shape")
CONTRADICTION = "a contradiction"

ANY = "any"
OTHER = "anything else"

# criterion on scope, scorer kind, ownership, replay, claim: the first row that matches.
TABLE = """
any        | model-judged  | any           | any           | none: holds for the recorded judge only
not probed | any           | any           | any           | none: not probed
fail       | shape         | any           | any           | self-report compliance
fail       | outcome       | any           | any           | none: the scorer fails on the work it \
claims to grade
fail       | specification | any           | any           | none: the scorer fails on the work it \
claims to grade
pass       | shape         | any           | any           | a contradiction
pass       | outcome       | pass          | pass          | model capability
pass       | outcome       | anything else | anything else | model–scaffold system performance
pass       | specification | pass          | pass          | model capability, as specification \
compliance
pass       | specification | anything else | anything else | specification compliance
"""
ROWS = [tuple(cell.strip() for cell in row.split("|")) for row in TABLE.strip().splitlines()]


def by_table(benchmark: bool, criterion: str, kind: str, ownership: str, replay: str) -> str:
    if not benchmark:
        return "none: a scorer alone"
    for row_criterion, row_kind, row_ownership, row_replay, claim in ROWS:
        if row_criterion not in (ANY, criterion) or row_kind not in (ANY, kind):
            continue
        if row_ownership == row_replay == "pass" and (ownership, replay) != ("pass", "pass"):
            continue
        return claim
    raise AssertionError("the table is not total")


@pytest.mark.parametrize("replay", VERDICTS)
@pytest.mark.parametrize("ownership", VERDICTS)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("criterion", VERDICTS)
@pytest.mark.parametrize("benchmark", [True, False])
def test_every_combination_licenses_what_the_table_says(
    benchmark: bool, criterion: Verdict, kind: Kind, ownership: Verdict, replay: Verdict
) -> None:
    expected = by_table(benchmark, criterion, kind, ownership, replay)
    try:
        claim = license_claim(
            tasks_of_a_benchmark=benchmark,
            criterion=criterion,
            kind=kind,
            ownership=ownership,
            replay=replay,
        )
    except ContradictionError:
        assert expected == CONTRADICTION
        return
    licensed, name = CLAIMS[claim]
    assert name == expected
    assert licensed == (not name.startswith("none"))


def test_every_row_and_every_claim_is_reached() -> None:
    reached = {
        by_table(benchmark, *rest)
        for benchmark in (True, False)
        for rest in itertools.product(VERDICTS, KINDS, VERDICTS, VERDICTS)
    }
    assert reached == {name for _, name in CLAIMS.values()} | {CONTRADICTION}
    assert reached == {row[-1] for row in ROWS} | {"none: a scorer alone"}


def test_what_is_not_probed_licenses_nothing() -> None:
    for kind, ownership, replay in itertools.product(KINDS, VERDICTS, VERDICTS):
        claim = license_claim(
            tasks_of_a_benchmark=True,
            criterion="not probed",
            kind=kind,
            ownership=ownership,
            replay=replay,
        )
        assert not CLAIMS[claim][0]


@pytest.mark.parametrize("unproven", ["ownership", "replay"])
def test_model_capability_needs_ownership_and_replay_to_pass(unproven: str) -> None:
    for kind in ("outcome", "specification"):
        for verdict in ("fail", "not probed"):
            facts = {"ownership": "pass", "replay": "pass", unproven: verdict}
            claim = license_claim(
                tasks_of_a_benchmark=True,
                criterion="pass",
                kind=kind,
                **facts,  # type: ignore[arg-type]
            )
            assert "capability" not in CLAIMS[claim][1]


def test_worse_puts_a_fail_before_a_silence_before_a_pass() -> None:
    order = {"fail": 0, "not probed": 1, "pass": 2}
    for one, other in itertools.product(VERDICTS, VERDICTS):
        assert worse(one, other) == min(one, other, key=order.__getitem__)
        assert worse(one, other) == worse(other, one)


def test_criterion_on_scope_over_every_count_up_to_twelve_tasks() -> None:
    for total in range(13):
        for failing in range(total + 1):
            for unprobed in range(total - failing + 1):
                left, left_probed = total - failing, total - failing - unprobed
                if total == 0:
                    expected = "not probed"
                elif left < total / 2:
                    expected = "fail"
                elif left_probed < total / 2:
                    expected = "not probed"
                else:
                    expected = "pass"
                assert criterion_on_scope(total, failing, unprobed) == expected


@pytest.mark.parametrize(
    ("total", "failing", "unprobed", "expected"),
    [
        (0, 0, 0, "not probed"),
        (1, 0, 0, "pass"),
        (1, 1, 0, "fail"),
        (1, 0, 1, "not probed"),
        (2, 1, 0, "pass"),  # exactly half is left
        (3, 2, 0, "fail"),
        (4, 1, 1, "pass"),
        (4, 1, 2, "not probed"),
        (115, 7, 0, "pass"),
    ],
)
def test_criterion_on_scope_by_hand(
    total: int, failing: int, unprobed: int, expected: Verdict
) -> None:
    assert criterion_on_scope(total, failing, unprobed) == expected
