"""The adapter on the real package, in its own environment."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from benchaudit.cells import CANONICAL, Cell
from benchaudit.environments import Built
from benchaudit.evidence import Evidence
from benchaudit.execution import Workers
from benchaudit.hooks import Agent
from benchaudit.manifest import AdapterManifest

pytestmark = pytest.mark.slow

UNWINNABLE = {
    # String arrays: the converter leaves the quotes of Java literals on.
    "simple_java_35",
    "simple_java_36",
    "simple_java_65",
    "simple_java_78",
    "simple_java_83",
    "simple_java_85",
    "simple_java_86",
    "simple_java_89",
    "simple_java_90",
    "simple_java_91",
    # The key holds a text where a list of allowed values should stand.
    "simple_java_64",
    # The key allows no value at all for parameters that the schema requires.
    "live_simple_106-63-0",
    "live_simple_112-68-0",
    # The key names a parameter that the schema does not have.
    "live_multiple_862-181-3",
    "live_multiple_964-207-0",
}

SIZES = {
    "simple_python": 400,
    "simple_java": 100,
    "simple_javascript": 50,
    "multiple": 200,
    "parallel": 200,
    "parallel_multiple": 200,
    "live_simple": 258,
    "live_multiple": 1053,
    "live_parallel": 16,
    "live_parallel_multiple": 24,
    "multi_turn_base": 200,
    "multi_turn_miss_func": 200,
    "multi_turn_miss_param": 200,
    "multi_turn_long_context": 200,
    "irrelevance": 240,
    "live_irrelevance": 884,
    "live_relevance": 16,
    "web_search_base": 100,
    "memory_kv": 155,
}


def cell(task: str, probe: str, kind: str = "degraded", **fields: Any) -> Cell:
    return Cell(task=task, probe=probe, kind=kind, scorers=("scorer",), **fields)


def scores(records: list[Evidence]) -> Counter[Any]:
    return Counter(r.score if r.outcome == "ok" else r.outcome for r in records)


def test_the_environment_is_small(built: Built) -> None:
    assert built.size < 60_000_000


def test_the_registry_holds_every_entry_of_every_category(workers: Workers) -> None:
    tasks = workers.tasks(None)
    assert Counter(task.category for task in tasks) == SIZES
    assert len({task.id for task in tasks}) == sum(SIZES.values())
    labelled = {task.category for task in tasks if task.no_action}
    assert labelled == {"irrelevance", "live_irrelevance"}


def test_every_canonical_submission_passes_except_on_the_unwinnable_entries(
    workers: Workers, run: Any
) -> None:
    records = run([cell(task.id, CANONICAL, CANONICAL) for task in workers.tasks(None)])
    assert {r.task for r in records if r.score != 1.0} == UNWINNABLE
    assert {r.outcome for r in records} == {"ok"}
    # Two keys allow no value at all, so no calls are worth anything.
    assert {r.task for r in records if r.quality != 1.0} == {
        "live_simple_106-63-0",
        "live_simple_112-68-0",
    }


def test_the_published_battery_has_no_deviation(run: Any) -> None:
    probes = ("call-value-corrupted", "call-fabricated", "call-wrong-name", "call-no-arguments")
    entries = [f"simple_python_{number}" for number in range(400)]
    assert scores(run([cell(e, CANONICAL, CANONICAL) for e in entries])) == {1.0: 400}
    for probe in probes:
        first: dict[str, Evidence] = {}
        for record in run([cell(entry, probe) for entry in entries]):
            if record.outcome == "ok":
                first.setdefault(record.task, record)
        assert scores(list(first.values())) == {0.0: 400}, probe


@pytest.mark.parametrize(
    ("task", "probe", "variant"),
    [
        ("simple_python_13", "call-marks-altered", "0.function without *"),
        ("simple_python_126", "call-marks-altered", "0.dataset_path without ."),
        ("live_multiple_72-32-0", "call-respelled", "0.password in capitals"),
        ("live_multiple_72-32-0", "call-marks-moved", "0.host moved right"),
        ("simple_java_0", "call-respelled", "0.parent in small letters"),
        ("parallel_29", "call-type-swapped", "0.population.singles as truth value"),
        ("parallel_44", "call-container-altered", "0.amenities without its last item"),
        ("simple_python_29", "call-text-sign", "0.gravity"),
        ("multi_turn_miss_func_3", "turns-silence-broken", "0 unlisted"),
        ("irrelevance_0", "abstention-malformed", "no closing bracket"),
        ("live_relevance_0-0-0", "abstention-unlisted", ""),
        ("web_search_base_1", "agentic-numbers", ""),
    ],
)
def test_a_worse_submission_that_the_evaluator_accepts(
    run: Any, task: str, probe: str, variant: str
) -> None:
    (found,) = (r for r in run([cell(task, probe)]) if r.variant == variant)
    assert (found.outcome, found.score) == ("ok", 1.0)
    assert found.quality is not None and found.quality < 1.0


@pytest.mark.parametrize(
    ("task", "probe", "variant"),
    [
        ("simple_python_13", "call-whole-floats", "0.interval as int"),
        ("simple_python_120", "call-default-omitted", "0.equal_variance"),
        ("live_simple_70-34-0", "call-default-stated", "0.timespan"),
        ("parallel_178", "call-reordered", ""),
        ("simple_python_0", "call-text-positive-sign", "0.base"),
        ("multi_turn_base_0", "turns-scored-again", "after nothing"),
    ],
)
def test_an_equivalent_submission_that_the_evaluator_refuses(
    run: Any, task: str, probe: str, variant: str
) -> None:
    (found,) = (r for r in run([cell(task, probe, "equivalent")]) if r.variant == variant)
    assert (found.outcome, found.score, found.quality) == ("ok", 0.0, 1.0)


def test_episodes_show_the_owners_that_the_map_declares(
    run: Any, manifest: AdapterManifest
) -> None:
    assert manifest.ownership is not None
    for name, decision in manifest.decisions.items():
        for level, held in decision.levels.items():
            records = run(
                [
                    Cell(
                        task=task,
                        scaffold=level,
                        agent=str(Agent("careful", {name: action})),
                        scorers=("scorer",),
                    )
                    for task in manifest.ownership.tasks
                    for action in decision.actions
                ]
            )
            pairs = [
                (one, two)
                for one, two in zip(records[::2], records[1::2])
                if one.outcome == "ok" == two.outcome and any(name in s for s in one.steps)
            ]
            assert pairs, f"{name} is never reached under {level}"
            matters = any(one.digest != two.digest for one, two in pairs)
            assert matters == (held.owner != "harness"), (name, level)


def test_a_careful_agent_passes_under_every_scaffold(run: Any, manifest: AdapterManifest) -> None:
    assert manifest.ownership is not None
    for level in manifest.scaffolds:
        records = run(
            [
                Cell(task=task, scaffold=level, agent="careful", scorers=("scorer",))
                for task in manifest.ownership.tasks
            ]
        )
        played = [r for r in records if r.outcome != "unsupported"]
        assert played, level
        assert scores(played) == {1.0: len(played)}, level


def test_an_endless_turn_is_cut_off_after_twenty_one_steps(run: Any) -> None:
    endless = Cell(
        task="multi_turn_base_0", scaffold="prompt-loop", agent="endless", scorers=("scorer",)
    )
    (record,) = run([endless])
    assert record.figures == {"outputs": 21, "turns": 1}
    assert record.score == 0.0


def test_verdicts_do_not_depend_on_what_was_scored_before(run: Any) -> None:
    tasks = [f"multi_turn_{kind}_{n}" for kind in ("base", "long_context") for n in range(140, 160)]
    cells = [cell(task, "turns-call-corrupted") for task in tasks]
    alone = {r.as_line() for one in cells for r in run([one])}
    together = {r.as_line() for r in run(cells[::-1])}
    assert alone == together


SHARED = """
tool = BFCL.module("isolation")
posting = __import__(tool.backends.CLASS_FILE_PATH_MAPPING["TwitterAPI"], fromlist=["x"])
seen = []
for name in ("ann", "bo"):
    tool.restore()
    api = posting.TwitterAPI()
    api._load_scenario({"username": "u", "password": "p"})
    api.authenticate_twitter("u", "p")
    tweet = api.post_tweet("hello")
    api.mention(tweet["id"], [name])
    seen.append(list(api.tweets[tweet["id"]]["mentions"]))
print(json.dumps(seen))
"""


def test_default_arguments_that_tools_share_are_put_back(python: Any) -> None:
    assert python(SHARED) == [["ann"], ["bo"]]
    leaking = SHARED.replace("    tool.restore()\n", "")
    assert python(leaking) == [["ann"], ["ann", "bo"]]


FRESH = """
registry = BFCL.module("registry")
tasks = {task.id: task for task in registry.tasks(None)}
Submission = __import__("benchaudit.hooks", fromlist=["x"]).Submission
adapter = packs.load_adapter(BFCL)
for task in ("parallel_0", "multi_turn_base_90"):
    work = adapter.oracle.work(tasks[task])
    submission = adapter.oracle.compose(tasks[task], work)
    before = Submission(submission.payload).digest
    for _ in range(3):
        assert adapter.score(tasks[task], submission, "x").value == 1.0
        assert adapter.oracle.quality(tasks[task], submission) == 1.0
    assert Submission(submission.payload).digest == before
    kept = [name for name in vars(BFCL.module("package").execution) if name.endswith("_instance")]
    assert not kept, kept
print("true")
"""


def test_scoring_changes_no_submission_and_keeps_no_instance(python: Any) -> None:
    assert python(FRESH) is True


def test_an_entry_whose_answer_needs_live_tools_runs_no_episode(run: Any) -> None:
    asked = Cell(task="memory_kv_0-customer-0", scaffold="prompt", agent="careful", scorers=("s",))
    (record,) = run([asked])
    assert (record.outcome, "live tools" in record.detail) == ("unsupported", True)
