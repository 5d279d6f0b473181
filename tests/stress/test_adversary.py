from __future__ import annotations

import hashlib
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchaudit.stress.adversary import Adversary, Line, Moment, Pressure, step_seed
from benchaudit.stress.schedules import constant, linear


def test_a_step_is_seeded_by_sixteen_hex_digits_of_its_text() -> None:
    expected = int(hashlib.sha256(b"3:7").hexdigest()[:16], 16)
    assert step_seed(3, 7) == expected
    assert step_seed(3, 7, "drop") == int(hashlib.sha256(b"3:7:drop").hexdigest()[:16], 16)


def test_a_fault_fires_when_the_first_draw_is_under_the_chance() -> None:
    pressure = Pressure("fault", chance=Line(scale=0.3), stream="")
    for step in range(1, 200):
        fires = pressure.intent(Moment(0, step, 0), 0.6) is not None
        assert fires == (random.Random(step_seed(0, step)).random() < 0.3 * 0.6)


@given(st.integers(0, 99), st.integers(1, 30), st.integers(0, 9))
def test_a_plan_depends_on_the_moment_alone(seed: int, step: int, successes: int) -> None:
    pressures = (Pressure("fault", chance=Line(base=0.5)), Pressure("noise", amount=Line(scale=1)))
    moment = Moment(seed, step, successes)
    first = Adversary(linear(0, 1, 5), pressures).plan(moment)
    for other in range(5):
        Adversary(constant(0.3), pressures).plan(Moment(other, other + 1, other))
    assert Adversary(linear(0, 1, 5), pressures).plan(moment) == first


def test_amounts_follow_intensity_and_thresholds_hold_back() -> None:
    pressures = (
        Pressure("duplicate", amount=Line(base=0.1, scale=0.5)),
        Pressure("distractor", from_intensity=0.7),
    )
    gentle = Adversary(constant(0.4), pressures).plan(Moment(0, 1, 0))
    harsh = Adversary(constant(0.8), pressures).plan(Moment(0, 1, 0))
    assert [i.kind for i in gentle.intents] == ["duplicate"]
    assert gentle.intents[0].amount == pytest.approx(0.3)
    assert [i.kind for i in harsh.intents] == ["duplicate", "distractor"]


def test_once_means_once_an_episode() -> None:
    squeeze = Pressure("budget", amount=Line(base=-3), once=True)
    assert squeeze.intent(Moment(0, 1, 0), 1.0) is not None
    assert squeeze.intent(Moment(0, 2, 0, frozenset({"budget"})), 1.0) is None


def test_named_streams_are_independent_and_the_unnamed_one_is_shared() -> None:
    moment = Moment(0, 1, 0)
    named = [Pressure(kind).intent(moment, 1.0) for kind in ("drop", "noise")]
    shared = [Pressure(kind, stream="").intent(moment, 1.0) for kind in ("drop", "noise")]
    assert len({intent.seed for intent in named if intent}) == 2
    assert len({intent.seed for intent in shared if intent}) == 1


def test_intensity_follows_successes_or_attempts_as_the_schedule_says() -> None:
    moment = Moment(seed=0, step=4, successes=1)
    responsive = Adversary(linear(0.0, 1.0, 4), ())
    clockwork = Adversary(linear(0.0, 1.0, 4, driver="attempts"), ())
    assert responsive.plan(moment).intensity == 0.25
    assert clockwork.plan(moment).intensity == 0.75


def test_an_intent_hands_out_a_fresh_generator_each_time() -> None:
    intent = Pressure("noise").intent(Moment(0, 1, 0), 1.0)
    assert intent is not None
    assert intent.rng().random() == intent.rng().random()
