"""Gives the answers in other spellings of the same value."""

from collections.abc import Iterator

from benchaudit.families import trajectory
from benchaudit.families.trajectory_answers import respelled, tell
from benchaudit.hooks import Forged, Gold


def forge(gold: Gold) -> Iterator[Forged]:
    wanted = trajectory.wanted_answers(gold.task)
    spelled = [dict(respelled(answer)) for answer in wanted]
    for how in sorted({name for found in spelled for name in found}):
        given = [f.get(how, answer) for f, answer in zip(spelled, wanted, strict=True)]
        yield _told(gold, how, [tell(answer) for answer in given])
    talk = [f"Thank you for waiting. I looked it up: {answer}. Anything else?" for answer in wanted]
    yield _told(gold, "small talk", talk)


def _told(gold: Gold, how: str, texts: list[str]) -> Forged:
    steps = trajectory.telling(gold.task, trajectory.unspoken(gold.work), *texts)
    return Forged(gold.compose(steps), variant=how, note=f"{texts[0]:.120}")
