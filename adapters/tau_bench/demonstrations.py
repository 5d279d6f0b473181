"""Contamination of the few-shot demonstrations: do they contain the work that a task asks for?

A task is contained when the results of all its gold writes, as the tools print them, stand
verbatim in one demonstration. Splits that demonstrations may be made from are the control.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from .domains import is_writing
from .registry import Entry, split
from .running import answers, is_refused
from .scaffolds import demonstrations
from .shared import environment


@dataclass(frozen=True)
class Contained:
    """How much of a split the demonstrations contain.

    Attributes:
        split: its name.
        tasks: tasks that have a gold write which the tools accept.
        contained: the numbers of those of which some demonstration has every result.
    """

    split: str
    tasks: int
    contained: Sequence[int]


def contained(domain: str, name: str) -> Contained:
    """Look for the results of a split's gold writes in the demonstrations of a domain."""
    displays = demonstrations(domain)
    results = {entry.index: _results(entry) for entry in split(domain, name)}
    asked = {index: found for index, found in results.items() if found}
    return Contained(
        name,
        len(asked),
        [i for i, found in asked.items() if any(_holds(d, found) for d in displays)],
    )


def _holds(display: str, results: Sequence[str]) -> bool:
    return all(result in display for result in results)


def _results(entry: Entry) -> list[str]:
    """What the tools print for each gold write that they accept."""
    made = environment(entry.domain.name, entry.split, entry.index)
    return [
        answer
        for _, step, answer in answers(made, entry.index, entry.gold())
        if is_writing(step["call"]) and not is_refused(answer)
    ]
