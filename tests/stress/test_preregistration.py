from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from benchaudit.stress.errors import InputError
from benchaudit.stress.preregistration import (
    Frozen,
    deviations,
    freeze,
    frozen_path,
    load,
    read_frozen,
)

Write = Callable[..., Path]

POWER = """
[power]
floor = 0.8
effect = 0.1
pilot = "always-again"
seeds = { first = 8, count = 40 }
"""


def now(path: Path, fingerprint: str = "f" * 64, sources: dict[str, str] | None = None) -> Frozen:
    return Frozen(load(path).content, fingerprint, sources or {})


def put(path: Path) -> Frozen:
    frozen = now(path)
    freeze(path, frozen)
    return frozen


def test_a_plan_is_read_whole(plan_file: Write) -> None:
    plan = load(plan_file())
    (design,) = plan.design.designs()
    assert design.quota == 9
    assert design.seeds == tuple(range(16))
    assert design.escalating.schedule.at(1) == 0.2
    assert [p.kind for p in design.constant.pressures] == ["fault", "budget"]
    assert plan.design.pressures[0].chance.at(0.5) == pytest.approx(0.3)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (('title = "Tickets under pressure"', ""), "title: Field required"),
        (("level = 0.5", "level = 0.6"), "design: .*not matched: 0.500000, 0.600000"),
        (('shape = "linear"', 'shape = "spiral"'), "design.escalating.*spiral"),
        (("count = 16", "count = 0"), "design.seeds.count: .*greater than or equal to 1"),
        (('kind = "fault"', 'kind = "flood"'), "design.pressures.0.kind"),
        (("scale = 0.4", "scales = 0.4"), "design.pressures.0.chance.scales"),
        (('direction = "positive"', 'direction = "up"'), "decision.direction"),
        (("[decision]", '[decision]\nfamily = ["x"]'), "decision: .*a family needs"),
        (("low = 0.0", "low = nan"), "design.escalating.*low"),
        (("[design]", "[design"), "tickets.toml: "),
    ],
)
def test_a_wrong_file_is_told_by_place(
    plan_file: Write, change: tuple[str, str], reason: str
) -> None:
    with pytest.raises(InputError, match=reason) as told:
        load(plan_file(change))
    assert "tickets.toml" in str(told.value)


def test_a_missing_file_is_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there is no such file"):
        load(tmp_path / "none.toml")


def test_a_pilot_must_not_see_the_seeds_of_the_design(plan_file: Write) -> None:
    with pytest.raises(InputError, match=r"power\.seeds must not overlap"):
        load(plan_file(extra=POWER))


def test_a_demotion_has_one_limit(plan_file: Write) -> None:
    table = '\n[[demotions]]\nfigure = "deaths"\nminimum = 1\nbound = 2\nbecause = "x"\n'
    with pytest.raises(InputError, match="either minimum or bound"):
        load(plan_file(extra=table))


def test_a_plan_is_frozen_once(plan_file: Write) -> None:
    path = plan_file()
    frozen = put(path)
    assert read_frozen(path) == frozen
    with pytest.raises(InputError, match="frozen already; a new plan needs a new file"):
        freeze(path, frozen)


def test_what_was_never_frozen_has_no_record(plan_file: Write) -> None:
    assert read_frozen(plan_file()) is None


def test_the_digest_covers_content_instrument_and_agents(plan_file: Write) -> None:
    plan = load(plan_file())
    other = load(plan_file(("count = 16", "count = 17")))
    records = [
        Frozen(plan.content, "a", {}),
        Frozen(other.content, "a", {}),
        Frozen(plan.content, "b", {}),
        Frozen(plan.content, "a", {"mine.py:rule": "c"}),
    ]
    assert len({record.digest for record in records}) == 4


def test_a_record_that_was_changed_after_freezing_is_refused(plan_file: Write) -> None:
    path = plan_file()
    put(path)
    record = json.loads(frozen_path(path).read_text(encoding="utf-8"))
    record["content"]["decision"]["alpha"] = 0.2
    frozen_path(path).write_text(json.dumps(record), encoding="utf-8")
    with pytest.raises(InputError, match="changed after freezing"):
        read_frozen(path)


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"content": 1}', "[" * 100_000])
def test_a_broken_record_is_told(plan_file: Write, text: str) -> None:
    path = plan_file()
    frozen_path(path).write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match="not a frozen record"):
        read_frozen(path)


def test_every_field_that_differs_is_a_deviation(plan_file: Write) -> None:
    frozen = now(plan_file())
    assert deviations(frozen, now(plan_file())) == []
    changed = plan_file(
        ("count = 16", "count = 20"),
        ("quotas = [9]", "quotas = [9, 12]"),
        ('title = "Tickets under pressure"', 'title = "Tickets"'),
    )
    found = {d.field: d for d in deviations(frozen, now(changed, fingerprint="0" * 64))}
    assert (found["design.seeds.count"].frozen, found["design.seeds.count"].ran) == ("16", "20")
    assert (found["design.quotas.1"].frozen, found["design.quotas.1"].ran) == ("absent", "12")
    assert not found["title"].material
    assert found["instrument.fingerprint"].material
    assert len(found) == 4


def test_an_agent_whose_file_was_changed_is_a_deviation(plan_file: Write) -> None:
    path = plan_file()
    before, after = now(path, sources={"a.py:f": "1"}), now(path, sources={"a.py:f": "2"})
    assert [d.field for d in deviations(before, after)] == ["the file of a.py:f"]


def test_a_comment_or_another_spelling_is_no_deviation(plan_file: Write) -> None:
    frozen = now(plan_file())
    same = plan_file(("[outcome]", "# looked at later\n[outcome]"), ("count = 16", "count = 0x10"))
    assert deviations(frozen, now(same)) == []
