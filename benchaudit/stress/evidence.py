"""Stress results as evidence records, so that a card can rest on them.

The decision of these episodes is the agent's own: the harness carries out whatever it answers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from benchaudit.evidence import Evidence
from benchaudit.stress.trials import Result


def records(
    results: Iterable[Result], *, task: str, scaffold: str, decision: str
) -> Iterator[Evidence]:
    """One record a result and scorer.

    Args:
        results: of `run_trials`; traces that were digested keep their digest.
        task, scaffold, decision: what the benchmark's adapter calls them.
    """
    for result in results:
        trial = result.trial
        figures = {
            "attempts": result.attempts,
            "failures": result.failures,
            "successes": result.successes,
            "intensity": result.intensity,
            "died": int(result.died),
        }
        for scorer in (*result.scores, *result.unscored, *([""] if result.error else ())):
            why = result.missing(scorer)
            yield Evidence(
                task=task,
                outcome="error" if why else "ok",
                scorer=scorer,
                seed=trial.seed,
                variant=trial.arm,
                scaffold=scaffold,
                agent=trial.agent,
                budget=trial.quota,
                score=result.scores.get(scorer),
                digest=result.digest,
                steps={
                    f"{decision}:{action}:model": times
                    for action, times in sorted(result.actions.items())
                },
                figures={} if result.error else figures,
                detail=why,
            )
