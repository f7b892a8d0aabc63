"""Text to wrapper, with all mistakes told at once."""

from __future__ import annotations

import re
import tomllib
from dataclasses import replace
from typing import Any

from webquarry.errors import InputError
from webquarry.model.wrapper import FieldRule, ListingRule, Section, Source, Step, TokenFormat, Wrapper
from webquarry.wrapping.grammar_rules import read_rules
from webquarry.wrapping.page_addresses import is_function, template_arguments
from webquarry.wrapping.toml_tables import Faults, Table, did_you_mean, shown

# MERGED wrapping/files/sections: The sections of a wrapper file: the grammar, with the headings and types of
TYPES = ("text", "number", "money", "date", "boolean", "list", "table")
_Path = tuple[str, ...]


def read_sections(file: Table, source: str) -> tuple[Section, tuple[str, ...]]:
    """The page with its sections, and the headings that may stand in any of them.

    A page that has a rule is called as the source is, whose name need not be in snake case.
    """
    table = file.table("grammar")
    grammar, other = read_rules(table.text("rules"), lambda line, text: table.fault_within("rules", line, text))
    table.close()
    grammar = replace(grammar, name=source if grammar.name else "")
    known = {path for path, _ in grammar.walk()}
    headings = {path: holder.texts(key) for path, key, holder in _paths(file.table("headings"), known)}
    types = {path: holder.text(key, TYPES[0], of=TYPES) for path, key, holder in _paths(file.table("types"), known)}
    return _describe(grammar, (), headings, types), other


def _paths(table: Table, known: set[_Path]) -> list[tuple[_Path, str, Table]]:
    """The paths that a table has values for, each with its key and the table that it is in.

    A path may be written with quotes, "geography.area", or without, which to TOML is a table in a table.
    """
    found = []
    dotted = [".".join(path) for path in known]
    for keys, holder in table.leaves():
        written = ".".join(keys)
        path = tuple(written.split("."))
        if path in known:
            found.append((path, keys[-1], holder))
            continue
        ends = [each for each in dotted if each.endswith(f".{path[-1]}")]
        hint = did_you_mean(written, dotted) or (f"; did you mean `{ends[0]}`?" if ends else "")
        holder.fault(keys[-1], f"no section has the path {shown(written)}{hint or '; the rules name all sections'}")
    return found


def _describe(
    section: Section, path: _Path, headings: dict[_Path, tuple[str, ...]], types: dict[_Path, str]
) -> Section:
    children = (_describe(child, (*path, child.name), headings, types) for child in section.children)
    return replace(
        section, children=tuple(children), headings=headings.get(path, ()), type=types.get(path, section.type)
    )


FORMAT = 1
KINDS = ("sections", "records", "tables")
METHODS = ("format", "ashish")
FIELD_TYPES = ("text", "number", "money", "date", "link", "image", "boolean", "list")
_POSITION = re.compile(r" \(at (?:line (\d+), column \d+|end of document)\)$")


def read_wrapper(text: str, name: str = "") -> Wrapper:
    """The wrapper that a file describes; `name` is the file's, for the text of errors.

    Raises WrapperError with all that is wrong.
    """
    text = text.removeprefix("\ufeff").replace("\r\n", "\n")
    faults = Faults(name, text)
    file = Table(_parse(text, faults), (), faults)
    _check_format(file, faults)
    wrapper = _read(file)
    file.close()
    faults.raise_any()
    return wrapper


def _parse(text: str, faults: Faults) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # of numbers with too many digits, and lists in lists without end
        position = _POSITION.search(str(error))
        line = 1 if position is None else int(position[1] or text.rstrip().count("\n") + 1)
        what = _POSITION.sub("", str(error))
        faults.note_line(line, f"this is not TOML ({what}); mend it, and what else is wrong will be told")
        raise faults.error() from error


def _check_format(file: Table, faults: Faults) -> None:
    """Note a format that is not ours; of a newer one nothing else can be said."""
    if not file.has("format"):
        file.fault("format", f"`format` is missing; write format = {FORMAT} at the top")
        file.number("format", FORMAT)
        return
    version = file.number("format", FORMAT)
    if version > FORMAT:
        file.fault(
            "format", f"the file is of format {version}, and this webquarry reads {FORMAT}; get a newer webquarry"
        )
        faults.raise_any()
    if version < FORMAT:
        file.fault("format", f"there is no format {version}; write format = {FORMAT}")


def _read(file: Table) -> Wrapper:
    table = file.table("source")
    source = _read_source(table, file.table("index"))
    method = table.text("method", METHODS[0], of=METHODS)
    table.close()
    tokens = _read_tokens(file.tables("token"))
    content, ignored = file.table("content"), file.table("ignored")
    grammar, other = read_sections(file, source.name)
    listing = _read_listing(file)
    _check_listing(file, table, source.kind)
    wrapper = Wrapper(
        source,
        tokens,
        classes=content.texts("classes"),
        title=content.text("title"),
        content=content.texts("steps"),
        hidden=ignored.texts("hidden"),
        ignored=ignored.texts("signatures"),
        grammar=grammar,
        other=other,
        listing=listing,
        method=method,
        history=_read_history(file.table("history")),
    )
    content.close()
    ignored.close()
    return wrapper


def _read_source(table: Table, index: Table) -> Source:
    source = Source(
        name=table.text("name", None),
        kind=table.text("kind", KINDS[0], of=KINDS),
        base=table.text("base"),
        pages=table.text("pages"),
        key=table.text("key"),
        index_page=index.text("page"),
        index_file=index.text("file"),
        render=table.truth("render"),
        samples=table.texts("samples"),
        language=table.text("language"),
        decimal=table.text("decimal", ".", of=(".", ",")),
        day_first=table.truth("day_first"),
    )
    if table.has("name") and not source.name.strip():
        table.fault("name", "`name` is empty; give the source a name, which is that of its table in SQL")
    if source.index_page and source.index_file:
        index.fault("file", "there is a `page` and a `file`; keep the one that keys shall come from")
    if not is_function(source.pages):
        try:
            template_arguments(source.pages)
        except InputError as error:
            table.fault("pages", str(error))
    index.close()
    return source


def _read_tokens(tables: list[Table]) -> tuple[TokenFormat, ...]:
    tokens = tuple(map(_read_token, tables))
    for table, token in zip(tables, tokens, strict=True):
        if token.level < 1 and table.has("level"):
            table.fault("level", f"`level` is {token.level}, and levels begin with 1 for the outermost sections")
    lowest = min((token.level for token in tokens), default=1)
    if lowest > 1:
        tables[0].fault("level", f"no token has level 1, that of the outermost sections; the lowest is {lowest}")
    return tokens


def _read_token(table: Table) -> TokenFormat:
    token = TokenFormat(
        level=table.number("level", None),
        like=table.text("like", None),
        signature=table.text("signature"),
        look=table.text("look"),
        names=table.texts("names"),
        excluded=table.texts("excluded"),
        is_inline=table.truth("inline"),
        repeats=table.text("repeats"),
    )
    table.close()
    return token


def _read_listing(file: Table) -> ListingRule | None:
    fields, table = _read_fields(file.tables("field")), file.table("listing")
    if not file.has("listing"):
        return None
    listing = ListingRule(table.text("region", None), table.text("record", None), table.number("span", 1), fields)
    if listing.span < 0:
        table.fault("span", f"`span` is {listing.span}; it is 0, for all up to the next record, or more")
    table.close()
    return listing


def _check_listing(file: Table, source: Table, kind: str) -> None:
    if file.has("listing"):
        if kind == "sections":
            file.fault("listing", "[listing] is for the kinds records and tables; set `kind`, or leave it out")
    elif kind in ("records", "tables"):
        source.fault(
            "kind", f"[listing] is missing, which says where {kind} are; `quarry wrap --kind {kind}` learns it"
        )
    elif file.has("field"):
        file.fault("field", "[listing] is missing, which says where the records are that fields are in")


def _read_fields(tables: list[Table]) -> tuple[FieldRule, ...]:
    fields: dict[str, FieldRule] = {}
    for table in tables:
        field = _read_field(table)
        if field.name in fields:
            table.fault("name", f"another field is named {shown(field.name)} too; give each a name of its own")
        fields[field.name] = field
    return tuple(fields.values())


def _read_field(table: Table) -> FieldRule:
    rule = FieldRule(
        name=table.text("name", None),
        type=table.text("type", FIELD_TYPES[0], of=FIELD_TYPES),
        signature=table.text("signature"),
        place=table.number("place", 0),
        attribute=table.text("attribute"),
        heading=table.text("heading"),
        is_optional=table.truth("is_optional"),
    )
    table.close()
    return rule


def _read_history(table: Table) -> tuple[Step, ...]:
    """The corrections; their sums are for people, and counted anew whenever the file is written."""
    table.pass_over("steps")
    steps = tuple(map(_read_step, table.tables("step")))
    table.close()
    return steps


def _read_step(table: Table) -> Step:
    step = Step(table.text("action", None), table.number("tokens", 1), table.text("undo"))
    table.close()
    return step
