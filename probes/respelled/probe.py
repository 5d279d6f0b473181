"""Hands in the true texts in another spelling: padded, in the other case, in full width."""

from collections.abc import Callable, Iterator

from benchaudit.hooks import Forged, Gold, Unsupported

FULL_WIDTH = {code: code + 0xFEE0 for code in range(0x21, 0x7F)}
"""ASCII to its full-width forms, which Unicode normalisation (NFKC) maps back."""

SPELLINGS: dict[str, Callable[[str], str]] = {
    "padded": lambda text: f" {text} ",
    "other case": str.swapcase,
    "full width": lambda text: text.translate(FULL_WIDTH),
}


def forge(gold: Gold) -> Iterator[Forged]:
    if not any(isinstance(value, str) for record in gold.work for value in record.values()):
        raise Unsupported("no record holds a text")
    for variant, spell in SPELLINGS.items():
        records = [
            {name: spell(v) if isinstance(v, str) else v for name, v in record.items()}
            for record in gold.work
        ]
        kept = sum(new == old for new, old in zip(records, gold.work))
        note = f"every text {variant}"
        yield Forged(gold.compose(records), variant, kept, len(records) - kept, note)
