"""Read and write wrapper files: TOML in an order that a person can follow, all mistakes reported at once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import fields, replace
from typing import Any

from webquarry.errors import InputError
from webquarry.model.names import snake_case
from webquarry.model.wrapper import FieldRule, ListingRule, Section, SectionPath, Source, Step, TokenFormat, Wrapper
from webquarry.wrapping.field_values import is_cut
from webquarry.wrapping.grammar_rules import read_rules, write_rules
from webquarry.wrapping.page_addresses import is_function, template_arguments
from webquarry.wrapping.toml_tables import Table, did_you_mean, open_toml, shown, spell_block, spell_list, spell_text

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
