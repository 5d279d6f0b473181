"""Published figures beside ours: recomputed from the published data, or run again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal

from benchaudit.stress.pairing import ARMS
from benchaudit.stress.published import Record, agrees
from benchaudit.stress.verdicts import Estimate, Subject

_FIGURES = ("delta", "cliffs", "p", "p_holm")
_INTERVALS = ("interval", "cliffs_interval")


@dataclass(frozen=True, slots=True)
class Reproduction:
    """A published figure beside the same figure computed here, from the data or by running it."""

    agent: str
    quota: int | None
    figure: str
    printed: str
    got: float
    agrees: bool


def reproductions(records: Sequence[Record], subjects: Sequence[Subject]) -> list[Reproduction]:
    """Every printed figure that can be computed here.

    A record without data behind it, of an agent that cannot be run, has nothing to compare.
    """
    by_key = {(subject.agent, subject.quota): subject for subject in subjects}
    found: list[Reproduction] = []
    for record in records:
        subject = by_key.get((record.agent, record.quota))
        if subject is None or (subject.origin == "published" and not record.differences):
            continue
        if (estimate := subject.estimates.get(record.scorer)) is not None:
            found += _printed_figures(record, estimate)
        if subject.origin == "measured":
            found += _counted_figures(record, subject)
    return found


def _printed_figures(record: Record, estimate: Estimate) -> Iterator[Reproduction]:
    for name in _FIGURES:
        printed, got = getattr(record, name), getattr(estimate, name)
        if printed is not None and got is not None:
            yield _reproduction(record, name, printed, got)
    for name in _INTERVALS:
        bounds, interval = getattr(record, name), getattr(estimate, name)
        if bounds is not None and interval is not None:
            for side, printed, got in zip(("low", "high"), bounds, interval, strict=True):
                yield _reproduction(record, f"{name} {side}", printed, got)


def _counted_figures(record: Record, subject: Subject) -> Iterator[Reproduction]:
    for name, printed in record.totals.items():
        got = sum(subject.figures[arm][name] for arm in ARMS)
        yield _reproduction(record, name, Decimal(printed), got)
    for arm, table in zip(ARMS, (record.escalating, record.constant), strict=True):
        for name, printed in table.figures.items():
            got = subject.figures[arm][name]
            yield _reproduction(record, f"{name}, {arm}", Decimal(printed), got)


def _reproduction(record: Record, figure: str, printed: Decimal, got: float) -> Reproduction:
    agreed = agrees(printed, got)
    return Reproduction(record.agent, record.quota, figure, str(printed), got, agreed)
