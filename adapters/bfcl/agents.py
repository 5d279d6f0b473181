"""Scripted agents: what each would call, as a policy over the decisions that a scaffold leaves it.

An agent does what the answer says except where it, or the stage that forces it, decides otherwise.
It reads nothing but the names of the functions that it is shown. Every decision that arises is
written down with the action taken, and with the harness as its owner where the shipped loop takes
the same course whatever the agent's answer is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from benchaudit.families.calls import call, other
from benchaudit.hooks import Step, Unsupported

from .answering import REFUSAL, plain_call
from .entry import Entry
from .scaffolds import Scaffold

Calls = Sequence[Mapping[str, Any]]

AGENTS: Mapping[str, Mapping[str, str]] = {
    "careful": {},
    "guessing": {"arguments": "wrong"},
    "straying": {"function": "other"},
    "hasty": {"count": "one", "stop": "early"},
    "silent": {"call": "abstain"},
    "eager": {"call": "call"},
    "fencing": {"fence": "fenced"},
    "slipping": {"retry": "retry"},
    "endless": {"limit": "go-on"},
}
"""Each agent by the decisions that it takes in a way of its own; one set for every scaffold."""

LIMIT = 21
"""Steps after which a shipped loop cuts off: MAXIMUM_STEP_LIMIT is 20, and checked with ``>``."""

REMARK = "That is all I can do for this request."
MALFORMED = "[this_is_not_a_call("


def arising(scaffold: Scaffold) -> Sequence[str]:
    """The decisions that can arise under a scaffold."""
    if scaffold.name == "relevance":
        return ("call",)
    if scaffold.loop:
        common = ("call", "function", "arguments", "stop", "retry", "limit")
        return common if scaffold.fc else (*common, "fence", "positional")
    if scaffold.fc:
        return ("call", "function", "arguments", "count", "naming")
    if scaffold.name == "prompt":
        return ("call", "function", "arguments", "count", "fence", "positional", "format")
    return ("call", "function", "arguments", "count", "format")


@dataclass
class Policy:
    """One agent on one entry.

    Attributes:
        chosen: its decisions, the forced ones included.
        steps: the decisions that arose, in order.
    """

    entry: Entry
    scaffold: Scaffold
    chosen: Mapping[str, str]
    steps: list[Step] = field(default_factory=list)

    def decide(self, decision: str, default: str, owner: str = "model") -> str:
        """Take a decision, and write it down where it arises under this scaffold."""
        action = self.chosen.get(decision, default)
        if decision in arising(self.scaffold):
            self.steps.append(Step(decision, action, owner))
        return action

    def calls(self, right: Calls, shown: Sequence[str]) -> list[Mapping[str, Any]]:
        """What the agent calls where these calls are right and these functions are shown."""
        if self.decide("call", "call" if right else "abstain") == "abstain":
            return []
        if not right:
            return [plain_call(self.entry, self._first(shown))]
        if len(right) > 1 and self.decide("count", "all") == "one":
            right = right[:1]
        function, arguments = self.decide("function", "right"), self.decide("arguments", "right")
        return [self._altered(one, shown, function, arguments) for one in right]

    def turn(self, right: Calls, shown: Sequence[str], *, first: bool) -> list[Calls | str]:
        """What the agent says in one turn of a loop, step by step: calls, or a text.

        The first turn with calls is where it slips once, or goes on calling, if that is its way.
        """
        calls = self.calls(right, shown)
        said: list[Calls | str] = [[one] for one in calls]
        if len(said) > 1 and self.decide("stop", "done") == "early":
            said = said[:1]
        if first and said and "limit" in self.chosen:
            more = self.decide("limit", "go-on", owner="harness") == "go-on"
            said = said[:1] * (LIMIT + more)
        if first and said and "retry" in self.chosen:
            again = self.decide("retry", "retry", owner="harness") == "retry"
            said = [MALFORMED, *said] if again else [MALFORMED]
        return said

    def closing(self) -> str:
        """What the agent says where it calls nothing."""
        return REMARK if self.scaffold.loop else REFUSAL

    def _altered(
        self, one: Mapping[str, Any], shown: Sequence[str], function: str, arguments: str
    ) -> Mapping[str, Any]:
        name, given = one["name"], dict(one["arguments"])
        if function == "other":
            name = next((other_name for other_name in shown if other_name != name), name + "_2")
        if arguments == "wrong" and given:
            parameter = next(iter(given))
            given[parameter] = other(given[parameter])
        return call(name, given)

    def _first(self, shown: Sequence[str]) -> str:
        if not shown:
            raise Unsupported("the entry offers no function that could be called")
        return shown[0]
