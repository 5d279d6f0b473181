from __future__ import annotations

import pytest

from benchaudit.stress.adversary import Adversary, Intent, Kind, Moment, Plan
from benchaudit.stress.environment import Target
from benchaudit.stress.pairing import Design
from benchaudit.stress.wrapper import AdversarialWrapper, BudgetSpent


class Fixed:
    """An adversary that means the same at every step."""

    def __init__(self, *intents: tuple[Kind, float]) -> None:
        self.intents = tuple(Intent(kind, amount, 1) for kind, amount in intents)
        self.moments: list[Moment] = []

    def plan(self, moment: Moment) -> Plan:
        self.moments.append(moment)
        return Plan(0.5, self.intents)


def test_every_step_is_on_the_trace(queue: Target, design: Design) -> None:
    wrapper = AdversarialWrapper(queue.start(0), design.escalating, seed=0, quota=9)
    for ticket in range(4):
        wrapper.call(ticket)
    assert [step.step for step in wrapper.trace] == [1, 2, 3, 4]
    assert [step.request for step in wrapper.trace] == [0, 1, 2, 3]
    assert wrapper.successes == sum(step.succeeded for step in wrapper.trace)


def test_the_same_seed_gives_the_same_bits_and_another_seed_others(
    queue: Target, design: Design
) -> None:
    def trace(seed: int) -> list[object]:
        wrapper = AdversarialWrapper(queue.start(0), design.constant, seed)
        return [(wrapper.call(ticket), wrapper.trace[-1]) for ticket in range(6)]

    assert trace(5) == trace(5)
    assert trace(5) != trace(6)


def test_a_fault_leaves_no_answer_to_perturb(queue: Target) -> None:
    wrapper = AdversarialWrapper(queue.start(0), Fixed(("noise", 1.0), ("fault", 1.0)), 0)
    reply = wrapper.call(0)
    assert reply.overloaded and not reply.notes
    assert [intent.kind for intent in wrapper.trace[0].intents] == ["fault"]
    assert not wrapper.trace[0].succeeded


def test_the_quota_is_charged_then_squeezed_also_when_the_attempt_faults(queue: Target) -> None:
    adversary = Fixed(("budget", -3.0), ("fault", 1.0))
    wrapper = AdversarialWrapper(queue.start(0), adversary, 0, quota=8)
    wrapper.call(0)
    assert wrapper.trace[0].remaining == 4
    wrapper.call(0)
    assert wrapper.trace[1].remaining == 0
    with pytest.raises(BudgetSpent):
        wrapper.call(0)
    assert len(wrapper.trace) == 2


def test_attempts_can_be_given_and_nothing_goes_under_zero(queue: Target) -> None:
    generous = AdversarialWrapper(queue.start(0), Fixed(("budget", 2.0)), 0, quota=1)
    generous.call(0)
    assert generous.remaining == 2
    greedy = AdversarialWrapper(queue.start(0), Fixed(("budget", -9.0)), 0, quota=3)
    greedy.call(0)
    assert greedy.remaining == 0


def test_latency_adds_up_and_changes_no_answer(queue: Target) -> None:
    wrapper = AdversarialWrapper(queue.start(0), Fixed(("latency", 1.5)), 0)
    assert wrapper.call(0) == queue.start(0).call(0)
    wrapper.call(1)
    assert wrapper.latency == 3.0


def test_the_adversary_sees_what_was_applied_before(queue: Target) -> None:
    adversary = Fixed(("noise", 0.5))
    wrapper = AdversarialWrapper(queue.start(0), adversary, 7)
    wrapper.call(0)
    wrapper.call(1)
    assert adversary.moments[0] == Moment(7, 1, 0)
    assert adversary.moments[1] == Moment(7, 2, 1, frozenset({"noise"}))


def test_without_pressure_the_environment_answers_as_it_is(queue: Target, design: Design) -> None:
    quiet = Adversary(design.constant.schedule, ())
    assert AdversarialWrapper(queue.start(0), quiet, 0).call(3) == queue.start(0).call(3)
