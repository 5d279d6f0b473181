"""Every oracle check holds, and an altered convention, figure or rule fails one."""

from __future__ import annotations

import random
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import pytest

from benchaudit import packs
from benchaudit.oracles import Check
from benchaudit.statistics import bootstrap_mean_interval, sign_flip_test
from benchaudit.stress import adversary, pairing, policies
from benchaudit.stress.adversary import Intent
from benchaudit.stress.published import Record
from benchaudit.stress.wrapper import AdversarialWrapper

ORACLE = packs.find("oracles", "stress")
TARGET = packs.find("adapters", "comtradebench").module("stress")


@pytest.fixture
def check() -> ModuleType:
    return ORACLE.module()


@pytest.fixture(autouse=True)
def fresh() -> Iterator[None]:
    """Draws are kept between episodes; an altered convention must not meet the old ones."""
    adversary.step_seed.cache_clear()
    yield
    adversary.step_seed.cache_clear()


def failing(check: ModuleType) -> list[str]:
    found: list[Check] = list(check.checks())
    assert len(found) == 43
    return [one.id for one in found if not one.ok]


def kinds(ids: list[str]) -> set[str]:
    return {one.split(" ")[0] for one in ids}


def test_everything_published_is_reproduced(check: ModuleType) -> None:
    assert failing(check) == []


def test_eight_digits_of_the_seed_are_not_sixteen(
    check: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(adversary, "_SEED_DIGITS", 8)
    assert kinds(failing(check)) >= {"A2", "A15", "A16", "A17"}


def test_the_source_is_drawn_before_the_destination(
    check: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    def swapped(page: Any, intent: Intent) -> None:
        rows, rng = page.rows, intent.rng()
        for _ in range(int(len(rows) * intent.amount)):
            destination = rng.randrange(len(rows))
            source = rng.randrange(len(rows))
            rows[destination] = rows[source]

    monkeypatch.setitem(TARGET._PERTURB, "duplicate", swapped)
    assert kinds(failing(check)) >= {"A2", "A15", "A16", "A17"}


def test_the_page_is_corrupted_from_a_fresh_generator(
    check: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    def continued(intent: Intent) -> random.Random:
        rng = random.Random(intent.seed)
        rng.random()
        return rng

    monkeypatch.setattr(Intent, "rng", continued)
    assert kinds(failing(check)) >= {"A2", "A15", "A16", "A17"}


def test_the_squeeze_takes_attempts_also_when_the_attempt_faults(
    check: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    realise = AdversarialWrapper._realise

    def later(self: Any, request: Any, intents: tuple[Intent, ...]) -> Any:
        if any(intent.kind == "fault" for intent in intents):
            intents = tuple(intent for intent in intents if intent.kind != "budget")
        return realise(self, request, intents)

    monkeypatch.setattr(AdversarialWrapper, "_realise", later)
    assert "A2" in kinds(failing(check))


def test_skipping_the_last_page_costs_a_request_for_one_more(
    check: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    decided = TARGET.PagedFetch.decided

    def knowing(self: Any, request: int, action: str) -> int | None:
        following: int | None = decided(self, request, action)
        return None if following is not None and following > 5 else following

    monkeypatch.setattr(TARGET.PagedFetch, "decided", knowing)
    assert "A2" in kinds(failing(check))


def test_the_published_bounds_are_at_fixed_places_of_the_sorted_means(
    check: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        pairing, "paper_mean_interval", lambda values: bootstrap_mean_interval(values, seed=0)
    )
    assert kinds(failing(check)) >= {"A1", "A2"}


def test_the_exact_p_is_checked_apart_from_the_drawn_one(
    check: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    test = sign_flip_test

    def halved(differences: Any, *, unit: float) -> Any:
        found = test(differences, unit=unit)
        return type(found)(found.p / 2, found.resamples)

    monkeypatch.setattr(pairing, "sign_flip_test", halved)
    failed = failing(check)
    assert len(failed) == 7
    assert all(one.endswith("exact p") for one in failed)


def test_an_agent_that_skips_once_is_not_the_published_one(
    check: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    always = policies.always

    def wavering(action: str) -> Any:
        return lambda seen: "skip" if seen.attempts == 3 else always(action)(seen)

    monkeypatch.setattr(policies, "always", wavering)
    failed = failing(check)
    for part in ("decision channel", "A1 B1, always-retry", "A19", "slim re-run", "retries, skips"):
        assert any(part in one for one in failed)


def test_a_row_with_one_more_record_on_one_seed_is_not_reachable(
    check: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = check._rows()

    def altered() -> list[dict[str, Any]]:
        found = [dict(row) for row in rows]
        for row in found:
            first, *others = row["covered_rows_of_75"]
            row["covered_rows_of_75"] = [first + 1, *others]
        return found

    monkeypatch.setattr(check, "_rows", altered)
    failed = failing(check)
    assert sum(one.endswith("reachable") for one in failed) == 12


def test_a_published_vector_with_one_row_changed_is_told(
    check: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = Record.differences.fget  # type: ignore[attr-defined]

    def shifted(record: Record) -> list[float]:
        found: list[float] = plain(record)
        return [found[0] + 1 / 75, *found[1:]] if found else found

    monkeypatch.setattr(Record, "differences", property(shifted))
    failed = failing(check)
    assert {one for one in failed if one.startswith("A1")} == set(failed)
    assert len(failed) >= 6
