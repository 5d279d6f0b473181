"""What the instrument says of conditions that the paper does not print: a page of the docs.

Run `python oracles/stress/predictions.py > docs/reference/stress-predictions.md` to write it anew.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from statistics import fmean

from benchaudit import packs
from benchaudit.stress.adversary import Adversary, Line, Pressure
from benchaudit.stress.calibration import SENSES, calibrate
from benchaudit.stress.degradation import degrade
from benchaudit.stress.experiment import Experiment
from benchaudit.stress.pairing import ARMS, Comparison, Design, compare
from benchaudit.stress.text import table
from benchaudit.stress.trials import run_trials

QUOTAS = (9, 12)
"""Slack 1 and 4: the paper prints the models' effects there, and no rule's."""

FAULT_SCALES = (0.285, 0.300)
CORRUPTION_SCALES = (0.400, 0.415)
"""The corners of what the published data leave free; every published figure is the same in it."""

_HEAD = """\
# Predictions of the stress instrument

What the published experiments' instrument says of conditions that the paper does not print. The
conventions are those of `adapters/comtradebench/experiments`, which reproduce every published
vector; nothing on this page was measured on a model. Written by
`python oracles/stress/predictions.py > docs/reference/stress-predictions.md`; a test checks that
it is current.

Intervals are the paper's bootstrap over the 20 seeds; *exact p* counts all sign patterns. *Range*
is the least and the greatest value of the figure before it over the corners of what the published
data leave free: the fault scale in [.285, .300] and the corruption scale in [.400, .415].
"""

_QUOTAS = """
## Rule agents at quota 9 and 12

Δ is coverage, constant minus escalating. Skips and deaths are sums over both arms of 20 episodes.
"""

_PUBLISHED = """\
For comparison, the Δ that the paper prints for models, without the data behind it:
{}.
At quota 12 always-retry's Δ is that of Llama-3.3-70B and GPT-5 to the printed digit.
"""

_DOSES = """
## Degradation under constant intensity, free retries

Mean coverage of each rule at ten doses and at none. Below a dose of 1/6 no page of 15 rows has a
row overwritten, and always-retry loses nothing.
"""

_DECISIONS = """
## What the decisions are worth

Every way each of the 2 × 20 episodes can go, tried. *none*: nothing was decided; *forced*: every
way gives the same coverage; *free*: ways differ, and retrying every time is as good as any;
*counts*: some way beats retrying every time.
"""

_REMARK = """
No decision ever counts, at any quota. It follows from the convention that chance is drawn by
attempt and not by page: after the same number of attempts an agent that retries and one that skips
have met the same faults and succeeded equally often, and the one that skips runs out of pages
sooner. So no agent can beat always-retry in this design, and a difference between agents can only
be a loss to it. Drawing chance by page would remove this.
"""


def page() -> str:
    """The whole page as Markdown."""
    dose = _experiment("dose")
    free = _experiment("b1")
    lines = [
        _HEAD,
        _QUOTAS.strip("\n"),
        "",
        *_quota_rows(dose),
        *("", _PUBLISHED.format(_published(dose)).rstrip("\n")),
        *("", _DOSES.strip("\n"), ""),
        *_dose_rows(free),
        *("", _DECISIONS.strip("\n"), ""),
        *_decision_rows(dose),
        _REMARK.rstrip("\n"),
    ]
    return "\n".join(lines) + "\n"


def _quota_rows(experiment: Experiment) -> list[str]:
    rows = []
    for design in experiment.designs:
        if design.quota not in QUOTAS:
            continue
        for rule in experiment.plan.agents.rules:
            found = _compared(experiment, design, rule)
            effect = found.effect("coverage")
            others = [
                fmean(
                    _compared(experiment, _altered(design, pressures), rule).differences("coverage")
                )
                for pressures in _corners(design.constant.pressures)
            ]
            skips, deaths = (
                sum(found.arms[arm].figures[event] for arm in ARMS) for event in ("skip", "deaths")
            )
            rows.append(
                [
                    *(str(design.quota), rule, f"{effect.delta:.3f}", _interval(effect.interval)),
                    *(_interval((min(others), max(others))), f"{effect.p:.4f}"),
                    *(f"{effect.p_exact:.4f}", f"{skips:g}", f"{deaths:g}"),
                ]
            )
    head = ["quota", "rule", "Δ", "95 % interval", "range of Δ", "p", "exact p", "skips", "deaths"]
    return table(head, rows)


def _dose_rows(experiment: Experiment) -> list[str]:
    rules = experiment.plan.agents.rules
    pressures = experiment.designs[0].constant.pressures

    def curves(pressures: Sequence[Pressure]) -> list[list[tuple[float, tuple[float, float]]]]:
        found = degrade(
            experiment.target,
            pressures,
            rules,
            experiment.plan.design.seeds.values,
            "coverage",
            convention="published",
        )
        return [[(point.mean, point.interval) for point in curve.doses] for curve in found]

    nominal, corners = curves(pressures), [curves(corner) for corner in _corners(pressures)]
    rows = []
    for place in range(11):
        row = [f"{place / 10:g}"]
        for number in range(len(rules)):
            mean, interval = nominal[number][place]
            means = [corner[number][place][0] for corner in corners]
            row += [f"{mean:.3f} {_interval(interval)}", _interval((min(means), max(means)))]
        rows.append(row)
    return table(["dose", *(cell for rule in rules for cell in (rule, "range"))], rows)


def _decision_rows(experiment: Experiment) -> list[str]:
    found = calibrate(experiment.target, experiment.designs, "coverage")
    kinds = SENSES[:4]
    return table(
        ["quota", "arm", *kinds, "mean stake"],
        [
            [
                *(str(row.quota), row.arm),
                *(str(row.senses[kind]) for kind in kinds),
                f"{row.stake:.3f}",
            ]
            for row in found.slack
        ],
    )


def _published(experiment: Experiment) -> str:
    """The models' printed effects at the quotas of this page."""
    return ";\n".join(
        f"quota {quota}: "
        + ", ".join(f"{r.agent} {r.delta}" for r in experiment.records if r.quota == quota)
        for quota in QUOTAS
    )


def _compared(experiment: Experiment, design: Design, rule: str) -> Comparison:
    results = run_trials(experiment.target, design.adversaries, design.trials(rule), ["coverage"])
    return compare(experiment.target, results, ["coverage"], "published")


def _corners(pressures: Sequence[Pressure]) -> Iterator[tuple[Pressure, ...]]:
    """The same pressures with the fault and corruption scales at each corner."""
    for fault in FAULT_SCALES:
        for corruption in CORRUPTION_SCALES:
            yield tuple(_scaled(pressure, fault, corruption) for pressure in pressures)


def _scaled(pressure: Pressure, fault: float, corruption: float) -> Pressure:
    if pressure.kind == "fault":
        return replace(pressure, chance=Line(scale=fault))
    if pressure.kind == "duplicate":
        return replace(pressure, amount=Line(scale=corruption))
    return pressure


def _altered(design: Design, pressures: Sequence[Pressure]) -> Design:
    return replace(
        design,
        escalating=Adversary(design.escalating.schedule, pressures),
        constant=Adversary(design.constant.schedule, pressures),
    )


def _interval(bounds: tuple[float, float]) -> str:
    return f"[{bounds[0]:.3f}, {bounds[1]:.3f}]"


def _experiment(name: str) -> Experiment:
    folder = packs.find("adapters", "comtradebench").folder / "experiments"
    return Experiment(folder / f"{name}.toml")


if __name__ == "__main__":
    sys.stdout.write(page())
