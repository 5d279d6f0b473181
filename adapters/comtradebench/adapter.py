"""ComtradeBench: the four hooks."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from benchaudit.hooks import Adapter, Oracle, Ownership, Score, Submission, Task, Unsupported

from .agents import AGENTS
from .ground_truth import Match, match_ids, match_records
from .intake import judge_records
from .report import LOGS, metadata
from .scaffolds import harness_trace, run
from .tasks import tasks, truth


def work(task: Task) -> list[Any]:
    """The true records of a task, in the order of their ids."""
    return list(truth(task.id, task.seed))


def compose(task: Task, records: Sequence[Any]) -> Submission:
    """The submission of an honest agent that holds these records, with the harness's log."""
    return compose_with_log(task, records, "harness")


def compose_with_log(task: Task, records: Sequence[Any], style: str) -> Submission:
    """The honest submission with a log in one of the styles of `report.LOGS`.

    The row count and the schema are those of the records. The requests reported are those of one
    pass in page order with retries, whatever the records: on tasks that reorder or overwrite rows
    (T6, T8, T9) a true agent needs more passes to hold every record, which the judge would mark
    down as inefficient.
    """
    trace = harness_trace(task.id, task.seed)
    log = LOGS[style](trace, records)
    return Submission({"records": list(records), "report": metadata(trace, records), "log": log})


def misreport(task: Task, records: Sequence[Any]) -> Submission:
    """The records under a self-report that denies them.

    The recipe: metadata that has every required key and says that nothing was asked for and
    nothing came (empty query, schema and dedup key, no rows), and a log of one line that says the
    run is not complete. The paper gives no recipe of its own.
    """
    honest = compose(task, records).payload
    denial = {"query": {}, "row_count": 0, "schema": [], "dedup_key": []}
    return Submission(
        {
            **honest,
            "report": {**honest["report"], **denial},
            "log": f"task_id={task.id} complete=false\n",
        }
    )


def quality(task: Task, submission: Submission) -> float:
    """Ground-truth F1, every field of a record compared."""
    return _match(task.id, task.seed, submission).f1


def score(task: Task, submission: Submission, scorer: str) -> Score:
    """Score a submission with ``judge``, ``f1`` or ``coverage``, each 0 to 1.

    Raises:
        Unsupported: for a submission that no agent can hand in, because it is not JSON.
        ValueError: for a scorer that there is not.
    """
    records, report, log = _parts(submission)
    if scorer == "judge":
        return _judge(task, records, report, log)
    match = _match(task.id, task.seed, submission)
    if scorer == "coverage":
        return Score(match.recall)
    if scorer == "f1":
        by_id = match_ids(task.id, task.seed, records)
        parts = {"precision": match.precision, "recall": match.recall, "f1_by_id": by_id.f1}
        return Score(match.f1, breakdown=parts)
    raise ValueError(f"no scorer {scorer!r}; there are judge, f1 and coverage")


@lru_cache(maxsize=8)
def _match(task_id: str, seed: int | None, submission: Submission) -> Match:
    """The comparison that quality, coverage and F1 share; a submission object never changes."""
    records, _, _ = _parts(submission)
    return match_records(task_id, seed, records)


def _judge(task: Task, records: Sequence[Any], report: Any, log: str) -> Score:
    try:
        verdict = judge_records(task.id, records, report, log)
    except (TypeError, ValueError) as error:
        raise Unsupported(f"cannot be written as JSON lines: {error}") from None
    return Score(verdict.reward, breakdown=verdict.breakdown)


def _parts(submission: Submission) -> tuple[list[Any], Any, str]:
    """Records, report and log of a submission.

    Raises:
        Unsupported: for a payload of another shape.
    """
    match submission.payload:
        case {"records": list(records), "report": report, "log": str(log)}:
            return records, report, log
    raise Unsupported("not a submission of records: expected a list, a report and a log")


ADAPTER: Adapter = Adapter(
    tasks=tasks,
    score=score,
    oracle=Oracle(work=work, compose=compose, quality=quality, misreport=misreport),
    ownership=Ownership(episode=run, agents=tuple(AGENTS)),
)
