"""The example web holds together, and the tables in `examples/truth` say what its pages say."""

import csv
import re
from collections import defaultdict
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"
PAGES = sorted(EXAMPLES.rglob("*.html"))
FACTBOOK = EXAMPLES / "factbook"


class Reader(HTMLParser):
    """What the tests ask of a page: its text, its links, the texts of its links and of its `<h1>` and `<h2>`."""

    def __init__(self, page: Path) -> None:
        super().__init__()
        self.pieces: list[str] = []
        self.addresses: list[str] = []
        self.links: list[tuple[str, str]] = []
        self.headings: list[tuple[str, int]] = []
        self._hidden = False
        self._href: str | None = None
        self._heading = False
        self.feed(decode(page.read_bytes()))
        self.close()

    def handle_starttag(self, tag, attributes):
        values = dict(reversed(attributes))
        self.addresses += [values[name] for name in ("href", "src", "action") if values.get(name)]
        self._hidden = tag in {"script", "style", "title"}
        if tag in {"td", "th"}:
            self.pieces.append(" ")
        if tag == "a" and "href" in values:
            self._href = values["href"]
        self._heading = self._heading or tag in {"h1", "h2"}

    def handle_endtag(self, tag):
        self._hidden = False
        if tag == "a":
            self._href = None
        self._heading = self._heading and tag not in {"h1", "h2"}

    def handle_data(self, data):
        if self._hidden:
            return
        self.pieces.append(data)
        if self._href and data.strip():
            self.links.append((squeeze(data), self._href))
        if self._heading and data.strip():
            self.headings.append((squeeze(data), len(self.links)))

    @property
    def text(self) -> str:
        return squeeze("".join(self.pieces))


def decode(body: bytes) -> str:
    charset = re.search(rb"charset=[\"']?([\w-]+)", body)
    return body.decode(charset[1].decode() if charset else "ascii")


def squeeze(text: str) -> str:
    return " ".join(text.split())


def truth(name: str) -> list[dict[str, str]]:
    with (EXAMPLES / "truth" / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def by_page(rows: list[dict[str, str]]) -> list[tuple[str, list[dict[str, str]]]]:
    pages = defaultdict(list)
    for row in rows:
        pages[row["page"]].append(row)
    return sorted(pages.items())


def written_price(shop: str, price: str) -> str:
    english = f"{float(price):,.2f}"
    if shop == "kettleby":
        return f"EUR {english}"
    return english.translate(str.maketrans(",.", ".,")) + " €"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(EXAMPLES).as_posix())
def test_links_lead_to_files(page):
    for address in Reader(page).addresses:
        parts = urlsplit(address)
        if parts.scheme:
            assert address.startswith("https://example.org/")
        elif parts.path:
            assert (page.parent / unquote(parts.path)).is_file(), address


@pytest.mark.parametrize("row", truth("countries"), ids=lambda row: row["code"])
def test_countries_agree_with_their_pages(row):
    text = Reader(EXAMPLES / row["page"]).text
    total, land, water = (int(row[f"area_{part}"]) for part in ("total", "land", "water"))
    assert total == land + water
    assert f"Area: total: {total:,} sq km land: {land:,} sq km water: {water:,} sq km" in text
    assert f"conventional short form: {row['country']} " in text
    assert f"Capital: {row['capital']} " in text
    assert re.search(rf"Land boundaries: (total: )?{int(row['land_boundaries']):,} km", text)
    assert f"Coastline: {int(row['coastline']):,} km" in text
    assert f"Population: {int(row['population']):,} (" in text
    assert f"Population growth rate: {row['population_growth_rate']}%" in text
    assert f"GDP - per capita: purchasing power parity - ${int(row['gdp_per_capita']):,} (" in text
    assert f"Inflation rate (consumer prices): {row['inflation_rate']}%" in text
    assert f"Unemployment rate: {row['unemployment_rate']}%" in text
    for field, label in (("literacy", "Literacy"), ("military_percent_of_gdp", "percent of GDP")):
        assert (f"{label}: {row[field]}%" in text) if row[field] else (f"{label}:" not in text)


@pytest.mark.parametrize(("page", "sections"), by_page(truth("sections")))
def test_sections_stand_in_order_on_their_page(page, sections):
    text, place, before = Reader(EXAMPLES / page).text, 0, []
    for section in sections:
        path = section["path"].split(" > ")
        beginnings = [path[:depth] for depth in range(1, len(path) + 1)]
        names = [names[-1] for names in beginnings if names != before[: len(names)]]
        for words in (*names, section["value"]):
            assert words in text[place:], f"{words!r} after {text[place - 40 : place]!r}"
            place = text.index(words, place) + len(words)
        before = path


def test_every_country_has_its_sections():
    assert [page for page, _ in by_page(truth("sections"))] == [row["page"] for row in truth("countries")]


def test_index_of_countries_is_complete():
    listed = [link for link in Reader(FACTBOOK / "index.html").links if link[1].startswith("geos/")]
    assert listed == [(row["country"], f"geos/{row['code']}.html") for row in truth("countries")]


def test_borders_are_mutual_and_agree_with_the_pages():
    expected = {(row["country"], row["neighbour"], row["km"]) for row in truth("borders")}
    assert expected == {(neighbour, country, km) for country, neighbour, km in expected}
    found = set()
    for row in truth("countries"):
        borders = re.search(r"border countries: (.*? km) Coastline:|$", Reader(EXAMPLES / row["page"]).text)[1] or ""
        lengths = re.findall(r"(\w[^,]*?) ([\d,]+) km", borders)
        found |= {(row["country"], neighbour, km.replace(",", "")) for neighbour, km in lengths}
        assert sum(int(km.replace(",", "")) for _, km in lengths) == int(row["land_boundaries"])
    assert found == expected


def test_groups_agree_with_their_page():
    page, expected = Reader(FACTBOOK / "groups.html"), truth("groups")
    (_, start) = page.headings[-1]
    groups = list(dict.fromkeys((row["group"], row["abbreviation"]) for row in expected))
    assert [heading for heading, _ in page.headings] == [*(f"{name} ({short})" for name, short in groups), "Members"]
    found, group = [], ""
    for words, href in page.links[start:]:
        group = words if href == f"#{words}" else group
        if href.startswith("geos/"):
            found.append((group, words, href))
    assert found == [(row["abbreviation"], row["country"], f"geos/{row['code']}.html") for row in expected]
    members = page.text.partition(" Member of Country Code Joined ")[2]
    for row in expected:
        entry = f"{row['country']} {row['code'].upper()} {row['joined']} "
        assert entry in members
        members = members[members.index(entry) + len(entry) :]


@pytest.mark.parametrize(("page", "offers"), by_page(truth("offers")))
def test_offers_agree_with_their_page(page, offers):
    text = Reader(EXAMPLES / page).text
    start = 0
    for offer in offers:
        start = text.index(offer["product"], start)
        following = text[start : start + 250]
        for price in filter(None, (offer["price"], offer["list_price"])):
            assert written_price(offer["shop"], price) in following
        assert offer["price"] or "price on request" in following


@pytest.mark.parametrize("lamp", truth("lamps"), ids=lambda lamp: lamp["number"])
def test_lamps_agree_with_their_page_and_their_offer(lamp):
    page = Reader(EXAMPLES / lamp["page"])
    assert page.headings[0][0] == lamp["product"]
    (offer,) = (each for each in truth("offers") if (each["shop"], each["product"]) == ("lumen", lamp["product"]))
    assert (offer["price"], offer["list_price"]) == (lamp["price"], lamp["list_price"])
    text = page.text
    assert f"Art.-Nr. {lamp['number']} " in text
    for price in filter(None, (lamp["price"], lamp["list_price"])):
        assert written_price("lumen", price) in text
    for name in ("brand", "stock", "colour", "socket", "protection", "care"):
        assert lamp[name] in text
    assert " ".join(lamp["features"].split(" | ")) in text
    for label, name in (("Leistung", "power"), ("Höhe", "height"), ("Gewicht", "weight")):
        assert f"{label} {lamp[name].replace('.', ',')} " in text
    day = ".".join(reversed(lamp["delivery"].split("-")))
    assert (f"Lieferung bis {day}" in text) if day else ("Lieferung bis" not in text)


def test_shops_share_products_at_different_prices():
    prices = defaultdict(dict)
    for offer in truth("offers"):
        prices[offer["product"]][offer["shop"]] = offer["price"]
    shared = [offers for offers in prices.values() if len(offers) == 2]
    assert len(shared) >= 15
    assert all(offers["lumen"] != offers["kettleby"] for offers in shared)


@pytest.mark.parametrize("row", truth("articles"), ids=lambda row: Path(row["page"]).stem)
def test_articles_agree_with_their_pages(row):
    page = Reader(EXAMPLES / row["page"])
    assert page.headings[0][0] == row["title"]
    assert f"By {row['author']} · " in page.text
    assert f'<time datetime="{row["date"]}"' in decode((EXAMPLES / row["page"]).read_bytes())
    links = [link for link in Reader(EXAMPLES / "news/index.html").links if link[0] == row["title"]]
    assert f"news/{links[0][1]}" == row["page"]


@pytest.mark.parametrize(("page", "paragraphs"), by_page(truth("paragraphs")))
def test_paragraphs_stand_in_order_on_their_page(page, paragraphs):
    text = Reader(EXAMPLES / page).text
    places = [text.index(paragraph["text"]) for paragraph in paragraphs]
    assert places == sorted(places)
