"""Make sites whose pages are of several templates: articles, and pages that other templates make.

Every site has a menu and a footer that all pages share. Its articles are of one template; a landing page, a contact
form, terms of use, a charter and a list of articles are not. Words are drawn from a seed, so that a site is the same
on every run. The marks of true text, `data-true`, mean nothing to any reader.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass

_WORDS = (
    "river bridge council harvest winter engine market garden teacher library ferry harbour signal window village "
    "railway orchard museum bakery lantern festival meadow station paper kitchen weather machine forest history number "
    "question answer season letter island mountain summer village doctor school street farmer captain record"
).split()
_VERBS = "opened closed moved carried found kept built counted painted repaired measured followed changed".split()
_LINKS = "and while because although after before since where".split()


class Prose:
    """Sentences that are drawn from a seed."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def number(self, least: int, most: int) -> int:
        """Draw a number."""
        return self._random.randint(least, most)

    def words(self, count: int) -> str:
        """Draw some words, the first one with a capital."""
        return " ".join(self._random.choices(_WORDS, k=count)).capitalize()

    def sentence(self) -> str:
        """Draw a sentence of some fifteen words."""
        draw = self._random.choice
        return (
            f"The {draw(_WORDS)} of the {draw(_WORDS)} {draw(_VERBS)} the {draw(_WORDS)} {draw(_LINKS)} a"
            f" {draw(_WORDS)} {draw(_VERBS)} {self.number(2, 90)} {draw(_WORDS)}s near the {draw(_WORDS)}."
        )

    def sentences(self, least: int, most: int) -> str:
        """Draw a paragraph."""
        return " ".join(self.sentence() for _ in range(self.number(least, most)))

    def paragraphs(self, least: int, most: int) -> str:
        """Draw paragraphs of one to four sentences, as HTML."""
        return "".join(f"<p>{self.sentences(1, 4)}</p>" for _ in range(self.number(least, most)))


@dataclass(frozen=True)
class Template:
    """Markup of a site, with places for what varies."""

    shell: str
    """The whole page; `{content}` is what follows."""
    article: str
    """An article; `{title}`, `{date}`, `{body}`, `{cards}` and `{comments}` vary."""
    plain: str
    """Any other page; `{title}` and `{body}` vary."""


_MENU = "".join(
    f"<li><a href='/{name}'>{name.title()}</a></li>" for name in "news town people sport letters shop".split()
)
_FOOT = "Harbour Street 4. All rights reserved. The publisher is not answerable for the content of other sites."

TEMPLATES = {
    "news with main and article": Template(
        f"<header><a href='/'>The Record</a><nav><ul>{_MENU}</ul></nav></header><main>{{content}}</main>"
        f"<footer><p>{_FOOT}</p></footer>",
        "<article><h1>{title}</h1><div class='byline'>By Ann Miller, {date}</div>"
        "<div class='article-body' data-true>{body}</div></article>"
        "<section class='related'><h2>More news</h2>{cards}</section><section class='comments'>{comments}</section>",
        "<h1>{title}</h1>{body}",
    ),
    "blog of nested boxes": Template(
        f"<div id='page'><div id='top'><h1><a href='/'>Notes</a></h1><ul class='menu'>{_MENU}</ul></div>"
        f"<div id='wrap'><div id='content'>{{content}}</div><div id='sidebar'><h3>About</h3><p>{_FOOT}</p></div></div>"
        f"<div id='bottom'>{_FOOT}</div></div>",
        "<div class='post'><h2>{title}</h2><p class='meta'>{date} by Ann</p>"
        "<div class='entry' data-true>{body}</div></div>"
        "<div id='replies'>{comments}</div><div class='more'>{cards}</div>",
        "<div class='page'><h2>{title}</h2>{body}</div>",
    ),
    "old site in a layout table": Template(
        f"<table width='100%'><tr><td colspan='2'><a href='/'>Town Gazette</a> <ul>{_MENU}</ul></td></tr>"
        f"<tr><td width='160'>{{cards}}</td><td>{{content}}</td></tr>"
        f"<tr><td colspan='2'><font size='1'>{_FOOT}</font></td></tr></table>",
        "<h1>{title}</h1><p><i>{date}</i></p><div data-true>{body}</div><hr><h3>Comments</h3><div>{comments}</div>",
        "<h1>{title}</h1>{body}",
    ),
    "boxes with generated names": Template(
        f"<div id='root'><div class='css-1a'><a href='/' class='css-2b'>Daily</a><ul class='css-3c'>{_MENU}</ul></div>"
        f"<div class='css-4d'>{{content}}</div><div class='css-5e'><p class='css-6f'>{_FOOT}</p></div></div>",
        "<div class='css-7g'><div class='css-8h'><h1 class='css-9i'>{title}</h1><b>{date}</b></div>"
        "<div class='css-k1' data-true>{body}</div><div class='css-l2'>{cards}</div>"
        "<div class='css-m3'><h2>Leave a comment</h2>{comments}</div></div>",
        "<div class='css-n4'><h1 class='css-9i'>{title}</h1></div><div class='css-o5'>{body}</div>",
    ),
    "authority with regions": Template(
        f"<div class='layout'><header role='banner'><a href='/'>Office of Rivers</a></header>"
        f"<nav role='navigation'><ul>{_MENU}</ul></nav><div class='region region-content'>{{content}}</div>"
        f"<div class='region region-footer'>{_FOOT}</div></div>",
        "<article class='node node--news'><h1>{title}</h1><div class='node__submitted'>{date}</div>"
        "<div class='node__content'><div class='field field--lead' data-true><p>{lead}</p></div>"
        "<div class='field field--body' data-true>{body}</div></div></article>"
        "<div class='block block-views'><h2>Further news</h2>{cards}</div>",
        "<article class='node node--page'><h1>{title}</h1><div class='node__content'>{body}</div></article>",
    ),
}


def make_site(template: Template, *, articles: int, seed: int = 0) -> list[str]:
    """Make the pages of a site: some articles, and one page of each other kind."""
    prose = Prose(seed)
    pages = [_article(template, prose) for _ in range(articles)]
    others = [template.plain.format(title=prose.words(3), body=make(prose)) for make in OTHERS.values()]
    step = max(1, articles // len(others))
    for place, page in enumerate(others):  # amid the articles, as names of files mix them
        pages.insert(1 + place * (step + 1), page)
    return [_page(template, prose, page) for page in pages]


def _page(template: Template, prose: Prose, content: str) -> str:
    shell = template.shell.format(content=content, cards=_cards(prose, 5))
    return f"<!doctype html><html lang='en'><head><title>{prose.words(4)}</title></head><body>{shell}</body></html>"


def _article(template: Template, prose: Prose) -> str:
    body = [prose.paragraphs(2, 5)]
    if prose.number(0, 2) == 0:
        body.append(f"<h2>{prose.words(3)}</h2>{prose.paragraphs(1, 4)}")
    if prose.number(0, 3) == 0:
        body.append("<ul>" + "".join(f"<li>{prose.words(6)}</li>" for _ in range(prose.number(2, 5))) + "</ul>")
    if prose.number(0, 4) == 0:
        body.append(f"<blockquote><p>{prose.sentence()}</p></blockquote><p>{prose.sentence()}</p>")
    comments = "".join(
        f"<div class='c'><b>{prose.words(1)}</b><p>{prose.sentences(1, 3)}</p></div>" for _ in range(prose.number(0, 4))
    )
    return template.article.format(
        title=prose.words(6),
        date=f"{prose.number(1, 28)} May 2024",
        lead=prose.sentence(),
        body="".join(body),
        cards=_cards(prose, 4),
        comments=comments,
    )


def _cards(prose: Prose, count: int) -> str:
    return "".join(
        f"<div class='card'><h3><a href='/a/{prose.number(1, 999)}'>{prose.words(5)}</a></h3></div>"
        for _ in range(count)
    )


def _landing(prose: Prose) -> str:
    parts = "".join(
        f"<div class='feature'><h3>{prose.words(3)}</h3><p>{prose.sentences(1, 2)}</p></div>" for _ in range(6)
    )
    return (
        f"<section class='hero' data-true><p>{prose.sentences(2, 2)}</p></section><section data-true>{parts}</section>"
    )


def _form(prose: Prose) -> str:
    fields = "".join(f"<label>{prose.words(1)}<input name='f{place}'></label>" for place in range(5))
    return (
        f"<div data-true>{prose.paragraphs(3, 4)}</div><form action='/send'>{fields}<button>Send</button></form>"
        f"<div data-true><p>{prose.sentences(2, 3)}</p></div>"
    )


def _terms(prose: Prose) -> str:
    clauses = "".join(f"<h2>{place}. {prose.words(3)}</h2>{prose.paragraphs(2, 4)}" for place in range(1, 15))
    return f"<div class='legal-text' data-true>{clauses}</div>"


def _charter(prose: Prose) -> str:
    lines = "".join(
        f"<div class='section'><strong>Article {place}</strong><ol>"
        + "".join(f"<li>{prose.sentence()}</li>" for _ in range(prose.number(1, 4)))
        + "</ol></div>"
        for place in range(1, 40)
    )
    return f"<div data-true>{lines}</div>"


def _facts(prose: Prose) -> str:
    rows = "".join(f"<dt>{prose.words(2)}</dt><dd>{prose.sentences(1, 2)}</dd>" for _ in range(9))
    return f"<dl class='facts' data-true>{rows}</dl>"


OTHERS: dict[str, Callable[[Prose], str]] = {
    "landing page": _landing,
    "form": _form,
    "terms": _terms,
    "charter": _charter,
    "facts": _facts,
}
"""Pages that are not articles."""
