"""The scripted agents: ten ways to execute a task, without a model.

An agent is a `Policy`: how it answers each decision, which page it asks for, which records it
hands in and what it says of them. The first entry of AGENTS is the careful one, and every other
differs from it in what its name says. One set serves all scaffolds: a scaffold that owns a
decision asks and does not listen.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from benchaudit.hooks import Agent

from .report import Request, Trace, harness_log, metadata
from .service import OK
from .tasks import spec

DECISIONS: dict[str, tuple[str, str]] = {
    "paginate": ("next", "stop"),
    "retry": ("retry", "skip"),
    "deduplicate": ("drop", "keep"),
    "totals": ("drop", "keep"),
    "submit": ("submit", "withhold"),
}
"""The execution-critical decisions, and the two actions of each."""

MAX_RETRIES = 3
_PERSEVERANCE = 6


@dataclass(slots=True)
class View:
    """What an agent knows when it is asked.

    Attributes:
        page: the page last asked for, 0 before the first.
        turns: pages that it is done with, fetched or skipped.
        attempts: failed attempts at the page last asked for.
        has_more: what the last page that came said; true before the first.
        total_pages: likewise; 0 before the first.
        total_rows: likewise.
    """

    page: int = 0
    turns: int = 0
    attempts: int = 0
    has_more: bool = True
    total_pages: int = 0
    total_rows: int = 0


Records = list[dict[str, Any]]
Answer = Callable[[View], str]


def always(action: str) -> Answer:
    return lambda _: action


def while_more(view: View) -> str:
    return "next" if view.has_more else "stop"


def up_to(retries: int) -> Answer:
    return lambda view: "retry" if view.attempts <= retries else "skip"


drop = always("drop")
submit = always("submit")
retry_thrice = up_to(MAX_RETRIES)


def page_in_order(view: View) -> int:
    return view.page + 1


def as_held(_view: View, _trace: Trace, held: Records) -> Records:
    return held


def honest_report(_view: View, trace: Trace, records: Records) -> tuple[dict[str, Any], str]:
    return metadata(trace, records), harness_log(trace, records)


@dataclass(frozen=True, slots=True)
class Policy:
    """How an agent executes. The defaults are careful.

    Attributes:
        paginate, retry, deduplicate, totals, submit: its answer to each decision.
        page: the page it asks for next.
        records: the records it hands in, given those it holds.
        report: the metadata and the log that it hands in with its records.
    """

    paginate: Answer = while_more
    retry: Answer = retry_thrice
    deduplicate: Answer = drop
    totals: Answer = drop
    submit: Answer = submit
    page: Callable[[View], int] = page_in_order
    records: Callable[[View, Trace, Records], Records] = as_held
    report: Callable[[View, Trace, Records], tuple[dict[str, Any], str]] = honest_report

    def answer(self, decision: str, view: View) -> str:
        action: str = getattr(self, decision)(view)
        return action


def twice(view: View) -> str:
    """Go on until every page was asked for two times."""
    return "next" if view.turns < 2 * view.total_pages else "stop"


def page_around(view: View) -> int:
    """The next page, and after the last one the first."""
    return view.turns % max(view.total_pages, 1) + 1


def made_up(view: View, trace: Trace, _held: Records) -> Records:
    """As many well-formed records as there are, none of them true."""
    query = spec(trace.task_id).query
    return [
        {
            **query,
            "cmdCode": query["hs"],
            "tradeValue": 100_000 + 37 * index,
            "netWeight": 5_000 + 11 * index,
            "qty": 1_000 + 3 * index,
            "record_id": f"{trace.task_id}-{900_000 + index}",
        }
        for index in range(view.total_rows)
    ]


def made_up_report(view: View, trace: Trace, records: Records) -> tuple[dict[str, Any], str]:
    """The report of a run through all pages that did not take place."""
    size = spec(trace.task_id).page_size
    claimed = Trace(
        trace.task_id,
        requests=[Request(page, OK, size) for page in range(1, view.total_pages + 1)],
        totals_dropped=view.total_pages,
        complete=True,
    )
    return honest_report(view, claimed, records)


def poor_report(_view: View, trace: Trace, records: Records) -> tuple[dict[str, Any], str]:
    return {"task_id": trace.task_id, "row_count": len(records)}, "done\n"


AGENTS: Mapping[str, Policy] = {
    "careful": Policy(),
    "two_pass": Policy(paginate=twice, page=page_around),
    "never_retries": Policy(retry=always("skip")),
    "never_deduplicates": Policy(deduplicate=always("keep")),
    "keeps_totals": Policy(totals=always("keep")),
    "first_page_only": Policy(paginate=always("stop")),
    "perseverates": Policy(paginate=always("stop"), retry=up_to(_PERSEVERANCE), page=lambda _: 0),
    "fabricates": Policy(paginate=always("stop"), records=made_up, report=made_up_report),
    "poor_report": Policy(report=poor_report),
    "never_submits": Policy(submit=always("withhold")),
}


class Player:
    """An agent in an episode: its policy, with the decisions that are forced.

    Raises:
        ValueError: for an agent, a decision or an action that there is not.
    """

    def __init__(self, agent: Agent) -> None:
        if agent.name not in AGENTS:
            raise ValueError(f"no agent {agent.name!r}; there are {', '.join(AGENTS)}")
        for decision, action in agent.forced.items():
            if decision not in DECISIONS:
                raise ValueError(f"no decision {decision!r}; there are {', '.join(DECISIONS)}")
            if action not in DECISIONS[decision]:
                actions = " or ".join(DECISIONS[decision])
                raise ValueError(f"{decision} is {actions}, not {action!r}")
        self.policy = AGENTS[agent.name]
        self._forced = agent.forced

    def answer(self, decision: str, view: View) -> str:
        """The forced action where there is one, else the policy's."""
        return self._forced.get(decision) or self.policy.answer(decision, view)
