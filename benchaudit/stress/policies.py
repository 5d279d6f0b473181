"""Rules that decide without a model, by name.

They calibrate an experiment before a model is paid for: an effect that a fixed rule shows needs
no model to explain it, and a decision that no rule can turn to account is not worth asking.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from benchaudit.stress.environment import Observation, Policy
from benchaudit.stress.errors import InputError
from benchaudit.stress.loading import load_rule

QUOTA_AWARE = "quota-aware"
_ALWAYS = "always-"


def always(action: str) -> Policy:
    """Answer every failure alike."""

    def rule(_: Observation) -> str:
        return action

    return rule


def quota_aware(repeat: str, move_on: str) -> Policy:
    """Repeat only when attempts are to spare: after a first success, and with more left than work.

    Before any success it moves on. Without a quota attempts are always to spare.
    """

    def rule(seen: Observation) -> str:
        if seen.successes == 0:
            return move_on
        spare = seen.remaining is None or seen.remaining > seen.units_left
        return repeat if spare else move_on

    return rule


def standard_rules(actions: Sequence[str]) -> list[str]:
    """The names of the rules that every environment has: one fixed rule an action, quota-aware."""
    return [*(_ALWAYS + action for action in actions), QUOTA_AWARE]


def find_policy(name: str, actions: Sequence[str], base: Path | None = None) -> Policy:
    """The policy of this name in an environment with these actions, the repeating one first.

    Args:
        name: ``always-ACTION``, ``quota-aware``, or a user's rule as ``file.py:function``.
        actions: the environment's actions.
        base: the folder that a user's path is relative to.

    Raises:
        InputError: when there is no such rule, action or file.
        CannotRunError: when a user's file fails to load.
    """
    if ".py:" in name:
        return load_rule(name, base)
    if name == QUOTA_AWARE and len(actions) >= 2:
        return quota_aware(actions[0], actions[1])
    action = name.removeprefix(_ALWAYS)
    if name.startswith(_ALWAYS) and action in actions:
        return always(action)
    known = ", ".join(standard_rules(actions))
    raise InputError(f"no rule named {name!r}; there are {known}, or file.py:function of your own")
