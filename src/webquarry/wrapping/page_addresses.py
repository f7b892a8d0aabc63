"""Mapping functions: from the arguments of a page to its address, and back.

A template such as `geos/{code}.html` has the names of arguments in braces.  `{code}` stands for one part of an
address: what has a meaning there, such as a slash, is escaped.  `{+path}` stands for an address or several parts of
one, which are left as they are (RFC 6570 calls it reserved expansion).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

from webquarry.errors import InputError
from webquarry.model.names import list_names

_HOLE = re.compile(r"\{(\+?)([^{}]*)\}")
_FUNCTION = re.compile(r"[^\W\d]\w*(?:\.[^\W\d]\w*)*:[^\W\d]\w*")
_UNRESERVED = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
_ADDRESS = _UNRESERVED | frozenset(b":/?#[]@!$&'()*+,;=%")
_ESCAPES = re.compile(r"(?:%[0-9A-Fa-f]{2})+")

Arguments = dict[str, str]


def is_function(pages: str) -> bool:
    """Whether it names a Python function as `module:function`, and is no template.

    >>> is_function("books.mapping:address_of"), is_function("https://example.org/{code}")
    (True, False)
    """
    return _FUNCTION.fullmatch(pages) is not None


@lru_cache(maxsize=16)
def template_arguments(template: str) -> tuple[str, ...]:
    """The names of a template's arguments, each once.

    >>> template_arguments("{region}/{code}.html#{code}")
    ('region', 'code')
    """
    for opened in re.finditer(r"[{}]", _HOLE.sub("", template)):
        fault = "a { that is not closed" if opened[0] == "{" else "a } that closes nothing"
        raise InputError(f"the template {template!r} has {fault}; arguments are written as {{name}}")
    names = [hole[2].strip() for hole in _HOLE.finditer(template)]
    if not all(names):
        raise InputError(f"the template {template!r} has braces without a name; write one, such as {{code}}")
    return tuple(dict.fromkeys(names))


def fill(template: str, arguments: Mapping[str, str]) -> str:
    """The address for the arguments, which may be more than the template has.

    >>> fill("geos/{code}.html", {"code": "Côte d'Or/2"}), fill("{+path}?page=2", {"path": "a/b"})
    ('geos/C%C3%B4te%20d%27Or%2F2.html', 'a/b?page=2')
    """
    for name in template_arguments(template):
        if not arguments.get(name):
            fault = (
                "is empty" if name in arguments else f"is missing; there are {list_names(list(arguments)) or 'none'}"
            )
            raise InputError(f"the argument {name!r} of the template {template!r} {fault}")
    return _HOLE.sub(lambda hole: _filled(arguments[hole[2].strip()], hole), template)


def match(template: str, address: str) -> Arguments | None:
    """The arguments for which the template gives the address; None when there are none.

    Ways to write one address count as the same, and its fragment does not count unless the template has one.

    >>> match("geos/{code}.html", "geos/%66r.html#area"), match("geos/{code}.html", "geos/a/fr.html")
    ({'code': 'fr'}, None)
    """
    if "#" not in template:
        address = address.partition("#")[0]
    found = _pattern(template).fullmatch(_normal(address))
    if found is None:
        return None
    whole = {hole[2].strip() for hole in _HOLE.finditer(template) if hole[1]}
    names = template_arguments(template)
    return {name: part if name in whole else _unescape(part) for name, part in zip(names, found.groups(), strict=True)}


def index_from_links(links: Iterable[tuple[str, str]], pages: str) -> list[tuple[str, Arguments]]:
    """The keys and arguments that an index page gives: texts of links, and addresses that fit the template.

    The template and the addresses must both be absolute, or relative to the same place.  Links without text, and
    further links to a page that has a key, are left out.
    """
    if is_function(pages) or not template_arguments(pages):
        raise InputError(
            f"`pages` is {pages!r}, with which the links of an index page cannot be matched; "
            "write a template such as geos/{code}.html, or take a CSV file for the index"
        )
    index: dict[tuple[tuple[str, str], ...], tuple[str, Arguments]] = {}
    for text, address in links:
        key, arguments = " ".join(text.split()), match(pages, address)
        if key and arguments is not None:
            index.setdefault(tuple(arguments.items()), (key, arguments))
    return list(index.values())


def index_from_rows(rows: Iterable[Mapping[str, str]], key: str, pages: str) -> list[tuple[str, Arguments]]:
    """The keys and arguments that the rows of a table give: its columns have the names of key and arguments.

    Case does not count where only one column is alike.  Rows whose key or one of whose arguments is empty are left
    out.  For a Python function all columns are arguments.
    """
    index = []
    wanted = () if is_function(pages) else template_arguments(pages)
    for row in rows:
        columns = _find_columns(tuple(row), (key, *wanted))
        arguments = {name: row[columns[name]].strip() for name in wanted} or {name: row[name].strip() for name in row}
        if row[columns[key]].strip() and all(arguments[name] for name in wanted):
            index.append((row[columns[key]].strip(), arguments))
    return index


def find_key(keys: Sequence[str], wanted: str) -> str | None:
    """The key as it is written, or else the only one that differs in nothing but case; None without one.

    >>> find_key(["France", "IT", "it"], "france"), find_key(["France", "IT", "it"], "It")
    ('France', None)
    """
    if wanted in keys:
        return wanted
    alike = [key for key in keys if key.casefold() == wanted.casefold()]
    return alike[0] if len(alike) == 1 else None


@lru_cache(maxsize=16)  # the rows of a table have the same
def _find_columns(columns: tuple[str, ...], wanted: tuple[str, ...]) -> dict[str, str]:
    """The columns that have the wanted names, of which the first is the key."""
    if not wanted[0]:
        raise InputError(f"the source has no `key`, the column that names its pages; there are {list_names(columns)}")
    found = {name: find_key(columns, name) for name in wanted}
    for name, column in found.items():
        if column is None:
            raise InputError(
                f"the index has no column {name!r}, and there are {list_names(columns) or 'none'}; "
                "columns must be named like the `key` of the source and the arguments in `pages`"
            )
    return {name: column for name, column in found.items() if column is not None}


def _filled(argument: str, hole: re.Match[str]) -> str:
    if hole[1]:
        return _escape(argument, keep=_ADDRESS)
    if argument in (".", ".."):
        raise InputError(f"the argument {hole[2]!r} is {argument!r}, which would lead to another folder")
    return _escape(argument, keep=_UNRESERVED)


@lru_cache(maxsize=16)
def _pattern(template: str) -> re.Pattern[str]:
    """The template as a regular expression with a group for each argument."""
    groups = {name: number for number, name in enumerate(template_arguments(template), start=1)}
    parts, seen, end = [], set[str](), 0
    for hole in _HOLE.finditer(template):
        parts.append(re.escape(_normal(template[end : hole.start()])))
        name, end = hole[2].strip(), hole.end()
        again = rf"(?:\{groups[name]})"  # in a group, lest a digit follows
        parts.append(again if name in seen else "(.+?)" if hole[1] else "([^/?#]+?)")
        seen.add(name)
    parts.append(re.escape(_normal(template[end:])))
    return re.compile("".join(parts), re.DOTALL)


def _normal(address: str) -> str:
    """The address as RFC 3986, section 6.2.2, writes it: only what must be escaped is, in capitals."""
    escaped = _escape(address, keep=_ADDRESS)
    return _ESCAPES.sub(lambda codes: _written(_bytes_of(codes), _UNRESERVED), escaped)


def _escape(text: str, *, keep: frozenset[int]) -> str:
    return _written(text.encode("utf-8", "surrogateescape"), keep)


def _unescape(text: str) -> str:
    """The text that was escaped; bytes that are no UTF-8 survive the way back."""
    return _ESCAPES.sub(lambda codes: _bytes_of(codes).decode("utf-8", "surrogateescape"), text)


def _written(data: bytes, keep: frozenset[int]) -> str:
    return "".join(chr(code) if code in keep else f"%{code:02X}" for code in data)


def _bytes_of(codes: re.Match[str]) -> bytes:
    return bytes.fromhex(codes[0].replace("%", ""))
