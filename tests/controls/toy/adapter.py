"""A toy benchmark: a sound scorer and one that only counts, under a scaffold that does nothing."""

import json
from typing import Any

from benchaudit.hooks import (
    Adapter,
    Agent,
    Episode,
    Oracle,
    Ownership,
    Score,
    Step,
    Submission,
    Task,
)

SHELVES = {"fiction": 5, "poems": 4, "plays": 6}
POLICIES = {"careful": "keep", "hasty": "drop"}

Books = list[dict[str, Any]]


def work(task: Task) -> Books:
    return [
        {"id": f"{task.id}-{n}", "title": f"Book {n * 7 % 10} of {task.id}", "pages": 100 + 37 * n}
        for n in range(SHELVES[task.id])
    ]


def compose(_task: Task, books: Books) -> Submission:
    return Submission({"records": list(books), "report": {"row_count": len(books)}, "log": ""})


def misreport(_task: Task, books: Books) -> Submission:
    return Submission({"records": list(books), "report": {"row_count": -1}, "log": "failed"})


def quality(task: Task, submission: Submission) -> float:
    true = [json.dumps(book, sort_keys=True) for book in work(task)]
    mine = [json.dumps(row, sort_keys=True) for row in submission.payload["records"]]
    kept = sum(min(mine.count(book), 1) for book in true)
    return 2 * kept / (len(mine) + len(true))


def score(task: Task, submission: Submission, scorer: str) -> Score:
    if scorer == "f1":
        found = quality(task, submission)
        return Score(found, passed=found == 1.0, breakdown={"rows": len(work(task))})
    books, rows = SHELVES[task.id], len(submission.payload["records"])
    return Score(min(books, rows) / max(books, rows))


def episode(task: Task, _scaffold: str, agent: Agent, _budget: int | None) -> Episode:
    action = agent.forced.get("last", POLICIES[agent.name])
    books = work(task) if action == "keep" else work(task)[:-1]
    return Episode(compose(task, books), [Step("last", action, "model")])


ADAPTER: Adapter = Adapter(
    tasks=lambda seed: [
        Task(name, "records", seed=seed, category=name[:1], description=f"Copy the {name}.")
        for name in SHELVES
    ],
    score=score,
    oracle=Oracle(work=work, compose=compose, quality=quality, misreport=misreport),
    ownership=Ownership(episode=episode, agents=tuple(POLICIES)),
)
