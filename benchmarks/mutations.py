"""Break real pages on purpose, in every way that we know of.

The same pages and seed give the same mutants on any machine.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from benchmarks.corpora import CorpusPage

_TAG = re.compile(r"<[^<>]*>")
_NAME = re.compile(r"(?<=<)/?[a-zA-Z][^\s/<>]*")
_PLACES = 20  # insertions a page
_TEN_MEGABYTES = 10_000_000
_MANY_LEVELS = 100_000
_FOUNTAIN = "<p>A page without content of its own.</p>"

_CONTROLS = [chr(code) for code in (*range(1, 9), 11, 12, *range(14, 32), 127, 0x80, 0x85, 0x9F, 0xFFFE, 0xFFFF)]
_SURROGATES = ["\ud800", "\udbff", "\udc00", "\udfff", "\udc80\ud83d"]
_COMMENTS = ["<!-- a -- b -->", "<!---->", "<!-->", "<!--->", "<!-- ---", "<!-- a --!>", "<!----- x ----->", "<!-"]
_CDATA = ["]]>", "]]]]>>", "<![CDATA[ x ]]>", "<svg><![CDATA[ <a> ]] ]]></svg>", "<![CDATA["]
_PREFIXED = [
    "<o:p>x</o:p>",
    "<fb:like href=a>",
    "<v:shape xmlns:v=b o:a=c>",
    "<a:b:c>",
    "<x:>",
    "<:x>",
    "<xml:a xmlns:a=''>",
]
_ODD_NAMES = [
    *("<a\ufffd>", "<b\U0001f600>x", "<c\x00d>", "<e=f>", "<g'h\">", "<i<j>", "<k-.1>", "<l@m>", "<xmlns>", "<xml>"),
    *("<p @click=a :b=c #d=e [f]=g (h)=i>", '<p "=j>', "<p '=k>", "<p \U0001f600=l>", "<p xmlns=m xmlns:n='' xml:o=p>"),
    *(
        "<p =q>",
        "<p 1=r>",
        "<p a a a=s A=t>",
        "<p xmlns:xmlns=u xml=v>",
        "<p \x01=w>",
        "<p \ud800=x>",
        "<svg:svg xlink:=y>",
    ),
]
_REFERENCES = "&#0; &#1; &#x1F; &#xD800; &#xDFFF; &#xFFFE; &#xFFFF; &#x110000; &#99999999999; &# &#x &amp &unknown; &;"
_DECLARATIONS = [
    *('<?xml version="1.0"?>', "<?php echo '?>' ?>", "<?", "<?xml?>", "<!DOCTYPE>", "<!DOCTYPE a [<!ENTITY b 'c'>]>"),
    *('<!DOCTYPE html PUBLIC "a"b" \'c>', "<!ELEMENT a>", "<!", "</", "</ a>", "</>", "<>"),
]
_FOREIGN = [
    *("<svg><p>", "<svg><foreignObject><div>", "<math><mi><p>", "<math><annotation-xml encoding=text/html><b>"),
    *("<svg><title><svg>", "<svg xlink:href=a xml:lang=b xmlns=c>", "</svg>", "</math>", "<svg><script>a<b</script>"),
]
_MISPLACED = [
    *(
        "<table><b>x",
        "<select><table>",
        "<body a=b>",
        "<html c=d>",
        "<head>",
        "</body>",
        "</html>x",
        "<frameset><frame>",
    ),
    *(
        "<plaintext>",
        "<template><td>",
        "</template>",
        "<form><form>",
        "<b><p></b>",
        "<a><a>",
        "<li><p><li>",
        "<textarea>",
    ),
    *("<script>", "<style>", "<title>", "<noscript>", "<iframe>", "<xmp>", "</p>", "</br>", "<image>", "<nobr><nobr>"),
]

Mutation = Callable[[str, random.Random], str]


def truncate(markup: str, dice: random.Random) -> str:
    """Cut the page off at a random place."""
    return markup[: dice.randrange(len(markup) + 1)]


def delete_tags(markup: str, dice: random.Random) -> str:
    """Delete one tag in ten."""
    return _TAG.sub(lambda tag: "" if dice.random() < 0.1 else tag[0], markup)


def swap_tags(markup: str, dice: random.Random) -> str:
    """Swap one tag in ten with another."""
    tags = _TAG.findall(markup)
    for place in range(len(tags)):
        if dice.random() < 0.1:
            other = dice.randrange(len(tags))
            tags[place], tags[other] = tags[other], tags[place]
    return _with_tags(markup, tags)


def repeat_tags(markup: str, dice: random.Random) -> str:
    """Repeat one tag in twenty several times."""
    return _TAG.sub(lambda tag: tag[0] * dice.randrange(2, 9) if dice.random() < 0.05 else tag[0], markup)


def break_tags(markup: str, dice: random.Random) -> str:
    """Delete some brackets, quotes and equals signs."""
    return re.sub(r"[<>\"'=]", lambda sign: "" if dice.random() < 0.02 else sign[0], markup)


def insert_control_characters(markup: str, dice: random.Random) -> str:
    """Insert characters that XML does not allow."""
    return _insert(markup, dice, _CONTROLS)


def insert_nul(markup: str, dice: random.Random) -> str:
    """Insert NUL characters."""
    return _insert(markup, dice, ["\0"])


def insert_lone_surrogates(markup: str, dice: random.Random) -> str:
    """Insert lone surrogates."""
    return _insert(markup, dice, _SURROGATES)


def insert_comments(markup: str, dice: random.Random) -> str:
    """Insert comments that contain dashes or are unfinished."""
    return _insert(markup, dice, _COMMENTS)


def insert_cdata_ends(markup: str, dice: random.Random) -> str:
    """Insert the ends and starts of CDATA sections."""
    return _insert(markup, dice, _CDATA)


def insert_prefixes(markup: str, dice: random.Random) -> str:
    """Insert undeclared namespace prefixes, and add one to every tenth tag."""
    prefixed = _NAME.sub(lambda name: _prefix(name[0]) if dice.random() < 0.1 else name[0], markup)
    return _insert(prefixed, dice, _PREFIXED)


def insert_odd_names(markup: str, dice: random.Random) -> str:
    """Insert names that XML does not allow."""
    return _insert(markup, dice, _ODD_NAMES)


def insert_references(markup: str, dice: random.Random) -> str:
    """Insert invalid character references."""
    return _insert(markup, dice, _REFERENCES.split())


def insert_declarations(markup: str, dice: random.Random) -> str:
    """Insert declarations and processing instructions."""
    return _insert(markup, dice, _DECLARATIONS)


def insert_foreign_elements(markup: str, dice: random.Random) -> str:
    """Insert pieces of SVG and MathML."""
    return _insert(markup, dice, _FOREIGN)


def insert_misplaced_elements(markup: str, dice: random.Random) -> str:
    """Insert elements where they are not allowed."""
    return _insert(markup, dice, _MISPLACED)


def scramble(markup: str, dice: random.Random) -> str:
    """Apply three random mutations."""
    for mutation in dice.sample(_LIGHT_ONCE, 3):
        markup = mutation(markup, dice)
    return markup


def grow_to_ten_megabytes(markup: str, dice: random.Random) -> str:
    """Repeat the page, each time cut off at a random place, up to ten megabytes."""
    parts: list[str] = []
    length = 0
    while length < _TEN_MEGABYTES:
        parts.append(truncate(markup, dice) or _FOUNTAIN)
        length += len(parts[-1])
    return "".join(parts)


def nest_deeply(markup: str, dice: random.Random) -> str:
    """Nest a hundred thousand elements at a random place."""
    opened = dice.choice(["<div>", "<span>", "<b>", "<ul><li>", "<table><tr><td>", "<svg><g>", "<x:y>", "<template>"])
    place = dice.randrange(len(markup) + 1)
    return markup[:place] + opened * (_MANY_LEVELS // opened.count("<")) + markup[place:]


_LIGHT_ONCE: list[Mutation] = [
    truncate,
    delete_tags,
    swap_tags,
    repeat_tags,
    break_tags,
    insert_control_characters,
    insert_nul,
    insert_lone_surrogates,
    insert_comments,
    insert_cdata_ends,
    insert_prefixes,
    insert_odd_names,
    insert_references,
    insert_declarations,
    insert_foreign_elements,
    insert_misplaced_elements,
]
LIGHT: dict[str, Mutation] = {mutation.__name__: mutation for mutation in [*_LIGHT_ONCE, scramble]}
HEAVY: dict[str, Mutation] = {mutation.__name__: mutation for mutation in (grow_to_ten_megabytes, nest_deeply)}
MUTATIONS = LIGHT | HEAVY

_HEAVY_PERIOD = 100  # every hundredth mutant is a heavy one


@dataclass(frozen=True)
class Mutant:
    """A page and the mutation to apply to it."""

    page: CorpusPage
    mutation: str
    seed: int

    @property
    def name(self) -> str:
        return f"{self.page.name} {self.mutation} {self.seed}"

    @property
    def is_heavy(self) -> bool:
        return self.mutation in HEAVY

    def markup(self) -> str:
        """Return the page after the mutation."""
        return MUTATIONS[self.mutation](self.page.markup(), random.Random(self.seed))


def make_mutants(pages: Sequence[CorpusPage], count: int, seed: int) -> list[Mutant]:
    """Make mutants of randomly drawn pages, using the mutations in turn."""
    dice = random.Random(seed)
    light, heavy = list(LIGHT), list(HEAVY)
    mutants = []
    for number in range(count):
        kinds, turn = (heavy, number // _HEAVY_PERIOD) if number % _HEAVY_PERIOD == 0 else (light, number)
        mutants.append(Mutant(dice.choice(pages), kinds[turn % len(kinds)], dice.getrandbits(32)))
    return mutants


def _insert(markup: str, dice: random.Random, pieces: Sequence[str]) -> str:
    """Insert random pieces at random places."""
    places = sorted(dice.randrange(len(markup) + 1) for _ in range(_PLACES))
    parts = []
    for start, stop in zip([0, *places], [*places, len(markup)], strict=True):
        parts += [markup[start:stop], dice.choice(pieces)]
    return "".join(parts[:-1])


def _with_tags(markup: str, tags: list[str]) -> str:
    rest = iter(tags)
    return _TAG.sub(lambda _: next(rest), markup)


def _prefix(name: str) -> str:
    return f"/q:{name[1:]}" if name.startswith("/") else f"q:{name}"
