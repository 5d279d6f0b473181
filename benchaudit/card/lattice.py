"""From verdicts to the licensed claim: a fixed lattice, total over every combination."""

from __future__ import annotations

from typing import Literal

from benchaudit.manifest import Verdict

Kind = Literal["outcome", "specification", "model-judged", "shape"]

CLAIMS: dict[str, tuple[bool, str]] = {
    "scorer-alone": (False, "none: a scorer alone"),
    "model-judged": (False, "none: holds for the recorded judge only"),
    "not-probed": (False, "none: not probed"),
    "self-report-compliance": (True, "self-report compliance"),
    "scorer-fails": (False, "none: the scorer fails on the work it claims to grade"),
    "model-capability": (True, "model capability"),
    "model-scaffold": (True, "model–scaffold system performance"),
    "model-capability-specification": (
        True,
        "model capability, as specification compliance",
    ),
    "specification-compliance": (True, "specification compliance"),
}
"""Every claim: whether it licenses anything, and its name."""

_WORSE: tuple[Verdict, ...] = ("fail", "not probed", "pass")


class ContradictionError(Exception):
    """A criterion that passes under a shape scorer: the adapter contradicts itself."""


def worse(one: Verdict, other: Verdict) -> Verdict:
    """The worse of two verdicts: fail, then not probed, then pass."""
    return min(one, other, key=_WORSE.index)


def criterion_on_scope(total: int, failing: int, unprobed: int) -> Verdict:
    """The criterion judged on the tasks that stay in scope.

    Fail when the failures leave under half of the column's tasks; else not probed when the
    unprobed ones do; else pass. A column without tasks is not probed.
    """
    if not total:
        return "not probed"
    if 2 * (total - failing) < total:
        return "fail"
    return "not probed" if 2 * (total - failing - unprobed) < total else "pass"


def license_claim(
    *,
    tasks_of_a_benchmark: bool,
    criterion: Verdict,
    kind: Kind,
    ownership: Verdict,
    replay: Verdict,
) -> str:
    """The id of the licensed claim: the first row of the lattice that matches.

    Args:
        tasks_of_a_benchmark: False when the golds are supplied or synthetic.
        criterion: the criterion on the scope.
        kind: the declared kind of the scorer, or shape where evidence overruled it.
        ownership: the worse of model-sensitive ownership and decision non-degeneracy.
        replay: whether runs reproduce from (task, seed).

    Raises:
        ContradictionError: for a criterion that passes under a shape scorer.
    """
    if not tasks_of_a_benchmark:
        return "scorer-alone"
    if kind == "model-judged":
        return "model-judged"
    if criterion == "not probed":
        return "not-probed"
    if criterion == "fail":
        return "self-report-compliance" if kind == "shape" else "scorer-fails"
    if kind == "shape":
        raise ContradictionError("the criterion passes, yet the scorer grades shape")
    whole = ownership == replay == "pass"
    if kind == "outcome":
        return "model-capability" if whole else "model-scaffold"
    return "model-capability-specification" if whole else "specification-compliance"
