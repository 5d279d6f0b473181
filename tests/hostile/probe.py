"""Forges what the task is named after."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

from benchaudit.hooks import Forged, Gold, Submission

MEGABYTES = 100


def forge(gold: Gold) -> Iterator[Forged]:
    for number, name in enumerate(gold.task.id.split("+")):
        yield Forged(Submission(_payload(name)), variant=str(number))


def _payload(name: str) -> Any:
    if name == "big":
        return "x" * MEGABYTES * 2**20
    if name == "deep":
        return _nested(10_000)
    if name == "special":
        return [float("nan"), float("-inf"), "\ud800", ("tuple",), b"\xff", {1: 2}]
    if name == "forge-exit":
        os._exit(6)
    return name


def _nested(depth: int) -> list[Any]:
    value: list[Any] = []
    for _ in range(depth):
        value = [value]
    return value
