"""Repeats records: beside the others, and in the place of others."""

from collections.abc import Iterator
from typing import Any

from benchaudit.hooks import Forged, Gold, Submission, Unsupported


def forge(gold: Gold) -> Iterator[Forged]:
    rows = gold.submission.payload["records"]
    if not rows:
        raise Unsupported("there is no record to repeat")
    total, few = len(rows), max(1, len(rows) // 10)
    repeated = rows + gold.rng.sample(rows, few)
    yield Forged(_hand_in(gold, repeated), "some", total, few, f"{few} records repeated")
    yield Forged(_hand_in(gold, rows * 2), "all", total, total, "every record twice")
    if total > 1:
        displaced = rows[:-few] + rows[:few]
        note = f"{few} records lost to copies of others"
        yield Forged(_hand_in(gold, displaced), "displacing", total - few, few, note)
        note = "the first record, as often as there are records"
        yield Forged(_hand_in(gold, rows[:1] * total), "one for all", 1, total - 1, note)


def _hand_in(gold: Gold, rows: list[Any]) -> Submission:
    """With an oracle the report agrees with the rows; without one it stays as it was."""
    if gold.oracle is not None:
        return gold.compose(rows)
    return Submission({**gold.submission.payload, "records": rows})
