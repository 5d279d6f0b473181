from __future__ import annotations

import pytest

from benchaudit.logs import read_logs
from benchaudit.logs.formats import FORMATS
from benchaudit.logs.runs import LogError, Outcome, as_score
from benchaudit.logs.source import Options
from tests.logs import build


def _tau(path, rewards=(1.0,)):
    rows = [
        {"task_id": i, "reward": r, "info": {}, "traj": [], "trial": 0}
        for i, r in enumerate(rewards)
    ]
    return build.write_json(path, rows)


def test_a_folder_is_walked_in_order_and_what_is_no_log_is_named(tmp_path):
    _tau(tmp_path / "b" / "x.json")
    _tau(tmp_path / "a.json", (0.0,))
    (tmp_path / "notes.md").write_text("notes")
    (tmp_path / ".hidden").mkdir()
    _tau(tmp_path / ".hidden" / "x.json")
    runs, files = build.read(tmp_path)
    assert [run.score for run in runs] == [0.0, 1.0]
    assert [(file.path.name, file.format, file.runs) for file in files] == [
        ("a.json", "tau-bench", 1),
        ("x.json", "tau-bench", 1),
        ("notes.md", "", 0),
    ]


def test_a_given_file_of_no_known_format_is_an_error_that_lists_them(tmp_path):
    path = tmp_path / "notes.md"
    path.write_text("notes")
    with pytest.raises(LogError, match="not a log of a known format") as told:
        build.read(path)
    assert all(name in told.value.remedy for name in FORMATS)


def test_the_format_can_be_named(tmp_path):
    path = _tau(tmp_path / "a.json")
    assert len(build.read(path, format_="tau-bench")[0]) == 1
    with pytest.raises(LogError, match="not JSON at character 0: expected an object"):
        build.read(path, format_="tau2-bench")


def test_a_file_given_twice_is_read_once(tmp_path):
    path = _tau(tmp_path / "a.json")
    runs, _ = build.read(path, tmp_path, path)
    assert len(runs) == 1


def test_a_path_that_is_not_there_is_told(tmp_path):
    with pytest.raises(LogError, match="no such file or folder"):
        build.read(tmp_path / "none")


def test_one_bad_file_in_a_folder_stops_it_unless_the_rest_is_asked_for(tmp_path):
    _tau(tmp_path / "a.json")
    (tmp_path / "b.eval").write_text("version https://git-lfs.github.com/spec/v1\n")
    with pytest.raises(LogError, match="Git LFS pointer"):
        build.read(tmp_path)
    runs, files = build.read(tmp_path, partial=True)
    assert len(runs) == 1
    assert "not read: a Git LFS pointer" in build.notes(files)


def test_a_file_of_another_shape_is_told_and_not_a_crash(tmp_path):
    path = build.write_json(
        tmp_path / "a.json",
        {"agent_info": 1, "user_info": 2, "info": {}, "simulations": [{"reward_info": 3}]},
    )
    with pytest.raises(LogError, match="not the shape of a tau2-bench log"):
        build.read(path)


def test_files_are_told_before_they_are_read(tmp_path):
    path = _tau(tmp_path / "a.json")
    seen = []
    assert len(list(read_logs([path], options=Options(), watch=seen.append))) == 1
    assert seen == [path]


@pytest.mark.parametrize(
    ("value", "score"),
    [
        (1, 1.0),
        (True, 1.0),
        ("0.5", 0.5),
        (" False ", 0.0),
        ("C", 1.0),
        ("good", None),
        (None, None),
        ([1], None),
        (float("nan"), None),
        ("inf", None),
        (10**400, None),
    ],
)
def test_a_score_is_a_finite_number_or_stands_for_one(value, score):
    assert as_score(value, {"C": 1.0}) == score


def test_outcomes_can_be_looked_up_as_text():
    assert {"ok": 1}[Outcome.OK] == 1
