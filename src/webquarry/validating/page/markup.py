"""Elements of HTML and SVG in which what others wrote is text and nothing else."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from html import escape

from webquarry.model.tabling import whole

MAX_TEXT = 300
"""Characters of a text that are shown; more make no table."""
_CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")


class Html(str):
    """What is written already; any other text is escaped."""

    __slots__ = ()


def text(words: str) -> Html:
    """Words as they are read.

    >>> text("a < b\\x00")
    'a &lt; b'
    """
    return words if isinstance(words, Html) else Html(escape(_CONTROLS.sub("", whole(words))))


def element(name: str, *content: str, **attributes: str | float | None) -> Html:
    """An element; `_` in the names of attributes stands for `-`, and one that is None is left out.

    >>> element("a", "1 < 2", href="#x", class_="n", aria_hidden=None)
    '<a href="#x" class="n">1 &lt; 2</a>'
    """
    told = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{text(_plain(value))}"'
        for key, value in attributes.items()
        if value is not None
    )
    return Html(f"<{name}{told}>{''.join(map(text, content))}</{name}>")


def foreign(words: str) -> Html:
    """A text of a page: cropped, and apart from its surroundings whichever way it is written."""
    folded = " ".join(words.split())
    return element("bdi", folded if len(folded) <= MAX_TEXT else f"{folded[:MAX_TEXT]}…")


def address(xpath: str) -> Html:
    """An address that may be broken after each step."""
    return element("code", Html(text(xpath).replace("/", "/<wbr>")))


def join(parts: Iterable[str]) -> Html:
    """Parts one after the other."""
    return Html("".join(map(text, parts)))


def table(caption: str, heads: Iterable[str], rows: Iterable[Html], *, numbers: Collection[str] = ()) -> Html:
    """A table with a caption, and with columns of numbers; one that is too wide scrolls by itself."""
    head = (element("th", each, scope="col", class_="number" if each in numbers else None) for each in heads)
    return element(
        "div",
        element(
            "table",
            element("caption", caption),
            element("thead", element("tr", *head)),
            element("tbody", *rows),
        ),
        class_="wide",
        tabindex="0",
        role="group",
        aria_label=caption,
    )


def count(number: int, noun: str) -> str:
    """A number with its noun.

    >>> count(1, "node"), count(1200, "page")
    ('1 node', '1,200 pages')
    """
    return f"{number:,} {noun}{'s' * (number != 1)}"


def share(part: float, of: float) -> str:
    """A part in per cent.

    >>> share(1, 8), share(0, 0), share(1, 5000)
    ('12.5 %', '0 %', '0.02 %')
    """
    percent = 100 * part / of if of else 0
    return f"{percent:.3g} %" if percent < 99.5 else f"{percent:.0f} %"


def _plain(value: str | float) -> str:
    return value if isinstance(value, str) else f"{value:.2f}".rstrip("0").rstrip(".")
