"""How to read every page of a source: what a wrapper file says."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from webquarry.model import nouns as notebook

OTHER = "_other"
"""The name under which headings stand that are no section of the grammar."""
TEXT = "_text"
"""The name of a section's own text beside its sub-sections."""
TITLE = "_title"
"""The name of the heading that names the page."""
HEADING = "_heading"
"""The name of a repeated section's heading, which is a value."""


@dataclass(frozen=True)
class Source:
    """Where the pages of a source are, and how they are found."""

    name: str
    kind: str = "sections"
    """Or `records`, or `tables`."""
    base: str = ""
    """The address or folder that pages are relative to; nothing for the wrapper file's own folder."""
    pages: str = ""
    """The mapping function, arguments to address: a template such as `geos/{code}.html`, or `module:function`."""
    key: str = ""
    """The name of what tells the pages apart, such as `country`."""
    index_page: str = ""
    """The page whose links give keys (their texts) and arguments (their addresses matched with `pages`)."""
    index_file: str = ""
    """The CSV file that gives keys and arguments, in the place of an index page."""
    render: bool = False
    """Whether pages must be rendered to be read: signatures alone do not tell on the samples."""
    samples: tuple[str, ...] = ()
    """The pages that it was learnt from."""
    language: str = ""
    """Of the pages, such as `en`; with `decimal` and `day_first` it says how their numbers and dates are written."""
    decimal: str = "."
    day_first: bool = False


@dataclass(frozen=True)
class TokenFormat:
    """A format that starts a section.

    A heading is of the format when it has its signature on a static page, and its look too on a rendered one.
    """

    level: int
    """1 for the outermost sections."""
    like: str
    """The text of an example."""
    signature: str = ""
    """The static format, such as `div.category > a`: tags and classes from the block inwards."""
    look: str = ""
    """The rendered format in words, such as `11px bold #666666`; nothing when it was learnt from static pages."""
    names: tuple[str, ...] = ()
    """When given, only these headings are of the format: others of the same looks are plain text."""
    excluded: tuple[str, ...] = ()
    """Headings of these names are plain text; those of a dotted path, such as `geography.area.note`, only there."""
    is_inline: bool = False
    """Whether its headings may stand within a line."""
    repeats: str = ""
    """The name of the section that each of its headings starts anew; then the heading is a value."""


@dataclass(frozen=True)
class Section:
    """A section of the grammar, with the sections in it."""

    name: str
    """In lower snake case; no two sections of one parent have the same."""
    children: tuple[Section, ...] = ()
    is_optional: bool = False
    """Whether some sample lacks it where its parent stands."""
    is_repeated: bool = False
    """Whether it occurs again and again, its heading being a value; then it is a list."""
    headings: tuple[str, ...] = ()
    """What pages call it, where that in snake case is not its name: after renaming and joining."""
    type: str = "text"
    """Or number, money, date, boolean, list, table."""

    def walk(self, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Section]]:
        """All sections below this one with their paths, each before those in it."""
        for child in self.children:
            below = (*path, child.name)
            yield below, child
            yield from child.walk(below)


@dataclass(frozen=True)
class FieldRule:
    """How a field of a listing's records, or a column of a table, is found again."""

    name: str
    type: str = "text"
    """Or number, money, date, boolean, link, image; or list: all nodes of the signature together."""
    signature: str = ""
    """Tags and classes from the record inwards; alternatives are parted by commas."""
    place: int = 0
    """Which of those of the same signature in a record, from 0, or from -1 backwards; of a column of a table its
    number."""
    attribute: str = ""
    """Where the value is an attribute, such as `href`: its name; of several the first that is there counts."""
    heading: str = ""
    """Of a column of a table the text of its header; of a field of a listing the label before the value."""
    is_optional: bool = False
    """Whether some sample lacks it, or has it in few records."""


@dataclass(frozen=True)
class ListingRule:
    """How the records of a listing, or the rows of a table, are found again."""

    region: str
    """The signature of what holds the records: tags and classes from the body inwards."""
    record: str
    """The signature of a record's first node below it."""
    span: int = 1
    """How many siblings a record takes at most; 0 for all up to the next record's first."""
    fields: tuple[FieldRule, ...] = ()


@dataclass(frozen=True)
class Step:
    """A correction that was made."""

    action: str
    """As it was said, such as `drop "note" --class`."""
    tokens: int
    """What the paper counts for it: each token added or deleted on a sample page, each rule corrected."""
    undo: str
    """What takes it back: the lines of the wrapper file that it changed, as they were and as they are."""


@dataclass(frozen=True)
class Wrapper:
    """How to read every page of a source."""

    source: Source
    tokens: tuple[TokenFormat, ...] = ()
    """The formats that start sections, outermost first."""
    classes: tuple[str, ...] = ()
    """The class names that signatures are made of; pages may have others, which are passed over."""
    title: str = ""
    """The signature of the heading that names the page itself, such as a country."""
    content: tuple[str, ...] = ()
    """The steps from the outermost element to the one that holds the content."""
    hidden: tuple[str, ...] = ()
    """Steps of elements that style sheets hide."""
    ignored: tuple[str, ...] = ()
    """Signatures of texts that are no content: the same on every page, or the page's own title again and again."""
    grammar: Section = field(default_factory=lambda: Section(""))
    """The page; its children are the outermost sections."""
    other: tuple[str, ...] = ()
    """Headings in snake case that may stand in any section: their values stand under `_other`."""
    listing: ListingRule | None = None
    """For the kinds `records` and `tables`."""
    method: str = "format"
    """Or `ashish`: how its tokens were found."""
    history: tuple[Step, ...] = ()

    @property
    def steps(self) -> tuple[int, int]:
        """The correction steps so far, as the paper counts and as we count: an action is one."""
        return sum(step.tokens for step in self.history), len(self.history)

    def _repr_html_(self) -> str:
        count = sum(1 for _ in self.grammar.walk())
        what = f"{count:,} sections" if self.listing is None else f"{len(self.listing.fields)} fields"
        fields = {} if self.listing is None else {rule.name: rule.type for rule in self.listing.fields}
        return notebook.tree(fields or _outline(self.grammar), f"wrapper of {self.source.name}: {what}")


def _outline(section: Section) -> dict[str, Any]:
    """The sections in a section, each with its type or with those in it."""
    return {
        child.name + "*" * child.is_repeated + "?" * child.is_optional: _outline(child) or child.type
        for child in section.children
    }


# MERGED model/token: Headings that were found on a page.
@dataclass(frozen=True)
class Token:
    """A heading that starts a section of a page."""

    text: str
    node: int
    """The text node that it begins in."""
    level: int
    """1 for the outermost."""
    path: tuple[str, ...]
    """The names in snake case from the outermost section to its own."""
