"""Episodes: the benchmark's own inference loops with a scripted agent in the model's place.

Everything between the agent and the submission is the benchmark's: prompts, schemas, parsing and
repair of the output, the loop over turns and steps, the execution of calls. What is handed in is
what the evaluator would read from the output: the decoded calls, or the text where none decode.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from benchaudit.hooks import Agent, Episode, Submission, Task, Unsupported

from .agents import AGENTS, Calls, Policy, arising
from .entry import FAMILIES, Entry
from .isolation import forget, restore
from .package import quiet
from .registry import entries
from .scaffolds import SCAFFOLDS, Scaffold
from .writing import as_text, spoken, tool_calls

Work = Callable[[Task], Any]


def episode(work: Work, task: Task, scaffold: str, agent: Agent, budget: int | None) -> Episode:
    """Run one episode of an agent that knows the correct work.

    Raises:
        Unsupported: for a scaffold under which the entry is not asked, a decision that does not
            arise there, or a budget.
    """
    entry, asked = entries()[task.id], SCAFFOLDS[scaffold]
    if budget is not None:
        raise Unsupported("the scripted agents have no budget")
    _check(entry, asked, agent)
    policy = Policy(entry, asked, {**AGENTS[agent.name], **agent.forced})
    restore()
    try:
        with quiet():
            run = _run_turns if asked.loop else _run_single
            return run(policy, work(task))
    finally:
        forget(asked.name.replace("-", "_"))


def _check(entry: Entry, scaffold: Scaffold, agent: Agent) -> None:
    family = FAMILIES[entry.category]
    if family == "agentic":
        raise Unsupported("answers need live tools: a search engine, or memory of other sessions")
    if (family == "turns") != scaffold.loop or (family == "calls" and scaffold.name == "relevance"):
        raise Unsupported(f"entries of {entry.category} are not asked under {scaffold.name}")
    if entry.language != "python":
        raise Unsupported(f"the scripted agents do not write {entry.language}")
    for decision in agent.forced:
        if decision not in arising(scaffold):
            raise Unsupported(f"the decision {decision} does not arise under {scaffold.name}")


def _run_single(policy: Policy, right: Calls) -> Episode:
    scaffold, entry = policy.scaffold, policy.entry
    calls = policy.calls(right, [function["name"] for function in entry.functions])
    handler = scaffold.handler(lambda request: _message(policy, calls, request))
    record, _ = entry.fresh()
    record["id"] = scaffold.entry_id(entry.id)
    output, _ = handler.inference(record, False, True)
    decoded = _decoded(handler, output, scaffold)
    payload: dict[str, Any] = {"calls": decoded} if decoded else {"text": str(output)}
    if scaffold.name not in ("prompt", "relevance"):
        payload["as"] = scaffold.name
    return Episode(Submission(payload), policy.steps)


def _run_turns(policy: Policy, right: Sequence[Sequence[Calls]]) -> Episode:
    scaffold, entry = policy.scaffold, policy.entry
    queue: list[Calls | str] = []
    turns = iter(_script(policy, right))

    def reply(request: dict[str, Any]) -> Any:
        if not queue:
            return spoken(policy.closing())
        said = queue.pop(0)
        return spoken(said) if isinstance(said, str) else _message(policy, said, request)

    handler = scaffold.handler(reply)
    _on_user_message(handler, lambda: queue.__setitem__(slice(None), next(turns)))
    record, _ = entry.fresh()
    output, _ = handler.inference(record, False, True)
    decoded = [
        [calls for said in turn if (calls := _decoded(handler, said, scaffold))] for turn in output
    ]
    figures = {"outputs": sum(map(len, output)), "turns": len(output)}
    return Episode(Submission({"turns": decoded}), policy.steps, figures)


def _script(policy: Policy, right: Sequence[Sequence[Calls]]) -> list[list[Calls | str]]:
    """What the agent says turn by turn."""
    script: list[list[Calls | str]] = []
    for turn, steps in enumerate(right):
        calls = [one for step in steps for one in step]
        first = bool(calls) and not any(script)
        script.append(policy.turn(calls, sorted(policy.entry.offered(turn)), first=first))
    return script


def _message(policy: Policy, calls: Calls, request: Mapping[str, Any]) -> Any:
    """Calls as the model's message: tool calls, or text."""
    scaffold = policy.scaffold
    if not calls:
        return spoken(policy.closing())
    if scaffold.fc:
        return tool_calls(_renamed(policy, calls, request))
    asked = "harness" if scaffold.name in ("prompt", "prompt-loop") else "model"
    as_asked = policy.decide("format", "as-asked", owner=asked) == "as-asked"
    text = as_text(calls, scaffold if as_asked else SCAFFOLDS["prompt"])
    if policy.decide("fence", "plain", owner="harness") == "fenced":
        text = f"```\n{text}\n```"
    if policy.decide("positional", "none", owner="harness") == "extra":
        text = text.replace("(", "('extra', ", 1)
    return spoken(text)


def _renamed(policy: Policy, calls: Calls, request: Mapping[str, Any]) -> Calls:
    """The calls under the names that the harness shows, which have no dots."""
    shown = [tool["function"]["name"] for tool in request.get("tools", ())]
    names = dict(zip((f["name"] for f in policy.entry.functions), shown))
    if not any(names.get(one["name"], one["name"]) != one["name"] for one in calls):
        return calls
    if policy.decide("naming", "as-shown") != "as-shown":
        return calls
    return [{**one, "name": names.get(one["name"], one["name"])} for one in calls]


def _decoded(handler: Any, output: Any, scaffold: Scaffold) -> list[dict[str, Any]]:
    """The calls that the benchmark's decoder reads from an output; none where it reads none."""
    try:
        read = handler.decode_ast(output, scaffold.return_format, scaffold.tagged)
        return [{"name": name, "arguments": given} for one in read for name, given in one.items()]
    except Exception:  # the shipped loops take every exception for an output without calls
        return []


def _on_user_message(handler: Any, notify: Callable[[], None]) -> None:
    """Tell when the harness puts a user's message before the model: where a turn begins."""
    kind = "FC" if handler.is_fc_model else "prompting"
    for name in (f"add_first_turn_message_{kind}", f"_add_next_turn_user_message_{kind}"):
        original = getattr(handler, name)

        def told(*given: Any, original: Any = original) -> Any:
            notify()
            return original(*given)

        setattr(handler, name, told)
