"""Section 2.2: the parser that is made from a wrapper's tokens and grammar.

The lexical analyser "identifies exactly those tokens": the expressions of Table 1 are looked for again, and of what
they find the headings are kept that the wrapper names, by expression and text.  A section's text goes from its heading
to the next one that is kept, without tags.

A parser made by YACC accepts one sequence of headings, the sample's, and hardly another page of a source has it.  So
sections may be absent and come in any order, unless `is_exact` asks for the paper's own: then a page with another
sequence has no values at all.  A heading belongs to the innermost open section that has one of its name still to fill;
where none has, its text is kept under `_other`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from html import unescape

from webquarry.model import Document, Extraction, SectionValue, TokenFormat, Wrapper
from webquarry.model.wrapper import TEXT
from webquarry.wrapping.ashish.filling import NOWHERE, Filled, fill, unfilled
from webquarry.wrapping.ashish.places import elements_at
from webquarry.wrapping.ashish.scanning import Match, raw_text, scan

_UNREAD = r"<!--.*?(?:-->|\Z)|<script\b.*?(?:</script[^<>]*>?|\Z)|<style\b.*?(?:</style[^<>]*>?|\Z)|<[^<>]*(?:>|\Z)"
"""Markup that is no text; what is not ended goes on to the end, so that each character is read once."""
_TAGS = re.compile(_UNREAD, re.DOTALL | re.IGNORECASE)
_BEFORE_TEXT = re.compile(rf"(?:\s|&nbsp;|{_UNREAD})*", re.DOTALL | re.IGNORECASE)
_REST_OF_TAG = re.compile(r"[^<>]*>")


def extract_ashish(wrapper: Wrapper, document: Document, *, is_exact: bool = False) -> Extraction:
    """The sections of the page, each with the element that its text begins in."""
    markup = raw_text(document)
    matches = list(_known(wrapper.tokens, markup))
    filled = fill(wrapper.grammar, [match.text for match in matches])
    missing = unfilled(wrapper.grammar, filled)
    slots = [each.slot for each in filled]
    if is_exact and (missing or slots != sorted({*slots} - {NOWHERE})):
        matches, filled = [], []
    values = _values(document, markup, matches, filled)
    return Extraction(
        page=document.url,
        document=document.kind,
        source=wrapper.source.name,
        values=tuple(values),
        missing=missing,
        unknown=tuple(
            dict.fromkeys(match.text for match, each in zip(matches, filled, strict=True) if each.slot == NOWHERE)
        ),
    )


def _known(formats: Sequence[TokenFormat], markup: str) -> Iterator[Match]:
    named = {(each.signature, name) for each in formats for name in each.names}
    excluded = {(each.signature, name) for each in formats for name in each.excluded}
    unnamed = {each.signature for each in formats if not each.names}
    for match in scan(markup):
        key = (match.expression, match.text)
        if (key in named or match.expression in unnamed) and key not in excluded:
            yield match


def _values(
    document: Document, markup: str, matches: Sequence[Match], filled: Sequence[Filled]
) -> Iterator[SectionValue]:
    begins, texts = [], []
    for start, stop in _stretches(markup, matches):
        begins.append(_begin_of_text(markup, start, stop))
        texts.append(" ".join(unescape(_TAGS.sub(" ", markup[start:stop])).split()))
    nodes = elements_at(document, markup, begins)
    for each, text, node in zip(filled, texts, nodes, strict=True):
        own = (TEXT,) if each.has_inner else ()
        if text or not own:
            yield SectionValue((*each.path, *own), (*each.headings, *own), text, document.xpath(node))


def _stretches(markup: str, matches: Sequence[Match]) -> Iterator[tuple[int, int]]:
    """Where the text of each heading begins and ends; for a heading inside of a tag it begins behind the tag."""
    stops = [*(match.start for match in matches[1:]), len(markup)]
    before, is_in_tag = 0, False
    for match, stop in zip(matches, stops, strict=False):  # without a heading there is a stop all the same
        end = match.end
        opened, closed = markup.rfind("<", before, end), markup.rfind(">", before, end)
        is_in_tag = opened > closed if max(opened, closed) >= 0 else is_in_tag
        before = end
        rest = _REST_OF_TAG.match(markup, end, stop) if is_in_tag else None
        yield (rest.end() if rest else end), stop


def _begin_of_text(markup: str, start: int, stop: int) -> int:
    skipped = _BEFORE_TEXT.match(markup, start, stop)
    begin = skipped.end() if skipped else start
    return begin if begin < stop else start
