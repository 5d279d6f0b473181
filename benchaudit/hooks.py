"""The four hooks an adapter implements, and the values that cross them.

An adapter module states one object::

    ADAPTER: Adapter = Adapter(tasks=..., score=..., oracle=..., ownership=...)

Facts that are not code (decisions and who owns them, scorers and their scale, the columns of the
card) stand in ``adapter.toml`` beside it. A hook that an adapter lacks stays ``None``: the items
that need it come out as *not probed*.

Standard library only: this module runs inside benchmark environments.
"""

from __future__ import annotations

import marshal
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from benchaudit import encoding

__all__ = [
    "Adapter",
    "Agent",
    "Episode",
    "Forge",
    "Forged",
    "Gold",
    "Oracle",
    "Ownership",
    "Score",
    "Step",
    "Submission",
    "Task",
    "Unsupported",
]


class Unsupported(Exception):  # noqa: N818 - an outcome, not an error
    """Raised by a hook that cannot answer for this task or scaffold; the message is the reason.

    The cell becomes *not probed* with that reason. Any other exception is an ``error`` outcome.
    """


@dataclass(frozen=True, slots=True)
class Task:
    """One task of the benchmark.

    Attributes:
        id: the benchmark's own id.
        family: the shape of its submissions, which decides the probes that apply (``records``,
            ``calls``, ``trajectory``, ``answer``, ``state``, ``code``, ``log``, ``text``).
        seed: the seed it was drawn with, or None for the release's own stream.
        category: the benchmark's own grouping; columns select tasks by it.
        description: the benchmark's own words.
        no_action: a citation, where the benchmark itself labels the task as calling for no
            action; such a task may be passed by doing nothing.
        data: whatever else the hooks want to carry; never shown to an agent by the core.
    """

    id: str
    family: str
    seed: int | None = None
    category: str = ""
    description: str = ""
    no_action: str = ""
    data: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class Submission:
    """What an agent would hand in, as data that `encoding` can carry.

    A family fixes the shape of the payload; ``records`` is
    ``{"records": [record, ...], "report": {...}, "log": str}``: the work, then what the agent
    says of it.
    """

    payload: Any

    @cached_property
    def encoded(self) -> str:
        """The payload as one line of tagged JSON."""
        return self._carried[0]

    @cached_property
    def _carried(self) -> tuple[str, bytes]:
        """The encoded payload, and the same for this process: marshal copies three times faster.

        It holds what decoding gives, so no container in it is shared with anything.
        """
        text, copy = encoding.encode(self.payload)
        return text, marshal.dumps(copy)

    @cached_property
    def digest(self) -> str:
        """SHA-256 of the encoded payload: two submissions are the same iff it is the same."""
        return encoding.digest(self.encoded)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Submission) and self.digest == other.digest

    def __hash__(self) -> int:
        return hash(self.digest)

    def fresh(self) -> Submission:
        """The same submission with a payload of its own, for code that may change what it gets."""
        copy = Submission(marshal.loads(self._carried[1]))
        vars(copy).update(_carried=self._carried, encoded=self.encoded, digest=self.digest)
        return copy


@dataclass(frozen=True, slots=True)
class Score:
    """What the benchmark's own scorer said, on its own scale.

    Attributes:
        value: the score. The scale's maximum and its resolution stand in adapter.toml.
        passed: the benchmark's own verdict, or None where it has no threshold.
        breakdown: the scorer's own parts, by its own names.
    """

    value: float
    passed: bool | None = None
    breakdown: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Agent:
    """A scripted policy of the adapter, by name, with decisions that are forced to an action.

    ``Agent("careful", {"retry": "skip"})`` is the adapter's *careful* agent, which answers every
    *retry* decision with *skip*: the intervention that shows who owns a decision.
    """

    name: str
    forced: Mapping[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        return self.name + "".join(f" {key}={self.forced[key]}" for key in sorted(self.forced))

    @classmethod
    def parse(cls, text: str) -> Agent:
        """Read back what ``str`` wrote.

        Raises:
            ValueError: when a forced decision is not ``decision=action``.
        """
        name, *rest = text.split(" ")
        if any("=" not in pair for pair in rest):
            raise ValueError(f"{text!r}: expected 'agent decision=action ...'")
        return cls(name, dict(pair.split("=", 1) for pair in rest))


@dataclass(frozen=True, slots=True)
class Step:
    """One point of an episode where a decision was made: which, what was done, and by whom.

    ``owner`` is ``model`` when the agent's answer was carried out, ``harness`` when the action
    was taken whatever the agent said.
    """

    decision: str
    action: str
    owner: str


@dataclass(frozen=True, slots=True)
class Episode:
    """One run of an agent under a scaffold.

    Attributes:
        submission: what was handed in, or None when nothing was.
        steps: the decision trace, in order.
        figures: counts the benchmark keeps (requests, faults, ...), for the evidence.
    """

    submission: Submission | None
    steps: Sequence[Step] = ()
    figures: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Oracle:
    """Ground truth: what correct work is, and how good any submission is.

    Attributes:
        work: the correct work of a task, in the family's shape (``records``: a list of records).
        compose: the submission that an honest agent holding this work hands in; the canonical
            submission is ``compose(task, work(task))``. Pure; must not change the work.
        quality: ground-truth quality of a submission, 0 to 1; never the scorer under test.
        misreport: the same work under a self-report that contradicts it, where submissions
            carry one.
    """

    work: Callable[[Task], Any]
    compose: Callable[[Task, Any], Submission]
    quality: Callable[[Task, Submission], float] | None = None
    misreport: Callable[[Task, Any], Submission] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Ownership:
    """The executable half of the ownership hook; the declared map stands in adapter.toml.

    Attributes:
        episode: ``episode(task, scaffold, agent, budget)`` runs one episode. ``budget`` is the
            number of output tokens the agent may spend on its submission, or None.
        agents: names of the scripted agents, the careful one first. One set serves all levels.
    """

    episode: Callable[[Task, str, Agent, int | None], Episode]
    agents: Sequence[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Adapter:
    """The four hooks.

    Attributes:
        tasks: the task registry: ``tasks(seed)`` lists the tasks drawn with that seed, or as the
            release draws them for None. Ids do not depend on the seed.
        score: the benchmark's own scorer: ``score(task, submission, scorer)``, where ``scorer``
            is a name in adapter.toml. Pure as far as the benchmark allows.
        oracle: ground truth.
        ownership: episodes under the benchmark's scaffolds.
        samples: submissions to start from where there is no oracle: ``samples(task)``.
    """

    tasks: Callable[[int | None], Sequence[Task]]
    score: Callable[[Task, Submission, str], Score] | None = None
    oracle: Oracle | None = None
    ownership: Ownership | None = None
    samples: Callable[[Task], Sequence[Submission]] | None = None


@dataclass(frozen=True, slots=True)
class Forged:
    """A submission that a probe made.

    Attributes:
        submission: what goes through the scorer.
        variant: tells this submission from the probe's others; "" for the only one.
        kept: units of the canonical work that are still there and right, counted once each.
        invented: units that are not the canonical work: made up, wrong or repeated.
        note: one phrase for a person: what was done.

    ``kept`` and ``invented`` are the forger's own account of the quality, independent of any
    scorer. They decide where the scorer under test is itself the ground-truth metric.
    """

    submission: Submission
    variant: str = ""
    kept: int | None = None
    invented: int = 0
    note: str = ""


@dataclass(frozen=True)
class Gold:
    """What a forger starts from: one task, its correct work, and a seeded source of chance.

    Attributes:
        task: the task.
        submission: the canonical submission, or without an oracle the sample to start from.
        oracle: None without an oracle; probes that need one are then not run.
        rng: seeded by (probe, task, seed): the same bytes in any order and process.
    """

    task: Task
    submission: Submission
    oracle: Oracle | None
    rng: random.Random

    @cached_property
    def work(self) -> Any:
        """The correct work. Build new values from it; changing it in place is an error."""
        if self.oracle is None:
            raise Unsupported("needs an oracle")
        return self.oracle.work(self.task)

    def compose(self, work: Any) -> Submission:
        """The submission of an honest agent that holds this work."""
        if self.oracle is None:
            raise Unsupported("needs an oracle")
        return self.oracle.compose(self.task, work)


Forge = Callable[[Gold], Iterator[Forged]]
"""What ``probe.py`` provides as ``forge``: yields submissions for one task."""
