"""SWE-bench: results_<submission>.json with lists of instance ids, and per-instance test counts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from benchaudit.logs.runs import Outcome, Run
from benchaudit.logs.source import Source

NAME = "swe-bench"

_RESULTS = re.compile(r'\s*\{\s*"[a-z_]+"\s*:\s*\[')
_TESTS = ("n_resolved_tests", "n_unresolved_tests", "n_missing_tests")

# What a list says of an instance that is not resolved, the most telling list first. Without logs
# or with a broken harness there is no verdict; no patch, or one that does not apply, is a failure.
_VERDICTS = (
    ("test_timeout", None, Outcome.TIMEOUT),
    ("test_errored", None, Outcome.ERROR),
    ("install_fail", None, Outcome.ERROR),
    ("reset_failed", None, Outcome.ERROR),
    ("no_logs", None, Outcome.UNSCORED),
    ("no_generation", 0.0, Outcome.OK),
    ("no_apply", 0.0, Outcome.OK),
    ("generated", 0.0, Outcome.OK),
    ("with_logs", 0.0, Outcome.OK),
    ("applied", 0.0, Outcome.OK),
)


def detect(source: Source) -> bool:
    """Lists of ids that include the resolved ones, or test counts an instance."""
    head = source.head
    if not source.name.endswith(".json"):
        return False
    if '"n_resolved_tests"' in head:
        return all(f'"{key}"' in head for key in _TESTS)
    lists = '"no_generation"' in head or '"no_logs"' in head or '"resolved"' in head
    return source.name.startswith("results") and bool(_RESULTS.match(head)) and lists


def read(source: Source) -> Iterator[Run]:
    """The instances, and as missing the ones that only the size of the split shows."""
    if '"n_resolved_tests"' in source.head:
        yield from _tests(source)
    else:
        yield from _results(source, source.json_object())


def _results(source: Source, lists: dict[str, Any]) -> Iterator[Run]:
    named = {key: list(dict.fromkeys(ids)) for key, ids in lists.items() if isinstance(ids, list)}
    for key, ids in named.items():
        if repeated := len(lists[key]) - len(ids):
            source.note(f"ids that are in {key} more than once: counted once", times=repeated)
    total = len({task for ids in named.values() for task in ids})
    if source.options.instances is None:
        raise source.error(
            "",
            f"names {total} instances and not how many there are, so that it gives no rate",
            "give --instances (Verified: 500, Lite: 300, full test split: 2294)",
        )
    if total > source.options.instances:
        raise source.error("", f"names {total} instances", "give a larger --instances")
    blank = _blank(source)._replace(metric="resolved")
    done = set(named.get("resolved", ()))
    for task in named.get("resolved", ()):
        yield blank._replace(task=task, score=1.0, outcome=Outcome.OK)
    for key, score, outcome in _VERDICTS:
        for task in named.get(key, ()):
            if task not in done:
                done.add(task)
                yield blank._replace(task=task, score=score, outcome=outcome, detail=key)
    for number in range(1, source.options.instances - total + 1):
        yield blank._replace(task=f"(unnamed {number} of {source.name})")


def _tests(source: Source) -> Iterator[Run]:
    """Share of an instance's tests that pass, and whether all do; none ran: unscored."""
    silent = total = 0
    blank = _blank(source)
    for task, counts in source.json_members():
        passed, *others = (int(counts.get(key) or 0) for key in _TESTS)
        tests = passed + sum(others)
        total += 1
        for metric in ("tests_resolved", "all_tests_resolved"):
            run = blank._replace(metric=metric, task=task, place=f"key {task}")
            if not tests:
                yield run._replace(outcome=Outcome.UNSCORED, detail="no test ran")
                continue
            score = passed / tests if metric == "tests_resolved" else float(passed == tests)
            yield run._replace(score=score, outcome=Outcome.OK)
        silent += not tests
    if silent:
        source.note("instances without any test: unscored", times=silent)
    if silent == total:
        source.note("no test of any instance ran: no data, not 0 %")


def _blank(source: Source) -> Run:
    source.note("the model is known from the file's name only")
    return Run(
        task="",
        model=source.name.removesuffix(".json").removeprefix("results_"),
        score=None,
        outcome=Outcome.MISSING,
        suite=NAME,
        file=str(source.path),
    )
