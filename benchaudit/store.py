"""The audit folder: evidence, card, provenance; and reading a card back with distrust."""

from __future__ import annotations

import json
from collections.abc import Iterable
from importlib.resources import files
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from benchaudit.card.model import SCHEMA_VERSION, Card, legible
from benchaudit.evidence import Evidence, EvidenceError, digest_of, read

CARD = "card.json"
MARKDOWN = "card.md"
EVIDENCE = "evidence.jsonl"
PROVENANCE = "provenance.json"
JOURNAL = "journal.jsonl"
_OURS = {CARD, MARKDOWN, EVIDENCE, PROVENANCE, JOURNAL}
_DRAFT = ".part"
"""Ends the name of a file that is being written; a killed run may leave one."""


class StoreError(Exception):
    """A folder or file that cannot be used; the message names it, what is wrong and the remedy."""


def prepare(folder: Path, target: str) -> None:
    """Make the folder ready to write an audit of ``target`` into.

    Raises:
        StoreError: when the folder holds anything that an audit of this target did not write.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        names = {child.name for child in folder.iterdir()}
    except OSError as error:
        raise StoreError(f"{folder}: cannot be used as output folder ({error})") from None
    if not names:
        return
    remedy = "choose another --out, or empty the folder yourself"
    if foreign := sorted(name for name in names if name.removesuffix(_DRAFT) not in _OURS):
        raise StoreError(f"{folder}: holds {foreign[0]!r}, which is not an audit's; {remedy}")
    owner = _written_for(folder)
    if owner != target:
        held = f"an audit of {owner!r}" if owner else "files of an unknown audit"
        raise StoreError(f"{folder}: holds {held}; {remedy}")


def _written_for(folder: Path) -> str:
    try:
        data = json.loads((folder / PROVENANCE).read_text(encoding="utf-8"))
        return str(data["target"])
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return ""


def write_text(path: Path, text: str) -> None:
    """Write a file whole or not at all."""
    draft = path.with_name(path.name + _DRAFT)
    try:
        draft.write_text(text, encoding="utf-8")
        draft.replace(path)
    except (OSError, UnicodeEncodeError) as error:
        raise StoreError(f"{path}: cannot be written ({error})") from None


def write_provenance(folder: Path, data: dict[str, Any]) -> None:
    write_text(folder / PROVENANCE, json.dumps(data, indent=1, sort_keys=True) + "\n")


def card_schema() -> dict[str, Any]:
    """The published JSON Schema of a card."""
    text = (files("benchaudit.card") / "card.schema.json").read_text(encoding="utf-8")
    schema: dict[str, Any] = json.loads(text)
    return schema


def write_card(path: Path, card: Card) -> None:
    """Write a card's JSON, checked against the published schema.

    Raises:
        StoreError: when the card does not match its schema, or cannot be written.
    """
    text = card.as_text()
    _validate(json.loads(text), path)
    write_text(path, text)


def find_card(path: Path) -> Path:
    """The card's file: the path itself, or ``card.json`` in a folder."""
    return path / CARD if path.is_dir() else path


def read_card(path: Path) -> Card:
    """Read a card back.

    Raises:
        StoreError: when it is absent, truncated, not a card, or was changed since it was written.
    """
    path = find_card(path)
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise StoreError(f"{path}: no card there; `benchaudit run` writes one") from None
    except json.JSONDecodeError as error:
        place = f"line {error.lineno} column {error.colno}"
        raise StoreError(f"{path}: not JSON at {place}: {error.msg}") from None
    except (OSError, UnicodeDecodeError, RecursionError, ValueError) as error:
        raise StoreError(f"{path}: cannot be read ({error})") from None
    _validate(data, path)
    try:
        card = Card.model_validate(data)
    except ValidationError as error:
        first = error.errors()[0]
        place = _place(first["loc"])
        raise StoreError(f"{path}: not a validity card at {place}: {first['msg']}") from None
    if card.digest != card.compute_digest():
        raise StoreError(
            f"{path}: changed since it was written (its digest does not match); "
            "run the audit again to get a card that can be trusted"
        )
    return card


def _validate(data: Any, path: Path) -> None:
    from jsonschema import Draft202012Validator

    version = data.get("schema_version") if isinstance(data, dict) else None
    if version not in (None, SCHEMA_VERSION):
        raise StoreError(
            f"{path}: its schema version is {version!r:.40}, this version of benchaudit reads "
            f"{SCHEMA_VERSION}; run the audit again"
        )
    error = next(iter(Draft202012Validator(card_schema()).iter_errors(data)), None)
    if error is not None:
        place = _place(error.absolute_path)
        raise StoreError(f"{path}: not a validity card at {place}: {error.message:.200}")


def _place(parts: Iterable[object]) -> str:
    return legible("/".join(str(part) for part in parts)) or "the whole"


def read_evidence(card_path: Path, card: Card) -> list[Evidence] | None:
    """The evidence beside a card, or None where there is none.

    Raises:
        StoreError: when it is unreadable or not the evidence that the card rests on.
    """
    path = find_card(card_path).parent / EVIDENCE
    if not path.exists():
        return None
    try:
        records = list(read(path))
    except EvidenceError as error:
        raise StoreError(str(error)) from None
    if (digest_of(records) if records else "") != card.evidence:
        raise StoreError(
            f"{path}: not the evidence that {find_card(card_path).name} rests on (the digest "
            "differs); one of the two was changed, run the audit again"
        )
    return records
