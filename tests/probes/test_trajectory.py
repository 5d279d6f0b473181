"""The probes of trajectories, on a toy shop with known graders.

A sound grader must be accused by none; one that accepts everything must be caught by every probe
of worse submissions, one that goes by the letter by every equivalent.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchaudit import packs
from benchaudit.card.model import ITEMS
from benchaudit.cells import Bench, Cell
from benchaudit.evidence import Evidence
from benchaudit.families import trajectory
from benchaudit.families.calls import Path
from benchaudit.families.trajectory import Step, Steps, call, say
from benchaudit.families.trajectory_answers import respelled, tell, told, wrong
from benchaudit.families.trajectory_state import differences
from benchaudit.hooks import Adapter, Oracle, Score, Submission, Task
from benchaudit.manifest import ProbeManifest, read_probe


def _probes() -> dict[str, ProbeManifest]:
    found = {name: read_probe(pack) for name, pack in packs.available("probes").items()}
    return {name: facts for name, facts in found.items() if facts.family == "trajectory"}


PROBES = _probes()
WORSE = [n for n, p in PROBES.items() if p.kind in ("degraded", "gaming")]
EQUIVALENT = [n for n, p in PROBES.items() if p.kind == "equivalent"]

# -- a toy shop -----------------------------------------------------------------------------------

ACCOUNTS: Mapping[str, Mapping[str, Any]] = {
    name: {"street": f"{name} lane", "balance": 10, "packed": [], "closed": False}
    for name in ("ann", "bob", "cid")
}
HAND_OVER = call("hand_over", {"summary": "needs a person"})
GOLD: Mapping[str, Steps] = {
    "full": [
        call("look_up", {"account": "ann"}),
        call("pay", {"account": "ann", "amount": 5}),
        call("pack", {"account": "ann", "items": ["shoe", "hat"]}),
        say(tell("1234.5")),
        say(tell("blue")),
    ],
    "order": [
        call("move", {"account": "ann", "street": "1 Elm"}),
        call("close", {"account": "ann"}),
    ],
    "question": [call("look_up", {"account": "ann"}), say(tell("481.50"))],
    "nothing": [],
    "handed over": [call("pay", {"account": "ann", "amount": 3}), say(tell("7")), HAND_OVER],
}
ANSWERS = {"full": ["1234.5", "blue"], "question": ["481.50"], "handed over": ["7"]}


class RefusedError(Exception):
    pass


class Shop:
    """Three accounts, and tools that change them."""

    def __init__(self) -> None:
        self.accounts = deepcopy(dict(ACCOUNTS))

    def use(self, step: Step) -> None:
        tools = (self.look_up, self.pay, self.pack, self.move, self.close, self.hand_over)
        tool = {tool.__name__: tool for tool in tools}.get(step["call"])
        if tool is None:
            raise RefusedError("no such tool")
        try:
            tool(**step["arguments"])
        except (KeyError, TypeError) as error:
            raise RefusedError(str(error)) from None

    def look_up(self, account: str) -> None:
        self.accounts[account]

    def pay(self, account: str, amount: float) -> None:
        self._open(account)["balance"] += amount

    def pack(self, account: str, items: Sequence[str]) -> None:
        if not {*items} <= {"shoe", "hat", "cap"}:
            raise RefusedError("not in stock")
        self._open(account)["packed"] = list(items)

    def move(self, account: str, street: str) -> None:
        self._open(account)["street"] = street

    def close(self, account: str) -> None:
        self._open(account)["closed"] = True

    def hand_over(self, summary: str) -> None:
        assert summary

    def _open(self, account: str) -> Any:
        if self.accounts[account]["closed"]:
            raise RefusedError("closed")
        return self.accounts[account]


def _visit(steps: Steps) -> tuple[Shop, list[int], list[str]]:
    """The shop afterwards, the calls refused, and what was said before a person took over."""
    shop, refused, texts = Shop(), [], []
    for number, step in enumerate(steps):
        if "say" in step:
            texts.append(step["say"] or "")
            continue
        try:
            shop.use(step)
        except RefusedError:
            refused.append(number)
        else:
            if step["call"] == "hand_over":
                break
    return shop, refused, texts


class World:
    """What forgers may ask of the shop."""

    def refused(self, steps: Steps) -> Sequence[int]:
        return _visit(steps)[1]

    def others(self, one: Step) -> Mapping[Path, Sequence[Any]]:
        return {("account",): ["bob"]} if "account" in one["arguments"] else {}

    def stranger(self) -> Steps:
        return [call("pay", {"account": "cid", "amount": 1})]

    def undone(self) -> Steps:
        return [call("move", {"account": "bob", "street": s}) for s in ("1 Oak", "bob lane")]

    def lookups(self) -> Steps:
        return [call("look_up", {"account": "ann"})]


def _tasks(_seed: int | None) -> list[Task]:
    return [
        Task(
            name,
            "trajectory",
            data={
                "writes": {"pay", "pack", "move", "close"},
                "answers": ANSWERS.get(name, ()),
                "transfer": HAND_OVER,
                "world": World(),
            },
        )
        for name in GOLD
    ]


def _changes(steps: Steps) -> dict[tuple[str, str], Any]:
    accounts = _visit(steps)[0].accounts
    return {("accounts", k): v for k, v in accounts.items() if v != ACCOUNTS[k]}


def _quality(task: Task, submission: Submission) -> float:
    steps = submission.payload["steps"]
    if not all(told(_visit(steps)[2], answer) for answer in task.data["answers"]):
        return 0.0
    start = {("accounts", k): v for k, v in ACCOUNTS.items()}
    return float(not differences(_changes(steps), _changes(GOLD[task.id]), start.__getitem__))


def _compose(_task: Task, steps: Steps) -> Submission:
    return trajectory.submission(steps)


def _work(task: Task) -> Steps:
    return deepcopy(list(GOLD[task.id]))


Grader = Callable[[Task, Submission], float]


def sound(task: Task, submission: Submission) -> float:
    """Right or wrong, by what is left and told."""
    return _quality(task, submission)


def blind(_task: Task, _submission: Submission) -> float:
    return 1.0


def literal(task: Task, submission: Submission) -> float:
    """Nothing but the canonical submission, to the letter."""
    return float(submission.digest == _compose(task, _work(task)).digest)


def judge(probe: str, grader: Grader) -> list[Evidence]:
    """Every cell of a probe on the toy tasks that says something."""
    oracle = Oracle(work=_work, compose=_compose, quality=_quality)
    adapter = Adapter(tasks=_tasks, score=lambda t, s, _: Score(grader(t, s)), oracle=oracle)
    bench = Bench(adapter, {probe: packs.load_forge(packs.find("probes", probe))})
    kind = PROBES[probe].kind
    cells = [Cell(task=t, probe=probe, kind=kind, scorers=("grader",)) for t in GOLD]
    found = [record for cell in cells for record in bench.run(cell)]
    return [record for record in found if record.outcome not in ("vacuous", "unsupported")]


# -- every probe ----------------------------------------------------------------------------------


@pytest.mark.parametrize("probe", PROBES)
def test_a_probe_says_what_it_is(probe: str) -> None:
    facts = PROBES[probe]
    assert set(facts.feeds) <= set(ITEMS)
    assert probe.startswith("trajectory-")
    expected = {
        "degraded": "criterion",
        "gaming": "gaming-resistance",
        "equivalent": "over-strictness",
    }
    if facts.kind in expected:
        assert expected[facts.kind] in facts.feeds
    assert facts.null == (facts.feeds == ("null-floor",))


@pytest.mark.parametrize("probe", WORSE)
def test_no_worse_submission_passes_a_sound_grader(probe: str) -> None:
    records = judge(probe, sound)
    assert {r.outcome for r in records} == {"ok"}
    assert all(r.score == 0.0 for r in records)


@pytest.mark.parametrize("probe", WORSE)
def test_a_grader_that_accepts_everything_is_caught(probe: str) -> None:
    records = judge(probe, blind)
    assert any(r.score == 1.0 and r.quality == 0.0 for r in records)


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
    assert first


def test_an_agent_without_work_hands_in_the_same_on_every_task() -> None:
    records = judge("trajectory-null", blind)
    digests = {
        variant: {r.digest for r in records if r.variant == variant}
        for variant in ("nothing", "transfer", "numbers")
    }
    assert all(len(found) == 1 for found in digests.values())
    assert len(records) == 3 * len(GOLD)


def test_a_corruption_says_whether_the_tools_noticed() -> None:
    variants = {r.variant.split()[-1] for r in judge("trajectory-write-corrupted", sound)}
    assert variants == {"accepted", "refused"}
    refused = judge("trajectory-call-emptied", sound)
    assert {r.task for r in refused} == {"full", "order", "handed over"}


def test_policies_are_reported_whatever_the_oracle_holds_of_them() -> None:
    records = judge("trajectory-transferred", sound)
    first = {r.task: r.score for r in records if r.variant == "first"}
    after = {r.task: r.score for r in records if r.variant == "after"}
    assert first["full"] == 0.0
    assert after["full"] == 1.0


# -- answers --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("Here is what you asked for: 54.04.", "54.04"),
        ("You will get $1,234.50 back, by card.", "1234.5"),
        ("The total comes to 10.00!", "10"),
        ("It is Blue, as you wished.", "blue"),
        ("I do not know why.\nIt costs 7.", "7"),
        ("It is on 943 Maple Drive.", "943 Maple Drive"),
    ],
)
def test_an_answer_is_told(text: str, answer: str) -> None:
    assert told([text], answer)


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("It is 31046.", "10"),
        ("It is 10.5.", "10"),
        ("It is -10.", "10"),
        ("It is A10.", "10"),
        ("It is 21, not 10.", "10"),
        ("It isn't 10.", "10"),
        ("It is 9, 10 or 11.", "10"),
        ("Maybe 10.", "10"),
        ("; ".join(map(str, range(100))), "10"),
        ("; ".join(["red", "blue"] * 40), "blue"),
        ("It is blueish.", "blue"),
        ("It is 943 Maple Driveway.", "943 Maple Drive"),
        ("", "10"),
    ],
)
def test_an_answer_is_not_told(text: str, answer: str) -> None:
    assert not told([text], answer)


ANSWER = st.one_of(
    st.integers(0, 10**6).map(str),
    st.floats(0.01, 10**5).map(lambda x: f"{x:.2f}"),
    st.text("abcdefghxyz", min_size=1, max_size=8).filter(lambda t: t not in ("a", "no", "or")),
)


@given(ANSWER)
def test_an_honest_agent_tells_and_a_wrong_answer_does_not(answer: str) -> None:
    assert told([tell(answer)], answer)
    false = wrong(answer, [answer])
    assert answer not in false
    assert not told([tell(false)], answer)


@given(st.lists(ANSWER, min_size=1, max_size=4))
def test_a_wrong_answer_contains_none_of_those_wanted(wanted: list[str]) -> None:
    false = wrong(wanted[0], wanted)
    assert false == "something else" or not any(one in false for one in wanted)


@given(ANSWER)
def test_another_spelling_tells_the_same(answer: str) -> None:
    for _, other in respelled(answer):
        assert other != answer
        assert told([tell(other)], answer)


def test_spellings_are_those_of_money() -> None:
    assert dict(respelled("8276.5")) == {
        "thousands separator": "8,276.5",
        "two decimals": "8276.50",
    }
    assert dict(respelled("481.50")) == {"no trailing zero": "481.5"}
    assert dict(respelled("blue")) == {"capitals": "BLUE"}
    assert dict(respelled("10")) == {}


# -- states ---------------------------------------------------------------------------------------

PLACE = ("orders", "1")


def _differ(one: Any, other: Any, **facts: Any) -> bool:
    return bool(differences({PLACE: one}, {PLACE: other}, lambda _: None, **facts))


def test_numbers_are_compared_by_value() -> None:
    assert not _differ({"n": 2}, {"n": 2.0})
    assert not _differ({"n": 0.1 + 0.2}, {"n": 0.3})
    assert _differ({"n": 2}, {"n": 2.01})
    assert _differ({"n": 1}, {"n": True})


def test_lists_are_collections_unless_they_are_sequences() -> None:
    assert not _differ({"items": ["a", "b"]}, {"items": ["b", "a"]})
    assert _differ({"items": ["a", "b"]}, {"items": ["b", "a"]}, sequences={"items"})
    assert _differ({"items": ["a", "a", "b"]}, {"items": ["a", "b", "b"]})


def test_what_follows_from_other_fields_is_left_out() -> None:
    one, other = ({"items": [{"id": 1, "price": p}], "price": 3} for p in (5, 6))
    assert _differ(one, other)
    assert not _differ(one, other, derived={"items": ("price",)})
    assert _differ({**one, "price": 4}, one, derived={"items": ("price",)})


def test_a_record_that_only_one_state_changes_is_held_against_the_start() -> None:
    start = {"n": 2}
    assert not differences({PLACE: {"n": 2.0}}, {}, lambda _: start)
    assert differences({PLACE: {"n": 3}}, {}, lambda _: start) == [PLACE]
    assert differences({}, {PLACE: None}, lambda _: start) == [PLACE]


RECORDS = st.dictionaries(st.sampled_from("abc"), st.integers(0, 2) | st.lists(st.integers(0, 2)))


@given(RECORDS, RECORDS)
def test_differing_goes_both_ways_and_nothing_differs_from_itself(one: Any, other: Any) -> None:
    assert not _differ(one, deepcopy(one))
    assert _differ(one, other) == _differ(other, one)
