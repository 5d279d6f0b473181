from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchaudit.stress.schedules import (
    Schedule,
    ScheduleError,
    assert_matched_means,
    constant,
    linear,
    plateau,
    step,
)

LEVELS = st.floats(0, 1)


def test_the_shapes_have_their_levels() -> None:
    assert [constant(0.6).at(k) for k in (0, 4, 99)] == [0.6, 0.6, 0.6]
    assert [linear(0.2, 1.0, 4).at(k) for k in range(6)] == [0.2, 0.4, 0.6, 0.8, 1.0, 1.0]
    assert [step(0.1, 0.9, at=3).at(k) for k in range(5)] == [0.1, 0.1, 0.1, 0.9, 0.9]
    assert [plateau(0.0, 0.8, 1, 3).at(k) for k in range(6)] == [0.0, 0.0, 0.4, 0.8, 0.8, 0.8]


def test_the_published_ramp_is_met_to_the_bit() -> None:
    ramp = linear(0.2, 1.0, 4)
    assert [ramp.at(s) for s in range(8)] == [min(1, (s + 1) / 5) for s in range(8)]


@given(LEVELS, LEVELS, st.integers(1, 9), st.integers(0, 50))
def test_a_level_stays_between_the_ends(low: float, high: float, over: int, at: int) -> None:
    level = linear(low, high, over).at(at)
    assert min(low, high) - 1e-9 <= level <= max(low, high) + 1e-9


@pytest.mark.parametrize(
    ("corners", "reason"),
    [
        ((), "at least one corner"),
        (((0, 0.5), (0, 0.6)), "must rise"),
        (((0, 1.5),), "0 to 1"),
    ],
)
def test_a_schedule_that_makes_no_sense_is_refused(
    corners: tuple[tuple[float, float], ...], reason: str
) -> None:
    with pytest.raises(ScheduleError, match=reason):
        Schedule(corners)


def test_means_are_matched_over_the_clean_run_and_only_there() -> None:
    arms = [linear(0.2, 1.0, 4), constant(0.6)]
    assert assert_matched_means(arms, 5) == pytest.approx(0.6)
    with pytest.raises(ScheduleError, match=r"0\.666667, 0\.600000"):
        assert_matched_means(arms, 6)


def test_an_unmatched_constant_is_refused() -> None:
    with pytest.raises(ScheduleError, match="not matched"):
        assert_matched_means([linear(0.2, 1.0, 4), constant(0.61)], 5)
