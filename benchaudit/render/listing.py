"""What can be found: adapters, probes and oracles, as text or JSON."""

from __future__ import annotations

import json

from benchaudit import packs
from benchaudit.card.model import legible


def listing(as_json: bool) -> str:
    """Every pack by kind, with its title; a pack whose facts cannot be read says so."""
    found = {
        kind: [
            {"name": name, "title": _title(pack)} for name, pack in packs.available(kind).items()
        ]
        for kind in ("adapters", "probes", "oracles")
    }
    if as_json:
        return json.dumps(found, indent=1) + "\n"
    width = max((len(row["name"]) for rows in found.values() for row in rows), default=0)
    lines = []
    for kind, rows in found.items():
        lines.append(kind.capitalize())
        lines += [f"  {row['name']:<{width}}  {row['title']}".rstrip() for row in rows]
    return "\n".join(lines) + "\n"


def _title(pack: packs.Pack) -> str:
    try:
        return legible(str(pack.manifest().get("title", "")))
    except packs.PackError as error:
        return legible(f"(unreadable: {error})")
