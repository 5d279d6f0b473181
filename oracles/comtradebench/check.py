"""Recompute what is published of ComtradeBench from our benchmark, with scripted agents only."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import combinations
from typing import Any

from benchaudit import packs
from benchaudit.hooks import Adapter, Agent, Episode, Gold, Oracle, Ownership, Submission, Task
from benchaudit.oracles import Check

SEEDS = range(5)


class Benchmark:
    """The adapter's hooks, called by name."""

    def __init__(self) -> None:
        self.pack = packs.find("adapters", "comtradebench")
        self.adapter: Adapter = packs.load_adapter(self.pack)
        self.module = self.pack.module()
        self.published = packs.find("oracles", "comtradebench").manifest()

    def task(self, task_id: str, seed: int | None = None) -> Task:
        return next(task for task in self.adapter.tasks(seed) if task.id == task_id)

    @property
    def oracle(self) -> Oracle:
        assert self.adapter.oracle is not None
        return self.adapter.oracle

    @property
    def ownership(self) -> Ownership:
        assert self.adapter.ownership is not None
        return self.adapter.ownership

    def score(self, task: Task, submission: Submission, scorer: str) -> float:
        assert self.adapter.score is not None
        return self.adapter.score(task, submission, scorer).value

    def score_run(self, task: Task, run: Episode, scorer: str) -> float | None:
        """The score of an episode; None when it handed nothing in."""
        return None if run.submission is None else self.score(task, run.submission, scorer)

    def breakdown(self, task: Task, submission: Submission, scorer: str) -> Mapping[str, float]:
        assert self.adapter.score is not None
        return self.adapter.score(task, submission, scorer).breakdown

    def play(
        self,
        task_id: str,
        scaffold: str,
        agent: str,
        *,
        seed: int | None = None,
        budget: int | None = None,
    ) -> Episode:
        task = self.task(task_id, seed)
        return self.ownership.episode(task, scaffold, Agent.parse(agent), budget)

    def probe_submissions(self, task_id: str, log: str) -> dict[str, Submission]:
        """The published battery: empty, fabricated and correct records under a log of one style."""
        task = self.task(task_id)
        work = self.oracle.work(task)

        def compose(of: Task, records: Any) -> Submission:
            styled: Submission = self.module.compose_with_log(of, records, log)
            return styled

        oracle = replace(self.oracle, compose=compose)
        gold = Gold(task, compose(task, work), oracle, random.Random(0))
        fabricated = packs.load_forge(packs.find("probes", "fabricated"))
        return {
            "empty": compose(task, []),
            "fabricated": next(iter(fabricated(gold))).submission,
            "correct": compose(task, work),
        }


def checks() -> Iterator[Check]:
    benchmark = Benchmark()
    for group in (judge_probe, card_probe, leaderboard, reach, two_pass, intervention, interface):
        yield from group(benchmark)


def judge_probe(benchmark: Benchmark) -> Iterator[Check]:
    said = benchmark.published["judge_probe"]
    task = benchmark.task(said["task"])
    for kind, submission in benchmark.probe_submissions(task.id, said["log"]).items():
        parts = benchmark.breakdown(task, submission, "judge")
        for name, expected in zip(said["dimensions"], said[kind]["dimensions"], strict=True):
            yield Check(f"A10 {kind} {name}", expected, parts[name], 0.005, said["source"])
        for scorer in ("judge", "f1"):
            got = benchmark.score(task, submission, scorer)
            yield Check(f"A10 {kind} {scorer}", said[kind][scorer], got, 0.0005, said["source"])


def card_probe(benchmark: Benchmark) -> Iterator[Check]:
    said = benchmark.published["card_probe"]
    task = benchmark.task(said["task"])
    for kind, submission in benchmark.probe_submissions(task.id, said["log"]).items():
        got = benchmark.score(task, submission, "judge")
        yield Check(f"A4 {kind} judge", said["judge"][kind], got, 0.0005, said["source"])


def leaderboard(benchmark: Benchmark) -> Iterator[Check]:
    said = benchmark.published["leaderboard"]
    scores = {}
    for name, expected in said["scores"].items():
        task, run = benchmark.task(name), benchmark.play(name, "L0", "careful")
        scores[name] = round(100 * (benchmark.score_run(task, run, "judge") or 0.0), 1)
        yield Check(f"L0 {name}", expected, scores[name], 0.0, said["source"])
        parts = benchmark.breakdown(task, run.submission, "judge") if run.submission else {}
        for dimension, points in said["breakdowns"].get(name, {}).items():
            yield Check(
                f"L0 {name} {dimension}", points, parts.get(dimension), 0.005, said["source"]
            )
    mean = round(sum(scores.values()) / len(scores), 1)
    yield Check("L0 mean", said["mean"], mean, 0.0, said["source"])


def reach(benchmark: Benchmark) -> Iterator[Check]:
    said = dict(benchmark.published["reach"])
    source = said.pop("source")
    for agent, tasks in said.items():
        for name, expected in tasks.items():
            run = benchmark.play(name, "L2", agent)
            got = benchmark.score_run(benchmark.task(name), run, "f1")
            yield Check(f"F1 {agent} {name}", expected, got, 5e-7, source)


def two_pass(benchmark: Benchmark) -> Iterator[Check]:
    said = dict(benchmark.published["two_pass"])
    source = said.pop("source")
    for name, (found, total) in said.items():
        run = benchmark.play(name, "L2", "two_pass")
        got = benchmark.score_run(benchmark.task(name), run, "coverage")
        yield Check(f"two passes {name}", found / total, got, 1e-9, source)


def intervention(benchmark: Benchmark) -> Iterator[Check]:
    """Table 1 on T3: what no model can change at L0, and the spread that L2 and F1 open."""
    said = benchmark.published["intervention"]
    name, source = said["task"], said["source"]
    same = pairs = 0
    low, high = [], []
    for seed in SEEDS:
        task = benchmark.task(name, seed)
        runs = {a: benchmark.play(name, "L0", a, seed=seed) for a in benchmark.ownership.agents}
        digests = [r.submission.digest if r.submission else "" for r in runs.values()]
        pairs += sum(1 for _ in combinations(digests, 2))
        same += sum(a == b for a, b in combinations(digests, 2))
        bare = []
        for agent, run in runs.items():
            for scorer in ("judge", "f1"):
                got = benchmark.score_run(task, run, scorer)
                expected = said[f"l0_{scorer}"]
                yield Check(f"T1 {agent} L0 {scorer} seed {seed}", expected, got, 0.0005, source)
            alone = benchmark.play(name, "L2", agent, seed=seed)
            bare.append(benchmark.score_run(task, alone, "f1") or 0.0)
        low.append(min(bare))
        high.append(max(bare))
    yield Check("T1 L0 identical pairs", said["identical_share"], same / pairs, 0.0, source)
    spread = max(high) - min(low)
    yield Check("T1 L2 F1 spread", said["l2_f1_spread"], spread, 1e-9, source)


def interface(benchmark: Benchmark) -> Iterator[Check]:
    said = benchmark.published["interface"]
    task = benchmark.task(said["task"])
    for budget, recall, f1 in zip(said["budgets"], said["recall"], said["f1"], strict=True):
        run = benchmark.play(task.id, "L2", "careful", budget=budget)
        for scorer, expected in (("coverage", recall), ("f1", f1)):
            got = round(benchmark.score_run(task, run, scorer) or 0.0, 2)
            yield Check(f"T7 {scorer} at {budget} tokens", expected, got, 0.0, said["source"])
    free = benchmark.score_run(task, benchmark.play(task.id, "L2", "careful"), "f1")
    yield Check("T7 f1 without a budget", 1.0, free, 0.0, "control")
