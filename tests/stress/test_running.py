"""The ticket experiment from plan to verdict: nothing in it is of any benchmark."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from benchaudit.stress import trials
from benchaudit.stress.errors import InputError
from benchaudit.stress.experiment import Experiment
from benchaudit.stress.preregistration import freeze, load
from benchaudit.stress.published import published_path
from benchaudit.stress.running import Report, run
from benchaudit.stress.text import report_json, report_text

Write = Callable[..., Path]

HERE = Path(__file__).parent


def frozen(path: Path) -> Path:
    experiment = Experiment(path)
    freeze(path, experiment.as_frozen())
    return path


def thaw(path: Path) -> None:
    path.with_suffix(".frozen.json").unlink()


def fields(report: Report) -> list[str]:
    return [deviation.field for deviation in report.deviations]


EASY = (
    'direction = "positive"',
    'direction = "either"\nalpha = 0.9999\ninterval_excludes_zero = false',
)
"""A decision rule that nearly any difference meets, to see what takes a claim back."""


def test_a_frozen_plan_runs_without_deviation(plan_file: Write) -> None:
    report = run(frozen(plan_file()))
    assert report.deviations == []
    assert not report.failed
    (finding,) = report.findings
    assert finding.subject.agent.endswith("ticket_queue.py:impatient")
    assert finding.subject.origin == "measured"
    assert set(finding.subject.estimates) == {"resolved", "handled"}
    assert {rule.agent for rule in report.rules} == {"always-again", "quota-aware"}


def test_a_plan_that_was_never_frozen_confirms_nothing(plan_file: Write) -> None:
    path = plan_file(EASY)
    assert run(frozen(path)).findings[0].verdict == "confirmed"
    thaw(path)
    report = run(path)
    assert fields(report) == ["frozen record"]
    assert report.failed
    assert report.findings[0].verdict == "demoted"
    assert report.findings[0].because == ("deviates in frozen record: written beforehand → absent",)


def test_a_plan_that_was_changed_after_freezing_is_demoted_field_by_field(
    plan_file: Write,
) -> None:
    frozen(plan_file(EASY))
    report = run(plan_file(EASY, ("count = 16", "count = 20")))
    assert fields(report) == ["design.seeds.count", "instrument.fingerprint"]
    assert report.findings[0].verdict == "demoted"
    assert report.findings[0].because[0] == "deviates in design.seeds.count: 16 → 20"


def test_a_new_title_is_listed_and_demotes_nothing(plan_file: Write) -> None:
    frozen(plan_file(EASY))
    report = run(plan_file(EASY, ("Tickets under pressure", "Tickets")))
    assert fields(report) == ["title"]
    assert not report.failed
    assert report.findings[0].verdict == "confirmed"


def test_an_instrument_that_behaves_otherwise_deviates(
    plan_file: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = frozen(plan_file(EASY))
    target = Experiment(path).target
    desk = target.start
    assert isinstance(desk, type)
    monkeypatch.setattr(desk, "units_left", lambda *_: 0)
    report = run(path)
    assert fields(report) == ["instrument.fingerprint"]
    assert report.findings[0].verdict == "demoted"


def test_an_agent_that_was_rewritten_after_freezing_deviates(
    plan_file: Write, tmp_path: Path
) -> None:
    rule = tmp_path / "mine.py"
    rule.write_text("def rule(seen): return 'again'\n", encoding="utf-8")
    path = frozen(plan_file((f"{HERE}/ticket_queue.py:impatient", "mine.py:rule")))
    assert run(path).deviations == []
    rule.write_text("def rule(seen): return 'defer'\n", encoding="utf-8")
    report = run(path)
    assert fields(report) == ["the file of mine.py:rule"]
    assert report.failed


def test_a_scorer_that_scores_otherwise_deviates(
    plan_file: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = frozen(plan_file(EASY))
    scorers = Experiment(path).target.scorers
    assert isinstance(scorers, dict)
    original = scorers["resolved"]
    monkeypatch.setitem(scorers, "resolved", lambda desk: 0.5 * original(desk))
    assert fields(run(path)) == ["instrument.fingerprint"]


def test_a_criterion_that_fires_demotes_and_says_so(plan_file: Write) -> None:
    criterion = '\n[[demotions]]\nfigure = "deaths"\nminimum = 999\nbecause = "too few deaths"\n'
    finding = run(frozen(plan_file(EASY, extra=criterion))).findings[0]
    assert finding.met
    assert finding.verdict == "demoted"
    assert "under 999: too few deaths" in finding.because[0]


def test_a_power_floor_that_is_not_reached_makes_it_underpowered(plan_file: Write) -> None:
    def power(floor: float) -> str:
        return (
            f'\n[power]\nfloor = {floor}\neffect = 0.15\npilot = "always-again"\n'
            "seeds = { first = 100, count = 60 }\nreplications = 200\n"
        )

    strong = run(frozen(plan_file(EASY, extra=power(0.3), name="strong")))
    weak = run(frozen(plan_file(EASY, extra=power(0.999), name="weak")))
    assert strong.power == weak.power
    assert 0.3 < strong.power[9] < 0.999
    assert strong.findings[0].verdict == "confirmed"
    assert weak.findings[0].verdict == "underpowered"
    assert "under the floor of 0.999" in weak.findings[0].because[0]


def test_pairs_that_raised_are_deviations_and_void_where_none_may_be(plan_file: Write) -> None:
    fragile = (
        ("ticket_queue.py:TARGET", "ticket_queue.py:FRAGILE"),
        ('scorer = "resolved"', 'scorer = "broken"'),
    )
    lenient = run(frozen(plan_file(*fragile, name="lenient")))
    missing = [d for d in lenient.deviations if d.field.startswith("design.seeds")]
    assert missing and not any(d.material for d in missing)
    strict = plan_file(*fragile, ('"exclude"', '"void"'), name="strict")
    report = run(frozen(strict))
    assert report.findings[0].verdict == "void"
    assert report.failed


def test_a_subject_without_a_result_is_a_deviation(plan_file: Write) -> None:
    path = plan_file((f'["{HERE}/ticket_queue.py:impatient"]', '["some-model"]'))
    published_path(path).write_text(
        '[[records]]\nagent = "some-model"\nquota = 99\nscorer = "resolved"\nsource = "x"\n',
        encoding="utf-8",
    )
    report = run(frozen(path))
    assert report.findings == []
    assert fields(report) == ["agents.subjects: some-model at quota 9"]


RECORDS = """
[[records]]
agent = "some-model"
quota = 9
scorer = "resolved"
source = "nowhere"
delta = {delta}
denominator = 6
escalating.vector = [3, 3, 2, 3]
escalating.figures = {{ again = 5, defer = 2 }}
constant.vector = [4, 5, 4, 4]
constant.figures = {{ again = 6, defer = 1 }}
"""


@pytest.mark.parametrize(("delta", "agrees"), [("0.25", True), ("0.250", True), ("0.251", False)])
def test_published_results_are_recomputed_and_compared_to_the_printed_digit(
    plan_file: Write, delta: str, agrees: bool
) -> None:
    path = plan_file((f'["{HERE}/ticket_queue.py:impatient"]', '["some-model"]'))
    published_path(path).write_text(RECORDS.format(delta=delta), encoding="utf-8")
    report = run(frozen(path))
    assert [(r.figure, r.agrees) for r in report.reproductions] == [("delta", agrees)]
    assert report.failed is not agrees
    (finding,) = report.findings
    assert finding.subject.origin == "published"
    assert finding.subject.estimates["resolved"].pairs == 4


def test_a_family_shares_its_correction(plan_file: Write) -> None:
    """Two files, two tests: each p is adjusted over both, and alone over itself."""

    def plan(name: str, family: str) -> Path:
        decision = f'direction = "positive"\ncorrection = "holm"\nfamily = [{family}]'
        change = ('direction = "positive"', decision)
        return frozen(plan_file(change, name=name))

    alone = run(plan("alone", "")).findings[0].subject.estimates["resolved"]
    assert alone.p_holm == alone.p_exact
    plan("second", "")
    both = run(plan("first", '"second"')).findings[0].subject.estimates["resolved"]
    assert both.p_exact is not None
    assert both.p_holm == pytest.approx(min(1.0, 2 * both.p_exact))


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (("units = 6", "units = 11"), "over 11 units are not matched"),
        (('scorer = "resolved"', 'scorer = "beauty"'), "no scorer 'beauty'"),
        (('rules = ["always-again"', 'rules = ["always-cry"'), "no rule named 'always-cry'"),
        (("ticket_queue.py:TARGET", "ticket_queue.py:NONE"), "states no NONE"),
        (('kind = "fault"', 'kind = "duplicate"'), "cannot realise duplicate"),
    ],
)
def test_what_a_plan_names_must_be_there(
    plan_file: Write, change: tuple[str, str], reason: str
) -> None:
    with pytest.raises(InputError, match=reason):
        run(plan_file(change))


def test_units_must_be_the_targets(plan_file: Write) -> None:
    flat = (
        ('shape = "linear", low = 0.0, high = 1.0, over = 5', 'shape = "constant", level = 0.5'),
        ("units = 6", "units = 7"),
    )
    with pytest.raises(InputError, match=r"design\.units is 7, but a clean run of ticket queue"):
        run(plan_file(*flat))


def test_a_criterion_must_name_a_figure(plan_file: Write) -> None:
    criterion = '\n[[demotions]]\nfigure = "mood"\nminimum = 1\nbecause = "x"\n'
    with pytest.raises(InputError, match="no figure 'mood'; there are again, deaths"):
        run(plan_file(extra=criterion))


def test_a_report_is_the_same_bytes_for_any_number_of_jobs(
    plan_file: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(trials, "_CHUNK", 10)
    path = frozen(plan_file())
    assert report_json(run(path, jobs=2)) == report_json(run(path))


def test_the_report_says_what_a_reader_needs(plan_file: Write) -> None:
    path = plan_file(EASY)
    report = run(path)
    text = report_text(report)
    for part in (
        "Frozen: never",
        "**demoted**",
        "exact p",
        "## Decision channel",
        "- frozen record: written beforehand → absent",
    ):
        assert part in text
    data = json.loads(report_json(report))
    assert data["findings"][0]["verdict"] == "demoted"
    assert data["plan"]["design"]["quotas"] == [9]
    assert load(path).title in text
