"""The three scaffolds, L0 to L2: one loop over the same tools, and who holds each decision.

`OWNED` is the whole difference between the levels. The loop asks the agent about every decision
at every level; `_Run.decide` is the one place where its answer is carried out or not.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from benchaudit.hooks import Agent, Episode, Step, Submission, Task

from .agents import DECISIONS, Player, Policy, Records, View, while_more
from .report import Request, Trace
from .service import OK
from .tasks import PRIMARY_KEY
from .tools import Answer, Session

OWNED: Mapping[str, frozenset[str]] = {
    "L0": frozenset(),
    "L1": frozenset({"retry"}),
    "L2": frozenset(DECISIONS),
}
"""The decisions that are the agent's, by scaffold; the harness holds the others."""

TOKENS_A_ROW = 54
"""Output tokens that re-emitting one record takes an agent (BenchAudit paper, bound of T7)."""

_HARNESS_TURNS = 30


def _harness_paginate(view: View) -> str:
    return while_more(view) if view.turns < _HARNESS_TURNS else "stop"


HARNESS = Policy(paginate=_harness_paginate)
"""What the harness does with the decisions it holds, and with the records it marshals."""


def run(task: Task, scaffold: str, agent: Agent, budget: int | None = None) -> Episode:
    """Run one episode, a pure function of its arguments.

    Args:
        budget: output tokens that the agent may spend on re-emitting records. Where the harness
            marshals them (L0, L1) it makes no difference.

    Raises:
        ValueError: for a scaffold, an agent, a decision or an action that there is not.
    """
    if scaffold not in OWNED:
        raise ValueError(f"no scaffold {scaffold!r}; there are {', '.join(OWNED)}")
    episode = _Run(task.id, task.seed, scaffold, agent)
    episode.fetch()
    submission = episode.submit(budget)
    return Episode(submission, tuple(episode.steps), episode.figures())


@lru_cache(maxsize=64)
def harness_trace(task_id: str, seed: int | None) -> Trace:
    """The trace of the production harness on a task: one pass in page order, with retries."""
    episode = _Run(task_id, seed, "L0", Agent("careful"))
    episode.fetch()
    return episode.trace


class _Run:
    """One episode in progress."""

    def __init__(self, task_id: str, seed: int | None, scaffold: str, agent: Agent) -> None:
        self.steps: list[Step] = []
        self.trace = Trace(task_id)
        self._session = Session(task_id, seed)
        self._agent = Player(agent)
        self._owned = OWNED[scaffold]
        self._view = View()
        self._held: Records = []
        self._seen: set[tuple[Any, ...]] = set()

    def decide(self, decision: str) -> str:
        """Ask the agent, and carry out its answer where the decision is its own."""
        answer = self._agent.answer(decision, self._view)
        owner = "model" if decision in self._owned else "harness"
        action = answer if owner == "model" else HARNESS.answer(decision, self._view)
        self.steps.append(Step(decision, action, owner))
        return action

    def fetch(self) -> None:
        """Fetch pages until paginate says stop or the request budget is spent."""
        self._session.get_task_info()
        going = True
        while going:
            self._view.page = self._holder("paginate").page(self._view)
            going = self._settle_page() and self.decide("paginate") == "next"
        self.trace.complete = not self._view.has_more

    def submit(self, budget: int | None) -> Submission | None:
        """Hand in the records and the report of whoever holds submit, if it is to be done."""
        if self.decide("submit") == "withhold":
            return None
        holder = self._holder("submit")
        records = holder.records(self._view, self.trace, self._held)
        if budget is not None and holder is not HARNESS:
            records = records[: budget // TOKENS_A_ROW]
        report, log = holder.report(self._view, self.trace, records)
        return self._session.hand_in(records, report, log)

    def figures(self) -> dict[str, float]:
        """Counts for the evidence."""
        return {
            "requests": len(self.trace.requests),
            "faults": self.trace.faults,
            "retries": self.trace.retries,
            "duplicates dropped": self.trace.duplicates_dropped,
            "totals dropped": self.trace.totals_dropped,
            "records held": len(self._held),
        }

    def _holder(self, decision: str) -> Policy:
        return self._agent.policy if decision in self._owned else HARNESS

    def _settle_page(self) -> bool:
        """Ask for a page until it comes or is skipped; false once the budget is spent."""
        view = self._view
        view.attempts = 0
        while True:
            answer = self._session.fetch_page(view.page)
            if "rows" in answer:
                self._collect(answer)
                break
            if not answer.get("retry"):
                return False
            view.attempts += 1
            retried = self.decide("retry") == "retry"
            self.trace.requests.append(
                Request(view.page, answer["status"], attempt=view.attempts, retried=retried)
            )
            if not retried:
                break
        view.turns += 1
        return True

    def _collect(self, answer: Answer) -> None:
        """Take in a page: what it says of the rest, and its rows less what is dropped."""
        rows: Records = answer["rows"]
        self.trace.requests.append(Request(self._view.page, OK, len(rows)))
        self._view.has_more = answer["has_more"]
        self._view.total_pages = answer["total_pages"]
        self._view.total_rows = answer["total_rows"]
        self._held += self._without_duplicates(self._without_totals(rows))

    def _without_totals(self, rows: Records) -> Records:
        records = [row for row in rows if not row.get("isTotal")]
        totals = len(rows) - len(records)
        if not totals:
            return rows
        if self.decide("totals") == "keep":
            self.trace.totals_kept += totals
            return rows
        self.trace.totals_dropped += totals
        return records

    def _without_duplicates(self, rows: Records) -> Records:
        fresh = []
        for row in rows:
            key = tuple(row[field] for field in PRIMARY_KEY)
            if key not in self._seen:
                self._seen.add(key)
                fresh.append(row)
        duplicates = len(rows) - len(fresh)
        if not duplicates or self.decide("deduplicate") == "keep":
            return rows
        self.trace.duplicates_dropped += duplicates
        return fresh
