"""Run a part of the cells again, later and in another order: the same must come out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from benchaudit.cells import CANONICAL, Cell
from benchaudit.stages import Target, ownership, probe


def plan(target: Target) -> Iterator[Cell]:
    """Score again the canonical, null and fabricated submissions; run again seed 0's episodes."""
    for cell in probe.plan(target):
        known = target.probes.get(cell.probe)
        if cell.probe == CANONICAL or (known is not None and (known.null or known.fabrication)):
            yield replace(cell, repeat=1)
    for cell in ownership.plan(target):
        if cell.seed == 0:
            yield replace(cell, repeat=1)
