"""Read and write wrapper files: TOML in an order that a person can follow, all mistakes reported at once.

The grammar is in the notation of Ashish and Knoblock, one rule for each section with sub-sections:

    factbook -> introduction geography people?
    geography -> location area borders*
    area -> total land water
    _other -> note country_comparison

The first rule is the page's.  `?` marks sections that some sample lacks, `*` repeated ones, whose headings are values.
Where several sections share a name, a rule begins with as much of the path as is unique: `factbook.note`,
`geography.note`.  Indented lines continue the one before, and `#` starts a comment.  The rule `_other` lists headings
that may be in any section.  The order of the other rules does not matter.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, fields, replace
from difflib import get_close_matches
from typing import Any

from webquarry.errors import InputError
from webquarry.model.names import snake_case
from webquarry.model.wrapper import (
    OTHER,
    FieldRule,
    ListingRule,
    Section,
    SectionPath,
    Source,
    Step,
    TokenFormat,
    Wrapper,
)
from webquarry.wrapping.field_values import is_cut
from webquarry.wrapping.page_addresses import is_function, template_arguments
from webquarry.wrapping.toml_tables import (
    WIDTH,
    Table,
    did_you_mean,
    open_toml,
    shown,
    spell_block,
    spell_list,
    spell_text,
)

FORMAT = 1
KINDS = ("sections", "item", "records", "tables")
METHODS = ("format", "ashish")
NESTINGS = ("intended", "printed")
TYPES = ("text", "number", "money", "date", "boolean", "list", "table")
FIELD_TYPES = ("text", "number", "money", "date", "link", "image", "images", "boolean", "list", "pairs")

_PLACES, _READ_AS = (
    ("base", "pages", "form"),
    ("render", "samples", "roots", "base_url", "url_map", "language", "day_first"),
)
_OF_TOKEN = ("signature", "look", "names", "excluded", "repeats")
_OF_LISTING = ("excluded", "excluded_texts", "unseen")
_OF_FIELD = ("signature", "place", "attribute", "heading", "is_optional", "cuts", "by_example")
"""Attributes that the file has under their own names, in its order; those with default values are left out."""

CheckPlaces = Callable[[Source], Iterable[tuple[str, str, str]]]
"""Lists the mistakes in what a source names: table and key of the file, and the error text."""


def read_wrapper(text: str, name: str = "", *, check_places: CheckPlaces = lambda _: ()) -> Wrapper:
    """Read a wrapper file; `name` is the file's, for error texts.

    Raises WrapperError with all mistakes; `check_places` may add those that only files and the web show.
    """
    file = open_toml(text.removeprefix("\ufeff").replace("\r\n", "\n"), name)
    _check_format(file)
    table, index = file.table("source"), file.table("index")
    content, ignored, history = file.table("content"), file.table("ignored"), file.table("history")
    source = Source(
        name=table.text("name", None),
        kind=table.text("kind", KINDS[0], of=KINDS),
        key=",".join(table.texts("key")) if table.is_list("key") else table.text("key"),
        index_page=index.text("page"),
        index_file=index.text("file"),
        decimal=table.text("decimal", ".", of=(".", ",")),
        **_read_plain(table, Source, _PLACES, _READ_AS),
    )
    _check_source(source, table, index)
    for holder, key, fault in check_places(source):
        {"source": table, "index": index}[holder].fault(key, fault)
    grammar, other = _read_sections(file, source.name)
    wrapper = Wrapper(
        source,
        tokens=_read_tokens(file.tables("token")),
        classes=content.texts("classes"),
        title=content.text("title"),
        content=content.texts("steps"),
        hidden=ignored.texts("hidden"),
        ignored=ignored.texts("signatures"),
        grammar=grammar,
        other=other,
        listing=_read_listing(file, table, source.kind),
        method=table.text("method", METHODS[0], of=METHODS),
        nesting=table.text("nesting", NESTINGS[0], of=NESTINGS),
        history=tuple(
            Step(step.text("action", None), step.number("tokens", 1), step.text("undo"))
            for step in history.tables("step")
        ),
        undone=history.texts("undone"),
    )
    history.skip("steps")  # sums for people, counted anew whenever the file is written
    file.finish()
    return wrapper


def _read_plain(table: Table, noun: type, *keys: Sequence[str]) -> dict[str, Any]:
    """Read attributes of a noun that the file has under their own names; their defaults tell their types."""
    defaults = {each.name: each.default for each in fields(noun)}
    read: dict[type, Callable[[str], object]] = {
        str: table.text,
        bool: table.truth,
        int: lambda key: table.number(key, 0),
        tuple: table.texts,
    }
    return {key: read[type(defaults[key])](key) for each in keys for key in each}


def _check_format(file: Table) -> None:
    if not file.has("format"):
        file.fault("format", f"`format` is missing; write format = {FORMAT} at the top")
    version = file.number("format", FORMAT)
    if version > FORMAT:
        file.fault(
            "format", f"this file has format {version}, but this webquarry reads format {FORMAT}; upgrade webquarry"
        )
        file.raise_faults()  # the rest of a newer file cannot be judged
    if version < FORMAT:
        file.fault("format", f"format {version} is unknown; write format = {FORMAT}")


def _check_source(source: Source, table: Table, index: Table) -> None:
    if table.has("name") and not source.name.strip():
        table.fault("name", "`name` is empty; name the source, as its table in SQL is named")
    if source.index_page and source.index_file:
        index.fault("file", "`page` and `file` are both given; keep the one that keys come from")
    for name, template in (("pages", "" if is_function(source.pages) else source.pages), ("form", source.form)):
        try:
            template_arguments(template)
        except InputError as error:
            table.fault(name, str(error))
    if source.form and not source.pages:
        table.fault("form", "`form` is sent to the address that `pages` gives; add `pages`, such as search.cgi")


def _read_tokens(tables: list[Table]) -> tuple[TokenFormat, ...]:
    tokens = tuple(
        TokenFormat(
            level=table.number("level", None),
            like=table.text("like", None),
            is_inline=table.truth("inline"),
            **_read_plain(table, TokenFormat, _OF_TOKEN),
        )
        for table in tables
    )
    for table, token in zip(tables, tokens, strict=True):
        if token.level < 1 and table.has("level"):
            table.fault("level", f"`level` is {token.level}, but levels start at 1 for the outermost sections")
    lowest = min((token.level for token in tokens), default=1)
    if lowest > 1:
        tables[0].fault("level", f"no token has level 1, that of the outermost sections; the lowest is {lowest}")
    return tokens


def _read_sections(file: Table, source: str) -> tuple[Section, tuple[str, ...]]:
    """Read the page with its sections, and the headings that may be in any of them.

    A page with a rule has the name of the source, which may not be in snake case.
    """
    table = file.table("grammar")
    grammar, other = read_rules(table.text("rules"), lambda line, text: table.fault_within("rules", line, text))
    known = {path for path, _ in grammar.walk()}
    headings = {path: holder.texts(key) for path, key, holder in _known_paths(file.table("headings"), known)}
    types = {
        path: holder.text(key, TYPES[0], of=TYPES) for path, key, holder in _known_paths(file.table("types"), known)
    }

    def describe(section: Section, path: SectionPath) -> Section:
        children = (describe(child, (*path, child.name)) for child in section.children)
        return replace(
            section, children=tuple(children), headings=headings.get(path, ()), type=types.get(path, section.type)
        )

    return describe(replace(grammar, name=source if grammar.name else ""), ()), other


def _known_paths(table: Table, known: set[SectionPath]) -> Iterator[tuple[SectionPath, str, Table]]:
    """List the sections that a table has values for, each with its key and the table of the key.

    A path may be written with quotes, "geography.area", or without, which to TOML is a table in a table.
    """
    dotted = [".".join(path) for path in known]
    for keys, holder in table.leaves():
        written = ".".join(keys)
        path = tuple(written.split("."))
        if path in known:
            yield path, keys[-1], holder
            continue
        ends = [each for each in dotted if each.endswith(f".{path[-1]}")]
        hint = did_you_mean(written, dotted) or (f"; did you mean `{ends[0]}`?" if ends else "")
        holder.fault(keys[-1], f"no section has the path {shown(written)}{hint or '; the rules name all sections'}")


def _read_listing(file: Table, source: Table, kind: str) -> ListingRule | None:
    rules = _read_fields(file.tables("field"))
    table = file.table("listing")
    if not file.has("listing"):
        if kind in ("item", "records", "tables"):
            source.fault(
                "kind", f"[listing] is missing, which locates the {kind}; `quarry wrap --kind {kind}` learns it"
            )
        elif file.has("field"):
            file.fault("field", "[listing] is missing, which locates the records of these fields")
        return None
    if kind == "sections":
        file.fault("listing", "[listing] is for kinds records and tables; set `kind`, or remove [listing]")
    listing = ListingRule(
        table.text("region", None),
        table.text("record", None),
        table.number("span", 1),
        rules,
        **_read_plain(table, ListingRule, _OF_LISTING),
    )
    if listing.span < 0:
        table.fault("span", f"`span` is {listing.span}; write 0, for all up to the next record, or more")
    return listing


def _read_fields(tables: list[Table]) -> tuple[FieldRule, ...]:
    rules: dict[str, FieldRule] = {}
    for table in tables:
        rule = FieldRule(
            instead=_read_fields(table.tables("instead")),
            more=_read_fields(table.tables("more")),
            name=table.text("name", None),
            type=table.text("type", FIELD_TYPES[0], of=FIELD_TYPES),
            **_read_plain(table, FieldRule, _OF_FIELD),
        )
        for cut in rule.cuts:
            if not is_cut(cut):
                table.fault("cuts", f"{shown(cut)} is not a cut; write `before:` or `after:` and a separator")
        if rule.name in rules:
            table.fault("name", f"another field is named {shown(rule.name)}; give each a unique name")
        rules[rule.name] = rule
    return tuple(rules.values())


_HEAD = """\
# A wrapper tells webquarry how to read every page of a source.  Edit it freely: `quarry check` reports all mistakes.
format = 1
"""
_SOURCE = "Where the pages are.  `pages` turns arguments into addresses, `key` names what identifies a page."
_INDEX = "Where keys and arguments come from: a page, whose link texts are the keys, or a CSV file."
_TOKENS = "The formats of headings that start sections, outermost first; `like` is an example."
_CONTENT = "Where the title and the content of a page are, and the class names that signatures use."
_IGNORED = "What to ignore: elements hidden by style sheets, and texts that are the same on every page."
_GRAMMAR = """\
The sections and their sub-sections: ? is missing on some sample, * is repeated and its heading is a value.
# Sections may be missing and come in any order; headings without a rule are kept under _other."""
_HEADINGS = "What pages call a section, where that differs from its name."
_TYPES = "The types of values other than text: number, money, date, boolean, list, table."
_LISTING = "Where the records are: what contains them, the first node of each, and how many siblings it spans (0: all)."
_ITEM = "Where the item is; the fields below say where each of its values is."
_FIELDS = "The fields of a record, and where each is within the record."
_HISTORY = "The corrections so far, counted as in the paper (each token or rule) and as actions."


def write_wrapper(wrapper: Wrapper) -> str:
    """Write the file of a wrapper; `read_wrapper` restores an equal wrapper from it."""
    return "\n".join([_HEAD, *_write_tables(wrapper)])


def _write_tables(wrapper: Wrapper) -> Iterator[str]:
    source, listing = wrapper.source, wrapper.listing
    body = f"name = {spell_text(source.name)}\nkind = {spell_text(source.kind)}\n"
    body += _pair("method", "" if wrapper.method == "format" else wrapper.method)
    body += _pair("nesting", "" if wrapper.nesting == NESTINGS[0] else wrapper.nesting)
    body += _pairs(source, *_PLACES)
    is_list = len(source.keys) > 1 and ",".join(source.keys) == source.key
    body += _pair("key", source.keys if is_list else source.key)
    body += _pairs(source, *_READ_AS[:-1]) + _pair("decimal", "" if source.decimal == "." else source.decimal)
    body += _pairs(source, *_READ_AS[-1:])
    yield from _named("source", _SOURCE, body)
    yield from _named("index", _INDEX, _pair("page", source.index_page) + _pair("file", source.index_file))

    for number, token in enumerate(wrapper.tokens):
        head = f"[[token]]\nlevel = {token.level}\nlike = {spell_text(token.like)}\n"
        body = _pairs(token, *_OF_TOKEN) + _pair("inline", token.is_inline)
        yield ("" if number else f"# {_TOKENS}\n") + head + body

    content = _pair("title", wrapper.title) + _pair("steps", wrapper.content) + _pair("classes", wrapper.classes)
    yield from _named("content", _CONTENT, content)
    yield from _named("ignored", _IGNORED, _pair("hidden", wrapper.hidden) + _pair("signatures", wrapper.ignored))

    rules = write_rules(wrapper.grammar, wrapper.other, page=snake_case(source.name))
    sections = [(spell_text(".".join(path)), section) for path, section in wrapper.grammar.walk()]
    headings = (_pair(path, section.headings) for path, section in sections)
    types = (_pair(path, section.type) for path, section in sections if section.type != "text")
    yield from _named("grammar", _GRAMMAR, f'rules = """\n{rules}"""\n' if rules else "")
    yield from _named("headings", _HEADINGS, "".join(headings))
    yield from _named("types", _TYPES, "".join(types))

    if listing is not None:
        body = f"region = {spell_text(listing.region)}\nrecord = {spell_text(listing.record)}\nspan = {listing.span}\n"
        body += _pairs(listing, *_OF_LISTING)
        yield from _named("listing", _ITEM if source.kind == "item" else _LISTING, body)
        for number, rule in enumerate(listing.fields):
            yield ("" if number else f"# {_FIELDS}\n") + _write_field(rule, "field")

    if wrapper.history or wrapper.undone:
        paper, actions = wrapper.steps
        body = f"steps = {{ paper = {paper}, actions = {actions} }}\n" + _pair("undone", wrapper.undone)
        yield from _named("history", _HISTORY, body)
    for step in wrapper.history:
        undo = f"undo = {spell_block(step.undo)}\n" if step.undo else ""
        yield f"[[history.step]]\naction = {spell_text(step.action)}\ntokens = {step.tokens}\n{undo}"


def _write_field(rule: FieldRule, table: str) -> str:
    """Write the table of a field, and those of the rules inside it."""
    inner = ((key, each) for key in ("instead", "more") for each in getattr(rule, key))
    below = (_write_field(each, f"{table}.{key}") for key, each in inner)
    return f"[[{table}]]\nname = {spell_text(rule.name)}\n{_pairs(rule, 'type', *_OF_FIELD)}{''.join(below)}"


def _named(name: str, comment: str, body: str) -> Iterator[str]:
    """Write a table under its comment, unless it is empty."""
    if body:
        yield f"# {comment}\n[{name}]\n{body}"


def _pairs(noun: Source | TokenFormat | ListingRule | FieldRule, *keys: str) -> str:
    return "".join(_pair(key, getattr(noun, key)) for key in keys)


def _pair(key: str, value: str | int | tuple[str, ...]) -> str:
    """Write a key and its value on a line; nothing for an empty or false value."""
    if value in ("", ()) or value is False:
        return ""
    if isinstance(value, tuple):
        return f"{key} = {spell_list(value, before=len(key) + 3)}\n"
    if isinstance(value, str):
        return f"{key} = {spell_text(value)}\n"
    return f"{key} = {str(value).lower()}\n"


ARROW = "->"
MAX_RULE_DEPTH = 64
"""Levels of sections, which are read by recursion; pages have a dozen at most."""
_WORD = re.compile(r"(?P<name>.+?)(?P<marks>[?*]*)")

Fault = Callable[[int, str], None]
"""Notes a mistake: its line in the rules, from 0, and a text."""


def write_rules(grammar: Section, other: Sequence[str] = (), *, page: str) -> str:
    """Write the rules of a grammar, outer sections first; `page` names the page."""
    sections: dict[SectionPath, Section] = {(page,): grammar}
    sections |= {(page, *path): section for path, section in grammar.walk()}
    known = _Paths(sections)
    lines: list[str] = []
    for path, section in sections.items():
        if section.children or (section is grammar and grammar.name):
            words = (child.name + "*" * child.is_repeated + "?" * child.is_optional for child in section.children)
            lines += _write_rule(known.shortest(path), words)
    if other:
        lines += _write_rule(OTHER, other)
    return "".join(f"{line}\n" for line in lines)


def read_rules(text: str, fault: Fault) -> tuple[Section, tuple[str, ...]]:
    """Read the page with its sections, and the headings that may be in any of them.

    The page has the name of its rule; without a rule it has none.  Mistakes go to `fault`, and the rest is read.
    """
    rules = _parse(text, fault)
    grammar = _grow([rule for rule in rules if rule.left != (OTHER,)], fault)
    other = [word for rule in rules if rule.left == (OTHER,) for word in rule.right]
    return grammar, tuple(section.name for section in _sections(OTHER, other, fault, may_be_marked=False))


@dataclass
class _Rule:
    line: int
    left: SectionPath
    right: list[tuple[int, str]] = field(default_factory=list)
    """Words, each with its line."""

    @property
    def name(self) -> str:
        return ".".join(self.left)


class _Paths:
    """The paths of all sections, found by their ends."""

    def __init__(self, paths: Iterable[SectionPath] = ()) -> None:
        self._by_name: dict[str, list[SectionPath]] = {}
        for path in paths:
            self.add(path)

    def add(self, path: SectionPath) -> None:
        self._by_name.setdefault(path[-1], []).append(path)

    def add_below(self, path: SectionPath, sections: Iterable[Section]) -> None:
        for section in sections:
            self.add((*path, section.name))

    def find(self, left: SectionPath) -> list[SectionPath]:
        """Find the section with exactly this path, or else all whose paths end with it."""
        found = [path for path in self._by_name.get(left[-1], ()) if path[-len(left) :] == left]
        return [left] if left in found else found

    def shortest(self, path: SectionPath) -> str:
        """Write the shortest end of a path that is unique."""
        ends = (path[-size:] for size in range(1, len(path) + 1))
        return ".".join(next(end for end in ends if self.find(end) == [path]))

    def names(self) -> list[str]:
        return list(self._by_name)


def _write_rule(left: str, right: Iterable[str]) -> list[str]:
    lines = [f"{left} {ARROW}"]
    for word in right:
        if len(f"{lines[-1]} {word}") <= WIDTH:
            lines[-1] += f" {word}"
        else:
            lines.append(f"    {word}")
    return lines


def _parse(text: str, fault: Fault) -> list[_Rule]:
    rules: list[_Rule] = []
    for number, line in enumerate(text.split("\n")):
        plain = line.partition("#")[0]
        left, arrow, right = plain.partition(ARROW)
        if arrow:
            rules.append(_Rule(number, _left_side(number, left, fault)))
        elif not plain.strip():
            continue
        elif not (rules and plain[0].isspace()):
            fault(
                number,
                f"`{_shown(plain)}` is not a rule: it has no {ARROW}; "
                f"write `section {ARROW} its sub-sections`, and indent lines that continue the one before",
            )
            continue
        else:
            right = plain
        rules[-1].right += [(number, word) for word in right.split()]
    return [rule for rule in rules if rule.left]


def _left_side(line: int, text: str, fault: Fault) -> SectionPath:
    words = text.split()
    if len(words) != 1:
        fault(line, f"a rule has one section before {ARROW}, but this one has {len(words) or 'none'}")
        return ()
    names = tuple(words[0].split("."))
    if all(names):
        return names
    fault(line, f"`{_shown(words[0])}` is not a path; write names with one dot between them")
    return ()


def _grow(rules: list[_Rule], fault: Fault) -> Section:
    """Build the page with all of its sections."""
    if not rules:
        return Section("")
    first = rules[0]
    if len(first.left) > 1:
        fault(first.line, f"`{first.name}` begins the first rule, which is the page's; its name cannot have a dot")
    page = first.left[-1:]
    known, children = _Paths([page]), {page: _sections(first.name, first.right, fault)}
    known.add_below(page, children[page])
    used, waiting = [], rules[1:]
    while ready := [rule for rule in waiting if known.find(rule.left)]:
        waiting = [rule for rule in waiting if not known.find(rule.left)]
        for rule in ready:
            path = known.find(rule.left)[0]
            used.append((rule, path))
            if path in children:
                fault(rule.line, f"`{rule.name}` has a rule already; merge the two, or write more of its path")
            elif len(path) > MAX_RULE_DEPTH:
                fault(rule.line, f"`{rule.name}` is more than {MAX_RULE_DEPTH} sections deep; remove some of them")
            else:
                children[path] = _sections(rule.name, rule.right, fault)
                known.add_below(path, children[path])
    for rule, path in used:  # a section that is named later may have the same name
        meanings = {".".join(each): None for each in (path, *known.find(rule.left))}
        if len(meanings) > 1:
            fault(rule.line, f"`{rule.name}` could be any of {', '.join(meanings)}; write more of the path")
    for rule in waiting:
        near = get_close_matches(rule.left[-1], known.names(), n=1)
        meant = f"did you mean `{near[0]}`?" if near else "name it in the rule of its parent section"
        fault(rule.line, f"no other rule names `{rule.name}`; {meant}")
    return _with_children(Section(page[0]), page, children)


def _with_children(section: Section, path: SectionPath, children: dict[SectionPath, list[Section]]) -> Section:
    inner = (_with_children(child, (*path, child.name), children) for child in children.get(path, ()))
    return Section(section.name, tuple(inner), section.is_optional, section.is_repeated)


def _sections(parent: str, words: list[tuple[int, str]], fault: Fault, *, may_be_marked: bool = True) -> list[Section]:
    """Read the sections on the right side of a rule, without their children."""
    sections: dict[str, Section] = {}
    for line, word in words:
        parts = _WORD.fullmatch(word)
        name, marks = (parts["name"], parts["marks"]) if parts else (word, "")
        wrong = _why_no_name(name) or _why_no_marks(word, marks, may_be_marked)
        if wrong:
            fault(line, wrong)
        elif name in sections:
            fault(line, f"`{name}` is named twice in the rule of `{parent}`; remove one, or rename it")
        else:
            sections[name] = Section(name, is_optional="?" in marks, is_repeated="*" in marks)
    return list(sections.values())


def _why_no_name(name: str) -> str | None:
    if ARROW in name:
        return f"a rule has one {ARROW}, but this one has more; start a new line for a new rule"
    if snake_case(name) == name:
        return None
    return f"`{_shown(name)}` is not a section name; write names in lower snake case, such as `{snake_case(name)}`"


def _why_no_marks(word: str, marks: str, may_be_marked: bool) -> str | None:
    if marks and not may_be_marked:
        return f"`{word}` has a mark, but the rule of `{OTHER}` allows none; remove it"
    twice = [mark for mark, count in Counter(marks).items() if count > 1]
    return f"`{word}` has {twice[0]} twice; once is enough" if twice else None


def _shown(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= 40 else f"{text[:40]}…"
