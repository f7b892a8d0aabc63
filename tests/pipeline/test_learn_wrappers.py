"""Wrappers in Python: learnt, saved, corrected, and used on many pages."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest

import webquarry as wq
from webquarry.model.wrapper import Source, Wrapper
from webquarry.pipeline import extract_pages, source_addresses, source_pages
from webquarry.wrapping.section_reader import Reader

TOWNS = {"ash": "Ash", "birch": "Birch", "cedar": "Cedar", "elm": "Elm"}


def town(name: str) -> bytes:
    return (
        f"<title>{name}</title><body><h1>{name}</h1><h2>Land</h2><p><b>Setting:</b> hills of {name}</p>"
        f"<p><b>Area:</b> {len(name)} sq km</p><h2>People</h2><p><b>Trade:</b> {name} cloth</p>"
    ).encode()


def page(code: str) -> wq.Page:
    return wq.Page(f"https://towns.example/book/{code}.html", town(TOWNS[code]))


@pytest.fixture(scope="module")
def wrapper() -> Wrapper:
    return wq.wrap([wq.clean(page(code)) for code in ("ash", "birch", "cedar")], name="towns", key="town")


def texts(extraction: wq.Extraction) -> dict[str, str]:
    return {".".join(map(str, value.path)): value.text for value in extraction.values}


def test_a_wrapper_is_learnt_from_documents_and_names_its_samples(wrapper):
    assert [".".join(path) for path in extract_pages.find_paths(wrapper)] == [
        "land",
        "land.setting",
        "land.area",
        "people",
        "people.trade",
    ]
    assert wrapper.source.samples == tuple(page(code).url for code in ("ash", "birch", "cedar"))
    assert not wrapper.source.render


def test_samples_can_be_named_otherwise_than_by_their_addresses():
    documents = [wq.clean(page(code)) for code in ("ash", "birch")]
    named = wq.wrap(documents, name="towns", samples=["a.html", "b.html"])
    assert named.source.samples == ("a.html", "b.html")
    assert wq.wrap(documents, name="towns", method="ashish", samples=["a.html", "b.html"]).source.samples == ("a.html",)


def test_of_samples_that_are_the_same_the_first_counts(caplog):
    documents = [wq.clean(page(code)) for code in ("ash", "ash", "ash")]
    assert len(extract_pages.find_paths(wq.wrap(documents, name="towns"))) == 5
    assert "towns: 2 of the samples are the same as others" in caplog.text
    documents += [wq.clean(page("birch"))]
    learnt = wq.wrap(documents, name="towns", samples=["a", "a again", "a once more", "b"])
    assert learnt.source.samples == ("a", "b")


def test_a_page_is_read_by_a_wrapper(wrapper):
    found = wq.extract(wrapper, wq.clean(page("elm")))
    assert found.record == {
        "_title": "Elm",
        "Land": {"Setting": "hills of Elm", "Area": "3 sq km"},
        "People": {"Trade": "Elm cloth"},
    }


@pytest.mark.parametrize(
    ("only", "kept"),
    [
        (["land"], ["land.setting", "land.area"]),
        (["People.Trade", "land.area"], ["land.area", "people.trade"]),
        ("land.area", ["land.area"]),
    ],
)
def test_only_the_wanted_sections_are_kept(wrapper, only, kept):
    assert list(texts(wq.extract(wrapper, wq.clean(page("elm")), only=only))) == kept


def test_what_is_missing_of_the_wanted_sections_is_reported_alone(wrapper):
    bare = wq.clean(wq.Page("u", b"<h2>Land</h2><p><b>Setting:</b> hills</p>"))
    assert wq.extract(wrapper, bare).missing == ("land.area", "people")
    assert wq.extract(wrapper, bare, only=["land"]).missing == ("land.area",)


def test_an_unknown_section_names_the_nearest(wrapper):
    with pytest.raises(wq.InputError, match=r"no section 'land\.aera'; the nearest are land\.area"):
        wq.extract(wrapper, wq.clean(page("elm")), only=["land.aera"])


def test_pages_and_documents_are_read_in_their_order_and_failures_keep_their_place(wrapper):
    odd = wq.Page("https://towns.example/x.pdf", b"%PDF-1.4")
    results = list(wq.extract_all(wrapper, [page("ash"), wq.Failure("b", "gone"), odd, wq.clean(page("elm"))]))
    assert [type(result).__name__ for result in results] == ["Extraction", "Failure", "Failure", "Extraction"]
    assert texts(results[3])["people.trade"] == "Elm cloth"


def test_a_fault_of_ours_on_one_page_does_not_stop_the_others(wrapper, monkeypatch):
    original = Reader.read

    def read(self: Reader, document: wq.Document) -> wq.Extraction:
        if "ash" in document.url:
            raise IndexError("out of range")
        return original(self, document)

    monkeypatch.setattr(Reader, "read", read)
    failed, good = wq.extract_all(wrapper, [page("ash"), page("elm")])
    assert "internal error, please report it: IndexError: out of range" in failed.error
    assert texts(good)["people.trade"] == "Elm cloth"


def looks_alone(name: str) -> wq.Page:
    """A page whose headings nothing in the markup tells from other texts."""
    style = "<!DOCTYPE html><style>p:nth-child(odd) { font-size: 30px; font-weight: bold }</style><body>"
    body = f"<p>Land</p><p>of {name}</p><p>Trade</p><p>{name}s</p>"
    return wq.Page(f"https://towns.example/{name}", (style + body).encode())


def test_pages_are_rendered_for_a_wrapper_that_says_so(browser, caplog):
    pages = [looks_alone(name) for name in TOWNS.values()]
    with caplog.at_level(logging.WARNING, "webquarry"):
        wrapper = wq.wrap(list(wq.render_all(pages[:3])), name="towns")
    assert wrapper.source.render
    assert "of the samples' values differ without a browser, such as " in caplog.text
    assert "so pages will be rendered" in caplog.text
    (found,) = wq.extract_all(wrapper, pages[3:])
    assert (found.document, found.record) == ("rendered", {"Land": "of Elm", "Trade": "Elms"})


def test_a_few_values_that_differ_are_told_and_do_not_cost_a_browser(browser, caplog):
    """What a style sheet hides on one page in a place of its own."""
    fields = "".join(f"<p><b>Field {place}:</b> {{name}} {place}</p>" for place in range(60))
    hidden = "<style>p:nth-of-type(7) i { display: none }</style>"
    pages = []
    for number, name in enumerate(TOWNS.values()):
        body = fields.format(name=name)
        if number == 0:
            body = body.replace(f"{name} 6</p>", f"{name} 6 <i>unseen</i></p>")
        pages.append(wq.Page(name, f"<!DOCTYPE html>{hidden}<body>{body}".encode()))
    with caplog.at_level(logging.WARNING, "webquarry"):
        wrapper = wq.wrap(list(wq.render_all(pages)), name="towns")
    assert not wrapper.source.render
    assert "0.4% of the samples' values differ without a browser, such as field_6" in caplog.text


def test_a_wrapper_learnt_with_scripts_is_tried_on_the_pages_without(browser):
    made = "<!DOCTYPE html><body><script>document.body.innerHTML = `{}`</script>"
    pages = [wq.Page(code, made.format(town(name).decode()).encode()) for code, name in TOWNS.items()]
    documents = list(wq.render_all(pages, scripts=True))
    assert wq.wrap(documents, name="towns").source.render
    assert wq.wrap(documents, name="towns", statics=[wq.clean(page) for page in pages]).source.render
    plain = [wq.clean(wq.Page(page.url, town(TOWNS[page.url]))) for page in pages]
    assert not wq.wrap(documents, name="towns", statics=plain).source.render


@pytest.mark.parametrize(
    ("kind", "method", "said"),
    [
        ("poems", "format", "'poems'; choose from sections, item, records, tables"),
        ("tables", "ashish", "'ashish' for tables"),
    ],
)
def test_an_unknown_kind_or_method_names_those_that_there_are(kind, method, said):
    with pytest.raises(ValueError, match=said):
        wq.wrap([wq.clean(page("ash"))], name="towns", kind=kind, method=method)


def test_a_wrapper_is_not_learnt_from_nothing():
    with pytest.raises(wq.InputError, match="no sample page"):
        wq.wrap([], name="towns")
    with pytest.raises(wq.InputError, match="no headings"):
        wq.wrap([wq.clean(wq.Page("u", b"<p>Little."))], name="towns")
    with pytest.raises(wq.InputError, match="no records were found"):
        wq.wrap([wq.clean(wq.Page("u", b"<p>Little."))], name="towns", kind="records")


def test_wrap_takes_documents_of_any_kind_of_collection():
    pages = [page(code) for code in ("ash", "birch", "cedar")]
    assert wq.wrap(map(wq.clean, pages), name="towns") == wq.wrap([*map(wq.clean, pages)], name="towns")
    assert wq.wrap(wq.clean(pages[0]), name="towns") == wq.wrap([wq.clean(pages[0])], name="towns")
    for odd in (pages, pages[0]):
        with pytest.raises(TypeError, match="takes Documents, not a Page; make one with clean or render"):
            wq.wrap(odd, name="towns")


def test_extract_takes_documents(wrapper):
    with pytest.raises(TypeError, match="make one with clean or render"):
        wq.extract(wrapper, page("ash"))


def test_a_wrapper_comes_back_from_its_file(wrapper, tmp_path):
    wq.save_wrapper(tmp_path / "towns.toml", wrapper)
    assert wq.load_wrapper(tmp_path / "towns.toml") == wrapper
    assert [path.name for path in tmp_path.iterdir()] == ["towns.toml"]


def test_a_file_that_is_not_a_wrapper_is_reported(tmp_path):
    (tmp_path / "odd.toml").write_bytes(b"name = \xff\n")
    with pytest.raises(wq.InputError, match=r"odd\.toml: line 1 is not in UTF-8"):
        wq.load_wrapper(tmp_path / "odd.toml")
    (tmp_path / "odd.toml").write_text("format = 1\ncolour = 2\n")
    with pytest.raises(wq.WrapperError, match=r"odd\.toml:2: "):
        wq.load_wrapper(tmp_path / "odd.toml")


def test_corrections_are_made_and_undone(wrapper):
    documents = [wq.clean(page(code)) for code in ("ash", "birch", "cedar")]
    dropped = wq.correct(wrapper, documents, "drop", "Setting")
    assert ("land", "setting") not in extract_pages.find_paths(dropped)
    assert dropped.steps[1] == 1
    assert wq.undo(dropped) == wrapper
    with pytest.raises(ValueError, match="'paint'; choose from add, drop"):
        wq.correct(wrapper, documents, "paint", "Setting")


def index_of(folder: Path) -> None:
    links = "".join(f"<a href='book/{code}.html'>{name}</a>" for code, name in TOWNS.items())
    (folder / "index.html").write_text(f"{links}<a href='imprint.html'>Imprint</a>")


def test_the_index_names_all_pages_of_a_source(tmp_path):
    index_of(tmp_path)
    source = Wrapper(Source("towns", pages="book/{code}.html", key="town", index_page="index.html"))
    base = tmp_path.as_uri()
    everything = [(name, f"{base}/book/{code}.html") for code, name in TOWNS.items()]
    assert source_pages.sources_of(source, folder=tmp_path) == everything
    assert source_pages.sources_of(source, folder=tmp_path, keys=["ELM"]) == everything[3:]
    with pytest.raises(wq.InputError, match="no town 'Oak'"):
        source_pages.sources_of(source, folder=tmp_path, keys=["Oak"])


def test_a_csv_file_and_a_function_name_pages_too(tmp_path):
    (tmp_path / "index.csv").write_text("town,code\nAsh,a\nElm,e\n")
    (tmp_path / "places.py").write_text("def address_of(code):\n    return f'https://towns.example/{code}/'\n")
    wrapper = Wrapper(Source("towns", pages="places:address_of", key="town", index_file="index.csv"))
    assert source_pages.sources_of(wrapper, folder=tmp_path) == [
        ("Ash", "https://towns.example/a/"),
        ("Elm", "https://towns.example/e/"),
    ]


def test_without_an_index_a_key_is_the_only_argument():
    wrapper = Wrapper(Source("towns", base="https://towns.example/", pages="{code}.html"))
    assert source_pages.sources_of(wrapper, keys=["a b"]) == [("a b", "https://towns.example/a%20b.html")]
    with pytest.raises(wq.InputError, match="has no index"):
        source_pages.sources_of(wrapper)
    with pytest.raises(wq.InputError, match="found by region, code"):
        source_pages.sources_of(Wrapper(Source("towns", pages="{region}/{code}")), keys=["x"])
    with pytest.raises(wq.InputError, match="has no `pages`"):
        source_pages.sources_of(Wrapper(Source("towns")), keys=["x"])


def test_an_index_that_names_no_page_is_reported(tmp_path):
    (tmp_path / "index.html").write_text("<a href='x.html'>X</a>")
    wrapper = Wrapper(Source("towns", pages="book/{code}.html", index_page="index.html"))
    with pytest.raises(wq.InputError, match="none of its links or rows"):
        source_pages.sources_of(wrapper, folder=tmp_path)


def test_pages_that_are_named_get_the_keys_of_the_index(tmp_path, caplog):
    index_of(tmp_path)
    wrapper = Wrapper(Source("towns", pages="book/{code}.html", key="town", index_page="index.html"))
    results = [
        wq.Extraction(f"{tmp_path.as_uri()}/book/elm.html", "static", "towns"),
        wq.Failure("x", "gone"),
        wq.Extraction("https://elsewhere.example/elm.html", "static", "towns"),
    ]
    named = list(source_pages.name_by_index(wrapper, results, folder=tmp_path))
    assert [getattr(each, "key", None) for each in named] == ["Elm", None, None]
    (tmp_path / "index.html").unlink()
    first, *_ = source_pages.name_by_index(wrapper, results, folder=tmp_path)
    assert first.key is None
    assert "pages get no town" in caplog.text


@pytest.mark.parametrize(
    ("pages", "addresses", "base"),
    [
        ("geos/{code}.html", ["file:///b/geos/a.html", "file:///b/geos/c.html"], "file:///b/"),
        ("{code}.html", ["file:///b/geos/a.html"], "file:///b/geos/"),
        (
            "page?id={code}",
            ["https://x.example/d/page?id=1", "https://x.example/d/page?id=2"],
            "https://x.example/d/",
        ),
        ("geos/{code}.html", ["file:///b/geos/a.html", "file:///c/geos/c.html"], None),
        ("geos/{code}.html", ["file:///b/maps/a.html"], None),
        ("https://x.example/{code}", ["https://x.example/a"], None),
        ("places:address_of", ["https://x.example/a"], None),
    ],
)
def test_the_base_is_what_the_template_leaves_of_addresses(pages, addresses, base):
    assert source_addresses.find_base(pages, addresses) == base


def test_files_are_named_by_their_way_from_the_wrapper(tmp_path):
    address = (tmp_path / "a b" / "x.html").as_uri()
    assert source_addresses.relative_to(tmp_path / "made", address) == "../a b/x.html"
    assert source_addresses.relative_to(tmp_path, "https://x.example/a") == "https://x.example/a"


def test_a_file_whose_name_is_not_text_keeps_its_address_in_a_wrapper(tmp_path):
    address = f"{tmp_path.as_uri()}/%FF/x.html"
    assert source_addresses.relative_to(tmp_path, address) == address
