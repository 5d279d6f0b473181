"""What the stress tests share: a second environment, its designs, and experiment files."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from benchaudit.stress.adversary import Adversary, Line, Pressure
from benchaudit.stress.environment import Target
from benchaudit.stress.loading import load_target
from benchaudit.stress.pairing import Design
from benchaudit.stress.schedules import constant, linear

QUEUE = Path(__file__).with_name("ticket_queue.py")

PRESSURES = (
    Pressure("fault", chance=Line(base=0.1, scale=0.4)),
    Pressure("drop", amount=Line(scale=0.3), chance=Line(scale=0.5)),
    Pressure("budget", amount=Line(base=-2), from_intensity=0.7, once=True),
)

PLAN = f"""
title = "Tickets under pressure"
hypothesis = "Escalation costs resolved tickets."

[instrument]
target = "{QUEUE}:TARGET"

[design]
seeds = {{ count = 16 }}
units = 6
quotas = [9]
escalating = {{ shape = "linear", low = 0.0, high = 1.0, over = 5 }}
constant = {{ shape = "constant", level = 0.5 }}

[[design.pressures]]
kind = "fault"
chance = {{ base = 0.1, scale = 0.4 }}

[[design.pressures]]
kind = "budget"
amount = {{ base = -2 }}
from_intensity = 0.7
once = true

[outcome]
scorer = "resolved"

[agents]
subjects = ["{QUEUE}:impatient"]
rules = ["always-again", "quota-aware"]

[decision]
direction = "positive"

[exclusions]
incomplete_pairs = "exclude"
"""


@pytest.fixture
def queue() -> Target:
    """The ticket queue, loaded as any target is."""
    return load_target(f"{QUEUE}:TARGET")


@pytest.fixture
def design() -> Design:
    """Both arms over the queue's six tickets."""
    return Design(
        Adversary(linear(0.0, 1.0, 5), PRESSURES),
        Adversary(constant(0.5), PRESSURES),
        seeds=tuple(range(12)),
        units=6,
        quota=9,
    )


@pytest.fixture
def plan_file(tmp_path: Path) -> Callable[..., Path]:
    """Writes the ticket experiment: pieces of its text replaced, tables added at the end."""

    def write(*changes: tuple[str, str], extra: str = "", name: str = "tickets") -> Path:
        text = PLAN
        for old, new in changes:
            assert old in text
            text = text.replace(old, new)
        path = tmp_path / f"{name}.toml"
        path.write_text(text + extra, encoding="utf-8")
        return path

    return write
