"""Single values as TOML spells them, in the form that is easiest to read."""

from __future__ import annotations

from collections.abc import Sequence

WIDTH = 110
"""Columns; longer lists and rules are broken."""
_INDENT = "    "
_SHORT = {"\t": r"\t", "\n": r"\n", "\r": r"\r", "\\": r"\\", '"': r"\""}


def spell_text(text: str) -> str:
    r"""The text in quotes, on one line.

    >>> print(spell_text("café"), spell_text('drop "note"'), spell_text("no\u00a0break"))
    "café" 'drop "note"' "no\u00A0break"
    """
    if ('"' in text or "\\" in text) and "'" not in text and text.isprintable():
        return f"'{text}'"
    return f'"{_escape(text)}"'


def spell_block(text: str) -> str:
    """The text in three quotes, its lines as they are; a single line as it is spelled elsewhere."""
    if "\n" not in text:
        return spell_text(text)
    if "'''" not in text and text[-1] != "'" and all(mark in "\n\t" or mark.isprintable() for mark in text):
        return f"'''\n{text}'''"
    lines = "\n".join(map(_escape, text.split("\n")))
    return f'"""\n{lines}"""'


def spell_list(texts: Sequence[str], *, before: int) -> str:
    """The texts in brackets, on lines of their own when they do not fit behind the `before` characters of their key."""
    spelled = [spell_text(text) for text in texts]
    line = f"[{', '.join(spelled)}]"
    if before + len(line) <= WIDTH:
        return line
    lines = [""]
    for text in spelled:
        if lines[-1] and len(_INDENT) + len(f"{lines[-1]} {text},") > WIDTH:
            lines.append("")
        lines[-1] += f" {text}," if lines[-1] else f"{text},"
    return "\n".join(["[", *(_INDENT + line for line in lines), "]"])


def _escape(text: str) -> str:
    """The text with what cannot be seen written out; pages are full of spaces that do not break."""
    return "".join(mark if mark.isprintable() and mark not in _SHORT else _written_out(mark) for mark in text)


def _written_out(mark: str) -> str:
    code = ord(mark)
    return _SHORT.get(mark) or (f"\\u{code:04X}" if code < 0x10000 else f"\\U{code:08X}")
