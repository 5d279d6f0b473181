"""How hard the adversary presses, as a function of how far the episode has come.

A schedule is data: the corners of a piecewise linear curve. It is driven by the agent's successes,
which makes the environment respond to the agent, or by its attempts, which is the same ramp on a
clock of its own: the control that does not respond.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

Driver = Literal["successes", "attempts"]

_DECIMALS = 12
"""Levels are rounded so that a ramp meets the round figures it is described by (.2 + .4 = .6)."""


class ScheduleError(ValueError):
    """A schedule, or a pair of schedules, that cannot be used; the message says why."""


@dataclass(frozen=True, slots=True)
class Schedule:
    """Intensity (0 to 1) at each point of an episode.

    Attributes:
        corners: ``(progress, level)`` with rising progress; level before the first corner and
            after the last is theirs.
        driver: what progress counts: successes so far, or attempts so far. Both start at 0.

    Raises:
        ScheduleError: without corners, out of order, or with a level outside 0 to 1.
    """

    corners: tuple[tuple[float, float], ...]
    driver: Driver = "successes"

    def __post_init__(self) -> None:
        if not self.corners:
            raise ScheduleError("a schedule needs at least one corner")
        if any(a[0] >= b[0] for a, b in pairwise(self.corners)):
            raise ScheduleError(f"progress must rise from corner to corner: {self.corners}")
        if not all(0.0 <= level <= 1.0 for _, level in self.corners):
            raise ScheduleError(f"levels must lie in 0 to 1: {self.corners}")

    def at(self, progress: int) -> float:
        """Intensity after ``progress`` successes (or attempts)."""
        before, level = self.corners[0]
        if progress <= before:
            return level
        for after, target in self.corners[1:]:
            if progress <= after:
                share = (progress - before) / (after - before)
                return round(level + (target - level) * share, _DECIMALS)
            before, level = after, target
        return level

    def mean(self, units: int) -> float:
        """Mean intensity of a clean run over ``units`` attempts that all succeed."""
        return math.fsum(self.at(k) for k in range(units)) / units


def constant(level: float) -> Schedule:
    """The same intensity throughout."""
    return Schedule(((0, level),))


def linear(low: float, high: float, over: int, driver: Driver = "successes") -> Schedule:
    """From ``low`` to ``high`` over so many successes, then ``high``."""
    return Schedule(((0, low), (over, high)), driver)


def step(low: float, high: float, at: int, driver: Driver = "successes") -> Schedule:
    """``low`` before success number ``at``, ``high`` from then on."""
    return Schedule(((at - 1, low), (at, high)), driver)


def plateau(
    low: float, high: float, begin: int, end: int, driver: Driver = "successes"
) -> Schedule:
    """``low`` up to ``begin``, rising to ``end``, then level at ``high``."""
    return Schedule(((begin, low), (end, high)), driver)


def assert_matched_means(
    schedules: Sequence[Schedule], units: int, tolerance: float = 1e-9
) -> float:
    """The mean intensity that all schedules share on a clean run of ``units`` attempts.

    Escalating against constant compares a trend only when the dose is the same; this is asserted,
    never assumed.

    Raises:
        ScheduleError: when the means differ by more than ``tolerance``; it names them.
    """
    means = [schedule.mean(units) for schedule in schedules]
    if max(means) - min(means) > tolerance:
        listed = ", ".join(f"{mean:.6f}" for mean in means)
        raise ScheduleError(
            f"mean intensities over {units} units are not matched: {listed}; "
            "change a level until they agree"
        )
    return means[0]
