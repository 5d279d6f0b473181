"""The probes of calls, turns, abstention and answers, on a toy benchmark with known graders.

A sound grader must be accused by none; one that accepts everything must be caught by every probe
of worse submissions, one that accepts nothing but the canonical one by every equivalent.
"""

from __future__ import annotations

import ast
import random
from collections.abc import Callable, Mapping
from copy import deepcopy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchaudit import packs
from benchaudit.card.model import ITEMS
from benchaudit.cells import Bench, Cell
from benchaudit.evidence import Evidence
from benchaudit.families import calls, turns
from benchaudit.hooks import Adapter, Oracle, Score, Submission, Task
from benchaudit.manifest import ProbeManifest, read_probe

BFCL = packs.find("adapters", "bfcl")
Entry = BFCL.module("entry").Entry
meaning = BFCL.module("meaning")
answering = BFCL.module("answering")
read_calls = BFCL.module("reading").read_calls

FAMILIES = ("calls", "turns", "abstention", "agentic")


def _probes() -> dict[str, ProbeManifest]:
    found = {name: read_probe(pack) for name, pack in packs.available("probes").items()}
    return {name: facts for name, facts in found.items() if facts.family in FAMILIES}


PROBES = _probes()
WORSE = [n for n, p in PROBES.items() if p.kind in ("degraded", "gaming")]
EQUIVALENT = [n for n, p in PROBES.items() if p.kind == "equivalent"]


# -- a toy benchmark ------------------------------------------------------------------------------

BOOK: Mapping[str, Any] = {
    "name": "hotel.book",
    "parameters": {
        "properties": {
            "city": {"type": "string", "description": "Where to stay."},
            "nights": {"type": "integer"},
            "price": {"type": "float"},
            "grades": {"type": "array", "items": {"type": "float"}},
            "change": {"type": "integer"},
            "pets": {"type": "boolean"},
            "point": {"type": "tuple", "items": {"type": "float"}},
            "guest": {
                "type": "dict",
                "properties": {"mail": {"type": "string"}, "adult": {"type": "boolean"}},
            },
            "room": {"type": "string", "enum": ["single", "double"], "default": "double"},
            "formula": {"type": "string", "description": "The function of the discount."},
            "rate": {"type": "string", "default": "1.25"},
            "password": {"type": "string"},
            "note": {"type": "string"},
        },
        "required": ["city", "nights"],
    },
}
FIND: Mapping[str, Any] = {
    "name": "hotel.find",
    "parameters": {"properties": {"city": {"type": "string"}}, "required": ["city"]},
}
KEYS: dict[str, list[Mapping[str, Any]]] = {
    "one call": [
        {
            "hotel.book": {
                "city": ["New York", "NYC"],
                "nights": [3],
                "price": [100.0],
                "grades": [[1.0, 2.0]],
                "change": [-5],
                "pets": [True],
                "point": [[1.5, 2.5]],
                "guest": [{"mail": ["ann@example.com"], "adult": [True]}],
                "room": ["single", ""],
                "formula": ["x**2"],
                "rate": ["1.25"],
                "password": ["Secret"],
            }
        }
    ],
    "two calls": [{"hotel.find": {"city": ["Paris"]}}, {"hotel.find": {"city": ["Lyon"]}}],
}
SAID = {"nothing fits": "irrelevance", "something fits": "live_relevance"}
ANSWERS = {"a word": ["Paris", "City of Paris"], "a number": ["1.8"], "a small number": ["7"]}
TURNS: dict[str, list[Any]] = {
    "a list": [
        [[calls.call("add", {"item": "a"}), calls.call("add", {"item": "b"})]],
        [],
        [[calls.call("read", {})]],
        [[calls.call("add", {"item": "c"})]],
    ]
}
SILENT = {"a list": [1]}


def _entry(task: str) -> Any:
    if task in KEYS:
        record = {"id": task, "function": [BOOK, FIND]}
        return Entry("simple_python", record, KEYS[task])
    category = SAID.get(task, "memory_kv")
    return Entry(category, {"id": task, "function": [FIND]}, ANSWERS.get(task))


def _tasks(seed: int | None) -> list[Task]:
    found = [
        Task(
            id=task,
            family="calls",
            seed=seed,
            data={
                "functions": [BOOK, FIND],
                "allowed": [next(iter(one.values())) for one in key],
            },
        )
        for task, key in KEYS.items()
    ]
    found += [Task(id=t, family="abstention", data={"functions": [FIND]}) for t in SAID]
    found += [Task(id=t, family="agentic") for t in ANSWERS]
    return found + [Task(id=t, family="turns", data={"silent": SILENT[t]}) for t in TURNS]


def _work(task: Task) -> Any:
    if task.family == "calls":
        return BFCL.module("answers").first_calls(_entry(task.id))
    if task.family == "abstention":
        return answering.fitting_calls(_entry(task.id))
    return TURNS[task.id] if task.family == "turns" else ANSWERS[task.id][0]


def _compose(task: Task, work: Any) -> Submission:
    if task.family == "turns":
        return Submission({"turns": work})
    if task.family == "agentic":
        return Submission({"text": answering.answer_text(work)})
    if task.id == "nothing fits" and not work:
        return Submission({"text": answering.REFUSAL})
    return Submission({"calls": work})


def _play(made: Any) -> list[tuple[Any, ...]]:
    """The list after each turn, what was read by then, and whether anything unknown was called."""
    items: list[Any] = []
    read: list[str] = []
    outcomes = []
    for turn in made:
        unknown = False
        for step in turn:
            for one in [] if isinstance(step, str) else step:
                if one["name"] == "add" and set(one["arguments"]) == {"item"}:
                    items.append(one["arguments"]["item"])
                elif one["name"] == "read":
                    read.append(repr(items))
                else:
                    unknown = True
        outcomes.append((list(items), list(read), unknown))
    return outcomes


def _turns_quality(task: Task, made: Any) -> float:
    wanted, got = _play(TURNS[task.id]), _play(made)
    right = [
        want[:2] == have[:2] and not (turn in SILENT[task.id] and have[2])
        for turn, (want, have) in enumerate(zip(wanted, got))
    ]
    return sum(right) / len(wanted)


def _quality(task: Task, submission: Submission) -> float:
    payload = submission.payload
    if task.family == "turns":
        return _turns_quality(task, payload["turns"])
    if task.family == "abstention":
        return float(answering.fitting_quality(_entry(task.id), payload))
    if task.family == "agentic":
        return float(answering.answer_quality(_entry(task.id), payload["text"]))
    made = payload["calls"] if "calls" in payload else read_calls(payload["text"])
    return float(meaning.quality(_entry(task.id), made or []))


Grader = Callable[[Task, Submission], float]


def sound(task: Task, submission: Submission) -> float:
    """Right or wrong, by the meaning of what was handed in."""
    return float(_quality(task, submission) == 1.0)


def blind(_task: Task, _submission: Submission) -> float:
    return 1.0


def literal(task: Task, submission: Submission) -> float:
    """Nothing but the canonical submission, to the letter."""
    return float(submission.digest == _compose(task, _work(task)).digest)


def judge(probe: str, grader: Grader) -> list[Evidence]:
    """Every cell of a probe on the toy tasks of its family, the canonical scores being 1."""
    oracle = Oracle(work=_work, compose=_compose, quality=_quality)
    adapter = Adapter(tasks=_tasks, score=lambda t, s, _: Score(grader(t, s)), oracle=oracle)
    bench = Bench(adapter, {probe: packs.load_forge(packs.find("probes", probe))})
    facts = PROBES[probe]
    found = []
    for task in _tasks(None):
        if task.family == facts.family:
            cell = Cell(task=task.id, probe=probe, kind=facts.kind, scorers=("grader",))
            found += bench.run(cell)
    return [record for record in found if record.outcome not in ("vacuous", "unsupported")]


# -- every probe ----------------------------------------------------------------------------------


@pytest.mark.parametrize("probe", PROBES)
def test_a_probe_says_what_it_is(probe: str) -> None:
    facts = PROBES[probe]
    assert set(facts.feeds) <= set(ITEMS)
    assert probe.split("-")[0] in ("call", "turns", "abstention", "agentic")
    if facts.null:
        assert "null-floor" in facts.feeds
    expected = {
        "degraded": "criterion",
        "gaming": "gaming-resistance",
        "equivalent": "over-strictness",
    }
    if facts.kind in expected and probe != "turns-scored-again":
        assert expected[facts.kind] in facts.feeds


@pytest.mark.parametrize("probe", WORSE)
def test_no_worse_submission_passes_a_sound_grader(probe: str) -> None:
    records = judge(probe, sound)
    assert {r.outcome for r in records} == {"ok"}
    assert all(r.score == 0.0 for r in records)


@pytest.mark.parametrize("probe", WORSE)
def test_a_grader_that_accepts_everything_is_caught(probe: str) -> None:
    records = judge(probe, blind)
    assert any(r.score == 1.0 and (r.quality or 0.0) < 1.0 for r in records)


@pytest.mark.parametrize("probe", EQUIVALENT)
def test_every_equivalent_submission_passes_a_sound_grader(probe: str) -> None:
    records = judge(probe, sound)
    assert {r.outcome for r in records} == {"ok"}
    assert all(r.score == 1.0 for r in records)


@pytest.mark.parametrize("probe", EQUIVALENT)
def test_a_grader_that_goes_by_the_letter_is_caught(probe: str) -> None:
    assert any(r.score == 0.0 for r in judge(probe, literal))


@pytest.mark.parametrize("probe", PROBES)
def test_forging_gives_the_same_bytes_again_and_tells_its_variants_apart(probe: str) -> None:
    first, again = judge(probe, blind), judge(probe, blind)
    assert [r.as_line() for r in first] == [r.as_line() for r in again]
    places = [(r.task, r.variant) for r in first]
    assert len(set(places)) == len(places)


@pytest.mark.parametrize("probe", [n for n, p in PROBES.items() if p.null])
def test_a_null_submission_is_the_same_on_every_task_of_a_shape(probe: str) -> None:
    digests = {r.digest for r in judge(probe, blind)}
    assert len(digests) == 1


# -- what the forgers of calls share --------------------------------------------------------------

VALUES = st.recursive(
    st.booleans() | st.integers(-(10**6), 10**6) | st.floats(-1e6, 1e6) | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3)
    ),
    max_leaves=8,
)


@given(VALUES)
def test_the_other_value_differs_and_keeps_its_type(value: Any) -> None:
    other = calls.other(value)
    assert type(other) is type(value)
    assert other != value


@given(VALUES)
def test_a_made_up_value_differs_and_keeps_its_type(value: Any) -> None:
    made_up = calls.made_up(value)
    assert type(made_up) is type(value)
    assert made_up != value


@given(VALUES)
def test_replacing_a_value_changes_it_and_nothing_else(value: Any) -> None:
    for path, leaf in calls.leaves(value):
        changed = calls.replaced(value, path, "new")
        rest = {p: v for p, v in calls.leaves(value) if p != path}
        assert {p: v for p, v in calls.leaves(changed) if p != path} == rest
        assert dict(calls.leaves(changed))[path] == "new"
        assert calls.replaced(changed, path, leaf) == value


@given(st.dictionaries(st.sampled_from(["a", "b", "c"]), VALUES, max_size=3))
def test_calls_written_in_python_read_back_as_they_were(arguments: dict[str, Any]) -> None:
    made = [calls.call("f", arguments), calls.call("g.h", {})]
    tree = ast.parse(calls.as_python(made), mode="eval").body
    assert isinstance(tree, ast.List)
    read = [
        (ast.unparse(one.func), {k.arg: ast.literal_eval(k.value) for k in one.keywords})
        for one in tree.elts
        if isinstance(one, ast.Call)
    ]
    assert read == [("f", arguments), ("g.h", {})]


def test_an_edit_of_one_turn_leaves_the_others_alone() -> None:
    work = deepcopy(TURNS["a list"])
    places = [place for place, _ in turns.calls(work)]
    assert places == [(0, 0, 0), (0, 0, 1), (2, 0, 0), (3, 0, 0)]
    random.Random(1).shuffle(places)
    for place in places:
        edited = turns.with_calls(work, place, [])
        assert len(list(turns.calls(edited))) == len(places) - 1
        assert [t for t, turn in enumerate(edited) if turn != work[t]] == [place[0]]
    assert work == TURNS["a list"]
