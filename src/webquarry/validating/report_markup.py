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


STYLE = """
:root { color-scheme: light dark; --ground: #fff; --raised: #f5f6f8; --ink: #1a1d21; --soft: #5b6470; --line: #d9dde3;
  --red: #c2253a; --red-soft: #fdecee; --green: #0a7446; --green-soft: #e7f6ee; --blue: #2f67a8; --amber: #a35a00;
  --violet: #7a3fb5 }
@media (prefers-color-scheme: dark) { :root { --ground: #15181c; --raised: #1e2228; --ink: #e8eaed; --soft: #9aa4b0;
  --line: #343a43; --red: #ff7b88; --red-soft: #3a1e23; --green: #4cc38a; --green-soft: #17301f; --blue: #7db2ea;
  --amber: #f0a75b; --violet: #c79bf2 } }
* { box-sizing: border-box }
html { scroll-behavior: smooth }
body { margin: 0; background: var(--ground); color: var(--ink); font: 16px/1.5 system-ui, 'Segoe UI', Roboto,
  'Liberation Sans', Arial, sans-serif; overflow-wrap: anywhere }
header, main, footer { max-width: 1120px; margin: 0 auto; padding: 0 24px }
header { padding-top: 40px }
h1 { margin: 0; font-size: 30px; line-height: 1.2 }
h2 { margin: 48px 0 12px; padding-bottom: 6px; border-bottom: 1px solid var(--line); font-size: 22px }
h3 { margin: 0 0 2px; font-size: 18px }
a { color: var(--blue) }
:focus-visible { outline: 3px solid var(--blue); outline-offset: 2px }
.skip { position: absolute; left: -999px } .skip:focus { left: 24px; top: 8px }
.soft, .note { color: var(--soft); font-size: 14px; margin: 0 0 12px }
.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(150px, 1fr)); gap: 12px; margin: 24px 0 16px }
.tiles div { display: flex; flex-direction: column; padding: 14px 16px; background: var(--raised); border-radius: 10px }
.tiles dt { color: var(--soft); font-size: 14px } .tiles dd { margin: 0; font-size: 26px; font-weight: 650;
  line-height: 1.25; font-variant-numeric: tabular-nums }
.tiles .beside { font-size: 13px; font-weight: 400; color: var(--soft) }
.notes { margin: 0 0 16px; padding: 12px 16px 12px 34px; border-left: 4px solid var(--amber);
  background: var(--raised) }
.wide { overflow-x: auto; margin: 12px 0 }
table { width: 100%; border-collapse: collapse; font-size: 14px }
caption { padding: 4px 0; text-align: left; font-weight: 600 }
th, td { padding: 6px 10px; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top }
thead th { color: var(--soft); font-weight: 500; white-space: nowrap }
thead th.number { text-align: right }
tbody th { min-width: 10em; font-weight: 500; font-variant-numeric: tabular-nums }
.dropped th, .kept th, .added th { white-space: nowrap; min-width: 0 }
.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap }
td { min-width: 9em } td.number { min-width: 0 } td.text { min-width: 16em; width: 36% }
td:has(code) { min-width: 16em }
code { font: 12px/1.5 ui-monospace, 'Liberation Mono', monospace; color: var(--soft) }
tr.dropped th { color: var(--red); box-shadow: inset 4px 0 var(--red) }
tr.added th { color: var(--green); box-shadow: inset 4px 0 var(--green) }
tr:target { background: var(--red-soft) } tr.added:target { background: var(--green-soft) }
article { margin: 20px 0; padding: 20px; border: 1px solid var(--line); border-radius: 12px }
article.clean { padding: 12px 20px } article.clean .soft { margin: 0 }
summary { cursor: pointer; padding: 6px 0; color: var(--blue); font-size: 14px }
.chart { display: block; width: 100%; min-width: 600px; max-width: 860px; height: auto; margin: 12px 0 }
.chart text { font: 12px system-ui, 'Liberation Sans', Arial, sans-serif; fill: var(--soft) }
.chart .label { font-size: 13px; fill: var(--ink) }
.axis { stroke: var(--soft) } .grid { stroke: var(--line) }
.chart .kept, .chart .content { fill: var(--blue) } .chart .dropped, .chart .boilerplate { fill: var(--red) }
polyline { fill: none; stroke-width: 2.25; stroke-linejoin: round }
.first { stroke: var(--blue); stroke-dasharray: 7 4 } .second { stroke: var(--amber); stroke-dasharray: 2 4 }
.third { stroke: var(--violet) }
.chart text.first { fill: var(--blue); stroke: none } .chart text.second { fill: var(--amber); stroke: none }
.chart text.third { fill: var(--violet); stroke: none }
circle { fill: var(--ground); stroke-width: 2; stroke-dasharray: none !important }
.stop { stroke: var(--ink); stroke-dasharray: 3 3 }
figure { margin: 16px 0 }
.view { max-height: 78vh; overflow: auto; border: 1px solid var(--line); border-radius: 8px; background: #fff }
.frame svg { display: block; width: 100%; height: auto; overflow: hidden }
.crop { display: block; border: 1px solid var(--line); border-radius: 6px; background: #fff }
.plain { margin: 0; padding: 0; list-style: none } .plain li + li { margin-top: 4px }
td.narrow { min-width: 5em } td.odd { min-width: 18em } td.odd li { color: var(--red) }
.values { display: flex; flex-wrap: wrap; gap: 4px 20px; margin: 0 } .values dt { color: var(--soft); font-size: 12px }
.values dd { margin: 0 } .wrong dd { color: var(--red); text-decoration: underline dotted }
.why { margin-top: 6px; font-size: 13px; color: var(--red) } td.word { min-width: 0; white-space: nowrap }
td:has(.crop) { width: 380px }
.frame rect { fill: none; stroke-width: 3 }
.frame rect.kept { stroke: #2f67a8; stroke-opacity: .3; stroke-width: 1.5 }
.frame rect.dropped { stroke: #c2253a; fill: #c2253a; fill-opacity: .1 }
.frame rect.added { stroke: #0a7446; fill: #0a7446; fill-opacity: .1 }
.frame rect.tag { stroke: none; fill-opacity: 1 }
.frame text { font: bold 15px/1 Arial, 'Liberation Sans', sans-serif; fill: #fff }
.frame a:hover rect, .frame a:focus rect { fill-opacity: .3; stroke-width: 5 } .frame a:hover .tag { fill-opacity: 1 }
figcaption { padding: 8px 0; color: var(--soft); font-size: 14px }
.key { display: inline-block; margin-right: 14px; padding-left: 20px; position: relative }
.key::before { content: ''; position: absolute; left: 0; top: 4px; width: 9px; height: 9px; border: 3px solid }
.key.dropped::before { border-color: #c2253a } .key.added::before { border-color: #0a7446 }
.key.kept::before { width: 12px; height: 12px; border: 1.5px solid #2f67a8; opacity: .6 }
footer { padding: 32px 24px; color: var(--soft); font-size: 14px }
@media print { :root { color-scheme: light } body { font-size: 12px }
  header, main, footer { max-width: none; padding: 0 }
  .view { max-height: none; overflow: visible } .wide { overflow: visible } .skip { display: none }
  tr, .tiles div { break-inside: avoid } h2, h3, caption { break-after: avoid }
  .frame, .chart rect, .key::before { print-color-adjust: exact; -webkit-print-color-adjust: exact } }
"""
