"""Texts: whether one surely means something else than another.

The evaluator ignores case, spaces, quote style and ``,./-_*^`` in every text, so that "April 1,
2024" and "April 1 2024" are the same. That is right for prose and wrong where such a character
carries the meaning. `difference` names a reason only where a reader of the schema could not take
the one for the other; anything doubtful counts as the same.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from . import formulas

_EXACT = {
    "a URL": re.compile(r"(https?|ftp)://\S+", re.IGNORECASE),
    "an e-mail address": re.compile(r"[\w.+-]+@[\w-]+(\.[\w-]+)+"),
    "an IP address": re.compile(r"\d{1,3}(\.\d{1,3}){3}"),
    "a file path": re.compile(r"(~|\.{1,2})?(/[\w.-]+)+/?|[A-Za-z]:[\\/][\w\\/. -]+"),
    "a file name": re.compile(
        r"[\w/-]+\.(txt|csv|json|ya?ml|xml|pdf|docx?|xlsx?|pptx?|png|jpe?g|gif|mp[34]|wav|py|js|"
        r"java|jar|html?|css|log|zip|tar|gz|ini|conf|properties|md|sql|db|dat|bin|sh|exe)",
        re.IGNORECASE,
    ),
    "a domain name": re.compile(r"([\w-]+\.)+(com|org|net|io|edu|gov|dev|ai|co)", re.IGNORECASE),
}
_DOTTED = re.compile(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)+(\(.*\))?")
_CAMEL = re.compile(r"[a-z]+([A-Z]\w*)+")
_SECRET = re.compile(
    r"(^|_)(password|passwd|secret|api_?key|(access|auth)_?token)($|_)", re.IGNORECASE
)
_FORMULA = re.compile(
    r"function|expression|equation|formula|polynomial|integrand|derivative", re.IGNORECASE
)
_SQL = re.compile(r"\s*(select|insert|update|delete|create|call)\s", re.IGNORECASE)
_DECIMAL = re.compile(r"(?<![\d.,/-])\d+\.\d+(?![\d.])")
_DATE = re.compile(r"(\d{1,4})[-/.](\d{1,2})[-/.](\d{1,4})")
_RATIO = re.compile(r"(?<![\d./-])(\d{1,3}(?=/)|\d{1,2}(?=-))[/-](\d{1,3})(?![\d./-])")
_TIME = re.compile(r"\d\s*([ap]\.?m\b|h\b|hrs?\b|o'clock)", re.IGNORECASE)
_NUMBER = re.compile(r"[-+]?\d[\d,]*(\.\d+)?")
_PAIR = re.compile(r"\(?\s*[-+]?\d+\.\d+\s*[,; ]\s*[-+]?\d+\.\d+\s*\)?")


def difference(key: str, text: str, name: str, schema: Mapping[str, Any], language: str) -> str:
    """Why ``text`` surely means something else than ``key``, an allowed value; else "".

    Args:
        key: the allowed value.
        text: what was submitted in its place.
        name: the parameter's name.
        schema: the parameter's schema; its description and ``enum`` say what the text is.
        language: ``python``, or the language whose source text the value is.
    """
    if key == text:
        return ""
    if _hidden(text) - _hidden(key):
        return "holds characters that cannot be seen"
    if _skeleton(key) != _skeleton(text):
        return "other letters or digits"
    return _marks(key, text, name, schema) or (
        _in_source(key, text, schema) if language != "python" else ""
    )


def _marks(key: str, text: str, name: str, schema: Mapping[str, Any]) -> str:
    """The reasons that lie in punctuation, case or spaces, letters and digits being the same."""
    about = f"{name} {schema.get('description', '')}"
    if _SECRET.search(name):
        return "a secret is another one in another spelling"
    if _is_other_choice(key, text, schema):
        return "not one of the values that the schema lists"
    if _NUMBER.fullmatch(key):
        return "another number" if _is_other_number(key, text) else ""
    if _PAIR.fullmatch(key):
        return "" if _numbers(key) == _numbers(text) else "other numbers"
    if reason := _exactly(key, text):
        return reason
    if _FORMULA.search(about) and formulas.differ(key, text):
        return "another function: its values differ"
    if _SQL.match(key) and not _SQL.match(text):
        return "no longer an SQL statement"
    if _is_other_date(key, text):
        return "another date"
    decimals = Counter(_DECIMAL.findall(text.replace(",", ".")))
    if Counter(_DECIMAL.findall(key)) - decimals and not _TIME.search(key):
        return "a decimal number became another number"
    if _lost_ratio(key, text):
        return "a ratio became one number"
    return ""


@lru_cache(maxsize=8192)
def _skeleton(text: str) -> str:
    """Letters and digits alone, without case."""
    plain = unicodedata.normalize("NFC", text).casefold()
    return "".join(character for character in plain if character.isalnum())


def _hidden(text: str) -> Counter[str]:
    if text.isascii():
        return Counter()
    return Counter(c for c in text if unicodedata.category(c) == "Cf")


def _is_other_choice(key: str, text: str, schema: Mapping[str, Any]) -> bool:
    """Whether the schema lists the key and does not list the text, case left aside."""
    listed = [e.casefold() for e in schema.get("enum", ()) if isinstance(e, str)]
    return key.casefold() in listed and text.casefold() not in listed


def _is_other_number(key: str, text: str) -> bool:
    """Whether no reading of the text is the number; a comma may mean thousands or a decimal.

    A key of digits alone may be a code or a telephone number, and marks in it mean nothing.
    """
    if key.isdecimal():
        return False
    readings = {text.strip().replace(",", ""), text.strip().replace(",", ".")}
    numbers = {float(reading) for reading in readings if _NUMBER.fullmatch(reading)}
    return float(key.replace(",", "")) not in numbers


def _numbers(text: str) -> list[float]:
    return [float(number) for number in re.findall(r"[-+]?\d+(?:\.\d+)?", text)]


def _exactly(key: str, text: str) -> str:
    """The reason where the key is something that programs take to the letter."""
    for kind, pattern in _EXACT.items():
        if pattern.fullmatch(key):
            if key.rstrip("/ ").casefold() == text.strip().rstrip("/").casefold():
                return ""
            if kind == "an e-mail address" and _mailbox(key) == _mailbox(text):
                return ""
            return f"no longer the same as {kind}"
    return ""


def _mailbox(address: str) -> tuple[str, str]:
    """Some providers ignore dots before the @, so they are ignored here for all of them."""
    local, _, domain = address.casefold().partition("@")
    return local.replace(".", ""), domain


def _is_other_date(key: str, text: str) -> bool:
    """Both are dates, and not the same numbers in another order of day and month."""
    first, second = _DATE.fullmatch(key.strip()), _DATE.fullmatch(text.strip())
    if first is None or second is None:
        return False
    return Counter(map(int, first.groups())) != Counter(map(int, second.groups()))


def _lost_ratio(key: str, text: str) -> bool:
    """``1/2`` or ``1-8`` written as ``12`` or ``18``; two and two digits may be a date."""
    ratios = [pair for pair in _RATIO.findall(key) if set(map(len, pair)) != {2}]
    return any(one + other in text for one, other in ratios)


def _in_source(key: str, text: str, schema: Mapping[str, Any]) -> str:
    """Names in Java and JavaScript source: case and dots are part of them."""
    if schema.get("type") != "any":
        return ""
    if _DOTTED.fullmatch(key) and key.count(".") != text.count("."):
        return "no longer a member of that object"
    if _CAMEL.fullmatch(key) and key != text and key.casefold() == text.casefold():
        return "another name: case counts in this language"
    return ""
