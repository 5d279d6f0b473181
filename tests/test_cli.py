"""The command from outside: what it prints, where, with which exit code, and no traceback."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from benchaudit import packs, store
from benchaudit.card.model import ITEMS
from benchaudit.cli import ELSEWHERE, main
from benchaudit.evidence import read
from tests.conftest import TOY

ESCAPE = "\x1b"


@pytest.fixture(autouse=True)
def elsewhere(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Away from the checkout, in a terminal of 80 columns, without the user's settings."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    for name in ("NO_COLOR", "FORCE_COLOR", "TERM"):
        monkeypatch.delenv(name, raising=False)


def benchaudit(*arguments: object) -> Result:
    """The command in this process. Whatever goes wrong is told, never raised."""
    result = CliRunner().invoke(main, [str(a) for a in arguments])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    assert "Traceback" not in result.output
    return result


def run(target: object, *arguments: object) -> Result:
    return benchaudit("run", target, "--in-process", "--tasks", "poems", *arguments)


def stop(result: Result, code: int) -> str:
    """The one line of a command that stopped, told on the error stream alone."""
    assert result.exit_code == code, result.output
    assert result.stdout == ""
    line = result.stderr.strip()
    assert line.startswith("benchaudit: ")
    assert "\n" not in line
    return line


# -- run -----------------------------------------------------------------------------------------


def test_run_prints_the_card_and_leaves_it_in_a_folder_of_its_own(tmp_path: Path) -> None:
    result = run(TOY)
    assert result.exit_code == 0
    assert "Toy benchmark" in result.stdout
    for title in ITEMS.values():
        assert title in result.stdout
    assert result.stderr == "Card, evidence and provenance: audits/toy\n"
    assert {p.name for p in (tmp_path / "audits" / "toy").iterdir()} == {
        store.CARD,
        store.MARKDOWN,
        store.EVIDENCE,
        store.PROVENANCE,
    }


def test_json_and_markdown_are_the_files_and_quiet_is_nothing() -> None:
    made = run(TOY, "--out", "out", "--json")
    assert made.stdout == Path("out", store.CARD).read_text("utf-8")
    assert json.loads(made.stdout)["target"] == "toy"
    assert run(TOY, "--out", "out", "--markdown").stdout == Path("out", store.MARKDOWN).read_text(
        "utf-8"
    )
    assert run(TOY, "--out", "out", "--quiet").output == ""
    assert made.stderr == ""


@pytest.mark.parametrize(
    ("gates", "code", "lines"),
    [
        ([], 0, 0),
        (["criterion@compared"], 0, 0),
        (["criterion"], 1, 1),
        (["interface-floor@compared"], 1, 1),
        (["any@compared"], 0, 0),
        (["any"], 1, 2),
        (["task-validity", "robustness"], 0, 0),
        (["any", "interface-floor"], 1, 4),
    ],
)
def test_gates_decide_the_exit_code(gates: list[str], code: int, lines: int) -> None:
    result = run(TOY, "--quiet", *(word for gate in gates for word in ("--gate", gate)))
    assert result.exit_code == code
    assert result.stdout == ""
    told = result.stderr.splitlines()
    assert len(told) == lines
    assert all(line.startswith("gate: ") for line in told)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["nowhere"], "no adapter named 'nowhere'; "),
        (["comtradebanch"], "did you mean comtradebench"),
        (["Comtrade_bench"], "comtradebench"),
        ([TOY, "--tasks", "novels"], "--tasks 'novels' matches none of 3 tasks"),
        ([TOY, "--seeds", "0"], "--seeds must be 1 or more"),
        ([TOY, "--gate", "criterium"], "did you mean 'criterion'?"),
        ([TOY, "--resume"], "holds no unfinished run; leave out --resume"),
    ],
)
def test_wrong_usage_is_one_line_and_exit_code_2(arguments: list[str], told: str) -> None:
    assert told in stop(benchaudit("run", "--in-process", *arguments), 2)


@pytest.mark.parametrize(
    "arguments",
    [
        ["run"],
        ["run", TOY, "--jobs", "0"],
        ["run", TOY, "--seeds", "many"],
        ["run", TOY, "--colour"],
        ["explain", "card.json"],
        ["nothing"],
        ["show"],
        ["completion", "tcsh"],
    ],
)
def test_wrong_arguments_are_told_with_the_usage(arguments: list[object]) -> None:
    result = benchaudit(*arguments)
    assert result.exit_code == 2
    assert "Usage: " in result.stderr
    assert "Error: " in result.stderr


def test_unknown_column_of_a_gate_is_told() -> None:
    result = run(TOY, "--quiet", "--gate", "criterion@retail")
    assert "no column 'retail'; there are: counted, compared" in stop(result, 2)


def test_folder_that_holds_something_else_is_never_overwritten(tmp_path: Path) -> None:
    mine = tmp_path / "thesis"
    mine.mkdir()
    (mine / "chapter.tex").write_text("years of work")
    assert "holds 'chapter.tex', which is not an audit's" in stop(run(TOY, "--out", mine), 2)
    assert [(p.name, p.read_text()) for p in mine.iterdir()] == [("chapter.tex", "years of work")]
    (tmp_path / "file").touch()
    result = run(TOY, "--out", "file")
    assert result.exit_code == 2
    assert "is a file" in result.stderr


def test_audit_of_something_else_is_never_overwritten(toy: Path) -> None:
    assert run(TOY, "--out", "out", "--quiet").exit_code == 0
    before = Path("out", store.CARD).read_bytes()
    facts = toy / "adapter.toml"
    facts.write_text(facts.read_text("utf-8").replace('name = "toy"', 'name = "other"'), "utf-8")
    assert "holds an audit of 'toy'" in stop(run(toy, "--out", "out"), 2)
    assert Path("out", store.CARD).read_bytes() == before


# -- broken adapters -----------------------------------------------------------------------------


def spoil(folder: Path, name: str, old: str, new: str) -> None:
    path = folder / name
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), "utf-8")


@pytest.mark.parametrize(
    ("name", "old", "new", "told"),
    [
        ("adapter.toml", 'name = "toy"', "name = ?", "adapter.toml: Invalid value (at line 1,"),
        ("adapter.toml", 'kind = "outcome"', 'kind = "vibes"', "adapter.toml: scorers.f1.kind: "),
        ("adapter.toml", 'scorer = "f1"', 'scorer = "f2"', "scorer 'f2' has no [scorers.f2]"),
        ("adapter.py", "import json\n", "import nowhere_at_all\n", "No module named"),
        ("adapter.py", "import json\n", "import json\n1 / 0\n", "adapter.py: ZeroDivisionError"),
        ("adapter.py", "ADAPTER: Adapter", "OTHER: Adapter", "states no ADAPTER"),
        ("adapter.py", "def work(", "def work(:", "adapter.py: SyntaxError"),
    ],
)
def test_broken_adapter_names_its_file_and_place(
    toy: Path, name: str, old: str, new: str, told: str
) -> None:
    spoil(toy, name, old, new)
    line = stop(run(toy), 2)
    assert told in line
    assert str(toy) in line


def test_folder_that_is_no_adapter_is_told(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    assert "the folder empty holds no adapter.toml" in stop(run("empty"), 2)


def test_adapter_that_contradicts_its_evidence_could_not_be_judged(toy: Path) -> None:
    own = toy / "fabricated"
    shutil.copytree(packs.find("probes", "fabricated").folder, own)
    spoil(own, "probe.toml", 'feeds = ["criterion", "trace-preference"]', 'feeds = ["replay"]')
    spoil(own, "probe.toml", 'family = "records"', 'family = "books"')
    spoil(toy, "adapter.toml", 'name = "toy"', 'name = "toy"\nprobes = ["fabricated_books"]')
    own.rename(toy / "fabricated_books")
    empty = toy / "empty_books"
    shutil.copytree(packs.find("probes", "empty").folder, empty)
    spoil(empty, "probe.toml", 'family = "records"', 'family = "books"')
    spoil(toy, "adapter.toml", '["fabricated_books"]', '["fabricated_books", "empty_books"]')
    spoil(toy, "adapter.py", '"records", seed=seed', '"books", seed=seed')
    line = stop(run(toy), 3)
    assert "the adapter contradicts its evidence: " in line


# -- show, subset, explain, list -----------------------------------------------------------------


def test_show_prints_what_run_printed(audited: Path) -> None:
    text = benchaudit("show", audited)
    assert text.exit_code == 0
    assert "self-report compliance, on all 3 tasks." in text.stdout
    assert benchaudit("show", audited / store.CARD).stdout == text.stdout
    assert benchaudit("show", audited, "--json").stdout == (audited / store.CARD).read_text("utf-8")
    assert benchaudit("show", audited, "--markdown").stdout == (audited / store.MARKDOWN).read_text(
        "utf-8"
    )


def test_subset_prints_the_ids_that_stay(audited: Path) -> None:
    assert benchaudit("subset", audited, "--column", "compared").stdout == "fiction\npoems\nplays\n"
    assert benchaudit("subset", audited, "--column", "counted").stdout == ""
    gone = benchaudit("subset", audited, "--column", "counted", "--excluded").stdout
    assert gone.splitlines()[0] == "fiction\tthe criterion is tied on it"
    assert "say which --column: counted, compared" in stop(benchaudit("subset", audited), 2)
    assert "no column 'x'" in stop(benchaudit("subset", audited, "--column", "x"), 2)


def test_explain_prints_the_cell_and_its_records(audited: Path) -> None:
    text = benchaudit("explain", audited, "criterion", "--column", "counted", "--task", "poems")
    assert text.exit_code == 0
    assert "Criterion-aligned scorer, Counted: ✗ fail" in text.stdout
    assert "altered-values" in text.stdout
    assert "did you mean 'replay'?" in stop(benchaudit("explain", audited, "repaly"), 2)


@pytest.mark.parametrize("command", [["show"], ["subset"], ["explain", "criterion"]])
@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda _: None, "no card there"),
        (lambda text: text[:100], "not JSON at line "),
        (lambda text: text.replace('"pass"', '"fail"', 1), "changed since it was written"),
        (lambda _: "{}", "not a validity card"),
    ],
)
def test_card_that_cannot_be_trusted_is_told(
    audited: Path,
    tmp_path: Path,
    command: list[str],
    change: Callable[[str], str | None],
    told: str,
) -> None:
    path = tmp_path / "card.json"
    text = change((audited / store.CARD).read_text("utf-8"))
    if text is not None:
        path.write_text(text, "utf-8")
    name, *rest = command
    line = stop(benchaudit(name, path, *rest), 2)
    assert told in line
    assert str(path) in line


def test_list_names_what_can_be_found() -> None:
    text = benchaudit("list").stdout
    found = json.loads(benchaudit("list", "--json").stdout)
    assert set(found) == {"adapters", "probes", "oracles"}
    for rows in found.values():
        for row in rows:
            assert row["name"] in text
            assert row["title"]


def test_help_is_there_for_every_command_and_costs_no_heavy_import() -> None:
    for name in [*main.commands, *ELSEWHERE]:
        result = benchaudit(name, "--help")
        assert result.exit_code == 0
        assert "Usage: " in result.stdout
    code = "import sys; from benchaudit.cli import main; main(['--help'], standalone_mode=False);"
    code += "print(sorted({'numpy', 'scipy', 'pydantic', 'rich', 'jsonschema'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"
    for name in [*main.commands, *ELSEWHERE]:
        assert re.search(rf"^  {name} ", done.stdout, re.MULTILINE)


# -- oracle-check --------------------------------------------------------------------------------


@pytest.fixture
def oracle(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Make a folder the only oracle that there is; it checks what it is given."""

    def make(body: str) -> None:
        folder = tmp_path / "oracle"
        folder.mkdir()
        (folder / "oracle.toml").write_text('title = "X"\ntargets = ["toy"]\n')
        code = f"from benchaudit.oracles import Check\ndef checks():\n    {body}\n"
        (folder / "check.py").write_text(code)
        found = {"mine": packs.Pack("oracles", "mine", folder)}
        monkeypatch.setattr(packs, "available", lambda _kind: found)

    return make


def test_oracle_check_prints_a_line_each_and_succeeds(oracle: Callable[[str], None]) -> None:
    oracle("yield Check('a', 1.0, 1.0); yield Check('b', 'x', 'x')")
    result = benchaudit("oracle-check", "toy")
    assert result.exit_code == 0
    assert result.stdout.splitlines() == [
        "ok   mine: a: expected 1, got 1",
        "ok   mine: b: expected x, got x",
        "2 passed, 0 failed",
    ]


@pytest.mark.parametrize(
    "body", ["yield Check('a', 1, 2)", "yield Check('a', 1, 1); 1 / 0", "return []"]
)
def test_oracle_check_fails_on_any_mismatch(oracle: Callable[[str], None], body: str) -> None:
    oracle(body)
    result = benchaudit("oracle-check")
    assert result.exit_code == 1
    assert "FAIL mine: " in result.stdout
    assert result.stdout.splitlines()[-1].endswith("1 failed")


def test_oracle_check_as_json_is_a_line_each(oracle: Callable[[str], None]) -> None:
    oracle("yield Check('a', 1, 2); yield Check('b', [1], [1])")
    result = benchaudit("oracle-check", "--json")
    assert result.exit_code == 1
    assert [json.loads(line)["ok"] for line in result.stdout.splitlines()] == [False, True]


def test_target_without_an_oracle_is_told(oracle: Callable[[str], None]) -> None:
    oracle("yield Check('a', 1, 1)")
    assert "no oracle checks 'other'; there are: mine, toy" in stop(
        benchaudit("oracle-check", "other"), 2
    )


# -- hostile text --------------------------------------------------------------------------------

TITLE = "<script>[bold red]x[/] [/nope] | `c` \u202eright"
NASTY = r"\x1b[2J\x1b]0;owned\x07<script>[bold red]x[/] [/nope] | `c` \u202e"


@pytest.fixture
def hostile(toy: Path) -> Path:
    """The toy with hostile ids, descriptions, exceptions, notes and titles."""
    spoil(toy, "adapter.py", '{"fiction": 5, "poems": 4,', f'{{"poems {NASTY}": 5, "poems": 4,')
    spoil(toy, "adapter.py", 'f"Copy the {name}."', f'"{NASTY}"')
    spoil(
        toy,
        "adapter.py",
        "    books, rows =",
        f"    if 1 < len(submission.payload['log']):"
        f"\n        raise ValueError('{NASTY} \\ud800')\n    books, rows =",
    )
    facts = (toy / "adapter.toml").read_text("utf-8")
    for name in ("title", "version", "summary", "claim"):
        line = re.search(rf"^{name} = .*", facts, re.MULTILINE)
        assert line is not None
        facts = facts.replace(line.group(), f"{name} = '{TITLE}'", 1)
    (toy / "adapter.toml").write_text(facts, "utf-8")
    return toy


def test_hostile_text_reaches_no_terminal_and_no_page(hostile: Path) -> None:
    wide = ("--tasks", "poems*", "--out", "out")
    shown = benchaudit("run", hostile, "--in-process", *wide, "--gate", "any")
    assert shown.exit_code == 1
    texts = [shown.output, Path("out", store.MARKDOWN).read_text("utf-8")]
    items = ("criterion", "trace-preference", "robustness", "ownership", "reliability")
    texts += [benchaudit("explain", "out", item, "--task", "poems").output for item in items]
    assert "ValueError" in "".join(texts)
    for text in texts:
        assert not {c for c in text if not c.isprintable()} - {"\n"}
    assert "<script>" not in texts[1]
    assert r"\|" in texts[1]
    assert "[/nope]" in texts[0]


def test_hostile_ids_stay_what_they_are_in_json_and_evidence(hostile: Path) -> None:
    result = benchaudit("run", hostile, "--in-process", "--tasks", "poems*", "--out", "o", "--json")
    ids = json.loads(result.stdout)["columns"][1]["scope"]["tasks"]
    assert any(ESCAPE in task for task in ids)
    assert {r.task for r in read(Path("o", store.EVIDENCE))} == set(ids)


# -- from a shell --------------------------------------------------------------------------------


def shell(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "benchaudit.cli", *arguments],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, **environment},
    )


def test_pipe_gets_neither_colour_nor_progress(audited: Path) -> None:
    done = shell("run", str(TOY), "--tasks", "poems", "--in-process")
    assert done.returncode == 0
    assert ESCAPE not in done.stdout + done.stderr
    assert "auditing" not in done.stderr
    shown = shell("show", str(audited))
    assert max(map(len, shown.stdout.splitlines())) <= 80


def test_no_color_is_respected_on_a_terminal(audited: Path) -> None:
    import pty

    def on_a_terminal(**environment: str) -> str:
        master, slave = pty.openpty()
        process = subprocess.Popen(
            [sys.executable, "-m", "benchaudit.cli", "show", str(audited)],
            stdout=slave,
            stderr=slave,
            env={**os.environ, "TERM": "xterm-256color", **environment},
        )
        os.close(slave)
        text = b"".join(_drained(master))
        os.close(master)
        assert process.wait() == 0
        return text.decode()

    assert "\x1b[1;31m✗ fail" in on_a_terminal()
    plain = re.sub(r"\x1b\[[013]m", "", on_a_terminal(NO_COLOR="1"))  # bold and italic may stay
    assert not re.search(r"\x1b\[[0-9;]*3[0-9]", plain)
    assert "✗ fail" in plain


def _drained(master: int) -> Iterator[bytes]:
    while True:
        try:
            data = os.read(master, 65536)
        except OSError:  # the other end is closed
            return
        if not data:
            return
        yield data


SLOW = """\
    if "SLOW" in __import__("os").environ:
        __import__("time").sleep(0.05)
    if scorer =="""


def test_ctrl_c_leaves_valid_evidence_that_resumes_to_the_same_bytes(
    toy: Path, tmp_path: Path
) -> None:
    spoil(toy, "adapter.py", "    if scorer ==", SLOW)
    arguments = ["run", str(toy), "--in-process", "--tasks", "poems", "--out"]
    process = subprocess.Popen(
        [sys.executable, "-m", "benchaudit.cli", *arguments, "out"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "SLOW": "1"},
    )
    evidence = tmp_path / "out" / store.EVIDENCE
    for _ in range(2000):
        if evidence.exists() and evidence.stat().st_size:
            break
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=20)
    assert process.returncode == 130
    assert out == ""
    assert err == "benchaudit: stopped; what was done is in out, continue with --resume\n"
    assert list(read(evidence))
    evidence.write_bytes(evidence.read_bytes()[:-7])
    assert benchaudit(*arguments, "out", "--resume", "--quiet").exit_code == 0
    assert benchaudit(*arguments, "whole", "--quiet").exit_code == 0
    for name in (store.CARD, store.MARKDOWN, store.EVIDENCE):
        assert Path("out", name).read_bytes() == Path("whole", name).read_bytes()
