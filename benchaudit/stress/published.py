"""Published results of an experiment: the figures as printed, and the data behind them.

They stand beside a preregistration, in ``NAME.published.toml``, and are no part of what is
frozen. Figures keep their printed digits: a recomputed one agrees when it rounds to them.
"""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path
from typing import Annotated, Self

from pydantic import Field, model_validator

from benchaudit.stress.preregistration import Facts, Text, read_facts

Pair = tuple[Decimal, Decimal]


class PublishedArm(Facts):
    """One arm: whole-number scores by seed in units of 1 / ``denominator``, and counted events."""

    vector: tuple[int, ...] = ()
    figures: dict[str, int] = Field(default_factory=dict)


class Record(Facts):
    """The published result of one agent at one quota under one scorer.

    Attributes:
        delta, interval, cliffs, cliffs_interval, p, p_holm: as printed; left out where not.
        denominator: what the vectors are counted in.
        escalating, constant: the arms.
        totals: events counted over both arms.
        note: what else was said.
    """

    agent: Text
    scorer: Text
    quota: Annotated[int, Field(ge=1)] | None = None
    source: Text
    delta: Decimal | None = None
    interval: Pair | None = None
    cliffs: Decimal | None = None
    cliffs_interval: Pair | None = None
    p: Decimal | None = None
    p_holm: Decimal | None = None
    denominator: Annotated[int, Field(ge=1)] = 1
    escalating: PublishedArm = PublishedArm()
    constant: PublishedArm = PublishedArm()
    totals: dict[str, int] = Field(default_factory=dict)
    note: str = ""

    @model_validator(mode="after")
    def _vectors_pair_up(self) -> Self:
        if len(self.escalating.vector) != len(self.constant.vector):
            raise ValueError("the vectors of the two arms must have the same length")
        return self

    @property
    def differences(self) -> list[float]:
        """Constant minus escalating by seed, in the score's unit; none without vectors."""
        pairs = zip(self.escalating.vector, self.constant.vector, strict=True)
        return [(c - e) / self.denominator for e, c in pairs]


class Published(Facts):
    """The whole of a file of published results."""

    records: tuple[Record, ...]


def published_path(path: Path) -> Path:
    """Where the published results of a preregistration stand."""
    return path.with_suffix(".published.toml")


def read_published(path: Path) -> Published | None:
    """The published results beside a preregistration file, or None.

    Raises:
        InputError: naming the file, the place and what is wrong there.
    """
    source = published_path(path)
    return read_facts(Published, source, parse_float=Decimal) if source.is_file() else None


def agrees(printed: Decimal, got: float) -> bool:
    """Whether a figure rounds to the printed digits."""
    digits = -int(printed.as_tuple().exponent)
    return abs(round(got, digits) - float(printed)) < 1e-9
