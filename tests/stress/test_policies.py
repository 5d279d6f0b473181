from __future__ import annotations

from pathlib import Path

import pytest

from benchaudit.stress.environment import Observation
from benchaudit.stress.errors import CannotRunError, InputError
from benchaudit.stress.loading import load_rule, load_target
from benchaudit.stress.policies import find_policy, standard_rules

ACTIONS = ("again", "defer")
HERE = Path(__file__).parent


def seen(successes: int = 1, remaining: int | None = 3, units_left: int = 2) -> Observation:
    return Observation(successes, remaining, units_left, attempts=4, tries=1)


def test_the_standard_rules_follow_the_environments_actions() -> None:
    assert standard_rules(ACTIONS) == ["always-again", "always-defer", "quota-aware"]
    assert find_policy("always-defer", ACTIONS)(seen()) == "defer"


@pytest.mark.parametrize(
    ("observation", "answer"),
    [
        (seen(successes=0, remaining=99), "defer"),
        (seen(remaining=3, units_left=2), "again"),
        (seen(remaining=2, units_left=2), "defer"),
        (seen(remaining=None), "again"),
        (seen(remaining=1, units_left=0), "again"),
    ],
)
def test_quota_aware_repeats_only_with_attempts_to_spare(
    observation: Observation, answer: str
) -> None:
    assert find_policy("quota-aware", ACTIONS)(observation) == answer


def test_an_unknown_rule_names_the_known_ones() -> None:
    with pytest.raises(InputError, match="always-again, always-defer, quota-aware"):
        find_policy("always-cry", ACTIONS)


def test_a_users_rule_is_found_relative_to_the_file_that_names_it() -> None:
    assert find_policy("ticket_queue.py:impatient", ACTIONS, HERE)(seen()) == "defer"


@pytest.mark.parametrize(
    ("ref", "reason"),
    [
        ("nowhere.py:rule", "there is no file"),
        ("ticket_queue.py:nothing", "states no nothing"),
        ("ticket_queue.py:TICKETS", "names no function"),
    ],
)
def test_a_rule_that_is_not_there_is_a_clear_error(ref: str, reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        load_rule(ref, HERE)


def test_code_that_does_not_load_is_told_apart_from_a_wrong_name(tmp_path: Path) -> None:
    (tmp_path / "bad.py").write_text("1 / 0\n", encoding="utf-8")
    with pytest.raises(CannotRunError, match=r"bad\.py: ZeroDivisionError"):
        load_rule("bad.py:rule", tmp_path)


@pytest.mark.parametrize(
    ("ref", "reason"),
    [
        ("comtradebenhc", "did you mean comtradebench"),
        (f"{HERE / 'ticket_queue.py'}:TICKETS", "names no Target"),
    ],
)
def test_a_target_that_is_not_there_is_a_clear_error(ref: str, reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        load_target(ref)


def test_an_adapter_without_a_stress_module_cannot_run(tmp_path: Path) -> None:
    (tmp_path / "adapter.toml").write_text("", encoding="utf-8")
    with pytest.raises(CannotRunError, match=r"no stress\.py there"):
        load_target(str(tmp_path))
