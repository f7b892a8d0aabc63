"""Count the pages on which a system loses words: real pages, and deeply nested ones.

The reference is lexbor's tree, which shares no code with ours.  Words may move, be joined or be split
(trees differ in where an element ends); a word is lost if its characters are gone.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import lxml.etree

from benchmarks.acceptance import Job
from benchmarks.hostile import DEEP, deep_page
from benchmarks.pool import show_progress, work_through
from benchmarks.systems import System, load
from webquarry.model.document import Document

DOCUMENT_TEXT = "document_text"
"""`Document.text()`, judged like another system."""

_NO_WORD = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffc\U00010000-\U0010ffff]")  # U+FFFD replaces such a character


@dataclass
class Losses:
    """The number of pages of a system, and the words lost on some of them."""

    total: int = 0
    pages: list[tuple[str, list[str]]] = field(default_factory=list)

    @property
    def share_kept(self) -> float:
        return 1 - len(self.pages) / self.total if self.total else 1.0


def words_of(texts: Iterable[str]) -> Counter[str]:
    """Count the words of texts, without characters that XML does not allow."""
    return Counter(_NO_WORD.sub("", " ".join(texts).replace("\x0c", " ")).split())


def find_lost(wanted: Counter[str], found: Counter[str]) -> list[str]:
    """List the wanted words whose characters are missing.

    >>> find_lost(Counter(["one", "two"]), Counter(["onetwo"]))
    []
    >>> find_lost(Counter(["one", "two"]), Counter(["one", "tw"]))
    ['two']
    """
    missing, surplus = wanted - found, found - wanted
    lacking = _characters(missing) - _characters(surplus)
    return [word for word in missing if any(character in lacking for character in word)]


def _characters(words: Counter[str]) -> Counter[str]:
    characters: Counter[str] = Counter()
    for word, count in words.items():
        for character in word:
            characters[character] += count
    return characters


NOT_TEXT = frozenset("iframe noembed noframes script selectedcontent style template title".split())
"""Elements whose text is not part of the page, or is a copy of other text."""

NOT_SHOWN = NOT_TEXT | frozenset(
    "area audio base basefont canvas datalist desc head link meta metadata object param rp source track video".split()
)
"""Elements whose text browsers do not show: HTML standard, 15.3.1, and elements with fallback content."""

_XML = lxml.etree.XMLParser(remove_comments=True, remove_pis=True, huge_tree=True, recover=True)


def words_of_html(markup: str, *, unseen: frozenset[str], may_hide: bool = False) -> Counter[str]:
    """Count the words that lexbor finds outside the unseen elements; with `may_hide` also skip hidden elements."""
    from benchmarks.systems.selectolax import read_texts  # noqa: PLC0415 - selectolax may be missing

    return words_of(read_texts(markup, unseen=unseen, may_hide=may_hide))


def words_of_xml(written: str) -> Counter[str]:
    """Count the words of an XML document as lxml reads it, up to the first error."""
    root = lxml.etree.fromstring(written.encode("utf-8", "replace"), _XML)
    if root is None:
        return Counter()
    lxml.etree.strip_elements(root, *(f"{{*}}{name}" for name in NOT_TEXT), with_tail=False)
    return words_of(str(text) for text in root.itertext())


def words_of_output(system: System, markup: str) -> Counter[str]:
    """Count the words that a system writes; none if it raises."""
    try:
        written = system.clean(markup)
    except Exception:  # noqa: BLE001 - a system may raise anything
        return Counter()
    return words_of_xml(written) if system.WRITES_XML else words_of_html(written, unseen=NOT_TEXT)


def words_of_document(markup: str) -> Counter[str]:
    """Count the words of `Document.text()`."""
    return words_of([Document(markup).text()])


_MAX_SHOWN = 5  # lost words named in a complaint


def judge(job: Job) -> dict[str, list[str]]:
    """Return by system some of the words it lost."""
    markup = job.page.markup()
    wanted = words_of_html(markup, unseen=NOT_TEXT)
    lost = _judge_systems(markup, job.systems, wanted)
    shown = words_of_html(markup, unseen=NOT_SHOWN, may_hide=True)
    return lost | {DOCUMENT_TEXT: find_lost(shown, words_of_document(markup))[:_MAX_SHOWN]}


def measure_losses(jobs: Sequence[Job]) -> dict[str, Losses]:
    """Measure the losses of each system over all its jobs."""
    names = (job.page.name for job in jobs)
    return _gather(zip(names, work_through(judge, jobs, "words"), strict=True))


def measure_deep_losses(systems: Sequence[str], levels: int) -> dict[str, Losses]:
    """Measure the losses of each system on generated pages of `levels` levels."""
    return _gather((f"{kind}, {levels} levels", _judge_deep(kind, levels, systems)) for kind in _kinds(levels))


def _kinds(levels: int) -> Iterable[str]:
    return show_progress(list(DEEP), len(DEEP), f"words, {levels} levels")


def _judge_deep(kind: str, levels: int, systems: Sequence[str]) -> dict[str, list[str]]:
    markup, words = deep_page(kind, levels)
    wanted = Counter(words)
    lost = _judge_systems(markup, systems, wanted)
    return lost | {DOCUMENT_TEXT: find_lost(wanted, words_of_document(markup))[:_MAX_SHOWN]}


def _judge_systems(markup: str, names: Sequence[str], wanted: Counter[str]) -> dict[str, list[str]]:
    systems = {name: system for name in names if (system := load(name)) is not None}
    return {name: find_lost(wanted, words_of_output(system, markup))[:_MAX_SHOWN] for name, system in systems.items()}


def _gather(answers: Iterable[tuple[str, dict[str, list[str]]]]) -> dict[str, Losses]:
    losses: defaultdict[str, Losses] = defaultdict(Losses)
    for page, lost in answers:
        for name, words in lost.items():
            losses[name].total += 1
            if words:
                losses[name].pages.append((page, words))
    return dict(losses)
