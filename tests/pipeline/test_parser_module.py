"""Parsers that need the standard library only read the same texts as `extract`."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import webquarry as wq
from webquarry.model.wrapper import Source, Wrapper
from webquarry.pipeline.parser_module import write_parser

HERE = Path(__file__).parents[1]
SOURCES = sorted(file.parent for file in (HERE / "pages-of-sources").glob("*/expected-sections.json"))
BOOK = HERE.parent / "examples" / "factbook" / "geos"


def documents_of(folder: Path) -> list[wq.Document]:
    return [wq.clean(wq.fetch(page)) for page in sorted(folder.glob("*.html"))]


def load(wrapper: Wrapper) -> dict[str, Any]:
    names: dict[str, Any] = {"__name__": "parser"}
    exec(compile(write_parser(wrapper), "parser.py", "exec", dont_inherit=True), names)
    return names


@pytest.mark.parametrize("method", ["format", "ashish"])
@pytest.mark.parametrize("folder", [*SOURCES, BOOK], ids=lambda folder: folder.name)
def test_a_parser_reads_the_texts_that_extract_reads(folder, method):
    documents = documents_of(folder)
    wrapper = wq.wrap(documents[:4], name="source", kind="sections", method=method)
    parser = load(wrapper)
    for document in documents:
        extraction = wq.extract(wrapper, document)
        assert parser["read"](document.markup) == extraction.record
        assert list(parser["read_paths"](document.markup).values()) == [value.text for value in extraction.values]


@pytest.mark.parametrize("method", ["format", "ashish"])
def test_corrections_are_in_the_parser(method):
    documents = documents_of(HERE / "pages-of-sources" / "factbook-plain")
    wrapper = wq.wrap(documents[:4], name="source", kind="sections", method=method)
    wrapper = wq.correct(wrapper, documents[: len(wrapper.source.samples)], "rename", "Geography", name="land")
    read = load(wrapper)["read"]
    assert all(read(document.markup) == wq.extract(wrapper, document).record for document in documents)


@pytest.mark.parametrize("method", ["format", "ashish"])
def test_a_parser_imports_the_standard_library_alone(method):
    wrapper = wq.wrap(documents_of(BOOK)[:3], name="book", kind="sections", method=method)
    imported = set()
    for node in ast.walk(ast.parse(write_parser(wrapper))):
        if isinstance(node, ast.Import):
            imported |= {each.name for each in node.names}
        elif isinstance(node, ast.ImportFrom):
            imported.add(node.module)
    assert {name.partition(".")[0] for name in imported} <= sys.stdlib_module_names


def test_a_parser_runs_by_itself(tmp_path):
    wrapper = wq.wrap(documents_of(BOOK)[:3], name="book", kind="sections")
    (tmp_path / "book_parser.py").write_text(write_parser(wrapper, "book_parser.py"), "utf-8")
    page = BOOK / "ks.html"
    command = [sys.executable, "-I", "-S", "book_parser.py", str(page), "gone.html"]  # -S: no installed packages
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (1, b"gone.html: cannot be read (No such file or directory)\n")
    line = json.loads(done.stdout)
    assert (line["page"], line["source"]) == (str(page), "book")
    assert line["record"] == wq.extract(wrapper, wq.clean(wq.fetch(page))).record


@pytest.mark.parametrize(
    ("source", "said"),
    [(Source("shop", "records"), "of sections only"), (Source("book", render=True), "without a browser cannot")],
)
def test_other_wrappers_have_no_parser(source, said):
    with pytest.raises(wq.InputError, match=said):
        write_parser(Wrapper(source))
