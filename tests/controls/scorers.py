"""Scorers of ours for a toy benchmark of records: sound ones, and each defect class once."""

from __future__ import annotations

import json
import math
import random
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from benchaudit.hooks import Adapter, Oracle, Score, Submission, Task

Records = list[dict[str, Any]]
Scorer = Callable[[Task, Submission], Score]
Quality = Callable[[Task, Submission], float]

SIZES = {"north": 5, "south": 10, "west": 12, "island": 1}
PLACES = ("Oslo", "Rome", "Lima", "Cairo", "Quito", "Delhi")


def truth(task: Task) -> Records:
    return [dict(row) for row in _drawn(task.id, task.seed)]


@cache
def _drawn(task: str, seed: int | None) -> Records:
    chance = random.Random(f"{task} {seed}")
    values = chance.sample(range(100, 10_000), SIZES[task])
    return [
        {"id": f"{task}-{n:03d}", "year": 2021, "place": chance.choice(PLACES), "value": value}
        for n, value in enumerate(values)
    ]


def compose(_task: Task, work: Records) -> Submission:
    report = {"row_count": len(work), "schema": [*work[0]] if work else [], "complete": True}
    return Submission({"records": list(work), "report": report, "log": "INFO page=1 done\n"})


def misreport(task: Task, work: Records) -> Submission:
    wrong = {"row_count": len(work) + 3, "schema": ["other"], "complete": False}
    return Submission({**compose(task, work).payload, "report": wrong, "log": "ERROR gave up\n"})


def rows(submission: Submission) -> Records:
    """The rows that are objects; what is not one is an empty row."""
    return [row if isinstance(row, dict) else {} for row in submission.payload["records"]]


def text(row: Any) -> str:
    """Equal for equal rows, whatever the order of the fields and the type of a number."""
    row = {k: float(v) if type(v) is int and abs(v) < 2**53 else v for k, v in row.items()}
    return json.dumps(row, sort_keys=True)


def f1(kept: int, handed_in: int, wanted: int) -> float:
    return 2 * kept / (handed_in + wanted) if handed_in + wanted else 1.0


def record_f1(task: Task, submission: Submission) -> float:
    """F1 over whole records, each true one counted once."""
    mine, true = Counter(map(text, rows(submission))), Counter(map(text, truth(task)))
    return f1((mine & true).total(), mine.total(), true.total())


def set_f1(task: Task, submission: Submission) -> float:
    """F1 over the set of whole records: where a record said twice is a record said."""
    mine, true = {*map(text, rows(submission))}, {*map(text, truth(task))}
    return f1(len(mine & true), len(mine), len(true))


def state(records: Records) -> dict[str, str]:
    """What a store holds after writing the rows by primary key."""
    return {str(row.get("id")): text(row) for row in records}


def same_state(task: Task, submission: Submission) -> float:
    return float(state(rows(submission)) == state(truth(task)))


# -- sound ---------------------------------------------------------------------------------------


def exact_label(task: Task, submission: Submission) -> Score:
    """Share of the ids whose label is exactly right, and nothing else handed in."""
    labels = {row["id"]: (row["place"], row["value"], row["year"]) for row in truth(task)}
    mine = rows(submission)
    right = {
        row["id"]
        for row in mine
        if isinstance(row.get("id"), str)
        and labels.get(row["id"]) == tuple(row.get(name) for name in ("place", "value", "year"))
    }
    return Score(len(right) / max(len(mine), len(labels)))


def within_tolerance(task: Task, submission: Submission) -> Score:
    """Ids, years and places exactly, values to within one part in a thousand."""
    true = {row["id"]: row for row in truth(task)}
    mine = rows(submission)
    right = {row["id"] for row in mine if _is_close(row, true)}
    return Score(100 * len(right) / max(len(mine), len(true)))


def _is_close(row: dict[str, Any], true: dict[str, dict[str, Any]]) -> bool:
    key, value = row.get("id"), row.get("value")
    if not isinstance(key, str) or key not in true or not isinstance(value, int | float):
        return False
    other = {**row, "value": true[key]["value"]}
    near = abs(value) < 1e9 and math.isclose(value, true[key]["value"], rel_tol=1e-3)
    return near and text(other) == text(true[key])


def by_record_f1(task: Task, submission: Submission) -> Score:
    return Score(record_f1(task, submission))


def set_match(task: Task, submission: Submission) -> Score:
    found = set_f1(task, submission)
    return Score(found, passed=found == 1.0)


def state_comparison(task: Task, submission: Submission) -> Score:
    found = same_state(task, submission)
    return Score(found, passed=bool(found))


def strict_about_types(task: Task, submission: Submission) -> Score:
    """A number as text, or as a float, is wrong: a policy, and not held against it."""
    mine = Counter(json.dumps(row, sort_keys=True) for row in rows(submission))
    true = Counter(json.dumps(row, sort_keys=True) for row in truth(task))
    return Score(f1((mine & true).total(), mine.total(), true.total()))


# -- broken --------------------------------------------------------------------------------------


def counts_shape(task: Task, submission: Submission) -> Score:
    """Counts rows and looks at their fields."""
    mine, true = rows(submission), truth(task)
    if not mine:
        return Score(0.0)
    shaped = sum(row.keys() == true[0].keys() for row in mine) / len(mine)
    return Score(shaped * min(len(mine), len(true)) / max(len(mine), len(true)))


def always_passes(_task: Task, _submission: Submission) -> Score:
    return Score(1.0, passed=True)


def compares_ids(task: Task, submission: Submission) -> Score:
    """Ignores every value but the id."""
    mine = Counter(str(row.get("id")) for row in rows(submission))
    true = Counter(row["id"] for row in truth(task))
    return Score(f1((mine & true).total(), mine.total(), true.total()))


def recall_only(task: Task, submission: Submission) -> Score:
    mine, true = {*map(text, rows(submission))}, {*map(text, truth(task))}
    return Score(len(mine & true) / len(true))


def precision_only(task: Task, submission: Submission) -> Score:
    mine, true = Counter(map(text, rows(submission))), Counter(map(text, truth(task)))
    return Score((mine & true).total() / mine.total() if mine else 0.0)


def trusts_the_report(task: Task, submission: Submission) -> Score:
    """Reads the row count from the report instead of counting."""
    report = submission.payload["report"]
    return Score(float(report.get("row_count") == len(truth(task))))


def sensitive_to_order(task: Task, submission: Submission) -> Score:
    mine, true = rows(submission), truth(task)
    right = sum(text(one) == text(other) for one, other in zip(mine, true))
    return Score(f1(right, len(mine), len(true)))


def sensitive_to_field_order(task: Task, submission: Submission) -> Score:
    mine = Counter(map(json.dumps, rows(submission)))
    true = Counter(map(json.dumps, truth(task)))
    return Score(f1((mine & true).total(), mine.total(), true.total()))


def passes_empty(task: Task, submission: Submission) -> Score:
    """Nothing handed in counts as nothing wrong."""
    mine = rows(submission)
    return Score(record_f1(task, submission) if mine else 0.6)


def raises_on_wrong(task: Task, submission: Submission) -> Score:
    assert {*map(text, rows(submission))} == {*map(text, truth(task))}, "\ud800 not the truth"
    return Score(record_f1(task, submission))


def raises_on_correct(task: Task, submission: Submission) -> Score:
    found = record_f1(task, submission)
    if found == 1.0:
        raise ZeroDivisionError("nothing is wrong")
    return Score(found)


def raises_on_everything(_task: Task, submission: Submission) -> Score:
    raise KeyError(str(submission))


def leaves_its_range(task: Task, submission: Submission) -> Score:
    """A bonus takes the best submission beyond the maximum."""
    found = record_f1(task, submission)
    return Score(found + 0.2 * (found == 1.0))


def not_a_number(task: Task, submission: Submission) -> Score:
    """Divides by what was handed in."""
    mine = rows(submission)
    return Score(record_f1(task, submission) if mine else math.nan)


def no_score(task: Task, submission: Submission) -> Score:
    """Forgets to return for a submission without rows."""
    return by_record_f1(task, submission) if rows(submission) else None  # type: ignore[return-value]


def changes_its_mind() -> Scorer:
    """Adds noise that is not a function of the submission."""
    noise = random.Random(1)
    return lambda task, submission: Score(record_f1(task, submission) * noise.uniform(0.90, 0.95))


def keeps_state() -> Scorer:
    """Takes a little off for every submission it has seen before."""
    seen: Counter[str] = Counter()

    def score(task: Task, submission: Submission) -> Score:
        seen[submission.encoded] += 1
        return Score(record_f1(task, submission) / seen[submission.encoded])

    return score


def leaks_the_last_answer() -> Scorer:
    """Scores the submission before the one it was given, and the first as it should."""
    last: list[float] = []

    def score(task: Task, submission: Submission) -> Score:
        last.append(record_f1(task, submission))
        return Score(last[-2] if len(last) > 1 else last[-1])

    return score


def likes_a_log(task: Task, submission: Submission) -> Score:
    """Full marks for a word in the log, whatever the work."""
    return Score(max(record_f1(task, submission), float("retrying" in submission.payload["log"])))


def follows_the_report(task: Task, submission: Submission) -> Score:
    """A tenth for the work, the rest for a report that agrees with the task."""
    report = submission.payload["report"]
    told = report.get("row_count") == len(truth(task)) and report.get("complete") is True
    return Score(0.1 * record_f1(task, submission) + 0.9 * told * bool(rows(submission)))


def forgets_a_task(task: Task, submission: Submission) -> Score:
    """Has no truth for one of the tasks, so that nothing passes there."""
    return Score(0.0 if task.id == "west" else record_f1(task, submission))


def changes_its_input(task: Task, submission: Submission) -> Score:
    """Takes the rows out as it reads them, so that a second look finds none."""
    found = record_f1(task, submission)
    submission.payload["records"].clear()
    return Score(found)


# -- adapters ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Control:
    """One scorer and what the card must say of it.

    Attributes:
        fails: the items that fail; every other scoring item passes, or is in ``silent``.
        silent: the items that are not probed though they are for the sound ones.
        quality: the oracle's quality where it is not the F1 over whole records.
        scorer: what its entry in adapter.toml says beyond the usual.
    """

    make: Callable[[], Scorer]
    fails: frozenset[str] = frozenset()
    silent: frozenset[str] = frozenset()
    kind: str = "outcome"
    claim: str = "model-scaffold"
    quality: Quality | None = record_f1
    scorer: dict[str, Any] = field(default_factory=dict)

    def adapter(self) -> Adapter:
        """A fresh adapter, so that no state is shared between tests."""
        scorer = self.make()
        return Adapter(
            tasks=lambda seed: [Task(name, "records", seed=seed) for name in SIZES],
            score=lambda task, submission, _name: scorer(task, submission),
            oracle=Oracle(work=truth, compose=compose, quality=self.quality, misreport=misreport),
        )


def pure(scorer: Scorer) -> Callable[[], Scorer]:
    return lambda: scorer


SOUND: dict[str, Control] = {
    "exact label": Control(pure(exact_label)),
    "numeric with tolerance": Control(pure(within_tolerance), scorer={"maximum": 100.0}),
    "record F1": Control(pure(by_record_f1), quality=None, scorer={"ground_truth": True}),
    "record F1 beside an oracle": Control(pure(by_record_f1)),
    "set match": Control(pure(set_match), quality=set_f1),
    "state comparison": Control(pure(state_comparison), quality=same_state),
    "strict about types": Control(pure(strict_about_types)),
}


def broken(
    make: Callable[[], Scorer], *fails: str, silent: tuple[str, ...] = (), **more: Any
) -> Control:
    return Control(make, frozenset(fails), frozenset(silent), **more)


EVERY = (
    "criterion",
    "null-floor",
    "over-strictness",
    "gaming-resistance",
    "trace-preference",
    "robustness",
    "replay",
)
SHAPE: dict[str, Any] = {"kind": "shape", "claim": "self-report-compliance"}
FAILS: dict[str, Any] = {"claim": "scorer-fails"}
NO_CORRECT_SCORE = (
    "criterion",
    "null-floor",
    "over-strictness",
    "gaming-resistance",
    "trace-preference",
)

BROKEN: dict[str, Control] = {
    "counts the shape": broken(
        pure(counts_shape), "criterion", "null-floor", "trace-preference", **SHAPE
    ),
    "always passes": broken(
        pure(always_passes),
        *("criterion", "null-floor", "gaming-resistance", "trace-preference"),
        **SHAPE,
    ),
    "ignores values": broken(pure(compares_ids), "criterion", **FAILS),
    "recall only": broken(pure(recall_only), "criterion", **FAILS),
    "precision only": broken(pure(precision_only), "criterion", "gaming-resistance", **FAILS),
    "trusts the self-report": broken(
        pure(trusts_the_report),
        *("criterion", "null-floor", "gaming-resistance", "trace-preference"),
        **SHAPE,
    ),
    "follows the report": broken(pure(follows_the_report), "null-floor", "trace-preference"),
    "likes a word in the log": broken(pure(likes_a_log), "gaming-resistance"),
    "sensitive to order": broken(pure(sensitive_to_order), "over-strictness"),
    "sensitive to the order of fields": broken(pure(sensitive_to_field_order), "over-strictness"),
    "passes empty": broken(pure(passes_empty), "null-floor", **FAILS),
    "raises on the wrong": broken(
        pure(raises_on_wrong), "robustness", silent=("trace-preference",)
    ),
    "raises on the correct": broken(
        pure(raises_on_correct), "task-validity", "robustness", silent=NO_CORRECT_SCORE, **FAILS
    ),
    "raises on everything": broken(
        pure(raises_on_everything),
        *("task-validity", "robustness"),
        silent=(*NO_CORRECT_SCORE, "replay"),
        **FAILS,
    ),
    "has no truth for a task": broken(pure(forgets_a_task), "task-validity", silent=("criterion",)),
    "leaves its range": broken(pure(leaves_its_range), "robustness"),
    "not a number": broken(pure(not_a_number), "robustness"),
    "no score at all": broken(pure(no_score), "robustness"),
    "changes its mind": broken(changes_its_mind, "over-strictness", "robustness", "replay"),
    "keeps state": broken(keeps_state, "robustness", "replay"),
    "leaks the last answer": broken(leaks_the_last_answer, *EVERY, **FAILS),
}
"""Each defect class once, with all the items that it breaks and no other."""
