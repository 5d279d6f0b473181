"""Makes a call that fails, and then does the work."""

from collections.abc import Iterator

from benchaudit.families import trajectory
from benchaudit.hooks import Forged, Gold

UNKNOWN = trajectory.call("resolve_everything", {"thoroughly": True})


def forge(gold: Gold) -> Iterator[Forged]:
    failing = {"unknown tool": UNKNOWN}
    for step in gold.work:
        if "call" in step:
            arguments = {**step["arguments"], "thoroughly": True}
            failing["unknown argument"] = {**step, "arguments": arguments}
            break
    for variant, step in failing.items():
        steps = [step, *gold.work]
        if 0 in trajectory.world(gold.task).refused(steps):
            yield Forged(
                gold.compose(steps), variant=variant, note=f"{trajectory.named(step):.100}"
            )
