"""Write a parser of a source as one Python file that needs the standard library only.

It is what LEX and YACC made in the paper (section 2.2): the tokens and the grammar of a wrapper, with the code that
reads pages by them.  That code is webquarry's own: the definitions that reading needs are taken from its modules, one
by one, so that texts come out the same.
"""

from __future__ import annotations

import ast
import importlib.util
import sys
from collections.abc import Iterator, Mapping
from dataclasses import MISSING, dataclass, fields, is_dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from webquarry.errors import InputError
from webquarry.model.wrapper import Source, Wrapper

PACKAGE = "webquarry"
STUBS = {
    "page.text_runs:open_tree": "def open_tree(document):\n    return document.tree",
    "page.trees:MarkupTree": 'class MarkupTree:\n    """A tree of another library, which is never used here."""',
    "page.looks:rendered_look": "def rendered_look(layout, element):\n    return None",
    "model.extraction:Extraction": (
        'class Extraction:\n    """What was read of a page."""\n\n'
        "    def __init__(self, **given):\n        self.__dict__.update(given)"
    ),
    "values.section_types:read_as": "def read_as(type_, text, locale):\n    return None",
    "values.text_value:Locale": "def Locale(*given):\n    return None",
    "wrapping.ashish:elements_at": "def elements_at(document, markup, places):\n    return [0 for _ in places]",
}
"""Replaces what a parser of texts does without: browsers, typed values, and the places of values."""
ROOTS = {
    "format": ("wrapping.section_reader:Reader", "page.standard_tree:StandardTree"),
    "ashish": ("wrapping.ashish:extract_ashish",),
}
READING = {
    "format": "_READER = Reader(WRAPPER)\n\n\ndef _read(page):\n"
    "    return _READER.read(page, StandardTree(page.markup)).values\n",
    "ashish": "def _read(page):\n    return extract_ashish(WRAPPER, page).values\n",
}
RESERVED = frozenset(
    "WRAPPER _CHARSET _LATIN_LABELS _Page _READER _read codecs decode json main re read read_paths sys".split()
)
"""Names that a parser has itself."""
SHOWN = frozenset(["__repr__", "_repr_html_"])
"""Methods that only show a noun."""
HEAD = '''\
"""Read the pages of {name} by its sections; written by quarry, it needs the standard library only.

    python {file} page.html ...     prints a line of JSON for each page

    from {module} import read
    read(markup)                    the texts of a page, nested by its headings
"""

'''
TAIL = '''
{reading}

class _Page:
    """A page as its markup."""

    layout = None
    kind = "static"
    tree = None

    def __init__(self, markup, url):
        self.markup, self.url = markup, url

    def xpath(self, node):
        return ""


def read(markup, url=""):
    """Read the texts of a page, nested by its headings."""
    return nest((value.headings, value.text) for value in _read(_Page(markup, url)) if value.headings)


def read_paths(markup, url=""):
    """Read the texts of a page by the paths of their sections, joined by dots."""
    return {{".".join(map(str, value.path)): value.text for value in _read(_Page(markup, url))}}


_CHARSET = re.compile(rb"<meta[^>]+charset\\s*=\\s*[\\"']?\\s*([\\w.:-]+)", re.IGNORECASE)
# Browsers read these as windows-1252.
_LATIN_LABELS = ("ascii", "iso-8859-1", "iso8859-1", "latin1", "latin-1", "us-ascii")


def decode(content):
    """Decode a page by its mark, by what it says, or by trying."""
    marks = {{"utf-8": codecs.BOM_UTF8, "utf-16-le": codecs.BOM_UTF16_LE, "utf-16-be": codecs.BOM_UTF16_BE}}
    for name, mark in marks.items():
        if content.startswith(mark):
            return content[len(mark) :].decode(name, "replace")
    found = _CHARSET.search(content[:4096])
    label = found[1].decode("ascii").lower() if found else ""
    name = "windows-1252" if label in _LATIN_LABELS else label or "utf-8"
    try:
        return content.decode(name, "replace" if label else "strict")
    except (LookupError, UnicodeDecodeError):
        return content.decode("windows-1252", "replace")


def main(names):
    """Print a line of JSON for each page; tell which cannot be read."""
    code = 0
    for name in names:
        try:
            with open(name, "rb") as file:
                content = file.read()
        except OSError as error:
            print(f"{{name}}: cannot be read ({{error.strerror or error}})", file=sys.stderr)
            code = 1
            continue
        line = {{"page": name, "source": WRAPPER.source.name, "record": read(decode(content))}}
        print(json.dumps(line, ensure_ascii=False))
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
'''


def write_parser(wrapper: Wrapper, file: str = "parser.py") -> str:
    """Write the module of a wrapper of sections; `file` is the name that it will have."""
    source = wrapper.source
    if source.kind != "sections":
        raise InputError(f"the wrapper {source.name} is of kind {source.kind}; a parser is written of sections only")
    if source.render:
        raise InputError(f"the wrapper {source.name} reads rendered pages, which a parser without a browser cannot")
    bundle = _Bundle()
    for root in (*ROOTS[wrapper.method], "model.wrapper:Wrapper", "model.extraction:nest"):
        bundle.add(root)
    for noun in ("Source", "TokenFormat", "Section"):
        bundle.add(f"model.wrapper:{noun}")
    plain = replace(
        wrapper,
        source=Source(source.name, decimal=source.decimal, day_first=source.day_first, language=source.language),
        history=(),
        undone=(),
    )
    imports = sorted({*bundle.imports, "import codecs", "import json", "import re", "import sys"})
    return "".join(
        [
            HEAD.format(name=source.name, file=file, module=Path(file).stem),
            "\n".join([*imports, "", "", ""]),
            "\n\n\n".join(bundle.parts),
            f"\n\n\nWRAPPER = {_write_literal(plain)}\n\n\n",
            TAIL.format(reading=READING[wrapper.method]).lstrip("\n"),
        ]
    )


def _write_literal(value: Any) -> str:
    """Write a noun as the call that makes it, without attributes that have their defaults."""
    if is_dataclass(value) and not isinstance(value, type):
        given = []
        for each in fields(value):
            own = getattr(value, each.name)
            if each.default is MISSING or own != each.default:
                given.append(f"{each.name}={_write_literal(own)}")
        return f"{type(value).__name__}({', '.join(given)})"
    if isinstance(value, tuple):
        inside = ", ".join(map(_write_literal, value))
        return f"({inside},)" if len(value) == 1 else f"({inside})"
    return repr(value)


class _Bundle:
    """The definitions that a parser needs, each after those that it needs itself."""

    def __init__(self) -> None:
        self.parts: list[str] = []
        self.imports: set[str] = set()
        self._names: dict[str, str] = {}
        """The name of each definition in the parser."""

    def add(self, named: str) -> str:
        """Add a definition, written `module:name`, with all that it uses; return its name in the parser."""
        if named in self._names:
            return self._names[named]
        module_name, _, name = named.partition(":")
        taken = {*self._names.values(), *RESERVED}
        self._names[named] = name if name not in taken else f"{module_name.replace('.', '_')}_{name}"
        if named in STUBS:
            self.parts.append(STUBS[named])
            return self._names[named]
        module = _read_module(module_name)
        node = module.definitions[name]
        renamed = {each: self._find(module, each) for each in _names_in(node) if module.has(each)}
        renamed[name] = self._names[named]
        self.parts.append(ast.unparse(ast.fix_missing_locations(_Rewriter(renamed).visit(_copy(node)))))
        return self._names[named]

    def _find(self, module: _Module, name: str) -> str:
        """Add what a name of a module means; return its name in the parser."""
        if name in module.definitions:
            return self.add(f"{module.name}:{name}")
        target = module.imports[name]
        if target.startswith(f"{PACKAGE}."):
            return self.add(target.removeprefix(f"{PACKAGE}."))
        package = target.partition(":")[0]
        if package.partition(".")[0] not in sys.stdlib_module_names:
            raise LookupError(f"{module.name} needs {package} for {name}; replace it in STUBS")
        origin, _, part = target.partition(":")
        self.imports.add(f"from {origin} import {part}" if part else f"import {origin}")
        return part or origin


@dataclass(frozen=True)
class _Module:
    """A module of webquarry: its definitions and imports by name."""

    name: str
    definitions: Mapping[str, ast.stmt]
    imports: Mapping[str, str]
    """Such as `re`, or `functools:lru_cache`."""

    def has(self, name: str) -> bool:
        """Tell whether the module defines or imports a name."""
        return name in self.definitions or name in self.imports


@cache
def _read_module(name: str) -> _Module:
    spec = importlib.util.find_spec(f"{PACKAGE}.{name}")
    if spec is None or spec.origin is None:
        raise LookupError(f"there is no module {name}")
    definitions: dict[str, ast.stmt] = {}
    imports: dict[str, str] = {}
    for node in ast.parse(Path(spec.origin).read_text("utf-8")).body:
        match node:
            case ast.FunctionDef() | ast.ClassDef():
                definitions[node.name] = node
            case ast.Assign(targets=targets):
                walked = (each for target in targets for each in ast.walk(target))
                definitions |= {each.id: node for each in walked if isinstance(each, ast.Name)}
            case ast.AnnAssign(target=ast.Name(id=name_), value=value) if value is not None:
                definitions[name_] = node
            case ast.Import(names=names):
                imports |= {each.asname or each.name: each.name for each in names}
            case ast.ImportFrom(module=origin, names=names):
                imports |= {each.asname or each.name: f"{origin}:{each.name}" for each in names}
    return _Module(name, definitions, imports)


def _copy(node: ast.stmt) -> ast.AST:
    return ast.parse(ast.unparse(node)).body[0]


def _names_in(node: ast.stmt) -> Iterator[str]:
    """List the names that a definition uses when it runs, without those of annotations."""
    bare = _Rewriter({}).visit(_copy(node))
    yield from dict.fromkeys(each.id for each in ast.walk(bare) if isinstance(each, ast.Name))


class _Rewriter(ast.NodeTransformer):
    """Gives names of a module those of the parser, and leaves out annotations and methods that only show a noun."""

    def __init__(self, renamed: Mapping[str, str]) -> None:
        self._renamed = renamed
        self._local: list[set[str]] = []

    def visit_Name(self, node: ast.Name) -> ast.AST:
        """Rename a name unless it is local."""
        if node.id in self._renamed and not any(node.id in names for names in self._local):
            return ast.Name(self._renamed[node.id], node.ctx)
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST | None:
        """Take a function without annotations."""
        if self._local and node.name in SHOWN:
            return None
        node.decorator_list = [self.visit(each) for each in node.decorator_list]
        for each in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs, node.args.vararg, node.args.kwarg):
            if each is not None:
                each.annotation = None
        node.args.defaults = [self.visit(each) for each in node.args.defaults]
        node.args.kw_defaults = [each and self.visit(each) for each in node.args.kw_defaults]
        node.returns = None
        self._local.append(_locals_of(node))
        node.body = [kept for each in node.body if (kept := self.visit(each)) is not None]
        self._local.pop()
        if not self._local:
            node.name = self._renamed.get(node.name, node.name)
        return node

    def visit_Lambda(self, node: ast.Lambda) -> ast.AST:
        """Keep the parameters of a function without a name."""
        self._local.append({each.arg for each in node.args.args})
        node.body = self.visit(node.body)
        self._local.pop()
        return node

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        """Take a class; its attributes are not names of the module."""
        node.decorator_list = [self.visit(each) for each in node.decorator_list]
        node.bases = [self.visit(each) for each in node.bases]
        own = {each.name for each in node.body if isinstance(each, ast.FunctionDef)}
        fields_ = (each.target for each in node.body if isinstance(each, ast.AnnAssign))
        own |= {each.id for each in fields_ if isinstance(each, ast.Name)}
        self._local.append(set())
        node.body = [kept for each in node.body if (kept := self._visit_member(each, own)) is not None] or [ast.Pass()]
        self._local.pop()
        node.name = self._renamed.get(node.name, node.name) if not self._local else node.name
        return node

    def _visit_member(self, node: ast.stmt, own: set[str]) -> ast.stmt | None:
        if not isinstance(node, ast.AnnAssign):
            kept: ast.stmt | None = self.visit(node)
            return kept
        node.annotation = ast.Name("object", ast.Load())
        node.value = self.visit(node.value) if node.value is not None else None
        return node if isinstance(node.target, ast.Name) and node.target.id in own else None

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST | None:
        """Take a variable without its annotation; none if it has no value."""
        if node.value is None:
            return None
        return ast.Assign([self.visit(node.target)], self.visit(node.value))


def _locals_of(function: ast.FunctionDef) -> set[str]:
    """List the parameters and variables of a function, with those of functions in it."""
    arguments = function.args
    given = (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, arguments.vararg, arguments.kwarg)
    names = {each.arg for each in given if each is not None}
    stored = (each for each in ast.walk(function) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store))
    return names | {each.id for each in stored}
