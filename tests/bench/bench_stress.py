"""How long 100,000 episodes of the scripted agents take: `python tests/bench/bench_stress.py`."""

from __future__ import annotations

import time

from benchaudit.stress.adversary import Adversary, Line, Pressure
from benchaudit.stress.loading import load_target
from benchaudit.stress.schedules import constant, linear
from benchaudit.stress.trials import Trial, run_trials

EPISODES = 100_000
GOAL_SECONDS = 30.0
QUOTA = 8
RULES = ("always-retry", "quota-aware", "always-skip")
PRESSURES = (
    Pressure("fault", chance=Line(scale=0.30), stream=""),
    Pressure("duplicate", amount=Line(scale=0.40), stream=""),
    Pressure("distractor", from_intensity=0.70),
    Pressure("budget", amount=Line(base=-3), from_intensity=0.70, once=True),
)
ARMS = {
    "escalating": Adversary(linear(0.2, 1.0, 4), PRESSURES),
    "constant": Adversary(constant(0.6), PRESSURES),
}


def bench(episodes: int = EPISODES, jobs: int = 2) -> float:
    """Wall seconds of so many episodes in so many processes, each with seeds of its own."""
    target = load_target("comtradebench")
    seeds = range(-(-episodes // (len(RULES) * len(ARMS))))
    trials = [Trial(rule, arm, seed, QUOTA) for seed in seeds for arm in ARMS for rule in RULES]
    begin = time.perf_counter()
    results = run_trials(target, ARMS, trials[:episodes], ["coverage"], jobs=jobs)
    seconds = time.perf_counter() - begin
    if len(results) != episodes or any(result.error for result in results):
        raise AssertionError("an episode is missing or raised")
    return seconds


def main() -> None:
    seconds = bench()
    print(f"stress: {EPISODES:,} episodes in {seconds:.1f} s (goal {GOAL_SECONDS:.0f} s), 2 jobs")


if __name__ == "__main__":
    main()
