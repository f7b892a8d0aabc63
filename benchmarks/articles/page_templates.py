"""Make pages from templates: whole pages of markup, one a file, with places for words.

`~w3~` are three words, `~s2~` two sentences, `~p2~` two paragraphs, `~l5~` five list items with links, `~a5~` five
links, `~n~` a number. What is between `<!--x4-->` and `<!--x-->` comes four times, each time with other words.
"""

from __future__ import annotations

import re
from functools import partial
from pathlib import Path

from benchmarks.articles.made_sites import Prose
from benchmarks.articles.page_parts import Make, links

_FOLDER = Path(__file__).with_name("pages")
_REPEATED = re.compile(r"<!--x(\d+)-->(.*?)<!--x-->", re.DOTALL)
_PLACE = re.compile(r"~([wsplan])(\d*)~")


def fill_template(template: str, prose: Prose) -> str:
    """Write a page from a template.

    >>> fill_template("<!--x2--><p>~n~</p><!--x-->", Prose(1))
    '<p>19</p><p>74</p>'
    """
    repeated = _REPEATED.sub(lambda match: int(match[1]) * match[2], template)
    return _PLACE.sub(lambda match: _draw(prose, match[1], int(match[2] or 1)), repeated)


def _draw(prose: Prose, kind: str, count: int) -> str:
    if kind == "w":
        return prose.words(count)
    if kind == "s":
        return prose.sentences(count, count)
    if kind == "p":
        return "".join(f"<p>{prose.sentences(1, 4)}</p>" for _ in range(count))
    if kind == "l":
        return links(prose, count)
    if kind == "a":
        return links(prose, count, item="<a href='/{0}'>{1}</a> ")
    return str(prose.number(2, 90))


def load_templates() -> dict[str, Make]:
    """List the makers of all templates, named by kind and system as their files are."""
    return {
        path.stem.replace("-", ": ", 1).replace("-", " "): partial(fill_template, path.read_text("utf-8"))
        for path in sorted(_FOLDER.glob("*.html"))
    }
