"""Oracle checks: what an audit must reproduce, with its source, run as a regression suite.

An oracle pack is a folder with ``oracle.toml`` (title, targets) and ``check.py``, whose
``checks()`` yields one `Check` a published row.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from benchaudit import packs
from benchaudit.packs import Pack, PackError


@dataclass(frozen=True, slots=True)
class Check:
    """One figure that must come out.

    Attributes:
        id: what is checked, unique in its pack.
        expected: the published or recorded value: a number, text, or nested lists of these.
        got: what was computed now.
        tolerance: how far a number may be off (absolute).
        source: where the expected value is from.
    """

    id: str
    expected: object
    got: object
    tolerance: float = 0.0
    source: str = ""

    @property
    def ok(self) -> bool:
        return _agree(self.expected, self.got, self.tolerance)


def _agree(expected: object, got: object, tolerance: float) -> bool:
    if isinstance(expected, list | tuple):
        return (
            isinstance(got, list | tuple)
            and len(expected) == len(got)
            and all(_agree(e, g, tolerance) for e, g in zip(expected, got, strict=True))
        )
    if isinstance(expected, bool) or isinstance(got, bool):
        return expected is got
    if isinstance(expected, int | float) and isinstance(got, int | float):
        return math.isfinite(got) and abs(expected - got) <= tolerance
    return expected == got


def select(targets: Sequence[str]) -> list[Pack]:
    """The oracle packs that concern any of the targets (or are named so); all without targets.

    Raises:
        PackError: when a target has no oracle, or an oracle does not say what it is about.
    """
    found = packs.available("oracles")
    about = {name: _targets(pack) for name, pack in found.items()}
    if not found:
        raise PackError(f"no oracles in {packs.root() / 'oracles'}, so nothing would be checked")
    if not targets:
        return list(found.values())
    chosen: dict[str, Pack] = {}
    for target in targets:
        name = target.replace("_", "-")
        mine = {n: p for n, p in found.items() if name == n or name in about[n]}
        if not mine:
            known = set(found).union(*about.values())
            raise PackError(f"no oracle checks {target!r}; there are: {', '.join(sorted(known))}")
        chosen.update(mine)
    return list(chosen.values())


def _targets(pack: Pack) -> list[str]:
    targets = pack.manifest().get("targets")
    if not isinstance(targets, list) or not all(isinstance(t, str) for t in targets):
        raise PackError(f"{pack.manifest_path}: targets: should be a list of names")
    return targets


def run(pack: Pack) -> Iterator[Check]:
    """Run a pack's checks. One that raises is a check that fails, not the end of the run.

    Raises:
        PackError: when ``check.py`` cannot be imported or has no ``checks``.
    """
    checks = getattr(pack.module(), "checks", None)
    if not callable(checks):
        raise PackError(f"{pack.folder / 'check.py'}: has no function checks()")
    empty = True
    try:
        for check in checks():
            empty = False
            yield check
    except Exception as error:
        yield Check("the checks ran to their end", "no error", f"{type(error).__name__}: {error}")
        return
    if empty:
        yield Check("there is something to check", "a check", "none")
