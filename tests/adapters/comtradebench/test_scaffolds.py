"""Episodes: the published leaderboard at L0, who decides at each level, and what it costs."""

from __future__ import annotations

import itertools
import os
import subprocess
import sys

import pytest

from adapters.comtradebench import scaffolds
from adapters.comtradebench.adapter import score
from adapters.comtradebench.agents import AGENTS, DECISIONS, Policy
from adapters.comtradebench.ground_truth import Match, match_records
from adapters.comtradebench.scaffolds import OWNED, run
from adapters.comtradebench.tasks import spec, tasks, truth
from benchaudit.hooks import Agent, Episode, Task

TASKS = {task.id: task for task in tasks(None)}
FAULTY = ("T3_duplicates", "T8_mixed_faults", "T9_adaptive_adversary")
FORCED = [{name: action} for name, actions in DECISIONS.items() for action in actions]
EVERY_AGENT = [Agent(name, forced) for name in AGENTS for forced in ({}, *FORCED)]

LEADERBOARD: dict[str, tuple[float, dict[str, float]]] = {
    "T1_single_page": (98.7, {}),
    "T2_multi_page": (98.7, {}),
    "T3_duplicates": (98.7, {}),
    "T4_rate_limit_429": (95.7, {"robustness": 12}),
    "T5_server_error_500": (96.3, {"robustness": 12, "observability": 9.34}),
    "T6_page_drift": (94.7, {"correctness": 26}),
    "T7_totals_trap": (98.7, {}),
    "T8_mixed_faults": (97.3, {"correctness": 28.6}),
    "T9_adaptive_adversary": (97.5, {"correctness": 28.88}),
    "T10_constrained_budget": (98.7, {}),
}
"""Published L0 scores of 100, and where their breakdown differs from that of T1."""

FULL = {
    "correctness": 30.0,
    "completeness": 15.0,
    "robustness": 15.0,
    "efficiency": 15.0,
    "data_quality": 15.0,
    "observability": 8.67,
}

ONE_PASS = {
    "T6_page_drift": (24, 24),
    "T8_mixed_faults": (53, 53),
    "T9_adaptive_adversary": (68, 68),
}
TWO_PASSES = {
    "T6_page_drift": (35, 35),
    "T8_mixed_faults": (59, 59),
    "T9_adaptive_adversary": (74, 74),
}


def play(task_id: str, scaffold: str, agent: str, budget: int | None = None) -> Episode:
    return run(TASKS[task_id], scaffold, Agent.parse(agent), budget)


def match(task: Task, episode: Episode) -> Match:
    assert episode.submission is not None
    return match_records(task.id, task.seed, episode.submission.payload["records"])


def f1(task_id: str, agent: str, scaffold: str = "L2") -> float:
    return round(match(TASKS[task_id], play(task_id, scaffold, agent)).f1, 6)


def judged(task_id: str, scaffold: str, agent: str) -> float:
    submission = play(task_id, scaffold, agent).submission
    assert submission is not None
    return score(TASKS[task_id], submission, "judge").value


# -- L0 ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("task_id", LEADERBOARD)
def test_l0_reproduces_the_leaderboard_without_a_model(task_id: str) -> None:
    points, differences = LEADERBOARD[task_id]
    submission = play(task_id, "L0", "careful").submission
    assert submission is not None
    result = score(TASKS[task_id], submission, "judge")
    assert result.value == round(points / 100, 3)
    assert result.breakdown == {**FULL, **differences}


def test_the_leaderboard_has_the_published_mean() -> None:
    assert round(sum(judged(name, "L0", "careful") for name in LEADERBOARD) * 10, 1) == 97.5


def test_the_leaderboard_without_a_word_of_the_log_is_another(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    harness = scaffolds.HARNESS.report
    quiet = Policy(report=lambda *run: (harness(*run)[0], harness(*run)[1].replace("info", "")))
    monkeypatch.setattr(scaffolds, "HARNESS", quiet)
    assert judged("T1_single_page", "L0", "careful") == 0.98


@pytest.mark.parametrize("seed", [None, 0, 1])
@pytest.mark.parametrize("task_id", FAULTY)
def test_l0_submissions_are_byte_identical_over_all_agents_and_forced_actions(
    task_id: str, seed: int | None
) -> None:
    task = Task(task_id, "records", seed)
    episodes = [run(task, "L0", agent) for agent in EVERY_AGENT]
    assert len({e.submission.encoded for e in episodes if e.submission}) == 1
    assert all(episode.submission is not None for episode in episodes)
    assert {step.owner for episode in episodes for step in episode.steps} == {"harness"}


@pytest.mark.parametrize("task_id", TASKS)
def test_l0_submissions_are_identical_over_all_pairs_of_agents(task_id: str) -> None:
    payloads = [
        e.submission.payload for name in AGENTS if (e := play(task_id, "L0", name)).submission
    ]
    assert len(payloads) == len(AGENTS)
    assert all(one == other for one, other in itertools.combinations(payloads, 2))


def test_identity_is_lost_when_the_harness_listens(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(scaffolds.OWNED, "L0", frozenset({"retry"}))
    one = play("T8_mixed_faults", "L0", "careful").submission
    other = play("T8_mixed_faults", "L0", "never_retries").submission
    assert one and other and one.digest != other.digest


def test_the_harness_stops_after_thirty_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scaffolds, "_HARNESS_TURNS", 2)
    assert play("T2_multi_page", "L0", "careful").figures["requests"] == 2


# -- L1 ------------------------------------------------------------------------------------------


def test_at_l1_only_the_answer_to_a_fault_matters() -> None:
    careful = play("T8_mixed_faults", "L1", "careful")
    same = [play("T8_mixed_faults", "L1", name) for name in ("keeps_totals", "never_submits")]
    assert careful.submission is not None
    assert {e.submission.digest for e in same if e.submission} == {careful.submission.digest}
    owners = {step.decision: step.owner for step in careful.steps}
    assert [name for name, owner in owners.items() if owner == "model"] == ["retry"]


@pytest.mark.parametrize(
    ("task_id", "retried", "skipped"),
    [
        ("T4_rate_limit_429", 1.0, 20 / 30),
        ("T5_server_error_500", 1.0, 20 / 30),
        ("T8_mixed_faults", 53 / 60, 36 / 60),
        ("T3_duplicates", 1.0, 1.0),
    ],
)
def test_forcing_the_retry_decision_changes_coverage_where_faults_occur(
    task_id: str, retried: float, skipped: float
) -> None:
    for action, coverage in (("retry", retried), ("skip", skipped)):
        episode = play(task_id, "L1", f"careful retry={action}")
        assert match(TASKS[task_id], episode).recall == pytest.approx(coverage)


# -- L2 ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("task_id", TASKS)
@pytest.mark.parametrize(("agent", "reached"), [("careful", ONE_PASS), ("two_pass", TWO_PASSES)])
def test_a_correct_agent_reaches_what_the_service_lets_it(
    task_id: str, agent: str, reached: dict[str, tuple[int, int]]
) -> None:
    every = spec(task_id).rows
    found, submitted = reached.get(task_id, (every, every))
    assert match(TASKS[task_id], play(task_id, "L2", agent)) == Match(found, submitted, every)


@pytest.mark.parametrize(
    ("task_id", "value"),
    [("T6_page_drift", 0.8), ("T8_mixed_faults", 0.938053), ("T9_adaptive_adversary", 0.951049)],
)
def test_single_pass_f1_is_the_published_one(task_id: str, value: float) -> None:
    assert f1(task_id, "careful") == value


@pytest.mark.parametrize(
    ("task_id", "value"),
    [("T4_rate_limit_429", 0.8), ("T5_server_error_500", 0.8), ("T8_mixed_faults", 0.75)],
)
def test_f1_without_retries(task_id: str, value: float) -> None:
    assert f1(task_id, "never_retries") == value == f1(task_id, "careful retry=skip")


@pytest.mark.parametrize(
    ("task_id", "value"),
    [
        ("T6_page_drift", 0.666667),
        ("T7_totals_trap", 0.998004),
        ("T8_mixed_faults", 0.883333),
        ("T9_adaptive_adversary", 0.900662),
    ],
)
def test_f1_without_deduplication_and_totals_filtering(task_id: str, value: float) -> None:
    assert f1(task_id, "careful deduplicate=keep totals=keep") == value


def test_t3_injects_nothing_that_would_tell_careless_agents_apart() -> None:
    agents = ("careful", "never_retries", "never_deduplicates", "keeps_totals")
    assert {f1("T3_duplicates", agent) for agent in agents} == {1.0}
    assert len({f1("T9_adaptive_adversary", agent) for agent in agents}) == 3


def test_five_requests_are_enough_for_t9() -> None:
    assert play("T9_adaptive_adversary", "L2", "careful").figures["requests"] == 5


def test_every_decision_is_the_agents_and_is_met_on_t9() -> None:
    episodes = [play(name, "L2", "careful") for name in FAULTY]
    steps = [step for episode in episodes for step in episode.steps]
    assert {step.owner for step in steps} == {"model"}
    assert {step.decision for step in steps} == set(DECISIONS)


@pytest.mark.parametrize(
    ("decision", "task_id"),
    [
        ("paginate", "T8_mixed_faults"),
        ("retry", "T8_mixed_faults"),
        ("deduplicate", "T8_mixed_faults"),
        ("totals", "T9_adaptive_adversary"),
        ("submit", "T8_mixed_faults"),
    ],
)
def test_either_forced_action_is_carried_out_and_changes_what_is_handed_in(
    decision: str, task_id: str
) -> None:
    handed_in = []
    for action in DECISIONS[decision]:
        episode = play(task_id, "L2", f"careful {decision}={action}")
        actions = {step.action for step in episode.steps if step.decision == decision}
        assert actions == {action}
        handed_in.append(episode.submission.encoded if episode.submission else None)
    assert handed_in[0] != handed_in[1]


def test_what_each_agent_hands_in_differs_at_l2() -> None:
    for task_id, distinct in (("T8_mixed_faults", 9), ("T9_adaptive_adversary", 9)):
        submissions = [play(task_id, "L2", agent).submission for agent in AGENTS]
        assert len({one.digest if one else "" for one in submissions}) == distinct


def test_the_judge_orders_agents_against_the_truth() -> None:
    assert judged("T8_mixed_faults", "L2", "fabricates") > judged(
        "T8_mixed_faults", "L2", "careful"
    )
    assert judged("T3_duplicates", "L2", "fabricates") > judged(
        "T3_duplicates", "L2", "poor_report"
    )
    assert f1("T3_duplicates", "fabricates") == 0.0 < f1("T3_duplicates", "poor_report") == 1.0


def test_perseverating_ends_in_an_empty_and_honest_submission() -> None:
    episode = play("T3_duplicates", "L2", "perseverates")
    assert episode.submission is not None
    payload = episode.submission.payload
    assert payload["records"] == []
    assert payload["report"]["row_count"] == 0
    assert "retry status=422" in payload["log"]
    assert "complete=false" in payload["log"]


def test_perseverating_for_ever_ends_with_the_request_budget() -> None:
    episode = play("T3_duplicates", "L2", "perseverates retry=retry")
    assert episode.figures["requests"] == spec("T3_duplicates").max_requests


def test_paging_for_ever_ends_with_the_request_budget() -> None:
    episode = play("T3_duplicates", "L2", "careful paginate=next")
    assert episode.figures["requests"] == spec("T3_duplicates").max_requests
    assert match(TASKS["T3_duplicates"], episode).f1 == 1.0


def test_an_agent_that_withholds_hands_in_nothing() -> None:
    assert play("T3_duplicates", "L2", "never_submits").submission is None


def test_an_agent_that_keeps_totals_says_so() -> None:
    for agent, enabled in (("careful", True), ("keeps_totals", False)):
        submission = play("T7_totals_trap", "L2", agent).submission
        assert submission is not None
        assert submission.payload["report"]["totals_handling"]["enabled"] is enabled


# -- the interface's budget ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("budget", "recall", "value"), [(6_000, 0.15, 0.26), (12_000, 0.30, 0.46), (None, 1.0, 1.0)]
)
def test_output_tokens_cap_what_l2_can_hand_in(
    budget: int | None, recall: float, value: float
) -> None:
    got = match(TASKS["T7_totals_trap"], play("T7_totals_trap", "L2", "careful", budget))
    assert (round(got.recall, 2), round(got.f1, 2)) == (recall, value)


def test_a_cut_submission_reports_the_rows_it_has() -> None:
    submission = play("T7_totals_trap", "L2", "careful", 6_000).submission
    assert submission is not None
    assert submission.payload["report"]["row_count"] == len(submission.payload["records"]) == 111


@pytest.mark.parametrize("scaffold", ["L0", "L1"])
def test_output_tokens_do_not_matter_where_the_harness_marshals(scaffold: str) -> None:
    cut = play("T7_totals_trap", scaffold, "careful", 54).submission
    whole = play("T7_totals_trap", scaffold, "careful").submission
    assert cut and whole and cut.payload == whole.payload


# -- purity --------------------------------------------------------------------------------------


@pytest.mark.parametrize("scaffold", OWNED)
def test_an_episode_is_a_function_of_its_arguments(scaffold: str) -> None:
    for task_id, agent in itertools.product(FAULTY, AGENTS):
        one, other = (play(task_id, scaffold, agent) for _ in range(2))
        assert (one.submission is None) == (other.submission is None)
        if one.submission and other.submission:
            assert one.submission.encoded == other.submission.encoded
        assert (one.steps, one.figures) == (other.steps, other.figures)


def test_episodes_leave_the_truth_alone() -> None:
    before = [dict(row) for row in truth("T8_mixed_faults")]
    submission = play("T8_mixed_faults", "L2", "careful").submission
    assert submission is not None
    submission.payload["records"][0]["qty"] = -1
    assert [dict(row) for row in truth("T8_mixed_faults")] == before


def test_a_seed_makes_another_episode() -> None:
    digests = set()
    for seed in (None, 0, 1, 2):
        submission = run(
            Task("T8_mixed_faults", "records", seed), "L2", Agent("careful")
        ).submission
        assert submission is not None
        digests.add(submission.digest)
    assert len(digests) == 4


def test_episodes_do_not_depend_on_the_hash_seed() -> None:
    program = (
        "from adapters.comtradebench.scaffolds import run\n"
        "from benchaudit.hooks import Agent, Task\n"
        "for name in ('careful', 'two_pass', 'fabricates'):\n"
        "    task = Task('T9_adaptive_adversary', 'records', 3)\n"
        "    print(run(task, 'L2', Agent(name)).submission.digest)\n"
    )
    outputs = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(outputs) == 1


# -- mistakes ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("scaffold", "agent", "message"),
    [
        ("L3", "careful", "no scaffold 'L3'; there are L0, L1, L2"),
        ("L2", "carefull", "no agent 'carefull'; there are careful, two_pass"),
        ("L2", "careful retries=skip", "no decision 'retries'"),
        ("L2", "careful retry=maybe", "retry is retry or skip, not 'maybe'"),
    ],
)
def test_a_mistake_says_what_there_is(scaffold: str, agent: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        play("T3_duplicates", scaffold, agent)
