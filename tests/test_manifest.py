"""What an adapter.toml and a probe.toml may say, and what a slip in one is told."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from benchaudit import packs
from benchaudit.manifest import AdapterManifest, Column, Decision, read_adapter, read_probe
from benchaudit.packs import Pack, PackError
from tests.conftest import TOY

FACTS = tomllib.loads((TOY / "adapter.toml").read_text(encoding="utf-8"))
PROBE = tomllib.loads(packs.available("probes")["empty"].manifest_path.read_text("utf-8"))


class Given(Pack):
    """A pack whose facts are at hand."""

    facts: dict[str, Any]

    def manifest(self) -> dict[str, Any]:
        return self.facts


def given(kind: str, facts: dict[str, Any]) -> Given:
    pack = Given(kind, "mine", Path("/mine"))
    object.__setattr__(pack, "facts", facts)
    return pack


def changed(facts: dict[str, Any], place: str, value: Any) -> dict[str, Any]:
    """The facts with another value at ``a.b.c``; an Ellipsis takes it out."""
    head, _, rest = place.partition(".")
    inner: Any = [*facts] if isinstance(facts, list) else {**facts}
    key: Any = int(head) if isinstance(facts, list) else head
    if rest:
        inner[key] = changed(inner[key], rest, value)
    elif value is ...:
        del inner[key]
    else:
        inner[key] = value
    return inner  # type: ignore[no-any-return]


def test_toy_reads_as_it_is_written() -> None:
    found = read_adapter(given("adapters", FACTS))
    assert [column.id for column in found.columns] == ["counted", "compared"]
    assert found.columns[0].published["criterion"].figures == {"known": 1.0}
    assert found.scorers["f1"].kind == "outcome"
    assert found.decisions["last"].actions == ("keep", "drop")
    assert (found.unsubmitted, found.probes, found.interface) == (0.0, (), ())


@pytest.mark.parametrize(
    ("place", "value", "told"),
    [
        ("name", ..., "name: Field required"),
        ("nmae", "toy", "nmae: Extra inputs are not permitted"),
        ("name", "", "name: String should have at least 1 character"),
        ("scorers.f1.kind", "vibes", "scorers.f1.kind: Input should be"),
        ("scorers.f1.resolution", -1, "scorers.f1.resolution: "),
        ("scorers.f1.maximum", float("nan"), "scorers.f1.maximum: "),
        ("scorers.f1.reason", ..., "scorers.f1.reason: Field required"),
        ("decisions.last.actions", ["keep"], "decisions.last.actions: "),
        ("decisions.last.levels.bare.owner", "nobody", "decisions.last.levels.bare.owner: "),
        ("decisions.last.levels.bare.seen", "", "decisions.last.levels.bare.seen: "),
        ("columns", [], "columns: "),
        ("columns.0.id", "Two Words", "columns.0.id: "),
        ("columns.0.scorer", "f2", "scorer 'f2' has no [scorers.f2]"),
        ("columns.0.scaffold", "L9", "scaffold 'L9' is not in [scaffolds]"),
        ("columns.1.id", "counted", "two columns have the same id"),
        ("columns.0.published.criterion.verdict", "maybe", "columns.0.published.criterion."),
        ("decisions.last.levels.L9", {"owner": "model", "seen": "x"}, "scaffold 'L9'"),
        ("ownership.seeds", 0, "ownership.seeds: "),
        (
            "intervention",
            {"scaffolds": ["bare", "L9"], "scorers": ["f1", "count"], "tasks": []},
            "scaffold 'L9' is not in [scaffolds]",
        ),
        (
            "intervention",
            {"scaffolds": ["bare", "bare"], "scorers": ["f1", "f2"], "tasks": []},
            "scorer 'f2' has no [scorers.f2]",
        ),
        (
            "interface",
            [{"scaffold": "L9", "task": "t", "tokens": [1], "cited": "x"}],
            "scaffold 'L9'",
        ),
        (
            "interface",
            [{"scaffold": "bare", "task": "t", "tokens": [0], "cited": "x"}],
            "interface.0.tokens.0: ",
        ),
    ],
)
def test_slip_in_an_adapter_names_its_place(place: str, value: Any, told: str) -> None:
    with pytest.raises(PackError) as caught:
        read_adapter(given("adapters", changed(FACTS, place, value)))
    assert str(caught.value).startswith("/mine/adapter.toml: ")
    assert told in str(caught.value)


def test_further_slips_are_counted() -> None:
    facts = changed(changed(FACTS, "name", ...), "title", ...)
    with pytest.raises(PackError, match=r"\(and 1 more\)"):
        read_adapter(given("adapters", facts))


@pytest.mark.parametrize(
    ("place", "value"),
    [
        ("kind", "bad"),
        ("feeds", []),
        ("family", ...),
        ("without_oracle", "above"),
        ("remedy", ""),
        ("extra", 1),
    ],
)
def test_slip_in_a_probe_names_its_place(place: str, value: Any) -> None:
    with pytest.raises(PackError, match=rf"^/mine/probe\.toml: {place}"):
        read_probe(given("probes", changed(PROBE, place, value)))


@pytest.mark.parametrize("kind", ["adapters", "probes"])
def test_every_built_in_pack_reads(kind: str) -> None:
    for pack in packs.available(kind).values():
        if kind == "probes":
            assert read_probe(pack).remedy
        else:
            assert isinstance(read_adapter(pack), AdapterManifest)


def test_decision_arises_where_it_is_declared_or_anywhere_when_nothing_is() -> None:
    held = {"bare": {"owner": "model", "seen": "x"}}
    facts = {"title": "D", "actions": ["a", "b"]}
    somewhere = Decision.model_validate({**facts, "levels": held})
    assert [somewhere.arises_at(s) for s in ("bare", "full", "")] == [True, False, True]
    assert Decision.model_validate(facts).arises_at("full")


@pytest.mark.parametrize(
    ("patterns", "held"),
    [
        (("*",), True),
        (("T1",), True),
        (("t1",), False),  # patterns tell cases apart on every system
        (("T?",), True),
        (("retail",), True),
        (("ret*",), True),
        (("T2", "air*"), False),
        ((), False),
    ],
)
def test_column_holds_tasks_by_pattern_over_id_and_category(
    patterns: tuple[str, ...], held: bool
) -> None:
    column = Column(id="c", title="C", summary="C.", scorer="s", tasks=patterns)
    assert column.holds("T1", "retail") == held
