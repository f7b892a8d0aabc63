"""Wrapper to text: TOML in an order that a person can follow."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import fields

from webquarry.model.names import snake_case
from webquarry.model.wrapper import FieldRule, ListingRule, Source, Step, TokenFormat, Wrapper
from webquarry.wrapping.grammar_rules import write_rules
from webquarry.wrapping.toml_tables import spell_block, spell_list, spell_text

_HEAD = """\
# A wrapper: how webquarry reads every page of a source.  Edit it as you like: `quarry check` tells all mistakes.
format = 1
"""
_SOURCE = "Where the pages are.  `pages` makes addresses of arguments, `key` names what tells pages apart."
_INDEX = "Where keys and arguments come from: a page, whose link texts are the keys, or a CSV file."
_TOKENS = "The formats that start sections, outermost first: how headings `like` this one look."
_CONTENT = "Where the page's own title and content are, and the class names that signatures are made of."
_IGNORED = "What is no content: elements that style sheets hide, and texts that are the same on every page."
_GRAMMAR = """\
The sections, and those in them: ? some sample lacks it, * repeated, with a value for its heading.
# Sections may stand in any order or be missing; headings that no rule names are kept under _other."""
_HEADINGS = "What pages call a section whose name is another."
_TYPES = "What the values are, where not text: number, money, date, boolean, list, table."
_LISTING = "Where the records are: what holds them, the first node of each, and how many siblings it takes (0: all)."
_FIELDS = "The fields of a record: where each is found, seen from the record."
_HISTORY = "The corrections so far, counted as the paper does (each token or rule) and as actions."


def write_wrapper(wrapper: Wrapper) -> str:
    """The file of a wrapper, which `read_wrapper` makes the same wrapper of."""
    tables = (
        *_source(wrapper.source, wrapper.method),
        *_commented(_TOKENS, (f"[[token]]\n{_token(token)}" for token in wrapper.tokens)),
        *_named("content", _CONTENT, _content(wrapper)),
        *_named("ignored", _IGNORED, _pair("hidden", wrapper.hidden) + _pair("signatures", wrapper.ignored)),
        *_sections(wrapper),
        *_listing(wrapper.listing),
        *_history(wrapper),
    )
    return "\n".join([_HEAD, *tables])


def _pair(key: str, value: str | int | tuple[str, ...]) -> str:
    """A key with its value, on lines of their own; nothing for what is empty or false."""
    if value in ("", ()) or value is False:
        return ""
    if isinstance(value, tuple):
        return f"{key} = {spell_list(value, before=len(key) + 3)}\n"
    if isinstance(value, str):
        return f"{key} = {spell_text(value)}\n"
    return f"{key} = {str(value).lower()}\n"


def _named(name: str, comment: str, body: str) -> Iterator[str]:
    """A table under its comment; nothing for an empty one."""
    if body:
        yield f"# {comment}\n[{name}]\n{body}"


def _commented(comment: str, tables: Iterable[str]) -> Iterator[str]:
    """Tables of one kind, the first with a comment."""
    for number, table in enumerate(tables):
        yield table if number else f"# {comment}\n{table}"


def _source(source: Source, method: str) -> Iterator[str]:
    body = f"name = {spell_text(source.name)}\nkind = {spell_text(source.kind)}\n"
    body += _pair("method", "" if method == "format" else method)
    body += "".join(
        _pair(key, getattr(source, key)) for key in ("base", "pages", "key", "render", "samples", "language")
    )
    body += _pair("decimal", "" if source.decimal == "." else source.decimal) + _pair("day_first", source.day_first)
    yield from _named("source", _SOURCE, body)
    yield from _named("index", _INDEX, _pair("page", source.index_page) + _pair("file", source.index_file))


def _content(wrapper: Wrapper) -> str:
    return _pair("title", wrapper.title) + _pair("steps", wrapper.content) + _pair("classes", wrapper.classes)


def _token(token: TokenFormat) -> str:
    head = f"level = {token.level}\nlike = {spell_text(token.like)}\n"
    body = "".join(_pair(key, getattr(token, key)) for key in ("signature", "look", "names", "excluded", "repeats"))
    return head + body + _pair("inline", token.is_inline)


def _sections(wrapper: Wrapper) -> Iterator[str]:
    rules = write_rules(wrapper.grammar, wrapper.other, page=snake_case(wrapper.source.name))
    sections = [(spell_text(".".join(path)), section) for path, section in wrapper.grammar.walk()]
    headings = "".join(_pair(path, section.headings) for path, section in sections)
    types = "".join(_pair(path, section.type) for path, section in sections if section.type != "text")
    yield from _named("grammar", _GRAMMAR, f'rules = """\n{rules}"""\n' if rules else "")
    yield from _named("headings", _HEADINGS, headings)
    yield from _named("types", _TYPES, types)


def _listing(listing: ListingRule | None) -> Iterator[str]:
    if listing is None:
        return
    body = f"region = {spell_text(listing.region)}\nrecord = {spell_text(listing.record)}\nspan = {listing.span}\n"
    yield from _named("listing", _LISTING, body)
    yield from _commented(_FIELDS, (f"[[field]]\n{_field(rule)}" for rule in listing.fields))


def _field(rule: FieldRule) -> str:
    return f"name = {spell_text(rule.name)}\n" + "".join(
        _pair(each.name, getattr(rule, each.name)) for each in fields(rule) if each.name != "name"
    )


def _history(wrapper: Wrapper) -> Iterator[str]:
    if wrapper.history:
        paper, actions = wrapper.steps
        yield from _named("history", _HISTORY, f"steps = {{ paper = {paper}, actions = {actions} }}\n")
    yield from (f"[[history.step]]\n{_step(step)}" for step in wrapper.history)


def _step(step: Step) -> str:
    undo = f"undo = {spell_block(step.undo)}\n" if step.undo else ""
    return f"action = {spell_text(step.action)}\ntokens = {step.tokens}\n{undo}"
