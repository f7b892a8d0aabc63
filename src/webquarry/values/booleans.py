"""Read yes and no, ticks and crosses as booleans."""

from __future__ import annotations

from collections.abc import Sequence

from webquarry.values.locale import Locale
from webquarry.values.text_value import Value

_ANY = ""
# Yes, no, and the languages of a page in which one of the two is enough; None requires both.
_PAIRS = (
    ("yes", "no", _ANY),
    ("true", "false", _ANY),
    ("y", "n", None),
    ("ja", "nein", "de"),
    ("wahr", "falsch", "de"),
    ("oui", "non", "fr"),
    ("vrai", "faux", "fr"),
    ("sí", "no", "es ca"),
    ("si", "no", "es it"),
    ("sì", "no", "it"),
    ("sim", "não", "pt"),
    ("ja", "nee", "nl af"),
    ("ja", "nej", "sv da"),
    ("ja", "nei", "nb nn no"),
    ("tak", "nie", "pl"),
    ("ano", "ne", "cs"),
    ("áno", "nie", "sk"),
    ("kyllä", "ei", "fi"),
    ("igen", "nem", "hu"),
    ("evet", "hayır", "tr"),  # noqa: RUF001 - in its own alphabet
    ("да", "нет", "ru"),
    ("так", "ні", "uk"),
    ("ναι", "όχι", "el"),  # noqa: RUF001 - in its own alphabet
    ("はい", "いいえ", "ja"),
    ("是", "否", "zh"),
    ("예", "아니오", "ko"),
)
_TICKS = frozenset("✓✔✅☑")
_CROSSES = frozenset("✗✘✕✖❌☒\u00d7")
_TRUTHS = {word: word == yes for yes, no, _ in _PAIRS for word in (yes, no)}
MAX_TRUTH_CHARACTERS = 6
"""Of the longest word for yes or no."""


def read_booleans(texts: Sequence[str], locale: Locale) -> list[Value] | None:
    """Read texts that are all yes and no, or all ticks and crosses; else None.

    One word of a pair is enough in its own language. Crosses alone are not: they also mean close or delete.
    """
    if any(len(text) > MAX_TRUTH_CHARACTERS for text in texts):
        return None
    words = [text.lower() for text in texts]
    present = set(words)
    if present & _TICKS and present <= _TICKS | _CROSSES:
        return [Value(word in _TICKS) for word in words]
    for yes, no, languages in _PAIRS:
        is_spoken = languages is not None and (languages == _ANY or locale.primary in languages.split())
        if present == {yes, no} or (len(present) == 1 and present <= {yes, no} and is_spoken):
            return [Value(word == yes) for word in words]
    return None


def truth_of(word: str) -> bool | None:
    """Read one word or sign where a boolean is expected; None if it is neither yes nor no.

    No word in the table means yes in one language and no in another.

    >>> truth_of("Nein"), truth_of("✓"), truth_of("maybe")
    (False, True, None)
    """
    if word in _TICKS:
        return True
    return False if word in _CROSSES else _TRUTHS.get(word.lower())
