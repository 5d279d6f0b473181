"""The shipped agents with scripted completions, on the small benchmark's own agents."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from benchaudit.card.decisions import pair_up
from benchaudit.cells import Cell
from benchaudit.evidence import Evidence
from benchaudit.manifest import AdapterManifest

from .conftest import Python, Run

SCAFFOLDS = ("tool-calling", "few-shot", "act", "react")
REWARDS: Mapping[str, tuple[float | None, ...]] = {
    "careful": (1, 1, 1, 1),
    "forgetful": (0, 0, 0, 0),
    "mistaken": (0, 0, 0, 0),
    "silent": (0, 0, 0, 0),
    "bundling": (1, 1, 0, 0),
    "stumbling": (1, 1, 1, 1),
    "giving-up": (0, 0, 0, 0),
    "garbling": (None, None, 1, 1),
    "garbled": (None, None, 0, 0),
    "misshaping": (None, None, None, None),
    "chatty": (1, 1, 1, 1),
    "trailing-off": (0, 0, 0, 0),
    "hasty": (0, 0, 0, 0),
    "dawdling": (0, 0, 0, 0),
}
"""What each agent earns on retail/1 under each scaffold; None where the run ends in an error."""


def _cells(agents: list[str], task: str = "retail/1") -> list[Cell]:
    return [
        Cell(task=task, seed=0, scaffold=scaffold, agent=agent, scorers=("reward",))
        for agent in agents
        for scaffold in SCAFFOLDS
    ]


@pytest.fixture(scope="module")
def played(run: Run) -> dict[tuple[str, str], Evidence]:
    return {(r.agent, r.scaffold): r for r in run(_cells(list(REWARDS)))}


@pytest.mark.parametrize("agent", REWARDS)
def test_each_scaffold_makes_of_an_agent_what_it_makes(
    played: dict[tuple[str, str], Evidence], agent: str
) -> None:
    records = [played[agent, scaffold] for scaffold in SCAFFOLDS]
    got = tuple(r.score if r.outcome == "ok" else None for r in records)
    assert got == REWARDS[agent]
    for record in records:
        assert record.outcome == ("ok" if record.digest else "unsubmitted")


def test_what_is_handed_in_scores_what_the_scaffold_earned(
    played: dict[tuple[str, str], Evidence],
) -> None:
    for record in played.values():
        if record.outcome == "ok":
            assert record.figures["reward"] == record.score


def test_the_trace_tells_which_of_several_calls_was_carried_out(
    played: dict[tuple[str, str], Evidence],
) -> None:
    assert "several:first:harness" in played["bundling", "tool-calling"].steps
    assert "several:last:harness" in played["bundling", "react"].steps
    assert "malformed:sent to the user:harness" in played["garbling", "act"].steps
    assert "malformed:episode ended:harness" in played["garbling", "few-shot"].steps
    assert "limit:cut off:harness" in played["dawdling", "act"].steps


def test_every_decision_is_held_as_declared(run: Run, manifest: AdapterManifest) -> None:
    forced = [
        f"careful {name}={action}"
        for name, decision in manifest.decisions.items()
        for action in decision.actions
    ]
    records = run(_cells(forced))
    for scaffold in SCAFFOLDS:
        pairs = pair_up(manifest.decisions, [r for r in records if r.scaffold == scaffold])
        shown = {name: found.owner for name, found in pairs.items()}
        assert shown == {n: d.levels[scaffold].owner for n, d in manifest.decisions.items()}


def test_a_decision_that_does_not_arise_is_not_probed(run: Run) -> None:
    (record, *_) = run(_cells(["careful change=leave"], "retail/2"))
    assert (record.outcome, record.detail) == ("unsupported", "the work changes nothing")


def test_an_episode_is_the_same_when_run_again(run: Run) -> None:
    cells = _cells(["bundling", "garbling"])
    first = sorted(r.as_line() for r in run(cells))
    assert first == sorted(r.as_line() for r in run(cells[::-1]))


def test_outside_of_episodes_no_model_is_called(python: Python) -> None:
    said = python("""
scaffolds, package = TAU.module("scaffolds"), TAU.module("package")
from benchaudit.hooks import Agent
task = packs.load_adapter(TAU).tasks(None)[0]
scaffolds.episode(task, "act", Agent("careful"), None)
try:
    package.chat.completion(messages=[])
except RuntimeError as error:
    print(json.dumps(str(error)))
""")
    assert said == "the audit calls no model"
