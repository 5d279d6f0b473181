"""What an adapter.toml and a probe.toml may say, checked when they are read.

Facts only: an adapter's decisions and who owns them, its scorers and their scales, the columns of
its card, and what has been published about it. Every fact that carries a verdict cites its source.
"""

from __future__ import annotations

import re
from fnmatch import fnmatchcase
from typing import Annotated, Any, Literal, Self, TypeVar

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError, model_validator

from benchaudit.packs import Pack, PackError

Owner = Literal["harness", "model", "shared"]
Verdict = Literal["pass", "fail", "not probed"]
ScorerKind = Literal["outcome", "specification", "model-judged"]
ProbeKind = Literal["equivalent", "degraded", "gaming", "policy"]
Text = Annotated[str, Field(min_length=1)]


class _Facts(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)


M = TypeVar("M", bound=_Facts)


class Scorer(_Facts):
    """A scorer of the benchmark.

    Attributes:
        kind: what it claims to grade; evidence can only overrule it to *shape*.
        reason: why that kind, in one sentence.
        maximum: the top of its scale; the bottom is 0 unless ``minimum`` says otherwise.
        resolution: differences up to this are rounding, not ranking (ε).
        ground_truth: it is itself the ground-truth metric, so the forger's own account of what
            it kept and invented is the quality, not the oracle's.
    """

    kind: ScorerKind
    reason: Text
    title: str = ""
    minimum: float = 0.0
    maximum: float = 1.0
    resolution: Annotated[float, Field(ge=0)] = 1e-9
    ground_truth: bool = False


class Held(_Facts):
    """Who holds a decision at one scaffold, and where in the source that is seen."""

    owner: Owner
    seen: Text


class Decision(_Facts):
    """An execution-critical decision.

    Attributes:
        actions: the two actions that the ownership stage forces.
        claimed: a citation of where the benchmark says that its score measures this decision;
            empty where it does not.
        levels: who holds it, by scaffold; it does not arise at a scaffold that is left out.
    """

    title: Text
    actions: Annotated[tuple[Text, ...], Field(min_length=2, max_length=2)]
    claimed: str = ""
    levels: dict[str, Held] = Field(default_factory=dict)

    def arises_at(self, scaffold: str) -> bool:
        """Whether the decision comes up at a scaffold; where no level is declared, at all."""
        return not self.levels or not scaffold or scaffold in self.levels


class Published(_Facts):
    """A published reading of an item: shown beside ours, never in its place."""

    verdict: Verdict | None = None
    text: Text
    source: Text
    figures: dict[str, float] = Field(default_factory=dict)


class Column(_Facts):
    """One configuration or category of the benchmark: a column of the card.

    Attributes:
        tasks: patterns over task ids and categories (shell style).
        scaffold: the level its episodes run at; empty where none can be run.
        scorer: the scorer its submissions go through.
        synthetic: why its golds are not tasks of a benchmark, where they are not; such a column
            licenses no claim.
        published: published readings, by item.
    """

    id: Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9-]*$")]
    title: Text
    summary: Text
    scorer: Text
    scaffold: str = ""
    tasks: tuple[Text, ...] = ("*",)
    synthetic: str = ""
    published: dict[str, Published] = Field(default_factory=dict)

    def holds(self, task: str, category: str) -> bool:
        """Whether a task belongs to the column."""
        return any(fnmatchcase(task, p) or fnmatchcase(category, p) for p in self.tasks)


class OwnershipPlan(_Facts):
    """Tasks on which decisions are forced: the ones where every decision can matter."""

    tasks: tuple[Text, ...]
    seeds: Annotated[int, Field(ge=1)] = 2


class InterventionPlan(_Facts):
    """The 2×2: two scaffolds by two scorers, the first of each as shipped."""

    scaffolds: Annotated[tuple[Text, ...], Field(min_length=2, max_length=2)]
    scorers: Annotated[tuple[Text, ...], Field(min_length=2, max_length=2)]
    tasks: tuple[Text, ...]
    not_licensed: str = ""


class ReliabilityPlan(_Facts):
    """Tasks whose episodes are repeated over seeds."""

    tasks: tuple[Text, ...]


class Budget(_Facts):
    """A budget of the interface: what an agent may spend on its submission."""

    scaffold: Text
    task: Text
    tokens: tuple[Annotated[int, Field(gt=0)], ...]
    cited: Text


def _exact(requirement: str) -> str:
    if not re.fullmatch(r"[A-Za-z0-9][\w.-]*(\[[\w.,-]+\])?==[A-Za-z0-9][\w.!+-]*", requirement):
        raise ValueError(f"{requirement!r} names no exact version; write name==version")
    return requirement


class Source(_Facts):
    """A checkout whose packages the hooks import: where it is cloned from, at which commit."""

    git: Text
    commit: Annotated[str, Field(pattern=r"^[0-9a-f]{40}$")]


class Environment(_Facts):
    """What the benchmark needs to run, in an environment of its own.

    Attributes:
        requirements: ``name==version`` each.
        no_deps: install these and nothing that they ask for.
        python: bounds on its version, such as ``>=3.11,<3.13``; empty for any.
        source: for a benchmark that is no package.
        cell_seconds: wall time a cell may take before it counts as hanging.
        memory_gb: gibibytes that a batch may map beyond what loading took.
        cells_a_process: cells that share a process, so that starting one costs little.
    """

    requirements: tuple[Annotated[Text, AfterValidator(_exact)], ...] = ()
    no_deps: bool = False
    python: Annotated[str, Field(pattern=r"^((>=|<=|==|<|>)3\.\d+(,|$))*$")] = ""
    source: Source | None = None
    cell_seconds: Annotated[float, Field(gt=0)] = 60.0
    memory_gb: Annotated[float, Field(gt=0)] = 4.0
    cells_a_process: Annotated[int, Field(ge=1)] = 64


class AdapterManifest(_Facts):
    """The whole of an adapter.toml."""

    name: Text
    title: Text
    version: Text
    homepage: str = ""
    summary: Text
    claim: Text
    cited: Text
    notes: tuple[str, ...] = ()
    unsubmitted: float = 0.0
    probes: tuple[Text, ...] = ()
    scaffolds: dict[str, Text] = Field(default_factory=dict)
    scorers: dict[str, Scorer]
    decisions: dict[str, Decision] = Field(default_factory=dict)
    columns: Annotated[tuple[Column, ...], Field(min_length=1)]
    ownership: OwnershipPlan | None = None
    intervention: InterventionPlan | None = None
    reliability: ReliabilityPlan | None = None
    interface: tuple[Budget, ...] = ()
    environment: Environment | None = None

    @model_validator(mode="after")
    def _names_agree(self) -> Self:
        """Every name that one part uses, another part defines."""
        scorers = [c.scorer for c in self.columns]
        scaffolds = [c.scaffold for c in self.columns if c.scaffold]
        scaffolds += [level for d in self.decisions.values() for level in d.levels]
        scaffolds += [budget.scaffold for budget in self.interface]
        if self.intervention:
            scorers += self.intervention.scorers
            scaffolds += self.intervention.scaffolds
        for name in scorers:
            if name not in self.scorers:
                raise ValueError(f"scorer {name!r} has no [scorers.{name}]")
        for name in scaffolds:
            if name not in self.scaffolds:
                raise ValueError(f"scaffold {name!r} is not in [scaffolds]")
        ids = [column.id for column in self.columns]
        if len(set(ids)) != len(ids):
            raise ValueError("two columns have the same id")
        return self


class ProbeManifest(_Facts):
    """The whole of a probe.toml.

    Attributes:
        kind: what the forged submission is to a valid scorer.
        family: the family whose submissions it forges.
        feeds: the card items it decides.
        null: it hands in nothing, or the same thing whatever the task: a null submission.
        fabrication: well-formed and wrong in every unit; a scorer that likes it as much as the
            truth grades shape.
        without_oracle: what must hold against any submission when there is no oracle: its score
            stays the ``same``, or does not come out ``not above`` it.
    """

    title: Text
    kind: ProbeKind
    family: Text
    feeds: Annotated[tuple[Text, ...], Field(min_length=1)]
    motivation: Text
    forges: Text
    expects: Text
    remedy: Text
    null: bool = False
    fabrication: bool = False
    without_oracle: Literal["same", "not above"] | None = None


def read_adapter(pack: Pack) -> AdapterManifest:
    """Read and check an adapter.toml.

    Raises:
        PackError: naming the file, the place and what is wrong.
    """
    return _check(AdapterManifest, pack)


def read_probe(pack: Pack) -> ProbeManifest:
    """Read and check a probe.toml.

    Raises:
        PackError: naming the file, the place and what is wrong.
    """
    return _check(ProbeManifest, pack)


def _check(model: type[M], pack: Pack) -> M:
    data: dict[str, Any] = pack.manifest()
    try:
        return model.model_validate(data)
    except ValidationError as error:
        first, *rest = error.errors()
        place = ".".join(str(part) for part in first["loc"]) or "the whole"
        more = f" (and {len(rest)} more)" if rest else ""
        raise PackError(f"{pack.manifest_path}: {place}: {first['msg']}{more}") from None
