"""Does no work: says nothing of use, transfers at once, or says the same to everybody."""

from collections.abc import Iterator

from benchaudit.families import trajectory
from benchaudit.hooks import Forged, Gold

APOLOGY = "I am sorry, I cannot help with that."
NUMBERS = " ".join(map(str, range(2501)))


def forge(gold: Gold) -> Iterator[Forged]:
    agents = {
        "nothing": trajectory.say(APOLOGY),
        "transfer": gold.task.data["transfer"],
        "numbers": trajectory.say(NUMBERS),
    }
    for variant, step in agents.items():
        yield Forged(gold.compose([step]), variant=variant, note=f"{trajectory.named(step):.80}")
