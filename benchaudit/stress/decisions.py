"""Every way an episode can go, by trying each sequence of decisions."""

from __future__ import annotations

from dataclasses import dataclass, field

from benchaudit.stress.adversary import Adversary
from benchaudit.stress.environment import Observation, Target
from benchaudit.stress.episode import Ending, run_episode

PATH_LIMIT = 4096


class TooManyPathsError(Exception):
    """An episode that can go in more ways than `PATH_LIMIT`."""


@dataclass(frozen=True, slots=True)
class Path:
    """One way an episode can go: the agent's answers, its score, and how it ends."""

    actions: tuple[str, ...]
    score: float
    ending: Ending


@dataclass(slots=True)
class _Scripted:
    """Answers by a script, then with the first action, and keeps what it answered."""

    actions: tuple[str, ...]
    script: tuple[str, ...]
    answered: list[str] = field(default_factory=list)

    def __call__(self, _: Observation) -> str:
        place = len(self.answered)
        answer = self.script[place] if place < len(self.script) else self.actions[0]
        self.answered.append(answer)
        return answer


def paths(
    target: Target, adversary: Adversary, scorer: str, seed: int, quota: int | None
) -> list[Path]:
    """Every way the episode can go, the one that always repeats first.

    Raises:
        TooManyPathsError: beyond `PATH_LIMIT` of them; also what the environment or scorer raises.
    """
    actions = target.actions()
    found: list[Path] = []
    scripts: list[tuple[str, ...]] = [()]
    while scripts:
        script = scripts.pop()
        environment = target.start(seed)
        policy = _Scripted(actions, script)
        episode = run_episode(environment, adversary, policy, seed, quota)
        answered = tuple(policy.answered)
        found.append(Path(answered, target.score(scorer, environment), episode.ending))
        for place in range(len(script), len(answered)):
            scripts += [(*answered[:place], other) for other in actions[1:]]
        if len(found) + len(scripts) > PATH_LIMIT:
            raise TooManyPathsError(f"seed {seed}: more than {PATH_LIMIT} ways")
    return found
