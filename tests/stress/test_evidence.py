from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from benchaudit.evidence import Evidence
from benchaudit.stress.environment import Target
from benchaudit.stress.evidence import records
from benchaudit.stress.loading import load_target
from benchaudit.stress.pairing import Design
from benchaudit.stress.trials import Trial, run_trials

QUEUE = Path(__file__).with_name("ticket_queue.py")
NAMES = {"task": "tickets", "scaffold": "desk", "decision": "again-or-defer"}


def test_every_score_is_a_record_that_says_who_decided_what(queue: Target, design: Design) -> None:
    results = run_trials(queue, design.adversaries, design.trials("always-again"), digests=True)
    made = list(records(results, **NAMES))
    assert len(made) == 2 * len(results)
    assert {record.scorer for record in made} == {"resolved", "handled"}
    deciding = next(record for record in made if record.steps)
    assert set(deciding.steps) == {"again-or-defer:again:model"}
    assert all(Evidence.from_json(record.as_json()) == record for record in made)


def test_what_raised_is_an_error_and_has_no_score(design: Design) -> None:
    fragile = load_target(f"{QUEUE}:FRAGILE")
    made = list(
        records(run_trials(fragile, design.adversaries, design.trials("always-again")), **NAMES)
    )
    raised = [record for record in made if record.outcome == "error"]
    assert raised
    assert all(r.score is None and "no such ticket" in r.detail for r in raised)


def test_an_episode_that_raised_is_one_record(
    queue: Target, design: Design, tmp_path: Path
) -> None:
    (tmp_path / "mine.py").write_text("def cry(seen): return 'help'\n", encoding="utf-8")
    trial = Trial("mine.py:cry", "constant", 1, 9)
    results = run_trials(replace(queue), design.adversaries, [trial], base=tmp_path)
    (record,) = records(results, **NAMES)
    assert (record.outcome, record.score, record.scorer) == ("error", None, "")
    assert record.detail.startswith("PolicyError")
