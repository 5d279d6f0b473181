from __future__ import annotations

from itertools import product

import pytest

from benchaudit.stress import decisions
from benchaudit.stress.adversary import Adversary, Pressure
from benchaudit.stress.decisions import TooManyPathsError, paths
from benchaudit.stress.environment import Observation, Target
from benchaudit.stress.episode import run_episode
from benchaudit.stress.pairing import Design
from benchaudit.stress.schedules import constant


def test_paths_are_all_the_ways_and_each_once(queue: Target, design: Design) -> None:
    """Against brute force: every script of answers, longer than any episode needs."""
    for seed in range(6):
        found = paths(queue, design.constant, "resolved", seed, 7)
        brute = set()
        for script in product(("again", "defer"), repeat=7):
            left = list(script)
            taken: list[str] = []

            def answer(_: Observation, left: list[str] = left, taken: list[str] = taken) -> str:
                taken.append(left.pop(0))
                return taken[-1]

            desk = queue.start(seed)
            episode = run_episode(desk, design.constant, answer, seed, 7)
            brute.add((tuple(taken), queue.scorers["resolved"](desk), episode.ending))
        assert {(way.actions, way.score, way.ending) for way in found} == brute
        assert len(found) == len(brute)


def test_repeating_every_time_comes_first(queue: Target, design: Design) -> None:
    found = paths(queue, design.constant, "resolved", 1, 9)
    assert set(found[0].actions) <= {"again"}


def test_an_episode_that_can_go_in_too_many_ways_says_so(
    queue: Target, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(decisions, "PATH_LIMIT", 10)
    deaf = Adversary(constant(1.0), (Pressure("fault"),))
    with pytest.raises(TooManyPathsError, match="more than 10 ways"):
        paths(queue, deaf, "resolved", 0, 9)
