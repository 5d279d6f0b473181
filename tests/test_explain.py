"""The evidence behind a cell, down to the submission."""

from __future__ import annotations

import io
import shutil
from itertools import pairwise
from pathlib import Path

import pytest
from rich.console import Console

from benchaudit import explain as explaining
from benchaudit import packs, store
from benchaudit.audit import UsageError
from benchaudit.evidence import Evidence, read
from benchaudit.packs import Pack, PackError
from benchaudit.store import StoreError

pytestmark = pytest.mark.usefixtures("own_cache")


@pytest.fixture
def named(monkeypatch: pytest.MonkeyPatch, audited: Path) -> Path:
    """The folder of the toy that was audited, found by its name like one that is installed."""
    folder = audited.parent / "toy"
    known = packs.available("adapters") | {"toy": Pack("adapters", "toy", folder)}
    real = packs.available
    monkeypatch.setattr(
        packs, "available", lambda kind: known if kind == "adapters" else real(kind)
    )
    return folder


def told(
    path: Path,
    item: str = "criterion",
    *,
    column: str | None = None,
    task: str | None = None,
    digest: str | None = None,
) -> str:
    out = io.StringIO()
    console = Console(file=out, width=100, highlight=False)
    for part in explaining.explain(path, item, column=column, task=task, digest=digest):
        console.print(part)
    return out.getvalue()


def record(audited: Path, **fields: object) -> Evidence:
    return next(
        r
        for r in read(audited / store.EVIDENCE)
        if all(getattr(r, name) == value for name, value in fields.items())
    )


# -- items ---------------------------------------------------------------------------------------


def test_item_is_shown_in_every_column_or_the_one_asked_for(audited: Path) -> None:
    both = told(audited)
    assert "Criterion-aligned scorer, Counted: ✗ fail" in both
    assert "Criterion-aligned scorer, Compared: ✓ pass" in both
    one = told(audited, column="compared")
    assert "Counted" not in one
    assert "--submission DIGEST" in one


def test_card_may_be_named_by_its_file(audited: Path) -> None:
    assert told(audited / store.CARD) == told(audited)


def test_records_of_a_task_are_listed_with_what_came_of_them(audited: Path) -> None:
    text = told(audited, "ownership", task="fiction", column="compared")
    rows = [line for line in text.splitlines() if line.startswith("fiction")]
    mine = [r for r in read(audited / store.EVIDENCE) if r.task == "fiction" and r.scorer == "f1"]
    assert len(rows) == len(mine)
    assert any("careful last=drop" in row and "#0" in row for row in rows)
    assert record(audited, task="fiction", probe="empty").digest[:12] in text


def test_task_of_one_category_is_shown_where_it_is(toy: Path, tmp_path: Path) -> None:
    facts = toy / "adapter.toml"
    text = facts.read_text("utf-8").replace('scorer = "f1"', 'scorer = "f1"\ntasks = ["poems"]')
    facts.write_text(text, "utf-8")
    from benchaudit.audit import Options, audit

    out = tmp_path / "out"
    audit(str(toy), out, Options(in_process=True, tasks=("fiction", "poems")), lambda *_: None)
    assert "fiction" in told(out, task="fiction")
    assert "poems" in told(out, task="poems", column="compared")


# -- submissions ---------------------------------------------------------------------------------


@pytest.mark.usefixtures("named")
def test_forged_submission_is_made_again_and_held_against_the_correct_one(audited: Path) -> None:
    found = record(audited, task="poems", probe="altered-values", variant="one value")
    text = told(audited, digest=found.digest[:12])
    assert f"Submission {found.digest}" in text
    assert "Wrong values under true ids (degraded)" in text
    assert "Difference from the correct submission" in text
    assert "--- correct" in text


@pytest.mark.usefixtures("named")
def test_submission_of_an_episode_is_made_again(audited: Path) -> None:
    found = record(audited, task="fiction", agent="hasty", seed=0)
    text = told(audited, digest=found.digest)
    assert f"Submission {found.digest}" in text
    assert '"fiction-3"' in text
    assert '"fiction-4"' not in text.partition("Difference")[0]  # the one that hasty leaves out


@pytest.mark.usefixtures("named")
def test_canonical_submission_differs_from_nothing(audited: Path) -> None:
    found = record(audited, task="poems", probe="canonical")
    assert "Difference" not in told(audited, digest=found.digest)


@pytest.mark.usefixtures("named")
def test_example_of_a_card_is_made_again_without_its_evidence(
    audited: Path, tmp_path: Path
) -> None:
    shutil.copy(audited / store.CARD, tmp_path / "card.json")
    (example, *_) = store.read_card(audited).columns[0].item("criterion").examples
    assert f"Submission {example.digest}" in told(tmp_path, digest=example.digest[:12])


# -- what is not there ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"item": "criterium"}, "no item 'criterium'; did you mean 'criterion'?"),
        ({"item": "xyz"}, "no item 'xyz'; there are: criterion, "),
        ({"column": "retail"}, "no column 'retail'; there are: counted, compared"),
        ({"task": "novels"}, "no record of task 'novels'"),
        ({"task": "novels", "column": "compared"}, "no record of task 'novels' in column compared"),
        ({"digest": "zzz"}, "no submission 'zzz' in this card or the evidence beside it"),
        ({"digest": ""}, "no submission ''"),
    ],
)
def test_what_is_not_there_is_told(audited: Path, asked: dict[str, str], message: str) -> None:
    with pytest.raises(UsageError) as caught:
        told(audited, **asked)
    assert message in str(caught.value)


def test_digest_that_several_share_needs_more_digits(audited: Path) -> None:
    digests = sorted({r.digest for r in read(audited / store.EVIDENCE) if r.digest})
    twins = [a for a, b in pairwise(digests) if a[0] == b[0]]
    with pytest.raises(UsageError, match="several begin so; give more digits"):
        told(audited, digest=twins[0][0])


def test_records_without_evidence_are_told(audited: Path, tmp_path: Path) -> None:
    shutil.copy(audited / store.CARD, tmp_path / "card.json")
    with pytest.raises(UsageError, match=r"no evidence\.jsonl there; `benchaudit run` writes it"):
        told(tmp_path, task="poems")


def test_changed_evidence_is_not_explained(audited: Path, tmp_path: Path) -> None:
    for name in (store.CARD, store.EVIDENCE):
        shutil.copy(audited / name, tmp_path / name)
    data = (tmp_path / store.EVIDENCE).read_bytes()
    (tmp_path / store.EVIDENCE).write_bytes(data.replace(b'"score":1.0', b'"score":0.5', 1))
    for asked in ({"task": "poems"}, {"digest": "0"}):
        with pytest.raises(StoreError, match="digest differs"):
            told(tmp_path, **asked)


def test_adapter_that_is_not_found_is_told(audited: Path) -> None:
    found = record(audited, task="poems", probe="empty")
    with pytest.raises(PackError, match="no adapter named 'toy'"):
        told(audited, digest=found.digest)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"poems": 4', '"poems": 5'),  # another submission comes out
        ('"poems": 4, ', ""),  # the task is gone
        ("def work(", "import nowhere_at_all\ndef work("),
        ("return Submission(", "raise KeyError('x')\n    return Submission("),
    ],
)
def test_adapter_that_has_changed_since_is_told(
    audited: Path, named: Path, old: str, new: str
) -> None:
    code = named / "adapter.py"
    before = code.read_text("utf-8")
    assert old in before
    found = record(audited, task="poems", probe="canonical")
    try:
        code.write_text(before.replace(old, new), "utf-8")
        with pytest.raises(UsageError) as caught:
            told(audited, digest=found.digest)
    finally:
        code.write_text(before, "utf-8")
    assert "cannot be made again as it was" in str(caught.value)
    assert "run the audit again" in str(caught.value)
