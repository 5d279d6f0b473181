"""The card: items, columns, scope, claim, tables; and its digest.

The same evidence gives the same bytes: no clock, host or path is in here, and every figure is
rounded to 6 decimals when it enters.
"""

from __future__ import annotations

import hashlib
import json
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field

from benchaudit.manifest import Published, ScorerKind, Verdict

SCHEMA_VERSION = 1

ITEMS: dict[str, str] = {
    "criterion": "Criterion-aligned scorer",
    "task-validity": "Task validity",
    "null-floor": "Null floor",
    "over-strictness": "Over-strictness",
    "gaming-resistance": "Gaming resistance",
    "trace-preference": "Trace preference",
    "robustness": "Scorer robustness",
    "ownership": "Model-sensitive ownership",
    "non-degeneracy": "Decision non-degeneracy",
    "interface-floor": "Interface floor",
    "joint-intervention": "Joint intervention",
    "reliability": "Reliability reporting",
    "replay": "Replay",
}
"""Every item by id, in the order in which a card shows them."""


def _rounded(value: Any) -> Any:
    if isinstance(value, float):
        value = round(value, 6)
        return 0.0 if value == 0 else value
    return value


def legible(text: str) -> str:
    """Text that a benchmark or a submission chose, on one line and without control characters."""
    line = " ".join(text.split())
    return line if line.isprintable() else "".join(c if c.isprintable() else "�" for c in line)


def _legible(value: Any) -> Any:
    return legible(value) if isinstance(value, str) else value


Told = Annotated[str, BeforeValidator(_legible)]
"""Text that may quote what a benchmark's code or a submission said."""

Figure = Annotated[int | float | str | bool | None, AfterValidator(_rounded)]
Cells = dict[str, Figure]


class _Value(BaseModel):
    model_config = ConfigDict(extra="forbid", allow_inf_nan=False)


class Example(_Value):
    """One cell that decided an item, for a person: what was handed in and what came of it."""

    task: str
    seed: int | None = None
    probe: str = ""
    variant: str = ""
    agent: str = ""
    outcome: str
    score: Figure = None
    canonical: Figure = None
    quality: Figure = None
    digest: str = ""
    note: Told = ""


class Item(_Value):
    """One item of one column.

    Attributes:
        reason: why the verdict, in one sentence.
        figures: the numbers behind it, by name.
        deviations: how many cells went against the rule, by probe or decision.
        examples: a few of them, the first in order.
        cells: how many records it rests on; 0 where it is not probed.
        evidence: SHA-256 of those records, "" where there are none.
        published: what has been published of it, beside ours.
    """

    id: str
    title: str
    verdict: Verdict
    reason: Told
    figures: Cells = Field(default_factory=dict)
    deviations: dict[str, int] = Field(default_factory=dict)
    examples: list[Example] = Field(default_factory=list)
    cells: int = 0
    evidence: str = ""
    published: Published | None = None


class Excluded(_Value):
    """A task that left the scope, and why."""

    task: str
    reasons: list[Told]


class Scope(_Value):
    """The tasks that a claim may speak of.

    Attributes:
        criterion: the criterion judged on the scope: fail when the failures leave under half of
            the column's tasks, else not probed when the unprobed ones do, else pass.
    """

    total: int
    tasks: list[str]
    excluded: list[Excluded]
    criterion: Verdict


class Claim(_Value):
    """What a score of this column licenses."""

    id: str
    licensed: bool
    sentence: str


class CardColumn(_Value):
    """One configuration or category, with its own items, scope and claim.

    ``scorer_kind`` is the declared kind, or ``shape`` where evidence overruled it.
    """

    id: str
    title: str
    summary: str
    scaffold: str
    scorer: str
    declared_kind: ScorerKind
    scorer_kind: Literal["outcome", "specification", "model-judged", "shape"]
    kind_reason: str
    items: list[Item]
    scope: Scope
    claim: Claim

    def item(self, item_id: str) -> Item:
        return next(item for item in self.items if item.id == item_id)


class Table(_Value):
    """Figures that are more than an item holds."""

    id: str
    title: str
    header: list[str]
    rows: list[list[Figure]]
    note: str = ""


class Card(_Value):
    """A validity card.

    Attributes:
        cells: how many records there are, by outcome.
        evidence: SHA-256 of all records.
        partial: what was left out of this run at the user's wish; "" for a whole one.
        unavailable: why the benchmark could not be had; "" where it could.
        digest: SHA-256 of the card without this field.
    """

    schema_version: int = SCHEMA_VERSION
    target: str
    title: str
    version: str
    summary: str
    claims_to_measure: str
    cited: str
    notes: list[str] = Field(default_factory=list)
    partial: str = ""
    unavailable: str = ""
    columns: list[CardColumn]
    tables: list[Table] = Field(default_factory=list)
    cells: dict[str, int] = Field(default_factory=dict)
    evidence: str = ""
    digest: str = ""

    def column(self, column_id: str) -> CardColumn:
        return next(column for column in self.columns if column.id == column_id)

    def sealed(self) -> Card:
        """This card with its digest."""
        return self.model_copy(update={"digest": self.compute_digest()})

    def compute_digest(self) -> str:
        data = self.model_dump(mode="json", exclude={"digest"})
        line = json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        return hashlib.sha256(line.encode("utf-8", "surrogatepass")).hexdigest()

    def as_text(self) -> str:
        """The card's JSON file, whole."""
        return json.dumps(self.model_dump(mode="json"), indent=1, ensure_ascii=False) + "\n"
