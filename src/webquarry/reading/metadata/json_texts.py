"""JSON as pages hold it: often with faults that make the whole unreadable to a strict reader."""

from __future__ import annotations

import json
import re
from typing import Any

_DECODER = json.JSONDecoder(strict=False)  # line breaks in strings are the commonest fault
_WRAPPING = re.compile(r"\A\s*(?:<!--|//\s*<!\[CDATA\[|<!\[CDATA\[)|(?:-->|//\s*\]\]>|\]\]>|;)\s*\Z")
_COMMENT = re.compile(r"^[ \t]*+//.*$|/\*[^*]*+\*/", re.MULTILINE)
_COMMA_TOO_MANY = re.compile(r",(?=\s*[}\]])")
_STRING = r'"((?:[^"\\\n]|\\.)*)"'
_PAIR = re.compile(rf'"(@type|headline|datePublished|dateModified|inLanguage)"\s*:\s*{_STRING}')
_AUTHOR = re.compile(rf'"author"\s*:\s*(?:[\[{{\s]|"(?!name")[@\w]+"\s*:\s*{_STRING}\s*,)*(?:"name"\s*:\s*)?{_STRING}')
_LONGEST_BROKEN = 200_000
"""Characters of a broken text that are looked through: what an article says of itself is never longer."""


def parse_json(text: str) -> Any:
    """The value that a text says.

    Comments, commas too many and line breaks in strings are passed over.  Of a text that is broken beyond that, the
    first of each plain statement is read, as one object; None when there is none.

    >>> parse_json('{"headline": "A", }'), parse_json('{"headline": "A" "author": {"name": "B"}')
    ({'headline': 'A'}, {'headline': 'A', 'author': 'B'})
    """
    for repair in (str.strip, _repaired):
        try:
            return _DECODER.decode(repair(text))
        except (ValueError, RecursionError):
            continue
    return _scan(text[:_LONGEST_BROKEN])


def _repaired(text: str) -> str:
    return _COMMA_TOO_MANY.sub("", _COMMENT.sub("", _WRAPPING.sub("", text)))


def _scan(text: str) -> dict[str, str] | None:
    found: dict[str, str] = {}
    for name, said in _PAIR.findall(text):
        found.setdefault(name, _unquoted(said))
    if author := _AUTHOR.search(text):
        found["author"] = _unquoted(author[2])
    return found or None


def _unquoted(said: str) -> str:
    try:
        return str(_DECODER.decode(f'"{said}"'))
    except ValueError:
        return said
