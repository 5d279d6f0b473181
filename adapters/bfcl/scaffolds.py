"""The scaffolds that the benchmark ships: how a model is asked and how its output is read.

Two inference modes, each for single-turn entries and as a multi-turn loop: *fc* hands the model
tools and reads tool calls, *prompt* describes the functions in a system prompt and reads text. The
prompting mode has format configurations; those that change how text is read are scaffolds too.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

from .package import enums, handlers, prompts

Reply = Callable[[dict[str, Any]], Any]
"""The model: from a chat completion request to a message with ``content`` and ``tool_calls``."""


@dataclass(frozen=True, slots=True)
class Scaffold:
    """One way to ask and to read.

    Attributes:
        fc: tool calls instead of text.
        loop: steps and turns, with the calls executed between them.
        text_format: what the system prompt asks for: ``python``, ``json``, ``verbose_xml``,
            ``concise_xml``.
        tagged: the calls must stand between ``<TOOLCALL>`` tags.
    """

    name: str
    fc: bool = False
    loop: bool = False
    text_format: str = "python"
    tagged: bool = False

    @property
    def configuration(self) -> str:
        """The benchmark's own name of the format configuration."""
        return (
            f"ret_fmt={self.text_format}&tool_call_tag={self.tagged}"
            "&func_doc_fmt=json&prompt_fmt=plaintext&style=classic"
        )

    @property
    def return_format(self) -> Any:
        return enums.ReturnFormat(self.text_format)

    def entry_id(self, entry_id: str) -> str:
        """The id under which the benchmark asks an entry in this format."""
        if self.configuration == prompts.DEFAULT_SYSTEM_PROMPT_FORMAT:
            return entry_id
        return f"format_sensitivity_0:{self.configuration}:{entry_id}"

    def handler(self, reply: Reply | None = None) -> Any:
        """The benchmark's handler for OpenAI-style models, with the model replaced by a script."""
        handler = handlers.OpenAICompletionsHandler(
            model_name=self.name, temperature=0, registry_name=self.name, is_fc_model=self.fc
        )
        if reply is not None:
            handler.generate_with_backoff = lambda **request: (_completion(reply(request)), 0.0)
        return handler


def _completion(message: Any) -> Any:
    usage = SimpleNamespace(prompt_tokens=0, completion_tokens=0)
    return SimpleNamespace(choices=[SimpleNamespace(message=message)], usage=usage)


def _all() -> list[Scaffold]:
    formats = ("python", "json", "verbose_xml", "concise_xml")
    texts = [
        Scaffold(_text_name(kind, tagged), text_format=kind, tagged=tagged)
        for kind in formats
        for tagged in (False, True)
    ]
    return [
        *texts,
        Scaffold("fc", fc=True),
        Scaffold("relevance"),
        Scaffold("prompt-loop", loop=True),
        Scaffold("fc-loop", fc=True, loop=True),
    ]


def _text_name(kind: str, tagged: bool) -> str:
    name = "prompt" if kind == "python" else "prompt-" + kind.replace("_", "-")
    return name + "-tagged" if tagged else name


SCAFFOLDS = {scaffold.name: scaffold for scaffold in _all()}
