"""tau2-bench simulation files: one JSON object {timestamp, info, tasks, simulations}."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from benchaudit.logs.runs import Outcome, Run, Serving, as_score, digest, sampling
from benchaudit.logs.source import Source

NAME = "tau2-bench"

_NO_VERDICT = "infrastructure_error"
"""The one ending that says nothing of the agent; the reward beside it is a placeholder."""


def detect(source: Source) -> bool:
    """An object that begins with its time and describes the agent and the user."""
    head = source.head.lstrip()
    return head.startswith("{") and '"agent_info"' in head and '"user_info"' in head


def read(source: Source) -> Iterator[Run]:
    """The simulations one at a time, then the (task, trial) pairs that are declared and absent."""
    info: dict[str, Any] | None = None
    tasks: list[str] = []
    seen: set[tuple[str, int]] = set()
    blank = Run("", "", None, Outcome.MISSING)
    for key, value in source.json_members(("tasks", "simulations")):
        if key == "info":
            info = value
        elif key == "tasks":
            tasks.append(str(value["id"]))
        elif key == "simulations":
            if info is None:
                info = source.json_values(("info",), ("tasks", "simulations"))["info"]
            blank = _blank(source, info)
            place = f"simulation {len(seen)}"
            seen.add((str(value["task_id"]), value.get("trial", 0)))
            yield _run(blank, value, place)
    trials = range((info or {}).get("num_trials") or 0)
    yield from (
        blank._replace(task=task, repeat=str(trial), repeat_kind="trial")
        for task in tasks
        for trial in trials
        if (task, trial) not in seen
    )


def _blank(source: Source, info: dict[str, Any]) -> Run:
    agent = info.get("agent_info") or {}
    user = info.get("user_info") or {}
    model = str(agent.get("llm") or "")
    provider, slash, _ = model.partition("/")
    settings = {**(agent.get("llm_args") or {}), "user": user.get("llm")}
    return Run(
        task="",
        model=model,
        score=None,
        outcome=Outcome.MISSING,
        metric="reward",
        suite=str((info.get("environment_info") or {}).get("domain_name", "")),
        scaffold=str(agent.get("implementation") or ""),
        serving=Serving(provider if slash else "", sampling=sampling(settings)),
        file=str(source.path),
    )


def _run(blank: Run, simulation: dict[str, Any], place: str) -> Run:
    reason = str(simulation.get("termination_reason") or "")
    score = as_score((simulation.get("reward_info") or {}).get("reward"))
    seed = simulation.get("seed")
    turns = simulation.get("messages") or []
    return blank._replace(
        task=str(simulation["task_id"]),
        score=None if reason == _NO_VERDICT else score,
        outcome=_ending(reason, score),
        repeat=str(simulation.get("trial", "") if seed is None else seed),
        repeat_kind="trial" if seed is None else "seed",
        place=place,
        detail=reason,
        output=digest([[turn.get("role"), turn.get("content")] for turn in turns]),
    )


def _ending(reason: str, score: float | None) -> Outcome:
    if reason == "timeout":
        return Outcome.TIMEOUT
    if reason.endswith("_error"):
        return Outcome.ERROR
    return Outcome.UNSCORED if score is None else Outcome.OK
