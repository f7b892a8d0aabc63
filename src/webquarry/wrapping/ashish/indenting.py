"""How far headings are moved in, "which can be detected from raw text or HTML tags" (section 2.1.2).

The indentation of a heading is that of its line: the spaces, tabs and no-break spaces before the first other text,
tags passed over; and for each list, definition list or quotation that is open a fixed number more.  Spaces count in
the markup, as the paper reads raw text: where templates put them for no reader, they mislead.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

LIST_INDENTATION = 10
"""Spaces for each list and quotation: browsers move them in by 40 pixels, and a space of their text is 4 wide."""
TAB = 8
"""Spaces to the next stop, at most."""
_NESTING = re.compile(r"<(/?)(?:ul|ol|dl|dir|menu|blockquote)\b", re.IGNORECASE)
_LEAD = re.compile(r"(?>(?:[ \t\xa0]|&nbsp;?|&#160;?|&#[xX][aA]0;?|<[^<>]*>)*)")
_TAG = re.compile(r"<[^<>]*>")
_NO_BREAK_SPACE = re.compile(r"&[^;]*;?")


def indentations(markup: str, starts: Iterable[int]) -> Iterator[int]:
    """The indentation at each of the places, which come in their order.

    >>> list(indentations("<b>One</b>\\n  &nbsp;<p><i>Two</i>\\n<ul><li>Three:", [0, 20, 38]))
    [0, 3, 10]
    """
    nesting = _NESTING.finditer(markup)
    tag = next(nesting, None)
    depth = spaces = 0
    line_end = -1
    for start in starts:
        while tag and tag.start() < start:
            depth = max(depth + (-1 if tag[1] else 1), 0)
            tag = next(nesting, None)
        if start > line_end:
            line = markup.rfind("\n", max(line_end, 0), start) + 1
            spaces = _leading_spaces(markup, line, start)
            line_end = markup.find("\n", start)
            line_end = len(markup) if line_end < 0 else line_end
        yield spaces + depth * LIST_INDENTATION


def _leading_spaces(markup: str, line: int, start: int) -> int:
    lead = _LEAD.match(markup, line, start)
    written = _TAG.sub("", lead[0]) if lead else ""
    return len(_NO_BREAK_SPACE.sub(" ", written).expandtabs(TAB))
