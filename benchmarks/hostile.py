"""Generate markup that makes careless parsers slow, or lose text."""

from __future__ import annotations

from dataclasses import dataclass, replace


@dataclass(frozen=True)
class Family:
    """Pages that repeat a unit, and after all units what closes each; `{}` stands for the number of the unit."""

    unit: str
    start: str = ""
    end: str = ""
    closing: str = ""

    def __call__(self, count: int) -> str:
        """Make a page of a number of units.

        >>> Family("<b>{}", closing="</b>")(2)
        '<b>0<b>1</b></b>'
        """
        return self.start + _repeat(self.unit, count) + _repeat(self.closing, count) + self.end

    def with_words(self) -> Family:
        """Give each unit a word of its own: stages look at what has text."""
        return replace(self, unit=f"{self.unit}word{{}} ")

    def fill(self, size: int) -> str:
        """Make a page of about a number of characters."""
        return self(max(1, size * 100 // len(self(100))))


def _repeat(unit: str, count: int) -> str:
    if "{}" not in unit:
        return unit * count
    return "".join(unit.replace("{}", str(number)) for number in range(count))


FAMILIES: dict[str, Family] = {
    "plain text": Family("word "),
    "paragraphs": Family("<p>word "),
    "nested div": Family("<div>"),
    "nested div, closed": Family("<div>", closing="</div>"),
    "nested tables": Family("<table><tr><td>"),
    "nested lists": Family("<ul><li>"),
    "nested svg": Family("<svg><g>"),
    "nested foreign objects": Family("<svg><foreignObject>"),
    "nested templates": Family("<template>"),
    "nested odd names": Family("<o:p>"),
    "formatting re-opened in each paragraph": Family("<p><font color=1>"),
    "formatting of many colours re-opened": Family("<p><font color={}>"),
    "formatting closed over a block": Family("<b><p></b>"),
    "formatting closed in the wrong order": Family("<b><i></b></i>"),
    "formatting in tables": Family("<table><b>"),
    "anchors in anchors": Family("<a><div>"),
    "nobr in nobr": Family("<nobr>"),
    "headings closed by others": Family("<h1></h2>"),
    "cells without a table": Family("<td>word"),
    "text in a table": Family("word<tr>", "<table>"),
    "closing tags without a pair": Family("</p></b></x>"),
    "closing tags under open elements": Family("<div>", closing="</span>"),
    "items": Family("<li>word<p>"),
    "options": Family("<option>word", "<select>"),
    "forms": Family("<form><div>"),
    "ruby": Family("<ruby><rt><rp>"),
    "an unclosed quote in each tag": Family('<a "'),
    "an open angle bracket": Family("<"),
    "an open angle bracket and a letter": Family("<a"),
    "unfinished comments": Family("<!--"),
    "comments of dashes": Family("-", "<!", ">"),
    "short comments": Family("<!-- -- -->"),
    "declarations": Family("<!x>"),
    "instructions": Family("<?x?>"),
    "CDATA ends": Family("]]>"),
    "CDATA sections in svg": Family("<![CDATA[x]]>", "<svg>"),
    "references": Family("&amp;&nbsp;&#0;"),
    "unknown references": Family("&unknown"),
    "attributes of one element": Family(" a{}=b", "<p", ">"),
    "odd attributes of one element": Family(" @a{}=b", "<p", ">"),
    "odd attributes of the root": Family(" @a{}=b", "<html", ">"),
    "equal attributes of one element": Family(" a=b", "<p", ">"),
    "attributes with odd names": Family(' <p @a{}="b">'),
    "attributes with prefixes": Family("<p x{}:a=b>"),
    "elements with odd names": Family("<e{}\ufffd>"),
    "elements with prefixes": Family("<x{}:a></x{}:a>"),
    "declared prefixes": Family("<p xmlns:x{}=b>"),
    "equal names to make ids of": Family("<a name=top></a>"),
    "names and ids that collide": Family("<a name=top></a><p id=top_{}>"),
    "minimised attributes": Family("<input checked disabled>"),
    "languages": Family("<p lang=en>"),
    "scripts": Family("<script>a < b</script>"),
    "unfinished script escapes": Family("<!--<script>", "<script>"),
    "text areas": Family("<textarea></textarea>"),
    "form feeds": Family("<p>a\x0cb"),
    "control characters": Family("a\x01\x02"),
    "bodies with attributes": Family("<body a{}=b>"),
    "roots with attributes": Family("<html a{}=b>"),
    "nested span": Family("<span>"),
    "no-break spaces": Family("&nbsp;"),
    "frame sets": Family("<frameset>"),
    "maths": Family("<math><mi><p>"),
    "line breaks": Family("<br></br>"),
    "hidden elements": Family("<p hidden style='display:none'>x"),
    "preformatted text": Family("<pre>\n a\n"),
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
