from __future__ import annotations

import pytest

from benchaudit.stress.adversary import Adversary, Line, Pressure
from benchaudit.stress.environment import Observation, Target
from benchaudit.stress.episode import ATTEMPT_LIMIT, PolicyError, run_episode
from benchaudit.stress.pairing import Design
from benchaudit.stress.policies import always
from benchaudit.stress.schedules import constant

DEAF = Adversary(constant(1.0), (Pressure("fault"),))
QUIET = Adversary(constant(0.0), ())


def test_a_clean_run_finishes_and_uses_one_attempt_a_unit(queue: Target) -> None:
    desk = queue.start(0)
    episode = run_episode(desk, QUIET, always("again"), 0)
    assert episode.ending == "finished"
    assert len(episode.trace) == queue.units
    assert queue.scorers["resolved"](desk) == 1.0
    assert not episode.decisions


def test_finishing_with_nothing_left_is_no_death(queue: Target) -> None:
    assert run_episode(queue.start(0), QUIET, always("again"), 0, 6).ending == "finished"
    assert run_episode(queue.start(0), QUIET, always("again"), 0, 5).ending == "budget spent"


def test_an_agent_that_never_gives_up_is_stopped(queue: Target) -> None:
    episode = run_episode(queue.start(0), DEAF, always("again"), 0)
    assert episode.ending == "attempt limit"
    assert len(episode.trace) == ATTEMPT_LIMIT


def test_deferring_costs_one_attempt_a_ticket_and_then_ends(queue: Target) -> None:
    episode = run_episode(queue.start(0), DEAF, always("defer"), 0)
    assert episode.ending == "finished"
    assert len(episode.trace) == 2 * queue.units


def test_the_agent_sees_what_is_left_after_the_charge(queue: Target) -> None:
    seen: list[Observation] = []

    def watch(observation: Observation) -> str:
        seen.append(observation)
        return "again" if observation.tries < 2 else "defer"

    run_episode(queue.start(0), DEAF, watch, 0, quota=3)
    assert [o.remaining for o in seen] == [2, 1, 0]
    assert [o.tries for o in seen] == [1, 2, 1]
    assert [o.attempts for o in seen] == [1, 2, 3]
    assert seen[0].units_left == queue.units


def test_an_answer_that_is_no_action_is_an_error(queue: Target) -> None:
    with pytest.raises(PolicyError, match="'give up'; the actions are again, defer"):
        run_episode(queue.start(0), DEAF, always("give up"), 0)


def test_the_digest_tells_episodes_apart(queue: Target, design: Design) -> None:
    def digest(seed: int, action: str) -> str:
        return run_episode(queue.start(0), design.constant, always(action), seed, 9).digest

    assert digest(1, "again") == digest(1, "again")
    assert len({digest(seed, "again") for seed in range(12)}) == 12


def test_a_pressure_with_chance_one_needs_no_draw() -> None:
    assert Pressure("fault").chance == Line(base=1.0)
