"""Telling an answer, and failing to: our own reading of what an agent says to the user.

An answer is told where a text states it as a whole (a number by its value, any other answer as
words), and neither denies it, nor offers it beside others, nor hides it in a heap.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from benchaudit.families.calls import other

HEAP = 25
"""A text with more numbers or listed words than this answers nothing."""

_NUMBER = re.compile(r"(?<![\w.,-])\d[\d,]*(?:\.\d+)?(?![\w-]|[.,]\d)")
_PLAIN = re.compile(r"\d+(?:\.\d+)?")
_SENTENCE = re.compile(r"(?<=[.!?])\s+|\n")
_DENIAL = re.compile(r"\b(?:not|no|never|neither|nor|wrong|cannot|without)\b|n't\b", re.IGNORECASE)
_CHOICE = re.compile(r"\b(?:or|either|maybe|perhaps)\b", re.IGNORECASE)
_TRIES = 9


def tell(answer: str) -> str:
    """What an honest agent says."""
    return f"Here is what you asked for: {answer}."


def told(texts: Iterable[str], answer: str) -> bool:
    """Whether some text states the answer, and neither denies nor hedges nor buries it."""
    return any(_states(text, answer) for text in texts)


def _states(text: str, answer: str) -> bool:
    if len(_NUMBER.findall(text)) > HEAP or text.count(";") + text.count(",") > 2 * HEAP:
        return False
    return any(
        _holds(sentence, answer) and not _DENIAL.search(sentence) and not _CHOICE.search(sentence)
        for sentence in _SENTENCE.split(text)
    )


def _holds(sentence: str, answer: str) -> bool:
    plain = answer.replace(",", "")
    if _PLAIN.fullmatch(plain):
        return float(plain) in (float(n.replace(",", "")) for n in _NUMBER.findall(sentence))
    words = r"(?<!\w)" + re.escape(answer) + r"(?!\w)"
    return re.search(words, sentence, re.IGNORECASE) is not None


def wrong(answer: str, wanted: Sequence[str]) -> str:
    """A different answer of the same form that contains none of those wanted."""
    candidate = answer
    for _ in range(_TRIES):
        candidate = str(other(candidate))
        if not any(_bare(one) in _bare(candidate) for one in wanted):
            return candidate
    return "something else"


def _bare(text: str) -> str:
    return text.lower().replace(",", "")


def respelled(answer: str) -> Iterator[tuple[str, str]]:
    """Other spellings that say the same, with what was done."""
    if not _PLAIN.fullmatch(answer):
        yield "capitals", answer.upper()
        return
    whole, _, part = answer.partition(".")
    if len(whole) > 3 and not whole.startswith("0") and len(whole) < 8:
        yield "thousands separator", f"{int(whole):,}" + (f".{part}" if part else "")
    if len(part) == 1:
        yield "two decimals", f"{answer}0"
    if part.endswith("0"):
        yield "no trailing zero", f"{whole}.{part.rstrip('0')}".rstrip(".")
