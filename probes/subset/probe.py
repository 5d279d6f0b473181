"""Leaves true records out: the later half, and a single one."""

from collections.abc import Iterator

from benchaudit.hooks import Forged, Gold, Unsupported


def forge(gold: Gold) -> Iterator[Forged]:
    total = len(gold.work)
    if total < 2:
        raise Unsupported("fewer than two records: a part of them would be nothing")
    half = total // 2
    note = f"the first {half} of {total} records"
    yield Forged(gold.compose(gold.work[:half]), "half", kept=half, note=note)
    lost = gold.rng.randrange(total)
    rest = gold.work[:lost] + gold.work[lost + 1 :]
    note = f"record {lost + 1} of {total} left out"
    yield Forged(gold.compose(rest), "all but one", kept=total - 1, note=note)
