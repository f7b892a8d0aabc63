"""Map the arguments of a page to its address, and back.

A template such as `geos/{code}.html` has the names of arguments in braces.  `{code}` is one part of an address, so
reserved characters such as a slash are escaped.  `{+path}` is an address or several parts of one, left as it is
(reserved expansion in RFC 6570).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

from webquarry.errors import InputError
from webquarry.model.names import join_key, key_names
from webquarry.model.wording import list_names

_HOLE = re.compile(r"\{(\+?)([^{}]*)\}")
_FUNCTION = re.compile(r"[^\W\d]\w*(?:\.[^\W\d]\w*)*:[^\W\d]\w*")
_UNRESERVED = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
_ADDRESS = _UNRESERVED | frozenset(b":/?#[]@!$&'()*+,;=%")
_ESCAPES = re.compile(r"(?:%[0-9A-Fa-f]{2})+")

Arguments = dict[str, str]


def is_function(pages: str) -> bool:
    """Tell whether `pages` names a Python function as `module:function` rather than a template.

    >>> is_function("books.mapping:address_of"), is_function("https://example.org/{code}")
    (True, False)
    """
    return _FUNCTION.fullmatch(pages) is not None


@lru_cache(maxsize=16)
def template_arguments(template: str) -> tuple[str, ...]:
    """List the names of a template's arguments, each once.

    >>> template_arguments("{region}/{code}.html#{code}")
    ('region', 'code')
    """
    for opened in re.finditer(r"[{}]", _HOLE.sub("", template)):
        fault = "a { that is never closed" if opened[0] == "{" else "a } that closes nothing"
        raise InputError(f"the template {template!r} has {fault}; arguments are written as {{name}}")
    names = [hole[2].strip() for hole in _HOLE.finditer(template)]
    if not all(names):
        raise InputError(f"the template {template!r} has braces without a name; write one, such as {{code}}")
    return tuple(dict.fromkeys(names))


def fill(template: str, arguments: Mapping[str, str]) -> str:
    """Fill a template; further arguments are allowed.

    >>> fill("geos/{code}.html", {"code": "Côte d'Or/2"}), fill("{+path}?page=2", {"path": "a/b"})
    ('geos/C%C3%B4te%20d%27Or%2F2.html', 'a/b?page=2')
    """
    for name in template_arguments(template):
        if not arguments.get(name):
            fault = (
                "is empty" if name in arguments else f"is missing; there are {list_names(list(arguments)) or 'none'}"
            )
            raise InputError(f"the argument {name!r} of the template {template!r} {fault}")
    return _HOLE.sub(lambda hole: _expand(arguments[hole[2].strip()], hole), template)


def match(template: str, address: str) -> Arguments | None:
    """Find the arguments for which a template gives an address.

    Different spellings of an address are the same; its fragment counts only if the template has one.

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


def index_from_links(
    links: Iterable[tuple[str, str]], pages: str, keys: Sequence[str] = ()
) -> list[tuple[str, Arguments]]:
    """Index pages by the links of an index page: keys are link texts, arguments those of addresses that match.

    The template and the addresses must both be absolute, or relative to the same base.  Links without text, and
    further links to a page that has a key, are left out.  Of several `keys`, one is the text, and the others are
    arguments of the template.
    """
    if is_function(pages) or not template_arguments(pages):
        raise InputError(
            f"`pages` is {pages!r}, which the links of an index page cannot match; "
            "write a template such as geos/{code}.html, or use a CSV file as the index"
        )
    texts = [name for name in keys if name not in template_arguments(pages)]
    if len(keys) > 1 and len(texts) > 1:
        raise InputError(
            f"the links of an index page have one text each, and `key` names {list_names(texts)} beside the arguments "
            f"of {pages!r}; use a CSV file with these columns as the index"
        )
    index: dict[tuple[tuple[str, str], ...], tuple[str, Arguments]] = {}
    for text, address in links:
        key, arguments = " ".join(text.split()), match(pages, address)
        if key and arguments is not None:
            parts = [arguments.get(name, key) for name in keys] if len(keys) > 1 else [key]
            index.setdefault(tuple(arguments.items()), (join_key(parts), arguments))
    return list(index.values())


def index_from_rows(rows: Iterable[Mapping[str, str]], key: str, pages: str) -> list[tuple[str, Arguments]]:
    """Index pages by the rows of a table, with columns named like the key and the arguments, in any case.

    Rows with an empty key or argument are left out.  For a Python function, all columns are arguments.  A key may have
    several names, as in `Source.key`.
    """
    index = []
    wanted = () if is_function(pages) else template_arguments(pages)
    keys = key_names(key) or ("",)
    for row in rows:
        columns = _find_columns(tuple(row), (*keys, *wanted))
        arguments = {name: row[columns[name]].strip() for name in wanted} or {name: row[name].strip() for name in row}
        parts = [row[columns[name]].strip() for name in keys]
        if all(parts) and all(arguments[name] for name in wanted):
            index.append((join_key(parts), arguments))
    return index


def find_key(keys: Sequence[str], wanted: str) -> str | None:
    """Find a key as written, or else the only one that differs just in case.

    >>> find_key(["France", "IT", "it"], "france"), find_key(["France", "IT", "it"], "It")
    ('France', None)
    """
    if wanted in keys:
        return wanted
    alike = [key for key in keys if key.casefold() == wanted.casefold()]
    return alike[0] if len(alike) == 1 else None


@lru_cache(maxsize=16)  # the rows of a table have the same
def _find_columns(columns: tuple[str, ...], wanted: tuple[str, ...]) -> dict[str, str]:
    """Find the columns with the wanted names, the first of which is the key."""
    if not wanted[0]:
        raise InputError(f"the source has no `key`, the column that names its pages; columns are {list_names(columns)}")
    found = {name: find_key(columns, name) for name in wanted}
    for name, column in found.items():
        if column is None:
            raise InputError(
                f"the index has no column {name!r}, only {list_names(columns) or 'none'}; "
                "name columns like the `key` of the source and the arguments in `pages`"
            )
    return {name: column for name, column in found.items() if column is not None}


def _expand(argument: str, hole: re.Match[str]) -> str:
    if not hole[1] and argument in (".", ".."):
        raise InputError(f"the argument {hole[2]!r} is {argument!r}, which would lead to another folder")
    return _escape(argument, keep=_ADDRESS if hole[1] else _UNRESERVED)


@lru_cache(maxsize=16)
def _pattern(template: str) -> re.Pattern[str]:
    """Compile a template to a regular expression with a group for each argument."""
    groups = {name: number for number, name in enumerate(template_arguments(template), start=1)}
    parts, seen, end = [], set[str](), 0
    for hole in _HOLE.finditer(template):
        parts.append(re.escape(_normal(template[end : hole.start()])))
        name, end = hole[2].strip(), hole.end()
        again = rf"(?:\{groups[name]})"  # grouped, in case a digit follows
        parts.append(again if name in seen else "(.+?)" if hole[1] else "([^/?#]+?)")
        seen.add(name)
    parts.append(re.escape(_normal(template[end:])))
    return re.compile("".join(parts), re.DOTALL)


def _normal(address: str) -> str:
    """Normalize an address (RFC 3986, section 6.2.2): only what must be escaped is, in capitals."""
    escaped = _escape(address, keep=_ADDRESS)
    return _ESCAPES.sub(lambda codes: _escape_bytes(_bytes_of(codes), _UNRESERVED), escaped)


def _escape(text: str, *, keep: frozenset[int]) -> str:
    return _escape_bytes(text.encode("utf-8", "surrogateescape"), keep)


def _unescape(text: str) -> str:
    """Undo escaping; bytes that are not UTF-8 survive the round trip."""
    return _ESCAPES.sub(lambda codes: _bytes_of(codes).decode("utf-8", "surrogateescape"), text)


def _escape_bytes(data: bytes, keep: frozenset[int]) -> str:
    return "".join(chr(code) if code in keep else f"%{code:02X}" for code in data)


def _bytes_of(codes: re.Match[str]) -> bytes:
    return bytes.fromhex(codes[0].replace("%", ""))
