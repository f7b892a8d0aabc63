"""Make news sites with style sheets, to look for the gain of Potvin and Villemaire where its causes are known.

The paper's corpus (New York Times, Guardian, Le Devoir, 2018) is not public.  What it tells of it is made here:
articles in whose text there are subscription forms, promotions and notes that Boilerpipe keeps.  The sites differ in
how boilerplate and text look beside each other.  `data-true` marks content and means nothing to any reader.
"""

from __future__ import annotations

from dataclasses import dataclass

from benchmarks.articles.made_sites import Prose

_BASE = (
    "body {margin: 0; font: 18px/1.6 Georgia, serif; color: #222} .top {background: #123; color: #fff; padding: 20px}"
    " .top a {color: #fff; margin-right: 16px} main {width: 700px; margin: 20px auto} h1 {font-size: 36px}"
    " main p {margin: 0 0 18px} .foot {background: #eee; padding: 30px; font-size: 12px}"
)
_OWN_LOOK = (
    " .offer {background: #f3f3f3; border: 1px solid #ccc; padding: 12px} .offer p {font: 13px Arial; color: #666;"
    " margin: 4px} .offer label {font: 12px Arial; color: #555} .note {font: italic 14px Arial; color: #777;"
    " border-top: 2px solid #c00; padding-top: 6px}"
)
_LIKE_TEXT = " .offer label {margin: 0 0 18px}"
_RICH = (
    " blockquote {border-left: 4px solid #999; padding-left: 14px; font-style: italic; color: #444} pre {background:"
    " #f6f8fa; font: 14px monospace; padding: 10px} h2 {font-size: 26px} li {margin-left: 20px} table {border: 1px"
    " solid #ccc} td {padding: 4px; border: 1px solid #ccc; font-size: 15px} .lead {font-size: 22px; font-weight: bold}"
)


@dataclass(frozen=True)
class NewsSite:
    """A made site: its style sheet, and what its articles have."""

    style: str
    offers: int
    """Promotions within the text of an article."""
    is_rich: bool = False
    """Whether the text has quotations, code, lists, tables and headings, each with a look of its own."""


NEWS_SITES = {
    "boilerplate has its own look": NewsSite(_BASE + _OWN_LOOK, offers=2),
    "boilerplate looks like the text": NewsSite(_BASE + _LIKE_TEXT, offers=2),
    "text of many looks, much boilerplate": NewsSite(_BASE + _OWN_LOOK + _RICH, offers=2, is_rich=True),
    "text of many looks, little boilerplate": NewsSite(_BASE + _OWN_LOOK + _RICH, offers=0, is_rich=True),
}


def make_news(site: NewsSite, *, articles: int, seed: int = 0) -> list[str]:
    """Make the articles of a site."""
    prose = Prose(seed)
    return [_article(site, prose) for _ in range(articles)]


def _article(site: NewsSite, prose: Prose) -> str:
    blocks = [_block(site, prose) for _ in range(prose.number(8, 14))]
    for place in range(site.offers):
        blocks.insert((place + 1) * len(blocks) // (site.offers + 1), _offer(prose))
    note = f"<p class='note'>Ann Miller writes about {prose.words(2).lower()}. {prose.sentences(1, 2)}</p>"
    menu = "".join(f"<a href='/{name}'>{name.title()}</a>" for name in "news town people sport letters".split())
    return (
        f"<!doctype html><html lang='en'><head><title>{prose.words(5)}</title><style>{site.style}</style></head><body>"
        f"<div class='top'>{menu}</div><main><h1 data-true>{prose.words(6)}</h1>"
        f"<p class='lead' data-true>{prose.sentences(1, 2)}</p>{''.join(blocks)}{note if site.offers else ''}</main>"
        f"<div class='foot'>Harbour Street 4. All rights reserved.</div></body></html>"
    )


def _block(site: NewsSite, prose: Prose) -> str:
    """Write a paragraph, or in a rich text now and then something else."""
    kind = prose.number(0, 9) if site.is_rich else 9
    others = (
        f"<blockquote data-true><p>{prose.sentences(1, 2)}</p></blockquote>",
        f"<pre data-true>{prose.sentences(2, 3)}</pre>",
        f"<h2 data-true>{prose.words(4)}</h2><p data-true>{prose.sentences(2, 4)}</p>",
        "<ul data-true>" + "".join(f"<li>{prose.sentence()}</li>" for _ in range(3)) + "</ul>",
        "<table data-true>" + "".join(f"<tr><td>{prose.sentence()}</td></tr>" for _ in range(2)) + "</table>",
    )
    return others[kind] if kind < len(others) else f"<p data-true>{prose.sentences(2, 4)}</p>"


def _offer(prose: Prose) -> str:
    """Write a promotion with a form in the middle of the text, long enough for Boilerpipe to keep."""
    fields = "".join(f"<label>{prose.words(9)}</label>" for _ in range(prose.number(3, 6)))
    return f"<div class='offer'><p>Subscribe to our letter. {prose.sentences(1, 2)}</p><form>{fields}</form></div>"
