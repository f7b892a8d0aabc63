"""Generate markup that makes careless parsers slow, or lose text."""

from __future__ import annotations

from collections.abc import Callable

Family = Callable[[int], str]


def _repeat(unit: str, start: str = "", end: str = "") -> Family:
    return lambda count: start + unit * count + end


def _number(unit: str, start: str = "", end: str = "") -> Family:
    """Make a family whose units differ: `#` is replaced by the number of the unit."""
    return lambda count: start + "".join(unit.replace("#", str(number)) for number in range(count)) + end


FAMILIES: dict[str, Family] = {
    "plain text": _repeat("word "),
    "paragraphs": _repeat("<p>word "),
    "nested div": _repeat("<div>"),
    "nested div, closed": lambda count: "<div>" * count + "</div>" * count,
    "nested tables": _repeat("<table><tr><td>"),
    "nested lists": _repeat("<ul><li>"),
    "nested svg": _repeat("<svg><g>"),
    "nested foreign objects": _repeat("<svg><foreignObject>"),
    "nested templates": _repeat("<template>"),
    "nested odd names": _repeat("<o:p>"),
    "formatting re-opened in each paragraph": _repeat("<p><font color=1>"),
    "formatting of many colours re-opened": _number("<p><font color=#>"),
    "formatting closed over a block": _repeat("<b><p></b>"),
    "formatting closed in the wrong order": _repeat("<b><i></b></i>"),
    "formatting in tables": _repeat("<table><b>"),
    "anchors in anchors": _repeat("<a><div>"),
    "nobr in nobr": _repeat("<nobr>"),
    "headings closed by others": _repeat("<h1></h2>"),
    "cells without a table": _repeat("<td>word"),
    "text in a table": _repeat("word<tr>", "<table>"),
    "closing tags without a pair": _repeat("</p></b></x>"),
    "closing tags under open elements": lambda count: "<div>" * count + "</span>" * count,
    "items": _repeat("<li>word<p>"),
    "options": _repeat("<option>word", "<select>"),
    "forms": _repeat("<form><div>"),
    "ruby": _repeat("<ruby><rt><rp>"),
    "an unclosed quote in each tag": _repeat('<a "'),
    "an open angle bracket": _repeat("<"),
    "an open angle bracket and a letter": _repeat("<a"),
    "unfinished comments": _repeat("<!--"),
    "comments of dashes": lambda count: f"<!{'-' * count}>",
    "short comments": _repeat("<!-- -- -->"),
    "declarations": _repeat("<!x>"),
    "instructions": _repeat("<?x?>"),
    "CDATA ends": _repeat("]]>"),
    "CDATA sections in svg": _repeat("<![CDATA[x]]>", "<svg>"),
    "references": _repeat("&amp;&nbsp;&#0;"),
    "unknown references": _repeat("&unknown"),
    "attributes of one element": _number(" a#=b", "<p", ">"),
    "equal attributes of one element": _repeat(" a=b", "<p", ">"),
    "attributes with odd names": _number(' <p @a#="b">'),
    "attributes with prefixes": _number("<p x#:a=b>"),
    "elements with odd names": _number("<e#\ufffd>"),
    "elements with prefixes": _number("<x#:a></x#:a>"),
    "declared prefixes": _number("<p xmlns:x#=b>"),
    "equal names to make ids of": _repeat("<a name=top></a>"),
    "names and ids that collide": _number("<a name=top></a><p id=top_#>"),
    "minimised attributes": _repeat("<input checked disabled>"),
    "languages": _repeat("<p lang=en>"),
    "scripts": _repeat("<script>a < b</script>"),
    "unfinished script escapes": _repeat("<!--<script>", "<script>"),
    "text areas": _repeat("<textarea></textarea>"),
    "form feeds": _repeat("<p>a\x0cb"),
    "control characters": _repeat("a\x01\x02"),
    "bodies with attributes": _number("<body a#=b>"),
    "frame sets": _repeat("<frameset>"),
    "maths": _repeat("<math><mi><p>"),
    "line breaks": _repeat("<br></br>"),
    "hidden elements": _repeat("<p hidden style='display:none'>x"),
    "preformatted text": _repeat("<pre>\n a\n"),
}

DEEP = {
    "div": ("<div>", "</div>"),
    "span": ("<span>", "</span>"),
    "b": ("<b>", "</b>"),
    "list": ("<ul><li>", "</li></ul>"),
    "table": ("<table><tr><td>", "</td></tr></table>"),
    "svg": ("<svg><g><text>", "</text></g></svg>"),
    "odd name": ("<x:y>", "</x:y>"),
    "unclosed": ("<div>", ""),
}
"""The start and end tags that deep pages nest."""


def deep_page(kind: str, levels: int) -> tuple[str, list[str]]:
    """Make a page with a word before and after each nested element, and list its words."""
    opened, closed = DEEP[kind]
    levels //= opened.count("<")
    words_in = [f"in{level}" for level in range(levels)]
    words_out = [f"out{level}" for level in range(levels)]
    inner = "".join(f"{opened}{word} " for word in words_in)
    outer = "".join(f" {word}{closed}" for word in words_out)
    return inner + outer, words_in + words_out
