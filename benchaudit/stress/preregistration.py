"""A preregistration as data: what is to be run and how it will be judged, fixed beforehand.

`load` reads the file, `freeze` writes its content and the instrument's fingerprint beside it, and
`deviations` says what differs later. The frozen record keeps the whole content, not a digest
alone, so that a change is named field by field.
"""

from __future__ import annotations

import hashlib
import json
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal, Self, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from benchaudit.stress import schedules
from benchaudit.stress.adversary import Adversary, Pressure
from benchaudit.stress.errors import InputError
from benchaudit.stress.pairing import ESCALATING, Convention, Design

Text = Annotated[str, Field(min_length=1)]
Level = Annotated[float, Field(ge=0, le=1)]
Count = Annotated[int, Field(ge=1)]

_WORDS = ("title", "source", "exploratory")
"""Fields that say something about the experiment and change nothing in it."""


class Facts(BaseModel):
    """A table of a file: unknown names are errors, and so are infinities."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)


M = TypeVar("M", bound=Facts)


class Seeds(Facts):
    """``count`` seeds from ``first`` on."""

    first: Annotated[int, Field(ge=0)] = 0
    count: Count

    @property
    def values(self) -> tuple[int, ...]:
        return tuple(range(self.first, self.first + self.count))


class ConstantShape(Facts):
    shape: Literal["constant"]
    level: Level

    def schedule(self) -> schedules.Schedule:
        return schedules.constant(self.level)


class LinearShape(Facts):
    shape: Literal["linear"]
    low: Level
    high: Level
    over: Count
    driver: schedules.Driver = "successes"

    def schedule(self) -> schedules.Schedule:
        return schedules.linear(self.low, self.high, self.over, self.driver)


class StepShape(Facts):
    shape: Literal["step"]
    low: Level
    high: Level
    at: Count
    driver: schedules.Driver = "successes"

    def schedule(self) -> schedules.Schedule:
        return schedules.step(self.low, self.high, self.at, self.driver)


class PlateauShape(Facts):
    shape: Literal["plateau"]
    low: Level
    high: Level
    begin: Annotated[int, Field(ge=0)]
    end: Count
    driver: schedules.Driver = "successes"

    def schedule(self) -> schedules.Schedule:
        return schedules.plateau(self.low, self.high, self.begin, self.end, self.driver)


Shape = Annotated[
    ConstantShape | LinearShape | StepShape | PlateauShape, Field(discriminator="shape")
]


class Instrument(Facts):
    """What is stressed: an adapter's name, or ``file.py:NAME`` beside the file."""

    target: Text


class DesignTable(Facts):
    """The two arms and what they share.

    Attributes:
        seeds: of the pairs.
        units: successes of a clean run, over which the arms' means must match.
        quotas: one comparison a quota; none for a single one without limit.
        escalating, constant: the arms' schedules.
        pressures: what the adversary does in both.
    """

    seeds: Seeds
    units: Count
    quotas: tuple[Count, ...] = ()
    escalating: Shape
    constant: Shape
    pressures: Annotated[tuple[Pressure, ...], Field(min_length=1)]

    @model_validator(mode="after")
    def _means_match(self) -> Self:
        shapes = (self.escalating, self.constant)
        schedules.assert_matched_means([shape.schedule() for shape in shapes], self.units)
        return self

    def designs(self) -> list[Design]:
        """One design a quota."""
        quotas: tuple[int | None, ...] = self.quotas or (None,)
        return [
            Design(
                Adversary(self.escalating.schedule(), self.pressures),
                Adversary(self.constant.schedule(), self.pressures),
                self.seeds.values,
                self.units,
                quota,
            )
            for quota in quotas
        ]


class Outcome(Facts):
    """What decides.

    Attributes:
        scorer: the name of one of the target's scorers.
        statistics: how intervals are drawn and which p decides.
    """

    scorer: Text
    statistics: Convention = "standard"


class Agents(Facts):
    """Who is run.

    Attributes:
        subjects: the agents that the hypothesis is about: rules, ``file.py:function``, or names
            of agents whose published results stand beside the file.
        rules: the rules that calibrate it without a model.
    """

    subjects: tuple[Text, ...] = ()
    rules: tuple[Text, ...]


class Decision(Facts):
    """When the effect counts as confirmed: all clauses must hold.

    Attributes:
        direction: of the effect, constant minus escalating.
        alpha: p must be under it.
        interval_excludes_zero: the 95 % interval must lie on one side of 0.
        correction: ``holm`` adjusts p over the subjects of this file and of ``family``.
        family: other preregistrations beside the file whose tests count with these.
    """

    direction: Literal["positive", "negative", "either"]
    alpha: Annotated[float, Field(gt=0, lt=1)] = 0.05
    interval_excludes_zero: bool = True
    correction: Literal["none", "holm"] = "none"
    family: tuple[Text, ...] = ()

    @model_validator(mode="after")
    def _family_is_corrected(self) -> Self:
        if self.family and self.correction == "none":
            raise ValueError("a family needs correction = 'holm'")
        return self


class Exclusions(Facts):
    """What may be left out.

    Attributes:
        incomplete_pairs: a pair of which an episode raised is left out (``exclude``), or voids
            the result (``void``).
        note: anything else, in words.
    """

    incomplete_pairs: Literal["exclude", "void"]
    note: str = ""


class Demotion(Facts):
    """A criterion that speaks against a claim.

    Attributes:
        figure: ``deaths``, ``failures``, ``depth``, ``intensity``, or the name of an action.
        arm: where it is read.
        minimum: it fires when the figure is under this: too few events.
        bound: it fires when the figure is at or under this.
        because: what that would mean.
    """

    figure: Text
    arm: Literal["escalating", "constant"] = ESCALATING
    minimum: float | None = None
    bound: float | None = None
    because: Text

    @model_validator(mode="after")
    def _one_limit(self) -> Self:
        if (self.minimum is None) == (self.bound is None):
            raise ValueError("give either minimum or bound")
        return self


class Power(Facts):
    """The power that a result needs to count.

    Attributes:
        floor: power under it makes every result *underpowered*.
        effect: the smallest effect of interest, in the outcome's unit.
        pilot: the rule whose differences, centred, are the noise.
        seeds: of the pilot; none of the design's.
        replications: experiments to simulate.
    """

    floor: Annotated[float, Field(gt=0, lt=1)]
    effect: Annotated[float, Field(gt=0)]
    pilot: Text
    seeds: Seeds
    replications: Count = 400


class Preregistration(Facts):
    """The whole of a preregistration file.

    Attributes:
        title: what it is called.
        hypothesis: what is claimed beforehand.
        source: where the file is from, and what of it is a reconstruction.
        exploratory: what will be looked at and can confirm nothing.
        decision: None makes the whole experiment exploratory.
    """

    title: Text
    hypothesis: Text
    source: str = ""
    exploratory: tuple[Text, ...] = ()
    instrument: Instrument
    design: DesignTable
    outcome: Outcome
    agents: Agents
    decision: Decision | None = None
    exclusions: Exclusions
    demotions: tuple[Demotion, ...] = ()
    power: Power | None = None

    @model_validator(mode="after")
    def _pilot_is_apart(self) -> Self:
        if self.power and set(self.power.seeds.values) & set(self.design.seeds.values):
            raise ValueError("power.seeds must not overlap design.seeds")
        return self

    @property
    def content(self) -> dict[str, Any]:
        """All of it as plain JSON, defaults written out."""
        return self.model_dump(mode="json")


@dataclass(frozen=True, slots=True)
class Frozen:
    """What was fixed: the content, and what the instrument did at that time.

    Attributes:
        content: `Preregistration.content`.
        fingerprint: SHA-256 over the traces and outcomes of the rules.
        sources: SHA-256 of the files of the users' agents, by agent.
    """

    content: Mapping[str, Any]
    fingerprint: str
    sources: Mapping[str, str]

    @property
    def digest(self) -> str:
        """SHA-256 that identifies the frozen record: publish it to prove the date."""
        parts = [self.content, self.fingerprint, self.sources]
        text = json.dumps(parts, sort_keys=True, allow_nan=False)
        return hashlib.sha256(text.encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Deviation:
    """A difference between what was frozen and what ran.

    Attributes:
        field: where in the file, dotted.
        frozen, ran: what it was and what it is, as text.
        material: whether it can change a result.
    """

    field: str
    frozen: str
    ran: str
    material: bool = True


def load(path: Path) -> Preregistration:
    """Read a preregistration.

    Raises:
        InputError: naming the file, the place and what is wrong there.
    """
    return read_facts(Preregistration, path)


def read_facts(model: type[M], path: Path, parse_float: Any = float) -> M:
    """Read a TOML file into a model.

    Raises:
        InputError: naming the file, the place and what is wrong there.
    """
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"), parse_float=parse_float)
        return model.model_validate(data)
    except FileNotFoundError:
        raise InputError(f"{path}: there is no such file") from None
    except ValidationError as error:
        first, *rest = error.errors()
        place = ".".join(str(part) for part in first["loc"]) or "the whole"
        more = f" (and {len(rest)} more)" if rest else ""
        raise InputError(f"{path}: {place}: {first['msg']}{more}") from None
    except (OSError, ValueError) as error:
        raise InputError(f"{path}: {error}") from None


def frozen_path(path: Path) -> Path:
    """Where the frozen record of a preregistration stands."""
    return path.with_suffix(".frozen.json")


def freeze(path: Path, frozen: Frozen) -> None:
    """Write a frozen record beside the file it was made of. It is written once.

    Raises:
        InputError: when there is one already.
    """
    target = frozen_path(path)
    record = {
        "digest": frozen.digest,
        "fingerprint": frozen.fingerprint,
        "sources": frozen.sources,
        "content": frozen.content,
    }
    try:
        with target.open("x", encoding="utf-8") as file:
            file.write(json.dumps(record, indent=1, sort_keys=True) + "\n")
    except FileExistsError:
        raise InputError(
            f"{target}: frozen already; a new plan needs a new file, so that the old one stands"
        ) from None
    except OSError as error:
        raise InputError(f"{target}: cannot be written ({error})") from None


def read_frozen(path: Path) -> Frozen | None:
    """The frozen record of a preregistration file, or None when it was never frozen.

    Raises:
        InputError: when the record is unreadable, or does not have the digest that it states.
    """
    source = frozen_path(path)
    try:
        record = json.loads(source.read_text(encoding="utf-8"))
        frozen = Frozen(record["content"], record["fingerprint"], record["sources"])
        stated = record["digest"]
    except FileNotFoundError:
        return None
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
        raise InputError(
            f"{source}: not a frozen record ({error}); restore it from where it was published"
        ) from None
    if frozen.digest != stated:
        raise InputError(
            f"{source}: its content has digest {frozen.digest[:16]}, not {str(stated)[:16]} as it "
            "states: it was changed after freezing; restore it from where it was published"
        )
    return frozen


def deviations(frozen: Frozen, current: Frozen) -> list[Deviation]:
    """Every field that differs between the frozen record and one made of what is to run now."""
    before, now = dict(flat(frozen.content)), dict(flat(current.content))
    found = [
        Deviation(
            field,
            before.get(field, "absent"),
            now.get(field, "absent"),
            material=field.split(".")[0] not in _WORDS,
        )
        for field in sorted(before.keys() | now.keys())
        if before.get(field) != now.get(field)
    ]
    if frozen.fingerprint != current.fingerprint:
        found.append(
            Deviation("instrument.fingerprint", frozen.fingerprint[:16], current.fingerprint[:16])
        )
    for agent in sorted(frozen.sources.keys() & current.sources.keys()):
        one, other = frozen.sources[agent], current.sources[agent]
        if one != other:
            found.append(Deviation(f"the file of {agent}", one[:16], other[:16]))
    return found


def flat(value: Any, place: str = "") -> Iterator[tuple[str, str]]:
    """Every leaf of nested tables and lists: its dotted place and its value as text."""
    if isinstance(value, Mapping) and value:
        for key, item in value.items():
            yield from flat(item, f"{place}.{key}" if place else str(key))
    elif isinstance(value, list) and value:
        for index, item in enumerate(value):
            yield from flat(item, f"{place}.{index}")
    else:
        yield place, json.dumps(value)
