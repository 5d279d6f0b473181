"""Harbor job folders: <job>/result.json, and <job>/<trial>/result.json for each trial."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from benchaudit.logs.runs import Outcome, Run, Serving, as_score, sampling
from benchaudit.logs.source import Source

NAME = "harbor"

_TRIAL = ('"trial_name"', '"task_name"')
_JOB = ('"n_total_trials"', '"stats"')
_SAMPLING = ("temperature", "top_p", "max_tokens", "reasoning_effort", "seed")
_UNDECIDED = ("n_running_trials", "n_pending_trials", "n_cancelled_trials")


def detect(source: Source) -> bool:
    """A result.json of a trial or of a job."""
    if source.name != "result.json":
        return False
    return any(all(key in source.head for key in keys) for keys in (_TRIAL, _JOB))


def read(source: Source) -> Iterator[Run]:
    """A trial is a run for each of its rewards. A job gives the trials it lists and lacks."""
    told = source.json_object()
    if "trial_name" in told:
        yield from _trial(source, told)
    elif "n_total_trials" in told:
        yield from _lost_trials(source, told)


def _trial(source: Source, told: dict[str, Any]) -> Iterator[Run]:
    outcome, detail = _ending(told.get("exception_info"))
    config = told.get("config") or {}
    agent = told.get("agent_info") or {}
    model = agent.get("model_info") or {}
    run = Run(
        task=str(told.get("task_name") or told["trial_name"]),
        model=str(model.get("name") or (config.get("agent") or {}).get("model_name") or ""),
        score=None,
        outcome=outcome,
        suite=str(told.get("source") or ""),
        scaffold=str(agent.get("name") or ""),
        batch=str(config.get("job_id") or ""),
        repeat=str(told["trial_name"]),
        repeat_kind="order",
        serving=Serving(
            str(model.get("provider") or ""),
            sampling=sampling(_sampling_of((config.get("agent") or {}).get("kwargs") or {})),
        ),
        file=str(source.path),
        detail=detail,
    )
    rewards = _rewards(told.get("verifier_result"))
    if not rewards:
        yield run._replace(outcome=Outcome.UNSCORED) if outcome == Outcome.OK else run
    for metric, value in rewards.items():
        score = as_score(value)
        unscored = score is None and outcome == Outcome.OK
        yield run._replace(
            metric=metric, score=score, outcome=Outcome.UNSCORED if unscored else outcome
        )


def _sampling_of(arguments: dict[str, Any]) -> dict[str, Any]:
    """The sampling parameters among an agent's arguments, which hold anything else as well."""
    return {key: arguments[key] for key in _SAMPLING if key in arguments}


def _ending(exception: dict[str, Any] | None) -> tuple[Outcome, str]:
    if not exception:
        return Outcome.OK, ""
    kind = str(exception.get("exception_type") or "")
    detail = f"{kind}: {exception.get('exception_message') or ''}"[:200]
    return Outcome.TIMEOUT if "Timeout" in kind else Outcome.ERROR, detail


def _rewards(verdict: dict[str, Any] | None) -> dict[str, Any]:
    """Rewards by name; the first releases had a single one without a dictionary."""
    verdict = verdict or {}
    if "rewards" in verdict:
        return verdict["rewards"] or {}
    return {"reward": verdict["reward"]} if "reward" in verdict else {}


def _lost_trials(source: Source, told: dict[str, Any]) -> Iterator[Run]:
    """Trials that the job counts and whose folder is not there; the job does not name them."""
    source.note("job summary: its trials are read from their own folders")
    stats = told.get("stats") or {}
    for name, of_eval in (stats.get("evals") or {}).items():
        if not of_eval.get("n_trials") and of_eval.get("metrics"):
            metrics = json.dumps(of_eval["metrics"])
            source.note(f"{name} reports {metrics} over no scored trial: not a figure")
    if undecided := sum(stats.get(key) or 0 for key in _UNDECIDED):
        source.note(
            "trials that run, wait or were cancelled when this was written", times=undecided
        )
    found = sum(1 for path in source.path.parent.glob("*/result.json*") if path.is_file())
    for number in range(1, (told.get("n_total_trials") or 0) - found + 1):
        yield Run(
            task=f"(unnamed {number} of {source.path.absolute().parent.name})",
            model="",
            score=None,
            outcome=Outcome.MISSING,
            batch=str(told.get("id") or ""),
            file=str(source.path),
        )
