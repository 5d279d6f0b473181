"""One audit from a folder to its card: files, options, and going on after a stop."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from benchaudit import audit as auditing
from benchaudit import store
from benchaudit.audit import Options, UsageError, applicable_probes, audit
from benchaudit.card.model import Card
from benchaudit.evidence import EvidenceError, digest_of, read
from benchaudit.manifest import read_adapter
from benchaudit.packs import PackError, find
from benchaudit.store import StoreError
from tests.conftest import TOY

RESULTS = (store.CARD, store.MARKDOWN, store.EVIDENCE)


def quiet(_done: int, _total: int) -> None:
    pass


def stop_at(cells: int) -> Callable[[int, int], None]:
    """Ctrl-C once so many cells are done."""

    def progress(done: int, _total: int) -> None:
        if done >= cells:
            raise KeyboardInterrupt

    return progress


def results(folder: Path) -> dict[str, bytes]:
    return {name: (folder / name).read_bytes() for name in RESULTS}


def options(**chosen: Any) -> Options:
    """Here, and not in workers: the tests of the executor hold the two to the same bytes."""
    return Options(**{"in_process": True, **chosen})


def run(target: Path, out: Path, **chosen: Any) -> Card:
    return audit(str(target), out, options(**chosen), quiet)


# -- what is left behind -------------------------------------------------------------------------


def test_audit_leaves_card_evidence_and_provenance(audited: Path) -> None:
    names = {path.name for path in audited.iterdir()}
    assert names == {store.CARD, store.MARKDOWN, store.EVIDENCE, store.PROVENANCE}
    card = store.read_card(audited)
    records = list(read(audited / store.EVIDENCE))
    assert card.evidence == digest_of(records)
    assert sum(card.cells.values()) == len(records)
    assert store.read_evidence(audited, card) == records


def test_toy_comes_out_as_what_it_is(audited: Path) -> None:
    card = store.read_card(audited)
    counted, compared = card.columns
    assert counted.claim.sentence == "self-report compliance, on all 3 tasks."
    assert compared.claim.sentence == "model capability, on 3 of 3 tasks."
    assert counted.item("criterion").published is not None


def test_provenance_names_the_run_and_the_card_does_not(audited: Path) -> None:
    provenance = json.loads((audited / store.PROVENANCE).read_text("utf-8"))
    assert provenance["target"] == "toy"
    assert provenance["options"] == {"tasks": [], "seeds": 5, "jobs": 1}
    assert re.fullmatch("[0-9a-f]{64}", provenance["adapter"])
    assert provenance["seconds"].keys() == {"prepare", "run", "card"}
    for name in RESULTS:
        text = (audited / name).read_text("utf-8")
        assert str(audited.parent) not in text
        assert provenance["python"] not in text.replace(provenance["version"], "")


def test_same_inputs_give_the_same_bytes_wherever_they_stand(toy: Path, audited: Path) -> None:
    run(toy, toy.parent / "out")
    assert results(toy.parent / "out") == results(audited)
    run(toy, toy.parent / "out")  # into the same folder again
    assert results(toy.parent / "out") == results(audited)


@pytest.mark.usefixtures("own_cache")
def test_workers_give_the_same_bytes(toy: Path, audited: Path) -> None:
    run(toy, toy.parent / "out", in_process=False, jobs=2)
    assert results(toy.parent / "out") == results(audited)


def test_caches_and_byte_code_do_not_name_the_adapter(toy: Path) -> None:
    before = auditing._folder_digest(toy)
    (toy / "__pycache__").mkdir(exist_ok=True)
    (toy / "__pycache__" / "x.pyc").touch()
    assert auditing._folder_digest(toy) == before
    (toy / "adapter.py").write_text("# changed\n", encoding="utf-8")
    assert auditing._folder_digest(toy) != before


# -- options -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("patterns", "chosen"),
    [
        (["fiction"], ["fiction"]),
        (["p*"], ["poems", "plays"]),
        (["f", "plays"], ["fiction", "plays"]),
    ],
)
def test_tasks_are_chosen_by_pattern_and_the_card_says_so(
    toy: Path, patterns: list[str], chosen: list[str]
) -> None:
    card = run(toy, toy.parent / "out", tasks=patterns)
    assert card.columns[1].scope.tasks == chosen
    assert card.partial == f"{len(chosen)} of 3 tasks (--tasks {' '.join(patterns)})"
    assert {r.task for r in read(toy.parent / "out" / store.EVIDENCE)} == set(chosen)


def test_seeds_are_chosen_and_the_card_says_so(toy: Path) -> None:
    card = run(toy, toy.parent / "out", seeds=2)
    assert card.partial == "2 seeds instead of 5"
    assert card.columns[1].item("reliability").figures["seeds"] == 2
    single = run(toy, toy.parent / "out", seeds=1)
    assert single.columns[1].item("reliability").verdict == "not probed"


def test_patterns_that_choose_everything_make_no_partial_card(toy: Path, audited: Path) -> None:
    run(toy, toy.parent / "out", tasks=["*"])
    assert results(toy.parent / "out") == results(audited)


@pytest.mark.parametrize(
    ("chosen", "told"),
    [
        ({"tasks": ["novels"]}, "'novels' matches none of 3 tasks (fiction, poems, plays"),
        ({"tasks": ["fiction", "x*"]}, "'x*' matches none"),
        ({"seeds": 0}, "--seeds must be 1 or more"),
        ({"seeds": -3}, "--seeds must be 1 or more"),
        ({"resume": True}, "holds no unfinished run; leave out --resume"),
    ],
)
def test_options_that_cannot_be_met_are_told(
    toy: Path, chosen: dict[str, object], told: str
) -> None:
    with pytest.raises(UsageError) as caught:
        run(toy, toy.parent / "out", **chosen)
    assert told in str(caught.value)


def test_folder_that_holds_something_else_is_left_alone(toy: Path) -> None:
    out = toy.parent / "out"
    out.mkdir()
    (out / "card.json").write_text("mine")
    with pytest.raises(StoreError):
        run(toy, out)
    assert [(p.name, p.read_text()) for p in out.iterdir()] == [("card.json", "mine")]


def test_output_over_the_adapter_itself_is_refused(toy: Path) -> None:
    with pytest.raises(StoreError, match="which is not an audit's"):
        run(toy, toy)
    assert (toy / "adapter.py").exists()


# -- probes --------------------------------------------------------------------------------------


def test_adapter_brings_its_own_probe_by_path(toy: Path) -> None:
    folder = toy / "probes" / "upside_down"
    folder.mkdir(parents=True)
    source = find("probes", "shuffled").folder
    (folder / "probe.toml").write_bytes((source / "probe.toml").read_bytes())
    (folder / "probe.py").write_bytes((source / "probe.py").read_bytes())
    facts = toy / "adapter.toml"
    facts.write_text('probes = ["probes/upside_down"]\n' + facts.read_text("utf-8"), "utf-8")
    card = run(toy, toy.parent / "out")
    assert any(r.probe == "upside-down" for r in read(toy.parent / "out" / store.EVIDENCE))
    assert card.columns[1].item("over-strictness").figures["cells"] == 9


def test_probe_that_is_not_there_is_told(toy: Path) -> None:
    pack = find("adapters", str(toy))
    manifest = read_adapter(pack).model_copy(update={"probes": ("probes/none",)})
    with pytest.raises(PackError, match="probes/none"):
        applicable_probes(pack, manifest)


# -- adapters that cannot be planned -------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "old", "new", "told"),
    [
        ("adapter.py", '"hasty": "drop"', '"very hasty": "drop"', "the agent 'very hasty' must be"),
        ("adapter.py", '"hasty": "drop"', '"": "drop"', "the agent '' must be"),
        ("adapter.toml", '"keep", "drop"', '"keep", "drop it"', "the action 'drop it' must be"),
        ("adapter.toml", "[decisions.last", '[decisions."l=t"', "the decision 'l=t' must be"),
        ("adapter.toml", "[decisions.last", '[decisions."a:b"', "the decision 'a:b' must be"),
        ("adapter.py", "for name in SHELVES", "for name in ()", "the adapter lists no tasks"),
    ],
)
def test_names_that_could_be_mistaken_are_told(
    toy: Path, name: str, old: str, new: str, told: str
) -> None:
    text = (toy / name).read_text("utf-8")
    assert old in text
    (toy / name).write_text(text.replace(old, new), "utf-8")
    with pytest.raises(UsageError) as caught:
        run(toy, toy.parent / "out")
    assert told in str(caught.value)
    assert str(toy) in str(caught.value)


# -- going on after a stop -----------------------------------------------------------------------

ONE = {"tasks": ["fiction"]}


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """What a run of one task leaves behind when nothing stops it."""
    out = tmp_path_factory.mktemp("whole")
    run(TOY, out, **ONE)
    return results(out)


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "out"


def stopped(out: Path, cells: int, **chosen: Any) -> None:
    with pytest.raises(KeyboardInterrupt):
        audit(str(TOY), out, options(**ONE, **chosen), stop_at(cells))


def resumed(out: Path) -> dict[str, bytes]:
    run(TOY, out, resume=True, **ONE)
    assert not (out / store.JOURNAL).exists()
    return results(out)


def cut(path: Path, share: float) -> None:
    data = path.read_bytes()
    path.write_bytes(data[: int(len(data) * share)])


@pytest.mark.parametrize("cells", [0, 1, 9, 30])
def test_stopped_run_leaves_valid_evidence_and_goes_on_to_the_same_bytes(
    out: Path, whole: dict[str, bytes], cells: int
) -> None:
    stopped(out, cells)
    written = (out / store.EVIDENCE).read_bytes()
    assert whole[store.EVIDENCE].startswith(written)
    assert bool(written) == bool(cells)
    list(read(out / store.EVIDENCE))
    assert not (out / store.CARD).exists()
    assert resumed(out) == whole


def test_run_stopped_after_its_last_batch_only_has_its_card_left_to_make(
    out: Path, whole: dict[str, bytes]
) -> None:
    with pytest.raises(KeyboardInterrupt):
        audit(str(TOY), out, options(**ONE), lambda done, of: stop_at(of)(done, of))
    assert (out / store.EVIDENCE).read_bytes() == whole[store.EVIDENCE]
    assert resumed(out) == whole


@pytest.mark.parametrize("share", [0.0, 0.02, 0.5, 0.999])
def test_evidence_cut_anywhere_goes_on_to_the_same_bytes(
    out: Path, whole: dict[str, bytes], share: float
) -> None:
    stopped(out, 30)
    cut(out / store.EVIDENCE, share)
    assert resumed(out) == whole


def test_run_stopped_cut_and_stopped_again_goes_on_to_the_same_bytes(
    out: Path, whole: dict[str, bytes]
) -> None:
    stopped(out, 30)
    cut(out / store.EVIDENCE, 0.3)
    for cells in (16, 24, 32):
        stopped(out, cells, resume=True)
    assert resumed(out) == whole


def test_journal_that_was_cut_goes_on_to_the_same_bytes(out: Path, whole: dict[str, bytes]) -> None:
    stopped(out, 30)
    journal = out / store.JOURNAL
    journal.write_bytes(journal.read_bytes()[:-4])
    stopped(out, 32, resume=True)
    assert resumed(out) == whole


def test_lost_evidence_is_measured_anew(out: Path, whole: dict[str, bytes]) -> None:
    stopped(out, 30)
    (out / store.EVIDENCE).unlink()
    assert resumed(out) == whole


def test_run_goes_on_only_under_its_own_options(out: Path) -> None:
    stopped(out, 9)
    for other in ({"seeds": 2, **ONE}, {"tasks": ["poems"]}):
        with pytest.raises(UsageError, match="had another adapter, tasks, seeds or probes"):
            run(TOY, out, resume=True, **other)


def test_run_goes_on_only_with_the_adapter_that_began_it(toy: Path, out: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        audit(str(toy), out, options(), stop_at(9))
    with (toy / "adapter.py").open("a") as code:
        code.write("# changed\n")
    with pytest.raises(UsageError, match="had another adapter"):
        run(toy, out, resume=True)


def test_finished_run_has_nothing_to_go_on_with(out: Path) -> None:
    run(TOY, out, **ONE)
    with pytest.raises(UsageError, match="holds no unfinished run"):
        resumed(out)
    assert store.read_card(out).target == "toy"


def test_spoilt_journal_is_told(out: Path) -> None:
    stopped(out, 9)
    for text in ("", "{}\n", "[]\n", '{"plan": 3}\n{"bytes": "x"}\n', "\n", "[" * 100_000 + "\n"):
        (out / store.JOURNAL).write_text(text)
        with pytest.raises(UsageError, match="holds no unfinished run"):
            resumed(out)


def test_evidence_that_was_changed_meanwhile_is_told(out: Path) -> None:
    stopped(out, 30)
    data = (out / store.EVIDENCE).read_bytes()
    (out / store.EVIDENCE).write_bytes(b"x" * 10 + data[10:])
    with pytest.raises(EvidenceError, match=":1: not an evidence record"):
        resumed(out)


def test_progress_counts_every_cell_and_never_falls(out: Path) -> None:
    seen: list[tuple[int, int]] = []
    audit(str(TOY), out, options(**ONE), lambda *now: seen.append(now))
    assert seen[0][0] == 0
    assert seen[-1][0] == seen[-1][1]
    assert seen == sorted(seen)
    assert len({total for _, total in seen}) == 1
