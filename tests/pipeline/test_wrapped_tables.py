"""Sources as tables: which rows pages give, which pages give none, and what is fetched."""

from __future__ import annotations

import os
import threading
import time
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import lxml.html
import pyarrow as pa
import pytest

import webquarry as wq
from webquarry.fetching.policy import Policy
from webquarry.model.names import join_key
from webquarry.model.page import Failure
from webquarry.model.wrapper import Section
from webquarry.pipeline import wrapped_tables
from webquarry.pipeline.wrapped_tables import PageReader, PageSupply, WrappedTable
from webquarry.querying.query_nouns import SourceTable, Whereabouts

AREA = [("geography", "area")]
FOREST = "<h2>Geography</h2><h3>Area</h3><p>5 sq km</p><h2>Trees</h2><h3>Oaks</h3><p>many</p>"


def ignore() -> None:
    """Nothing is shown of what is done."""


def rows_of(table: SourceTable, keys, columns):
    reading = table.read(keys, columns, ignore)
    return reading.rows.to_pylist(), [failure.page.rsplit("/")[-1] for failure in reading.failures]


def test_columns_begin_with_the_key_and_end_with_page_and_time(table):
    schema = table.schema
    assert schema.names == ["country", "_title", "geography", "government", "people", "_other", "_page", "_fetched"]
    assert schema.field("_fetched").type == pa.timestamp("us", tz="UTC")
    assert (table.key, table.is_listed, table.is_row_a_page, table.is_rendered) == ("country", True, True, False)


def test_rows_have_the_columns_of_the_table_whatever_is_asked_for(table):
    for columns in ([], AREA, [("_other",)], [("_title",)]):
        assert table.read(["Oakia"], columns, ignore).rows.schema == table.schema
    assert table.read([], AREA, ignore).rows.schema == table.schema


def test_rows_come_as_they_are_asked_for(table):
    index = table.index()
    done = []
    rows = table.read(["Holmark", "Elmland"], AREA, lambda: done.append(1)).rows.to_pylist()
    assert [(row["country"], row["geography"]["area"], row["_page"]) for row in rows] == [
        ("Holmark", 44, index["Holmark"]),
        ("Elmland", 1200, index["Elmland"]),
    ]
    assert len(done) == 2
    assert list(index) == ["Elmland", "Oakia", "Holmark", "Brindle"]
    assert table.index_pages == 0
    assert table.example == "Elmland"


def test_only_the_sections_asked_for_are_read(table):
    ((row,), _) = rows_of(table, ["Oakia"], [("geography", "area_text"), ("_title",)])
    others = dict.fromkeys(("climate", "terrain", "_text"))
    assert row["geography"] == {"area": 860, "area_unit": "sq km", "area_text": "860 sq km", **others}
    assert (row["_title"], row["people"], row["government"]) == ("Oakia", None, None)


@pytest.mark.parametrize(
    ("columns", "sections"),
    [
        ([("country",), ("_page",), ("_fetched",)], []),
        ([("geography", "area_unit"), ("geography", "area")], ["geography.area"]),
        ([("geography", "area"), ("geography",)], ["geography"]),
        ([("PEOPLE", "Languages")], ["people.languages"]),
        ([("_title",), ("people", "population")], ["_title", "people.population"]),
        ([("_other",)], ["geography", "government", "people"]),
    ],
)
def test_sections_of_columns(table, columns, sections):
    assert table.sections(columns) == sections


def test_the_title_alone_is_read_without_all_else(table):
    ((row,), _) = rows_of(table, ["Oakia"], [("_title",)])
    assert row["_title"] == "Oakia"
    assert row["people"] is None


@pytest.mark.parametrize("columns", [[], AREA, [("_title",)], [("people",)], [("_other",)]])
def test_a_page_of_another_template_gives_no_row_whatever_is_asked_for(table, book, columns):
    (book / "geos" / "oa.html").write_text("<h1>We have moved</h1><p>Our book is elsewhere now.</p>")
    rows, failed = rows_of(table, ["Elmland", "Oakia"], columns)
    assert ([row["country"] for row in rows], failed) == (["Elmland"], ["oa.html"])
    (failure,) = table.read(["Oakia"], columns, ignore).failures
    assert "page does not match wrapper" in failure.error
    assert f"quarry check {book / 'book.toml'} {failure.page}" in failure.error


@pytest.mark.parametrize("columns", [[], AREA, [("people", "population")], [("people",)], [("_other",)]])
def test_a_page_that_lacks_a_section_keeps_its_row(table, book, columns):
    text = (book / "geos" / "oa.html").read_text()
    (book / "geos" / "oa.html").write_text(text[: text.index("<h2>People")])
    ((row,), failed) = rows_of(table, ["Oakia"], columns)
    assert (row["country"], row["people"], failed) == ("Oakia", None, [])


def test_a_page_with_few_of_the_sections_is_of_another_template(table, book):
    (book / "geos" / "oa.html").write_text(f"<h1>Oakia</h1>{FOREST}")
    assert rows_of(table, ["Oakia"], [("people",)]) == ([], ["oa.html"])


def test_a_page_that_is_not_there_is_a_failure_and_the_others_go_on(table, book):
    (book / "geos" / "el.html").unlink()
    rows, failed = rows_of(table, list(table.index()), AREA)
    assert [row["geography"]["area"] for row in rows] == [860, 44, 9031]
    assert failed == ["el.html"]


def test_one_page_under_two_keys_is_two_rows(table, book):
    (book / "index.csv").write_text("country,code\nElmland,el\nLand of elms,el\n")
    rows, _ = rows_of(table, ["Land of elms", "Elmland"], AREA)
    assert [(row["country"], row["geography"]["area"]) for row in rows] == [("Land of elms", 1200), ("Elmland", 1200)]


def test_files_are_as_old_as_they_say(table, book):
    os.utime(book / "geos" / "oa.html", (0, 1_000_000_000))
    ((row,), _) = rows_of(table, ["Oakia"], [("_fetched",)])
    assert row["_fetched"] == datetime(2001, 9, 9, 1, 46, 40, tzinfo=UTC)


def make(learnt, supply, folder, **source) -> WrappedTable:
    wrapper = replace(learnt, source=replace(learnt.source, **source))
    return WrappedTable("book", wrapper, supply, file=folder / "book.toml")


def test_a_template_with_one_argument_asks_for_its_key(learnt, supply, book):
    table = make(learnt, supply, book, pages="geos/{code}.html", samples=("geos/el.html",))
    assert (table.key, table.is_listed, table.example, table.schema.names[0]) == ("code", False, "el", "code")
    rows, failed = rows_of(table, ["oa", "..", "zz"], AREA)
    assert [(row["code"], row["geography"]["area"]) for row in rows] == [("oa", 860)]
    assert failed == ["..", "zz.html"]


def test_the_key_of_a_template_may_have_another_name_than_its_argument(learnt, supply, book):
    table = make(learnt, supply, book, pages="geos/{code}.html", key="Country code")
    assert (table.key, rows_of(table, ["oa"], AREA)[0][0]["country_code"]) == ("country_code", "oa")


def test_a_mapping_function_asks_for_its_key(learnt, supply, book):
    (book / "mapping.py").write_text("def find(code):\n    return f'geos/{code}.html'\n")
    table = make(learnt, supply, book, pages="mapping:find", key="code")
    assert (table.key, table.is_listed) == ("code", False)
    assert rows_of(table, ["br"], AREA)[0][0]["geography"]["area"] == 9031
    with pytest.raises(wq.InputError, match="no `key`"):
        make(learnt, supply, book, pages="mapping:find").index()


def test_a_page_that_is_always_the_same_has_no_key(learnt, supply, book):
    table = make(learnt, supply, book, pages="geos/oa.html", key="country")
    (address,) = table.index()
    assert (table.key, table.is_listed, table.index_pages) == ("", True, 0)
    ((row,), _) = rows_of(table, [address], AREA)
    assert "country" not in row
    assert row["_page"] == address


def test_without_a_template_the_samples_are_the_pages(learnt, supply, book):
    table = make(learnt, supply, book, samples=("geos/oa.html", "geos/br.html"))
    rows, _ = rows_of(table, list(table.index()), AREA)
    assert [row["geography"]["area"] for row in rows] == [860, 9031]


@pytest.mark.parametrize(
    ("source", "advice"),
    [
        ({"pages": "{region}/{code}.html", "key": "country"}, r"add \[index\], .*country, region, code"),
        ({}, "add `pages`"),
        ({"index_file": "index.csv", "key": "country"}, "has an index but no `pages`"),
        ({"index_file": "index.csv", "pages": "{code}"}, "no `key`"),
    ],
)
def test_a_source_that_does_not_tell_its_pages_says_what_to_add(learnt, supply, book, source, advice):
    with pytest.raises(wq.InputError, match=advice):
        make(learnt, supply, book, **source).index()


def copy_pages(book: Path, *places: str) -> None:
    """Put the page of Oakia at other places, with their numbers in place of its area."""
    text = (book / "geos" / "oa.html").read_text()
    for number, place in enumerate(places, start=1):
        (book / place).parent.mkdir(parents=True, exist_ok=True)
        (book / place).write_text(text.replace("860", str(number)))


def test_a_key_of_several_parts_is_listed_by_a_table_or_a_page(learnt, supply, book):
    copy_pages(book, "1990/oa.html", "1990/el.html", "2000/oa.html")
    where = {"pages": "{year}/{code}.html", "key": "year,country"}
    (book / "index.csv").write_text("Year,country,code\n1990,Oakia,oa\n1990,Elmland,el\n2000,Oakia,oa\n")
    links = "".join(
        f"<a href='{year}/{code}.html'>{name}</a>"
        for year, code, name in (("1990", "oa", "Oakia"), ("1990", "el", "Elmland"), ("2000", "oa", "Oakia"))
    )
    (book / "years.html").write_text(links)
    for index in ({"index_file": "index.csv"}, {"index_page": "years.html"}):
        table = make(learnt, supply, book, **where, **index)
        assert (table.key, table.is_listed) == ("year,country", True)
        assert table.schema.names[:3] == ["year", "country", "_title"]
        rows, _ = rows_of(table, list(table.index()), AREA)
        assert [(row["year"], row["country"], row["geography"]["area"]) for row in rows] == [
            ("1990", "Oakia", 1),
            ("1990", "Elmland", 2),
            ("2000", "Oakia", 3),
        ]


def test_arguments_are_keys_that_must_be_told_without_an_index(learnt, supply, book):
    copy_pages(book, "1990/oa.html", "1990/el.html", "2000/oa.html")
    for key, names in (("", "year,code"), ("code,year", "code,year"), ("code", "code,year")):
        table = make(learnt, supply, book, pages="{year}/{code}.html", key=key, samples=("2000/oa.html",))
        parts = {"year": "2000", "code": "oa"}
        assert (table.key, table.is_listed) == (names, False)
        assert table.example == join_key(parts[name] for name in names.split(","))
        rows, failed = rows_of(table, [table.example, join_key(["x", "y"])], AREA)
        assert [(row["year"], row["code"], row["geography"]["area"]) for row in rows] == [("2000", "oa", 3)]
        assert failed == ["y.html" if names == "year,code" else "x.html"]


def test_pages_behind_a_form_are_asked_for_by_post(learnt, server, tmp_path, book):
    text = (book / "geos" / "oa.html").read_text()
    server.pages = {
        "/find?land=Oak%26ia&year=1990": text.encode(),
        "/find?land=Elm&year=2000": text.replace("860", "7").encode(),
        "/find": b"<h1>What is asked for?</h1>",
    }
    policy = Policy(cache=tmp_path / "cache", allow_private=True, requests_per_second=1e6)
    with PageSupply(policy) as supply:
        table = make(learnt, supply, book, base=f"{server.url}/", pages="find", form="land={land}&year={year}")
        assert (table.key, table.is_listed) == ("land,year", False)
        keys = [join_key(["Oak&ia", "1990"]), join_key(["Elm", "2000"]), join_key(["Elm", "1990"])]
        reading = table.read(keys, AREA, ignore)
    rows = reading.rows.to_pylist()
    assert [(row["land"], row["year"], row["geography"]["area"]) for row in rows] == [
        ("Oak&ia", "1990", 860),
        ("Elm", "2000", 7),
    ]
    assert [row["_page"].removeprefix(server.url) for row in rows] == [
        "/find#land=Oak%26ia&year=1990",
        "/find#land=Elm&year=2000",
    ]
    (failure,) = reading.failures
    assert "404" in failure.error
    assert server.asked["/find"] == 0


def test_keys_can_be_written_to_a_database(learnt, supply, book):
    (book / "index.html").write_text("<a href='geos/oa.html'>Oak\ud800</a>", encoding="utf-16", errors="surrogatepass")
    table = make(learnt, supply, book, pages="geos/{code}.html", key="country", index_page="index.html")
    index = table.index()
    (key,) = index
    assert (table.index_pages, key.encode()) == (1, "Oak\ufffd".encode())
    assert rows_of(table, [key], AREA)[0][0]["country"] == key


@pytest.mark.parametrize(
    ("index", "text", "example"),
    [
        ("index.csv", "country,code\nOakia,oa\n" + "Elmland,el\n" * 3, "Oakia"),
        ("index.csv", "", ""),
        ("nowhere.csv", "", ""),
        ("index.html", "<a href='geos/br.html'>Brindle</a>", "Brindle"),
        ("https://book.test/index.csv", "", ""),
    ],
)
def test_an_index_on_disk_tells_what_a_key_looks_like(learnt, supply, book, *, index, text, example):
    (book / "index.csv").write_text(text)
    (book / "index.html").write_text(text)
    kind = "index_page" if index.endswith(".html") else "index_file"
    assert make(learnt, supply, book, pages="geos/{code}.html", key="country", **{kind: index}).example == example


def test_an_index_page_without_a_key_lists_addresses(learnt, supply, book):
    (book / "index.html").write_text("<a href='geos/oa.html'>Oakia</a><a href='geos/br.html'>Brindle</a>")
    table = make(learnt, supply, book, pages="geos/{code}.html", index_page="index.html")
    index = table.index()
    assert (table.key, table.is_listed, table.index_pages) == ("", True, 1)
    assert list(index) == list(index.values())
    assert len(rows_of(table, list(index), AREA)[0]) == 2


SHOP = "<!doctype html><title>Shop</title><h1>{name}</h1><div class='goods'>{offers}</div><p>Thank you.</p>"
OFFER = "<div class='offer'><h3><a href='/{name}'>{name}</a></h3><span class='price'>{price} EUR</span>{note}</div>"


def shop_page(name: str, prices: dict[str, int]) -> str:
    offers = (
        OFFER.format(name=each, price=price, note="<em>sale</em>" if price < 5 else "")
        for each, price in prices.items()
    )
    return SHOP.format(name=name, offers="".join(offers))


@pytest.fixture
def shop(tmp_path, supply) -> WrappedTable:
    lamps = shop_page("Lamps", {f"Lamp {n}": n for n in range(2, 10)})
    chairs = shop_page("Chairs", {f"Chair {n}": n for n in range(3, 9)})
    pages = [wq.Page("https://s.test/", text.encode()) for text in (lamps, chairs)]
    wrapper = wq.wrap([wq.clean(page) for page in pages], name="shop", kind="records")
    for name, text in (("lamps", lamps), ("chairs", chairs)):
        (tmp_path / f"{name}.html").write_text(text)
    source = replace(wrapper.source, pages="{shelf}.html", samples=())
    return WrappedTable("shop", replace(wrapper, source=source), supply, file=tmp_path / "shop.toml")


def test_each_record_of_a_listing_is_a_row_whatever_is_asked_for(shop):
    names = [name for name in shop.schema.names if not name.startswith("_")]
    assert names[0] == "shelf"
    assert not shop.is_row_a_page
    for columns in ([], *([(name,)] for name in names)):
        rows, failed = rows_of(shop, ["chairs", "lamps"], columns)
        assert [row["shelf"] for row in rows] == ["chairs"] * 6 + ["lamps"] * 8
        assert failed == []


def test_an_empty_shelf_has_no_rows_and_is_not_a_failure(shop, tmp_path):
    (tmp_path / "sofas.html").write_text(shop_page("Sofas", {}))
    (tmp_path / "gone.html").write_text("<h1>Closed</h1><div class='news'><p>We have closed.</p></div>")
    assert rows_of(shop, ["sofas", "gone"], []) == ([], ["gone.html"])


def test_pages_of_the_web_are_fetched_together_and_once(learnt, server, tmp_path, book, threads_left):
    codes = [f"c{number}" for number in range(8)]
    text = (book / "geos" / "oa.html").read_text()
    server.pages = {f"/{code}.html": text.encode() for code in codes}
    server.pages["/elsewhere.html"], server.moved = server.pages.pop("/c7.html"), {"/c7.html": "/elsewhere.html"}
    links = "".join(f"<a href='{code}.html'>{code}</a>" for code in codes)
    server.pages["/index.html"] = links.encode()
    server.together, server.barrier = tuple(f"/{code}.html" for code in codes[:4]), threading.Barrier(4)
    policy = Policy(cache=tmp_path / "cache", allow_private=True, requests_per_second=1e6, connections_per_host=8)
    with PageSupply(policy) as supply:
        base = f"{server.url}/"
        tables = [
            make(learnt, supply, book, base=base, pages="{code}.html", key="code", index_page="index.html"),
            make(learnt, supply, book, base=base, pages="{code}.html"),
        ]
        for _ in tables:
            supply.add_source()
        assert list(tables[0].index()) == codes
        first, second = (table.read(codes, AREA, ignore) for table in tables)
        more = tables[1].read([*codes, "c9"], [("people",)], ignore)
    assert first.rows.num_rows == second.rows.num_rows == more.rows.num_rows == 8
    assert [failure.page for failure in more.failures] == [f"{base}c9.html"]
    assert first.rows.column("_page").to_pylist() == [f"{base}{code}.html" for code in codes]  # as the index has them
    assert datetime.now(UTC) >= first.rows.column("_fetched")[0].as_py() > datetime(2026, 1, 1, tzinfo=UTC)
    assert set(server.asked.values()) == {1}
    assert "/robots.txt" in server.asked
    assert threads_left() == []


def test_a_page_that_leads_to_that_of_another_key_is_a_failure(learnt, server, tmp_path, book):
    text = (book / "geos" / "oa.html").read_text().encode()
    server.pages, server.moved = {"/new.html": text}, {"/old.html": "/new.html"}
    server.pages["/index.html"] = b"<a href='old.html'>Oldland</a><a href='new.html'>Newland</a>"
    policy = Policy(cache=tmp_path / "cache", allow_private=True, requests_per_second=1e6)
    with PageSupply(policy) as supply:
        base = f"{server.url}/"
        table = make(learnt, supply, book, base=base, pages="{code}.html", key="country", index_page="index.html")
        reading = table.read(list(table.index()), AREA, ignore)
    assert reading.rows.column("country").to_pylist() == ["Newland"]
    assert [failure.error for failure in reading.failures] == [
        f"{base}old.html: redirects to {base}new.html, the page of 'Newland'"
    ]


def test_ctrl_c_leaves_no_threads_and_a_whole_cache(learnt, server, tmp_path, book, threads_left):
    text = (book / "geos" / "oa.html").read_text().encode()
    server.pages = {f"/c{number}.html": text for number in range(30)}
    server.pages["/stuck.html"] = text
    server.together, server.barrier = ("/stuck.html",), threading.Barrier(2)
    policy = Policy(cache=tmp_path / "cache", allow_private=True, requests_per_second=1e6)

    def read_and_stop() -> None:
        with PageSupply(policy) as supply:
            table = make(learnt, supply, book, base=f"{server.url}/", pages="{code}.html")
            table.read(["c0", "stuck", *(f"c{number}" for number in range(1, 30))], AREA, stop)

    def stop() -> None:
        while not server.barrier.n_waiting:
            time.sleep(0.01)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        read_and_stop()
    assert threads_left() == []
    assert server.barrier.n_waiting == 1  # nobody has waited for it
    server.barrier.abort()
    with PageSupply(replace(policy, offline=True)) as supply:
        table = make(learnt, supply, book, base=f"{server.url}/", pages="{code}.html")
        assert table.read(["c0"], AREA, ignore).rows.num_rows == 1


LABELS = [f"label_{number}" for number in range(12)]


@pytest.fixture
def wrapper(learnt: wq.Wrapper) -> wq.Wrapper:
    """Two sections, the first with twelve in it."""
    grammar = Section("", (Section("land", tuple(Section(label) for label in LABELS)), Section("folk")))
    return replace(learnt, grammar=grammar)


def document(*labels: str) -> wq.Document:
    inside = "".join(f"<h3>{label.replace('_', ' ')}</h3><p>value</p>" for label in labels)
    markup = f"<h1>Elmland</h1><h2>Land</h2><p>of elms</p>{inside}<h2>Folk</h2><p>elves</p>"
    return wq.clean(wq.Page("https://book.test/", markup.encode()))


@pytest.mark.parametrize(("labels", "is_row"), [(LABELS, True), (LABELS[:2], True), ([], False)])
def test_a_page_has_some_of_what_is_in_its_sections(wrapper, labels, is_row):
    for wanted in (None, [("land", LABELS[-1])]):
        assert (PageReader(wrapper, wanted).read(document(*labels)) is not None) is is_row


def test_a_page_without_doubt_is_not_read_whole(wrapper):
    found = PageReader(wrapper, [("land", "label_0")]).read(document(*LABELS[:2]))
    assert [value.path for value in found.values] == [("land", "label_0")]


def test_a_page_in_doubt_is_read_whole(wrapper):
    found = PageReader(wrapper, [("land", "label_0"), ("land", "label_5")]).read(document(*LABELS[:2]))
    assert ("folk",) in [value.path for value in found.values]


def test_where_no_section_is_wanted_one_tells_the_page(wrapper):
    found = PageReader(wrapper, [("_title",)]).read(document(*LABELS))
    assert [value.path for value in found.values] == [("_title",), ("land", "label_0")]


def test_what_all_pages_may_lack_tells_nothing(wrapper):
    optional = tuple(replace(each, is_optional=True) for each in wrapper.grammar.children)
    wrapper = replace(wrapper, grammar=replace(wrapper.grammar, children=optional))
    found = PageReader(wrapper, []).read(document(*LABELS))
    assert len(found.values) == 1 + 1 + 12 + 1


@pytest.fixture
def pages(tmp_path: Path) -> list[str]:
    paths = [tmp_path / f"{number}.html" for number in range(4)]
    for path in paths:
        path.write_bytes(b"x" * 10)
    return [path.as_uri() for path in paths]


def change(address: str) -> None:
    Path(address.removeprefix("file://")).write_bytes(b"changed!")


def test_a_page_of_two_sources_is_read_once(supply: PageSupply, pages: list[str]):
    supply.add_source()
    supply.add_source()
    first = supply.fetch(pages[0])
    change(pages[0])
    assert supply.fetch(pages[0]) == first
    assert next(iter(supply.fetch_all(pages[:1]))) == first


def test_pages_of_one_source_are_not_kept(supply: PageSupply, pages: list[str]):
    supply.add_source()
    list(supply.fetch_all(pages))
    change(pages[0])
    assert supply.fetch(pages[0]).body == b"changed!"


def test_the_oldest_pages_are_forgotten_first(supply: PageSupply, pages: list[str], monkeypatch):
    monkeypatch.setattr(wrapped_tables, "MAX_BYTES_KEPT", 30)
    supply.is_shared = True
    list(supply.fetch_all(pages))
    for address in pages:
        change(address)
    assert [page.body for page in supply.fetch_all(pages[1:])] == [b"x" * 10] * 3
    assert supply.fetch(pages[0]).body == b"changed!"


def test_what_cannot_be_had_is_a_failure_in_its_place_or_an_error(supply: PageSupply, pages: list[str]):
    results = list(supply.fetch_all([pages[0], "file:///not/there.html", "ftp://host/page", pages[1]]))
    assert [isinstance(result, Failure) for result in results] == [False, True, True, False]
    with pytest.raises(wq.InputError, match="no such file"):
        supply.fetch("file:///not/there.html")


def test_passwords_are_not_told(tmp_path: Path):
    with PageSupply(Policy(cache=tmp_path, offline=True)) as supply:
        (failure,) = supply.fetch_all(["http://user:secret@book.test/"])
    assert failure.page == "http://book.test/"
    assert "secret" not in failure.error


def texts_at(found: Whereabouts) -> list[str]:
    """The texts of the elements that an answer names, on the pages that it names."""
    documents = [wq.clean(wq.fetch(place.page)) for place in found.places]
    trees = [lxml.html.fromstring(document.markup) for document in documents]
    return [
        " ".join(tree.getroottree().xpath(place.node)[0].text_content().split())
        for tree, place in zip(trees, found.places, strict=True)
    ]


def test_values_of_sections_lead_to_their_elements(book):
    query = "SELECT people.population, geography, _title FROM book WHERE country IN ('Oakia', 'Brindle')"
    answer = wq.connect(book).sql(query)
    assert [texts_at(answer.where(row, "population")) for row in (0, 1)] == [["6,020"], ["63,217"]]
    assert texts_at(answer.where(0, "geography")) == ["860 sq km", "mild in Oakia", "hills"]
    assert texts_at(answer.where(0, "_title")) == ["Oakia"]


def test_values_of_records_lead_to_the_elements_of_their_record(tmp_path):
    shop = Path(__file__).parents[2] / "examples" / "shops" / "lumen" / "index.html"
    wrapper = wq.wrap([wq.clean(wq.fetch(shop))], name="lamps", kind="records", samples=[str(shop)])
    connection = wq.connect([wrapper])
    everything = connection.sql("SELECT * FROM lamps")
    columns = [name for name in everything.table.column_names if pa.types.is_string(everything.table[name].type)]
    name = next(name for name in columns if len(set(everything.table[name].to_pylist())) == everything.table.num_rows)
    for row in (0, 5):
        assert texts_at(everything.where(row, name)) == [everything.table[name][row].as_py()]
    counted = connection.sql("SELECT count(*) FROM lamps").where(0, 0)
    assert len(counted.places) == everything.table.num_rows
    assert all(place.node for place in counted.places)
