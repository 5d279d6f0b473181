"""The two ways in which a user's request can go wrong."""

from __future__ import annotations


class InputError(Exception):
    """A file, name or value that is wrong; the message says which, where and the remedy."""


class CannotRunError(Exception):
    """A right request that could not be carried out; the message says why."""
