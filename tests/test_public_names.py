"""`import webquarry` is quick and gives the names that are promised."""

from __future__ import annotations

import inspect
import re
import subprocess
import sys
from pathlib import Path

import pytest

import webquarry as wq

HEAVY = ("numpy", "lxml", "turbohtml", "httpx2", "hishel", "typer", "fastwarc")


def run(program: str) -> str:
    return subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True).stdout


def test_importing_loads_nothing_heavy():
    loaded = run(f"import sys, webquarry; print([name for name in {HEAVY} if name in sys.modules])")
    assert loaded.strip() == "[]"


def test_importing_loads_no_other_module():
    """The command handles signals only after that; until then Ctrl-C gives a traceback."""
    loaded = run("import sys; had = set(sys.modules); import webquarry; print(*sorted(set(sys.modules) - had))")
    assert loaded.split() == ["webquarry"]


@pytest.mark.parametrize("name", wq.__all__)
def test_every_public_name_is_there(name):
    assert getattr(wq, name).__name__ == name


def test_public_names_are_those_of_the_design():
    assert {"Document", "Page", "clean", "fetch", "fetch_all"} <= set(wq.__all__)
    assert sorted(wq.__all__) == list(wq.__all__)


def test_a_star_import_gives_all_names():
    given = run("from webquarry import *; print(*[name for name in dir() if not name.startswith('_')])")
    assert given.split() == sorted(wq.__all__)


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="module 'webquarry' has no attribute 'scrape'"):
        _ = wq.scrape
    assert not hasattr(wq, "scrape")


def test_dir_shows_all_names_before_they_are_loaded():
    shown = run("import webquarry; print(*[name for name in dir(webquarry) if name in webquarry.__all__])")
    assert shown.split() == sorted(wq.__all__)


def test_errors_form_one_tree():
    assert issubclass(wq.RefusedError, wq.FetchError)
    assert issubclass(wq.FetchError, wq.WebquarryError)
    assert issubclass(wq.InputError, wq.WebquarryError)
    assert not issubclass(wq.InputError, wq.FetchError)


def test_commands_that_ask_nothing_load_no_database():
    heavy = ("duckdb", "sqlglot", "pyarrow", "pandas")
    stages = "webquarry.pipeline.fetch_pages, webquarry.pipeline.mine_pages"
    loaded = run(f"import sys, {stages}; print([name for name in {heavy} if name in sys.modules])")
    assert loaded.strip() == "[]"


def test_dir_shows_public_names_only():
    shown = run("import webquarry; webquarry.clean; print(*dir(webquarry))")
    assert shown.split() == sorted(wq.__all__)


def test_the_stub_lists_each_name_once():
    stub = Path(wq.__file__).with_suffix(".pyi").read_text()
    names = re.findall(r"\b(\w+) as \1\b", stub)
    assert sorted(names) == wq.__all__


@pytest.mark.parametrize("name", [name for name in wq.__all__ if name.islower()])
def test_docstrings_have_every_parameter_and_an_example(name):
    function = getattr(wq, name)
    said = inspect.getdoc(function)
    assert ">>> " in said
    lines = [part.strip() for line in said.splitlines() if ": " in line for part in line.split(": ")[0].split(",")]
    for parameter in inspect.signature(function).parameters:
        assert parameter in lines or f"`{parameter}`" in said, f"{name} says nothing on {parameter}"


PAGE = wq.Page(url="https://example.org/", body=b"<ul>" + b"<li>One" * 100_000)
WRONG_TYPES = [
    (lambda: wq.fetch(PAGE), "fetch takes a str or Path, not a Page; name a file or an http(s) address"),
    (lambda: wq.fetch_all("x.html"), "fetch_all takes several inputs, not a str; put it in a list"),
    (lambda: list(wq.fetch_all([PAGE])), "fetch_all takes inputs, not a Page; name a file or an http(s) address"),
    (lambda: wq.clean("x.html"), "clean takes a Page, not a str; get one with wq.fetch"),
    (lambda: wq.clean_all(PAGE), "clean_all takes several Pages, not a Page; put it in a list"),
    (lambda: list(wq.clean_all(["x.html"])), "clean_all takes Pages, not a str; get one with wq.fetch"),
    (lambda: wq.render("x.html"), "render takes a Page, not a str"),
    (lambda: wq.render_all("x.html"), "render_all takes several Pages, not a str"),
    (lambda: wq.render_pictured(None), "render_pictured takes a Page, not a NoneType"),
    (lambda: wq.mine("x.html"), "mine takes a Document, not a str; make one with clean or render"),
    (lambda: wq.mine_all(PAGE), "mine_all takes several Documents, not a Page"),
    (lambda: list(wq.mine_following("x.html", 2)), "mine_following takes a Page, not a str"),
    (lambda: wq.mine_pictured("x.html"), "mine_pictured takes a Page, not a str"),
    (lambda: wq.table(7), "table takes a str or Path, not an int"),
    (lambda: wq.read("x.html"), "read takes Documents, not a str"),
    (lambda: wq.read_all("x.html"), "read_all takes several Documents, not a str"),
    (lambda: wq.wrap("x.html", name="x"), "wrap takes Documents, not a str"),
    (lambda: wq.extract("x.toml", PAGE), "extract takes a Wrapper, not a str; get one with wq.load_wrapper or wq.wrap"),
    (lambda: wq.extract_all("x.toml", []), "extract_all takes a Wrapper, not a str"),
    (lambda: wq.correct("x.toml", [], "drop", "x"), "correct takes a Wrapper, not a str"),
    (lambda: wq.undo("x.toml"), "undo takes a Wrapper, not a str"),
    (lambda: wq.check(PAGE), "check takes a Wrapper, not a Page"),
    (lambda: wq.load_wrapper(PAGE), "load_wrapper takes a str or Path, not a Page"),
    (lambda: wq.save_wrapper("x.toml", PAGE), "save_wrapper takes a Wrapper, not a Page"),
    (lambda: wq.validate("offers.jsonl"), "validate takes Articles, Regions, Selections and pairs of"),
    (lambda: wq.drop([], []), "drop takes a Report, not a list; get one with wq.validate"),
    (lambda: wq.write_report([]), "write_report takes a Report, not a list; get one with wq.validate"),
    (lambda: wq.picture_pages(5), "picture_pages takes a Validation, not an int; get one with wq.validate_extractions"),
    (lambda: wq.validate_extractions("x"), "validate_extractions takes a list of what wq.load_extraction gives"),
    (lambda: wq.load_labels("x", ["y"]), "load_labels takes a list of what wq.load_extraction gives, not a str"),
    (lambda: wq.load_extraction(5), "load_extraction takes a str or Path, not an int"),
    (lambda: list(wq.archive_all([], None)), "archive_all takes a str or Path, not a NoneType"),
    (lambda: wq.measure([], []), "measure takes a Report, not a list; get one with wq.validate"),
    (lambda: wq.label_by_selector(["x"], "p"), "label_by_selector takes a list of Documents"),
    (lambda: wq.label_by_selector(None, "p"), "label_by_selector takes a list of Documents"),
    (lambda: wq.validate_extractions([None]), "validate_extractions takes a list of what wq.load_extraction gives"),
    (lambda: wq.connect([]).sql(5), "sql takes a str, not an int; write a SELECT, or SHOW TABLES"),
    (lambda: wq.mine(wq.clean(PAGE), like=5), "mine: like takes a str or None, not an int"),
    (lambda: wq.table("x.html", region="2"), "table: region takes an int, not a str"),
    (lambda: wq.Page(url="x", body="<p>"), "a Page takes url=str and body=bytes, not url=str and body=str; encode"),
    (lambda: wq.connect(5), "connect takes str or Path or Wrapper, or several of them, not an int"),
    (lambda: wq.connect([None]), "connect takes str or Path or Wrapper, or several of them, not a NoneType"),
    (lambda: wq.render(PAGE, width="800"), "render: width takes an int, not a str"),
    (lambda: wq.fetch("x", cache=5), "fetch: cache takes a Path or a str or None, not an int"),
    (lambda: wq.render(PAGE, roots="folder"), "render: roots takes several, not a str; put it in a list"),
    (lambda: wq.fetch("x", headers="A: b"), "headers takes a dict, as in {'Accept-Language': 'fr'}, or pairs, not"),
]


@pytest.mark.parametrize(("call", "said"), WRONG_TYPES, ids=[said.split()[0] for _, said in WRONG_TYPES])
def test_a_wrong_argument_says_what_the_function_takes(call, said):
    with pytest.raises(TypeError) as error:
        call()
    assert str(error.value).startswith(said)


def has_options(name: str) -> bool:
    return any(each.kind is each.KEYWORD_ONLY for each in inspect.signature(getattr(wq, name)).parameters.values())


@pytest.mark.parametrize("name", [name for name in wq.__all__ if name.islower() and has_options(name)])
def test_a_wrong_option_says_which_there_are(name):
    function = getattr(wq, name)
    with pytest.raises(TypeError, match=f"{name} has no option 'nonsense'; choose from ") as error:
        function(nonsense=1)
    assert all(parameter in str(error.value) for parameter in inspect.signature(function).parameters)


OPTIONS = [
    (name, option)
    for name in wq.__all__
    if name.islower() and name != "connect"  # it has no required argument, and takes url_map as it is
    for option, each in inspect.signature(getattr(wq, name)).parameters.items()
    if each.kind is each.KEYWORD_ONLY
]


@pytest.mark.parametrize(("name", "option"), OPTIONS, ids=map(".".join, OPTIONS))
def test_a_wrong_value_of_any_option_is_a_type_error(name, option):
    with pytest.raises(TypeError) as error:
        getattr(wq, name)(**{option: object()})
    assert "instance and class checks" not in str(error.value)


def test_headers_may_be_a_dict():
    assert wq.fetch("examples/news/index.html", headers={"Accept-Language": "fr"}).status == 200


def test_reprs_are_short():
    document = wq.clean(PAGE)
    region = wq.mine(document)[0]
    report = wq.validate([region])
    shown = [PAGE, document, region, report, report.pages[0], report.pages[0].selection, wq.read(document)]
    book = wq.clean(wq.fetch("examples/factbook/geos/am.html"))
    wrapper = wq.wrap(book, name="factbook")
    shown += [wrapper, wq.extract(wrapper, book), wq.check(wrapper, [book]), wq.validate_extractions([])]
    assert [len(repr(each)) < 200 for each in shown] == [True] * len(shown)
    assert repr(PAGE) == "<Page https://example.org/: status 200, 700,004 bytes>"
    assert repr(document) == "<Document https://example.org/: static by html5, 700,004 characters>"
