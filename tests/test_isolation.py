"""What `isolate` says, and what a process can do afterwards."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from benchaudit import isolation

TRY = """
import json, os, socket, sys, threading
from benchaudit import isolation
allowed, secret, scratch, signalled = sys.argv[1:]
state = isolation.isolate([allowed, sys.prefix, sys.base_prefix], [scratch])
def attempt(deed):
    try:
        deed()
    except OSError as error:
        return type(error).__name__
    return "done"
def write_and_remove():
    path = os.path.join(scratch, "file")
    open(path, "w").close()
    os.unlink(path)
def talk_to_itself():
    with socket.create_server(("127.0.0.1", 0)) as server:
        socket.create_connection(server.getsockname(), timeout=5).close()
print(json.dumps({
    "state": state,
    "read allowed": attempt(lambda: open(os.path.join(allowed, "file")).close()),
    "write allowed": attempt(lambda: open(os.path.join(allowed, "new"), "w").close()),
    "read secret": attempt(lambda: open(secret).close()),
    "list home of secret": attempt(lambda: os.listdir(os.path.dirname(secret))),
    "host's environment": attempt(lambda: open(f"/proc/{signalled}/environ", "rb").read()),
    "signal": attempt(lambda: os.kill(int(signalled), 0)),
    "scratch": attempt(write_and_remove),
    "null": attempt(lambda: open("/dev/null", "w").close()),
    "localhost": attempt(talk_to_itself),
    "uid": os.getuid(),
}))
"""


@pytest.fixture
def found(tmp_path: Path) -> dict[str, Any]:
    for name in ("allowed", "secret", "scratch"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "file").write_text("x")
    command = [
        *(sys.executable, "-c", TRY, str(tmp_path / "allowed")),
        *(str(tmp_path / "secret" / "file"), str(tmp_path / "scratch")),
    ]
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as other:
        said = subprocess.run([*command, str(other.pid)], capture_output=True, check=True)
        other.kill()
    told: dict[str, Any] = json.loads(said.stdout)
    return told


def test_files_are_cut_off_but_for_the_allowed_ones(found: dict[str, Any]) -> None:
    if found["state"]["files"] != "isolated":
        pytest.skip(found["state"]["files"])
    assert found["read allowed"] == "done"
    assert found["write allowed"] == "PermissionError"
    assert found["read secret"] == "PermissionError"
    assert found["list home of secret"] == "PermissionError"
    assert found["host's environment"] == "PermissionError"
    assert found["scratch"] == "done"
    assert found["null"] == "done"


def test_a_process_without_network_can_still_talk_to_itself(found: dict[str, Any]) -> None:
    if found["state"]["network"] != "isolated":
        pytest.skip(found["state"]["network"])
    assert found["localhost"] == "done"


def test_where_the_system_has_no_way_it_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    state = isolation.isolate([], [])
    assert state == dict.fromkeys(
        ("network", "files"), "not isolated: darwin has no way without privileges"
    )


def test_where_the_system_refuses_its_answer_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(name: str, *_: object) -> int:
        raise isolation._RefusedError(f"{name}: Operation not permitted")

    monkeypatch.setattr(isolation, "_call", refuse)
    assert isolation.isolate([], []) == {
        "network": "not isolated: unshare: Operation not permitted",
        "files": "not isolated: syscall: Operation not permitted",
    }
