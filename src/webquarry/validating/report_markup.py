"""Write elements of HTML and SVG in which foreign text is always escaped.

Not with `turbohtml.build`: it takes no numbers, passes control characters and halves of surrogate pairs on, and takes
twice as long, so a wrapper would be as long as this.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from html import escape

from webquarry.model.wording import whole

MAX_TEXT = 300
"""Characters of a text that are shown."""
_CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")


class Html(str):
    """Markup; any other text is escaped."""

    __slots__ = ()


def text(words: str) -> Html:
    """Escape a text, unless it is markup.

    >>> text("a < b\\x00")
    'a &lt; b'
    """
    return words if isinstance(words, Html) else Html(escape(_CONTROLS.sub("", whole(words))))


def element(name: str, *content: str, **attributes: str | float | None) -> Html:
    """Write an element; `_` in names of attributes becomes `-`, and an attribute that is None is left out.

    >>> element("a", "1 < 2", href="#x", class_="n", aria_hidden=None)
    '<a href="#x" class="n">1 &lt; 2</a>'
    """
    written = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{text(_to_text(value))}"'
        for key, value in attributes.items()
        if value is not None
    )
    return Html(f"<{name}{written}>{join(content)}</{name}>")


def _to_text(value: str | float) -> str:
    return value if isinstance(value, str) else f"{value:.2f}".rstrip("0").rstrip(".")


def join(parts: Iterable[str]) -> Html:
    """Join parts, escaping texts."""
    return Html("".join(map(text, parts)))


def crop(words: str) -> str:
    """Crop a text to what is shown."""
    return words if len(words) <= MAX_TEXT else f"{words[:MAX_TEXT]}…"


def foreign(words: str) -> Html:
    """Write a text of a page: cropped, and isolated from the direction of what is around it."""
    return element("bdi", crop(" ".join(words.split())))


def address(xpath: str) -> Html:
    """Write an XPath that may be broken after each step."""
    return element("code", Html(text(xpath).replace("/", "/<wbr>")))


def table(caption: str, heads: Iterable[str], rows: Iterable[Html], *, numbers: Collection[str] = ()) -> Html:
    """Write a table that scrolls by itself if it is too wide; `numbers` are the columns of numbers."""
    head = (element("th", each, scope="col", class_="number" if each in numbers else None) for each in heads)
    inside = element(
        "table",
        element("caption", caption),
        element("thead", element("tr", *head)),
        element("tbody", *rows),
    )
    return element("div", inside, class_="wide", tabindex="0", role="group", aria_label=caption)


def number_row(head: str, numbers: Iterable[str]) -> Html:
    """Write a table row of a name and numbers."""
    return element(
        "tr", element("th", head, scope="row"), *(element("td", number, class_="number") for number in numbers)
    )


def share(part: float, of: float) -> str:
    """Return a part in per cent.

    >>> share(1, 8), share(0, 0), share(1, 5000)
    ('12.5 %', '0 %', '0.02 %')
    """
    percent = 100 * part / of if of else 0
    return f"{percent:.3g} %" if percent < 99.5 else f"{percent:.0f} %"
