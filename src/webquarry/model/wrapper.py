"""The wrapper of a source, which says how to read every page of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from webquarry.model.names import key_names
from webquarry.model.nouns import html_tree
from webquarry.model.wording import count
from webquarry.values.text_value import Locale

OTHER = "_other"
"""The name for headings that are not in the grammar."""
TEXT = "_text"
"""The name for a section's own text beside its sub-sections."""
TITLE = "_title"
"""The name for the title of the page."""
HEADING = "_heading"
"""The name for the heading of a repeated section, which is a value."""
SectionPath = tuple[str, ...]
"""The names of sections from the outermost to one of them."""


@dataclass(frozen=True)
class Source:
    """The place of the pages of a source."""

    name: str
    kind: str = "sections"
    """`sections`, `item`, `records` or `tables`."""
    base: str = ""
    """The address or folder that pages are relative to; empty for the folder of the wrapper file."""
    pages: str = ""
    """The mapping from arguments to an address: a template such as `geos/{code}.html`, or `module:function`."""
    key: str = ""
    """The name of what identifies a page, such as `country`; several names are separated by commas."""
    index_page: str = ""
    """The page whose links give keys (their texts) and arguments (their addresses, matched with `pages`)."""
    index_file: str = ""
    """The CSV file that gives keys and arguments instead of an index page."""
    render: bool = False
    """True if pages must be rendered to be read, because signatures were ambiguous on the samples."""
    samples: tuple[str, ...] = ()
    """The pages that it was learnt from."""
    language: str = ""
    """Such as `en`; with `decimal` and `day_first` it says how numbers and dates are written."""
    decimal: str = "."
    day_first: bool = False
    roots: tuple[str, ...] = ()
    """Folders whose files its pages on disk may use; relative to the wrapper file."""
    base_url: str = ""
    """The address on the web of pages that were saved to disk."""
    url_map: str = ""
    """The CSV file with the addresses on the web of saved pages; relative to the wrapper file."""
    form: str = ""
    """The template of what is sent to the address by POST, such as `country={country}&year={year}`."""

    @property
    def keys(self) -> tuple[str, ...]:
        """The names of all that identifies a page together."""
        return key_names(self.key)

    @property
    def locale(self) -> Locale:
        """How its numbers and dates are written."""
        return Locale(self.decimal, self.day_first, self.language)

    def with_locale(self, locale: Locale) -> Source:
        """Return the source with numbers and dates written so."""
        return replace(self, language=locale.language, decimal=locale.decimal, day_first=locale.day_first)


@dataclass(frozen=True)
class TokenFormat:
    """A format of headings that start a section.

    A heading has the format if it has the signature, and on rendered pages the look too.
    """

    level: int
    """1 for the outermost sections."""
    like: str
    """The text of an example."""
    signature: str = ""
    """The static format, such as `div.category > a`: tags and classes from the block inwards."""
    look: str = ""
    """The rendered format, such as `11px bold #666666`; empty if learnt from static pages."""
    names: tuple[str, ...] = ()
    """If given, only these headings count; others of the same look are plain text."""
    excluded: tuple[str, ...] = ()
    """Headings of these names are plain text; a dotted path, such as `geography.area.note`, means only there."""
    is_inline: bool = False
    """True if headings may be within a line."""
    repeats: str = ""
    """The name of the repeated section that each heading starts; the heading is a value then."""


@dataclass(frozen=True)
class Section:
    """A section of the grammar, with the sections in it."""

    name: str
    """In lower snake case, unique within the parent."""
    children: tuple[Section, ...] = ()
    is_optional: bool = False
    """True if some sample has its parent and lacks it."""
    is_repeated: bool = False
    """True if it repeats, with its heading as a value; it is a list then."""
    headings: tuple[str, ...] = ()
    """Its headings on pages, if their snake case is not its name: after renaming and joining."""
    type: str = "text"
    """text, number, money, date, boolean, list or table."""

    def walk(self, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Section]]:
        """Iterate over all sections below this one with their paths, parents first."""
        for child in self.children:
            below = (*path, child.name)
            yield below, child
            yield from child.walk(below)


@dataclass(frozen=True)
class FieldRule:
    """A rule that finds a field of a listing's records, or a column of a table."""

    name: str
    type: str = "text"
    """text, number, money, date, boolean, link or image.  All nodes of the signature together are images or a list,
    or for an item pairs: the labelled values that no other field has."""
    signature: str = ""
    """Tags and classes from the record inwards; alternatives are separated by commas."""
    place: int = 0
    """The index among nodes of the same signature in a record, negative from the end; for a table the column number."""
    attribute: str = ""
    """The name of the attribute that holds the value, such as `href`; of several the first present counts."""
    heading: str = ""
    """The header text of a table's column, or the label before the value of a listing's field."""
    is_optional: bool = False
    """True if some sample lacks it, or has it in few records."""
    instead: tuple[FieldRule, ...] = ()
    """Rules for records in which this one finds nothing: fields that a person joined with it."""
    more: tuple[FieldRule, ...] = ()
    """Rules whose texts follow its own: fields that a person merged into it."""
    cuts: tuple[str, ...] = ()
    """What to take of its text, one cut after the other, such as `before: /` or `after: by`; a person split it."""
    by_example: bool = False
    """True if a person added it by an example: it reads its nodes whatever other fields read."""

    def walk(self) -> Iterator[FieldRule]:
        """Iterate over the rule and those inside it, in the order in which cells are folded."""
        yield self
        for rule in (*self.instead, *self.more):
            yield from rule.walk()


@dataclass(frozen=True)
class ListingRule:
    """A rule that finds the records of a listing, or the rows of a table."""

    region: str
    """The signature of the element that holds the records: tags and classes from the body inwards."""
    record: str
    """The signature of the first node of a record below it."""
    span: int = 1
    """The maximum number of siblings in a record; 0 for all up to the next record."""
    fields: tuple[FieldRule, ...] = ()
    excluded: str = ""
    """The signature, from the record itself inwards, of what no record is or has."""
    excluded_texts: tuple[str, ...] = ()
    """Texts that no record begins with: a person left these out, and nothing in the markup tells them from records."""
    unseen: tuple[str, ...] = ()
    """For an item, signatures of elements that style sheets hide."""

    @property
    def rules(self) -> tuple[FieldRule, ...]:
        """The rules of all fields, with those inside them."""
        return tuple(rule for field in self.fields for rule in field.walk())


@dataclass(frozen=True)
class Step:
    """A correction that was made."""

    action: str
    """As on the command line, such as `drop "note" --class`."""
    tokens: int
    """Steps as the paper counts: each token added or deleted on a sample page, each rule corrected."""
    undo: str
    """The lines of the wrapper file that it changed, before and after."""


@dataclass(frozen=True)
class Wrapper:
    """The rules by which every page of a source is read."""

    source: Source
    tokens: tuple[TokenFormat, ...] = ()
    """The formats that start sections, outermost first."""
    classes: tuple[str, ...] = ()
    """The class names that signatures use; others on pages are ignored."""
    title: str = ""
    """The signature of the heading that names the page, such as a country."""
    content: tuple[str, ...] = ()
    """The steps from the outermost element to the one with the content."""
    hidden: tuple[str, ...] = ()
    """Steps of elements that style sheets hide."""
    ignored: tuple[str, ...] = ()
    """Signatures of boilerplate: texts that are the same on every page, or repeat its title."""
    grammar: Section = field(default_factory=lambda: Section(""))
    """The page; its children are the outermost sections."""
    other: tuple[str, ...] = ()
    """Headings in snake case that may be in any section; their values go under `_other`."""
    listing: ListingRule | None = None
    """For the kinds `records` and `tables`; for `item`, where the page is the one record, beside sections."""
    method: str = "format"
    """`format` or `ashish`: how its tokens were found."""
    history: tuple[Step, ...] = ()
    undone: tuple[str, ...] = field(default=(), compare=False)
    """Corrections that were undone, the last first, as on the command line; a new correction forgets them.

    They read no page, so wrappers that differ in them alone are equal."""
    nesting: str = "intended"
    """For `ashish`: the condition of Figure 2, `intended` or `printed`."""

    @property
    def fields(self) -> tuple[FieldRule, ...]:
        """The fields of records, or of the item of a page."""
        return self.listing.fields if self.listing else ()

    @property
    def has_records(self) -> bool:
        """True if a page holds records; else the page is one, with sections or the fields of an item."""
        return self.listing is not None and self.source.kind != "item"

    @property
    def steps(self) -> tuple[int, int]:
        """The correction steps so far, as the paper counts them, and the number of actions."""
        return sum(step.tokens for step in self.history), len(self.history)

    def __repr__(self) -> str:
        return f"<Wrapper of {self.source.name}: {self.source.kind}, {self._size}>"

    def _repr_html_(self) -> str:
        outline = {rule.name: rule.type for rule in self.fields} | _outline(self.grammar)
        return html_tree(outline, f"wrapper of {self.source.name}: {self._size}")

    @property
    def _size(self) -> str:
        sections = sum(1 for _ in self.grammar.walk())
        return count(len(self.fields), "field") if self.fields else count(sections, "section")


def _outline(section: Section) -> dict[str, Any]:
    """Map the sections in a section to their types, or to the sections in them."""
    return {
        child.name + "*" * child.is_repeated + "?" * child.is_optional: _outline(child) or child.type
        for child in section.children
    }


@dataclass(frozen=True)
class Token:
    """A heading on a page that starts a section."""

    text: str
    node: int
    """The text node in which it begins."""
    level: int
    """1 for the outermost."""
    path: tuple[str, ...]
    """Names in snake case from the outermost section to its own."""
