"""Speed and overhead: ``make bench``. Ratios are of runs taken in turn in this one process.

Nothing here asserts: a number on a shared machine is a figure, not a test.
"""

from __future__ import annotations

import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from benchaudit import packs
from benchaudit.audit import Probe, applicable_probes, bench_settings
from benchaudit.cells import Bench
from benchaudit.evidence import Writer
from benchaudit.manifest import read_adapter
from benchaudit.stages import Target, probe

ROUNDS = 5


def seconds(action: Callable[[], object]) -> float:
    start = time.perf_counter()
    action()
    return time.perf_counter() - start


def ratio(one: Callable[[], object], other: Callable[[], object]) -> tuple[float, float, float]:
    """Median of one over other, taken in turn; and the median seconds of each."""
    pairs = [(seconds(one), seconds(other)) for _ in range(ROUNDS)]
    return (
        statistics.median(a / b for a, b in pairs),
        statistics.median(a for a, _ in pairs),
        statistics.median(b for _, b in pairs),
    )


def help_cpu() -> float:
    """Median CPU seconds of ``benchaudit --help``."""
    spent = []
    for _ in range(ROUNDS):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        command = [sys.executable, "-m", "benchaudit.cli", "--help"]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        spent.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return statistics.median(spent)


def full_audit(jobs: int) -> float:
    """Median wall seconds of a whole ComtradeBench audit as a command, start to card."""
    spent = []
    for _ in range(3):
        with tempfile.TemporaryDirectory() as folder:
            command = [sys.executable, "-m", "benchaudit.cli", "run", "comtradebench", "--quiet"]
            command += ["--out", folder, "--jobs", str(jobs)]
            spent.append(seconds(lambda c=command: subprocess.run(c, check=True)))  # type: ignore[misc]
    return statistics.median(spent)


def probe_overhead() -> tuple[float, float, float, int]:
    """The probe stage over a bare loop: the same submissions, forged beforehand on both sides."""
    pack = packs.find("adapters", "comtradebench")
    manifest = read_adapter(pack)
    probes: dict[str, Probe] = applicable_probes(pack, manifest)
    bench = Bench.load(bench_settings(pack, manifest, probes))
    facts = {n: p.facts for n, p in probes.items() if p.facts.family == "records"}
    tasks = list(bench.tasks(None).values())
    target = Target(manifest, tasks, facts, (), 5)
    drafts = [d for cell in probe.plan(target) for d in bench.drafts(cell) if d.pending]

    def stage() -> None:
        with tempfile.TemporaryDirectory() as folder, Writer(Path(folder) / "e.jsonl") as writer:
            for start in range(0, len(drafts), 64):
                writer.append(bench.score(draft) for draft in drafts[start : start + 64])

    def bare(score=bench.adapter.score) -> None:  # type: ignore[no-untyped-def]
        for draft in drafts:
            score(bench.tasks(None)[draft.record.task], draft.submission, draft.record.scorer)

    return (*ratio(stage, bare), len(drafts))


def main() -> None:
    print(f"benchaudit --help: {help_cpu():.3f} s of CPU (aim under .25)")
    for jobs in (1, 2):
        print(f"ComtradeBench audit, --jobs {jobs}: {full_audit(jobs):.2f} s wall (aim under 5)")
    over, stage, bare, count = probe_overhead()
    print(
        f"probe stage over a bare scorer loop, {count:,} submissions: {over:.3f} "
        f"({stage:.2f} s over {bare:.2f} s; aim 1.2 or less)"
    )


if __name__ == "__main__":
    main()
