"""`quarry wrap`, `correct`, `check` and `extract`."""

from __future__ import annotations

import csv
import io
import json
import signal
import sqlite3
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from webquarry.cli.wrap import write_outline
from webquarry.model.extraction import Extraction
from webquarry.model.wrapper import Section, Source, Wrapper
from webquarry.storing import result_files

TOWNS = {
    "ash": ("Ash", "1,204", "River port", "Weavers"),
    "birch": ("Birch", "890", "Hill fort", "Potters"),
    "cedar": ("Cedar", "15,310", "Market town", "Printers"),
    "elm": ("Elm", "77", "Ferry landing", "Coopers"),
    "fir": ("Fir", "4,002", "Salt works", "Dyers"),
}
SAMPLES = ("ash", "birch", "cedar")


def town(name: str, people: str, kind: str, trade: str, extra: str = "") -> str:
    """A page of the source: two sections with fields, and a line that looks like any text."""
    return (
        f"<!DOCTYPE html><title>{name}</title><body><h1>{name}</h1>"
        f"<h2>Land</h2><p><b>Setting:</b> {kind} of {name}</p><p><b>Area:</b> {len(name)}7 sq km</p>"
        f"<h2>People</h2><p><b>Population:</b> {people}</p><p><b>Trade:</b> {trade} of {name}</p>"
        f"<p>Patron saint</p><p>Saint {name}</p>{extra}"
    )


PAPER_PAGE = """<title>France</title>
<h2>France</h2>
<h3>Geography</h3>
<b>Area:</b>
<br><i>total area:</i> 547,030 sq km
<br><i>land area:</i> 545,630 sq km
<p>
<b>Coastline:</b> 3,427 km
<p>Capital Paris
"""


@pytest.fixture
def towns(work: Path) -> Path:
    """A source of five pages with an index."""
    (work / "towns").mkdir()
    links = ""
    for code, facts in TOWNS.items():
        (work / "towns" / f"{code}.html").write_text(town(*facts))
        links += f"<li><a href='towns/{code}.html'>{facts[0]}</a>"
    (work / "index.html").write_text(f"<ul>{links}<li><a href='about.html'>About</a></ul>")
    return work


@pytest.fixture
def learn(quarry, towns):
    """Learns a wrapper of the towns from three of them."""

    def run(*options: str, name: str = "towns.toml"):
        pages = [f"towns/{code}.html" for code in SAMPLES]
        return quarry("wrap", *pages, "--name", "towns", "--static", "-o", name, *options)

    return run


@pytest.fixture
def wrapper(learn, towns) -> Path:
    done = learn("--pages", "towns/{code}.html", "--key", "town", "--index", "index.html")
    assert done.returncode == 0, done.stderr
    return towns / "towns.toml"


def records(output: bytes) -> list[dict]:
    return [json.loads(line) for line in output.decode().splitlines()]


def test_wrap_prints_the_outline_and_writes_the_file(learn, towns):
    done = learn()
    assert done.returncode == 0
    lines = done.stdout.decode().splitlines()
    names = [line.split()[1].strip("?") for line in lines if line.strip()[:1].isdigit() and "samples" not in line]
    assert names == ["land", "setting", "area", "people", "population", "trade"]
    assert "6 of 6 sections are on all 3 samples" in lines
    chosen, learnt = done.stderr.decode().splitlines()
    assert chosen.startswith("kind sections: ")
    assert chosen.endswith("; choose another with --kind item|records|tables")
    assert learnt == "learnt from 3 pages, in towns.toml"
    source = tomllib.loads((towns / "towns.toml").read_text())["source"]
    assert source["name"] == "towns"
    assert source["samples"] == [f"towns/{code}.html" for code in SAMPLES]


def test_wrap_without_a_file_prints_the_wrapper_and_tells_the_outline_aside(quarry, towns):
    done = quarry("wrap", "towns/ash.html", "towns/elm.html", "--name", "towns", "--static")
    assert tomllib.loads(done.stdout.decode())["source"]["name"] == "towns"
    assert b"population" in done.stderr


def test_wrap_finds_out_what_the_template_is_relative_to(quarry, towns):
    pages = [f"towns/{code}.html" for code in SAMPLES]
    options = ("--pages", "{code}.html", "--index", "index.html", "--name", "towns", "--static", "-o", "made/t.toml")
    assert quarry("wrap", *pages, *options).returncode == 0
    file = tomllib.loads((towns / "made" / "t.toml").read_text())
    assert file["source"]["base"] == "../towns"
    assert file["source"]["samples"] == [f"{code}.html" for code in SAMPLES]
    assert file["index"]["page"] == "../index.html"
    keys = [record["key"] for record in records(quarry("extract", "made/t.toml").stdout)]
    assert keys == [name for name, *_ in TOWNS.values()]


def test_a_source_on_the_web_is_learnt_corrected_and_read(quarry, server, work):
    server.pages |= {f"/book/{code}.html": town(*facts).encode() for code, facts in TOWNS.items()}
    links = "".join(f"<a href='{code}.html'>{facts[0]}</a>" for code, facts in TOWNS.items())
    server.pages["/book/index.html"] = links.encode()
    web = ("--allow-private", "--ignore-robots")
    pages = [f"{server.url}/book/{code}.html" for code in SAMPLES]
    place = ("--pages", "{code}.html", "--index", f"{server.url}/book/index.html", "--key", "town")
    done = quarry("wrap", *pages, "--name", "towns", "--static", *place, *web, "-o", "towns.toml")
    assert done.returncode == 0, done.stderr
    file = tomllib.loads((work / "towns.toml").read_text())
    assert (file["source"]["base"], file["index"]["page"]) == (f"{server.url}/book/", "index.html")
    assert file["source"]["samples"] == [f"{code}.html" for code in SAMPLES]
    assert quarry("correct", "towns.toml", "add", "Patron saint", "--to", "people", *web).returncode == 0
    found = records(quarry("extract", "towns.toml", "--key", "Elm", "--key", "Fir", *web).stdout)
    assert [(each["key"], each["record"]["People"]["Patron saint"]) for each in found] == [
        ("Elm", "Saint Elm"),
        ("Fir", "Saint Fir"),
    ]


def test_wrap_refuses_a_template_that_does_not_lead_to_the_samples(learn, towns):
    done = learn("--pages", "countries/{code}.htm")
    assert done.returncode == 1
    assert b"does not match the sample page" in done.stderr
    assert not (towns / "towns.toml").exists()


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--kind", "poems"), b"sections, item, records, tables"),
        (("--kind", "records", "--method", "ashish"), b"format for records"),
        (("--nesting", "printed"), b"--nesting is for --method ashish"),
        (("--method", "ashish", "--nesting", "flat"), b"intended, printed"),
        (("--form", "town={town}"), b"--form needs --pages"),
        (("--picture", "x.png"), b"leave --static out"),
        (("--scripts",), b"leave --static out"),
        (("--index", "index.html"), b"--index needs --pages"),
        (("--index", "index.csv", "--pages", "towns/{code}.html"), b"--index needs --key"),
    ],
)
def test_wrap_refuses_what_makes_no_sense(learn, options, said):
    done = learn(*options)
    assert done.returncode == 2
    assert said in done.stderr


def test_wrap_refuses_an_index_that_is_not_there(learn, towns):
    done = learn("--pages", "towns/{code}.html", "--key", "town", "--index", "contents.html")
    assert done.returncode == 1
    assert b"--index contents.html: there is no such file, neither here nor in ." in done.stderr
    assert not (towns / "towns.toml").exists()


def test_pages_are_found_by_several_keys(quarry, towns):
    for year in ("1990", "2000"):
        (towns / year).mkdir()
        for code in SAMPLES:
            text = (towns / "towns" / f"{code}.html").read_text()
            (towns / year / f"{code}.html").write_text(text.replace("</h1>", f" {year}</h1>"))
    rows = "".join(f"{year},{code.title()},{code}\n" for year in ("1990", "2000") for code in SAMPLES)
    (towns / "index.csv").write_text(f"year,town,code\n{rows}")
    samples = [f"1990/{code}.html" for code in SAMPLES]
    where = ("--pages", "{year}/{code}.html", "--key", "year,town", "--index", "index.csv")
    done = quarry("wrap", *samples, "--name", "towns", "--static", "-o", "towns.toml", *where)
    assert done.returncode == 0, done.stderr
    assert tomllib.loads((towns / "towns.toml").read_text())["source"]["key"] == ["year", "town"]
    (found,) = records(quarry("extract", "towns.toml", "--key", f"2000, {SAMPLES[0].title()}").stdout)
    assert found["key"] == ["2000", SAMPLES[0].title()]
    done = quarry("extract", "towns.toml", "--key", "2000,Nowhere")
    assert done.returncode == 1
    assert b"the index has no year,town '2000,Nowhere'; the nearest are " in done.stderr
    query = f"SELECT year, town, _title FROM towns WHERE year = '2000' AND town = '{SAMPLES[1].title()}'"
    (row,) = records(quarry("sql", query).stdout)
    assert (row["year"], row["town"], row["_title"].endswith("2000")) == ("2000", SAMPLES[1].title(), True)


def test_pages_behind_a_form_are_asked_for_by_key_index_and_query(quarry, towns, server):
    server.pages = {f"/find.cgi?town={TOWNS[code][0]}": town(*TOWNS[code]).encode() for code in SAMPLES}
    samples = [f"towns/{code}.html" for code in SAMPLES]
    form = ("--base", f"{server.url}/", "--pages", "find.cgi", "--form", "town={town}", "--key", "town")
    done = quarry("wrap", *samples, "--name", "towns", "--static", "-o", "towns.toml", *form)
    assert done.returncode == 0, done.stderr
    source = tomllib.loads((towns / "towns.toml").read_text())["source"]
    assert (source["pages"], source["form"]) == ("find.cgi", "town={town}")

    done = quarry("extract", "towns.toml", "--key", "Ash", "--key", "Yew", "--allow-private")
    found, failed = records(done.stdout)
    assert found["page"] == f"{server.url}/find.cgi#town=Ash"
    assert found["record"]["People"]["Population"] == "1,204"
    assert "404" in failed["error"]
    assert done.returncode == 1

    (towns / "index.csv").write_text("town\nAsh\nCedar\n")
    with (towns / "towns.toml").open("a") as file:
        file.write(f'\n[index]\nfile = "{(towns / "index.csv").as_uri()}"\n')
    done = quarry("extract", "towns.toml", "--allow-private")
    assert [each["record"]["People"]["Population"] for each in records(done.stdout)] == ["1,204", "15,310"]
    done = quarry("extract", "towns.toml", "--allow-private", "--max-pages", "1")
    assert len(records(done.stdout)) == 1
    assert b"1 page left out, because of --max-pages 1" in done.stderr


def test_a_page_in_place_of_the_wrapper_is_told(quarry, towns):
    done = quarry("extract", "towns/ash.html", "towns/elm.html")
    assert done.returncode == 1
    assert b"this seems to be a page; name the wrapper first, then its pages" in done.stderr


def test_pages_behind_a_form_need_a_key(quarry, towns):
    samples = [f"towns/{code}.html" for code in SAMPLES]
    form = ("--base", "https://towns.example/", "--pages", "find.cgi", "--form", "town={town}")
    quarry("wrap", *samples, "--name", "towns", "--static", "-o", "towns.toml", *form)
    done = quarry("extract", "towns.toml")
    assert done.returncode == 1
    assert b"the wrapper towns has no index that lists its pages; name INPUT pages or keys" in done.stderr
    done = quarry("sql", "SELECT _title FROM towns")
    assert done.returncode == 1
    assert b"towns: pages are found by town, but the query does not say which" in done.stderr


def test_a_parser_is_written_by_wrap_and_of_a_wrapper_that_there_is(learn, quarry, towns):
    done = learn("--parser", "towns_parser.py")
    assert done.returncode == 0, done.stderr
    assert b"a parser of towns is in towns_parser.py; try: python towns_parser.py PAGE" in done.stderr
    done = quarry("check", "towns.toml", "--parser", "second_parser.py")
    assert done.returncode == 0, done.stderr
    code = (towns / "towns_parser.py").read_text()
    assert code == (towns / "second_parser.py").read_text().replace("second_parser", "towns_parser")
    (found,) = records(quarry("extract", "towns.toml", "towns/elm.html").stdout)
    run = [sys.executable, "-I", "towns_parser.py", "towns/elm.html"]
    assert (
        json.loads(subprocess.run(run, cwd=towns, capture_output=True, check=True).stdout)["record"] == found["record"]
    )


def test_wrap_goes_on_without_a_sample_that_cannot_be_had(learn, towns):
    done = learn("towns/gone.html")
    assert done.returncode == 1
    assert b"gone.html" in done.stderr
    assert len(tomllib.loads((towns / "towns.toml").read_text())["source"]["samples"]) == len(SAMPLES)


def test_wrap_names_the_first_of_many_sections_that_some_samples_lack(quarry, towns):
    extra = "<h2>Trees</h2>" + "".join(f"<p><b>Kind {number}:</b> {number}7 of them</p>" for number in range(20))
    (towns / "towns/ash.html").write_text(town(*TOWNS["ash"], extra=extra))
    (towns / "towns/birch.html").write_text(town(*TOWNS["birch"], extra=extra.replace("7 of", "9 of")))
    more = "".join(f"<p><b>Stone {number}:</b> {number}2 tons</p>" for number in range(20))
    (towns / "towns/elm.html").write_text(town(*TOWNS["elm"], extra=more))
    pages = [f"towns/{code}.html" for code in ("ash", "birch", "cedar", "elm")]
    done = quarry("wrap", *pages, "--name", "towns", "--static", "-o", "towns.toml")
    *_, half, quarter = done.stdout.decode().splitlines()
    assert half == "on 2 of 4: trees"
    assert quarter.startswith("on 1 of 4: people.stone_0, people.stone_1,")
    assert quarter.endswith("people.stone_7 and 12 more")


def test_wrap_says_when_samples_have_no_section_in_common(quarry, towns):
    other = "<h1>{0}</h1><h3>Story</h3><p>{0} tells it.</p><h3>Moral</h3><p>{0} knows it.</p>"
    for name in ("Gull", "Heron", "Ibis"):
        (towns / f"{name}.html").write_text(other.format(name))
    pages = [*(f"towns/{code}.html" for code in SAMPLES), "Gull.html", "Heron.html", "Ibis.html"]
    done = quarry("wrap", *pages, "--name", "towns", "--static", "-o", "towns.toml")
    assert done.stdout.decode().splitlines()[-1] == (
        "no section is on all samples; if they have different templates, learn a wrapper for each"
    )


def test_the_outline_says_when_a_wrapper_finds_nothing_on_its_samples():
    wrapper = Wrapper(Source("towns"), grammar=Section("towns", (Section("land"),)))
    lines = list(write_outline(wrapper, [], [Extraction("ash.html", "static", "towns")] * 2))
    assert lines[-2:] == [
        "on 0 of 2: land",
        "the wrapper finds nothing on its own samples; learn it with --static, or from other pages",
    ]


def test_wrap_shows_the_beginning_of_an_endless_heading(quarry, work):
    (work / "page.html").write_text(f"<h2>{'long ' * 9000}</h2><p>One.</p><h2>Short</h2><p>Two.</p>")
    done = quarry("wrap", "page.html", "--name", "x", "--static", "-o", "x.toml")
    assert done.returncode == 0
    lines = done.stdout.decode().splitlines()
    assert max(map(len, lines)) == 600
    assert lines[1].startswith("1  long_long_long")


def test_wrap_says_so_when_there_are_no_headings(quarry, work):
    (work / "a.html").write_text("<p>A page that says little.")
    done = quarry("wrap", "a.html", "--name", "a", "--static", "-o", "a.toml")
    assert done.returncode == 1
    assert b"no headings were found" in done.stderr
    assert not (work / "a.toml").exists()


def test_wrap_renders_unless_told_otherwise_and_draws_the_headings(browser, quarry, towns):
    pages = [f"towns/{code}.html" for code in SAMPLES]
    done = quarry("wrap", *pages, "--name", "towns", "--picture", "seen.png", "-o", "towns.toml")
    assert done.returncode == 0, done.stderr
    assert (towns / "seen.png").read_bytes().startswith(b"\x89PNG")
    file = tomllib.loads((towns / "towns.toml").read_text())
    assert all("px" in token["look"] for token in file["token"])
    assert "render" not in file["source"]


def test_pages_of_a_source_are_rendered_with_the_style_sheets_in_its_folder(browser, quarry, towns):
    (towns / "index.html").unlink()  # by which the folder of a site is known too
    (towns / "look.css").write_text("h2 { font-size: 31px }")
    for code, facts in TOWNS.items():
        page = town(*facts).replace("<body>", "<link rel=stylesheet href=../look.css><body>")
        (towns / f"towns/{code}.html").write_text(page)
    pages = [f"towns/{code}.html" for code in SAMPLES]
    done = quarry("wrap", *pages, "--name", "towns", "--pages", "towns/{code}.html", "-o", "towns.toml")
    assert done.returncode == 0, done.stderr
    assert 'like "Land": 31px' in done.stdout.decode()
    done = quarry("correct", "towns.toml", "add", "Patron saint")
    assert done.returncode == 0, done.stderr
    (towns / "elsewhere").mkdir()
    done = quarry("wrap", *pages, "--name", "towns", "--base", ".", "-o", "elsewhere/towns.toml")
    assert 'like "Land": 31px' in done.stdout.decode()
    done = quarry("extract", "elsewhere/towns.toml", "towns/elm.html", "--render", "--format", "jsonl")
    assert records(done.stdout)[0]["record"]["Land"]["Setting"] == "Ferry landing of Elm"


def test_a_wrapper_keeps_the_root_that_its_pages_were_rendered_with(browser, quarry, towns):
    (towns / "index.html").unlink()
    (towns / "site" / "deep").mkdir(parents=True)
    (towns / "look.css").write_text("h2 { font-size: 31px }")
    for code, facts in TOWNS.items():
        page = town(*facts).replace("<body>", "<link rel=stylesheet href=../../look.css><body>")
        (towns / f"site/deep/{code}.html").write_text(page)
    pages = [f"site/deep/{code}.html" for code in SAMPLES]
    done = quarry("wrap", *pages, "--name", "towns", "--root", ".", "-o", "made/towns.toml")
    assert 'like "Land": 31px' in done.stdout.decode(), done.stderr
    assert tomllib.loads((towns / "made" / "towns.toml").read_text())["source"]["roots"] == [".."]
    done = quarry("correct", "made/towns.toml", "add", "Patron saint")
    assert done.returncode == 0, done.stderr
    done = quarry("extract", "made/towns.toml", "site/deep/elm.html", "--render", "--format", "jsonl")
    assert records(done.stdout)[0]["record"]["Land"]["Setting"] == "Ferry landing of Elm"


def test_wrap_says_render_when_markup_alone_does_not_tell_headings(browser, quarry, work):
    style = "<!DOCTYPE html><style>p:nth-child(odd) { font-size: 30px; font-weight: bold }</style>"
    for name in ("Ash", "Birch", "Cedar", "Elm"):
        lines = "".join(f"<p>{heading}</p><p>{heading} of {name}, as ever</p>" for heading in ("Setting", "Trade"))
        (work / f"{name}.html").write_text(f"{style}<body>{lines}")
    done = quarry("wrap", "Ash.html", "Birch.html", "Cedar.html", "--name", "towns", "-o", "towns.toml")
    assert done.returncode == 0, done.stderr
    assert b"so pages will be rendered" in done.stderr
    assert tomllib.loads((work / "towns.toml").read_text())["source"]["render"] is True
    (found,) = records(quarry("extract", "towns.toml", "Elm.html").stdout)
    assert found["document"] == "rendered"
    assert found["record"] == {"Setting": "Setting of Elm, as ever", "Trade": "Trade of Elm, as ever"}


def test_a_listing_is_learnt_from_two_pages_and_read_on_a_third(quarry, work):
    goods = [[f"{kind} {size}" for size in "ABCDE"] for kind in ("Lamp", "Saw", "Chair")]
    for number, names in enumerate(goods):
        cards = "".join(
            f"<div class=offer><h3>{name}</h3><p class=about>Made of {name.lower()} wood.</p>"
            f"<span class=price>EUR {place + 3}.50</span></div>"
            for place, name in enumerate(names)
        )
        (work / f"{number}.html").write_text(f"<body><h1>Shop</h1><div id=list>{cards}</div>")
    done = quarry("wrap", "0.html", "1.html", "--kind", "records", "--name", "offers", "--static", "-o", "o.toml")
    assert done.returncode == 0, done.stderr
    done = quarry("extract", "o.toml", "2.html", "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(done.stdout.decode())))
    assert [row["title"] for row in rows] == goods[2]


def test_extract_gives_nested_records_with_keys(quarry, wrapper):
    done = quarry("extract", wrapper)
    assert (done.returncode, done.stderr) == (0, b"")
    found = records(done.stdout)
    assert [each["key"] for each in found] == [name for name, *_ in TOWNS.values()]
    assert found[3]["record"]["Land"] == {"Setting": "Ferry landing of Elm", "Area": "37 sq km"}
    assert found[3]["document"] == "static"
    assert found[3]["nodes"]["people.population"].startswith("/html/body/p")


def test_extract_reads_the_pages_of_the_keys_that_are_asked_for(quarry, wrapper):
    found = records(quarry("extract", wrapper, "--key", "fir", "--key", "Ash").stdout)
    assert [each["key"] for each in found] == ["Fir", "Ash"]
    done = quarry("extract", wrapper, "--key", "Furr")
    assert done.returncode == 1
    assert b"no town 'Furr'; the nearest are Fir" in done.stderr


def test_extract_knows_the_keys_of_pages_that_are_named(quarry, wrapper, towns):
    (towns / "other.html").write_text(town("Oak", "1", "Camp", "Smiths"))
    found = records(quarry("extract", wrapper, "towns/elm.html", "other.html").stdout)
    assert [each.get("key") for each in found] == ["Elm", None]


def test_extract_keeps_only_what_is_asked_for(quarry, wrapper):
    done = quarry("extract", wrapper, "towns/elm.html", "--only", "Land.Area", "--only", "people")
    (found,) = records(done.stdout)
    assert found["record"] == {
        "Land": {"Area": "37 sq km"},
        "People": {"Population": "77", "Trade": "Coopers of Elm\nPatron saint\nSaint Elm"},
    }
    done = quarry("extract", wrapper, "--only", "land.area", "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(done.stdout.decode())))
    assert not any("setting" in name or "people" in name for name in rows[0])
    assert [row["town"] for row in rows] == [name for name, *_ in TOWNS.values()]


def test_extract_names_the_nearest_sections(quarry, wrapper):
    done = quarry("extract", wrapper, "towns/elm.html", "--only", "area")
    assert done.returncode == 1
    assert done.stderr == b"quarry: there is no section 'area'; the nearest are land.area\n"


def test_extract_goes_into_a_database(quarry, wrapper, towns):
    done = quarry("extract", wrapper, "-o", "towns.sqlite", "--table", "towns")
    assert done.returncode == 0, done.stderr
    with sqlite3.connect(towns / "towns.sqlite") as connection:
        assert connection.execute("SELECT count(*) FROM towns").fetchone() == (len(TOWNS),)


def test_extract_goes_on_after_a_page_that_fails(quarry, wrapper):
    done = quarry("extract", wrapper, "towns/ash.html", "gone.html", "towns/elm.html")
    assert done.returncode == 1
    first, failed, last = records(done.stdout)
    assert (first["key"], last["key"]) == ("Ash", "Elm")
    assert failed.keys() == {"page", "error"}


def test_extract_says_when_a_page_has_nothing(quarry, wrapper, work):
    (work / "empty.html").write_text("<p>Nothing.")
    done = quarry("extract", wrapper, "empty.html")
    assert done.returncode == 0
    assert f"empty.html: nothing of wrapper {wrapper} was found\n" in done.stderr.decode()
    assert records(done.stdout)[0]["record"] == {}


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("gone.toml", "towns/ash.html"), 1, b"gone.toml: there is no such file"),
        (("towns", "towns/ash.html"), 1, b"towns: is a folder"),
        (("towns.toml", "towns/ash.html", "--key", "Ash"), 2, b"either INPUT or keys"),
        (("towns.toml", "towns/ash.html", "--static", "--scripts"), 2, b"leave --static out"),
        (("towns.toml", "towns/ash.html", "-o", "x.odd"), 2, b"unknown file ending"),
    ],
)
def test_extract_tells_what_is_wrong(quarry, wrapper, arguments, code, said):
    done = quarry("extract", *arguments)
    assert done.returncode == code
    assert said in done.stderr


def test_extract_says_when_more_is_missing_than_found(quarry, wrapper, towns):
    (towns / "odd.html").write_text(town(*TOWNS["elm"]).replace("<b>", "<u>").replace("</b>", "</u>"))
    done = quarry("extract", "towns.toml", "towns/fir.html", "odd.html", "--format", "jsonl")
    assert done.returncode == 0
    assert len(records(done.stdout)) == 2
    odd = (towns / "odd.html").as_uri()
    assert done.stderr.decode() == (
        "quarry: WARNING: 1 of 2 pages lack most of what the wrapper expects (different template?); "
        f"see: quarry check towns.toml {odd}\n"
    )
    assert quarry("extract", "towns.toml", "towns/fir.html", "towns/elm.html", "odd.html").stderr == b""


def test_extract_without_an_index_needs_pages(quarry, learn):
    learn()
    done = quarry("extract", "towns.toml")
    assert done.returncode == 1
    assert b"has no index" in done.stderr


def test_check_tells_all_mistakes_at_once_with_their_lines(quarry, wrapper):
    text = wrapper.read_text().replace('kind = "sections"', 'kind = "poems"').replace("level = 1", "level = 0", 1)
    wrapper.write_text(text)
    done = quarry("check", wrapper)
    assert done.returncode == 1
    lines = done.stderr.decode().splitlines()
    assert len(lines) >= 2
    assert all(line.startswith(f"quarry: {wrapper}:") for line in lines)


def test_check_finds_nothing_wrong_with_what_wrap_wrote(quarry, wrapper):
    done = quarry("check", wrapper, "towns")
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"no mistakes; 6 sections of towns" in done.stdout


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (("page = ", 'page = "no.html" # '), "no.html"),
        (("page = ", 'file = "no.csv" # '), "no.csv"),
        (('pages = "towns/', 'pages = "cities/'), "none of its links or rows matches"),
    ],
)
def test_check_reports_an_index_that_cannot_be_used_with_its_line(quarry, wrapper, change, said):
    wrapper.write_text(wrapper.read_text().replace(*change, 1))
    line = next(
        number
        for number, text in enumerate(wrapper.read_text().splitlines(), start=1)
        if text.startswith(("page = ", "file = "))
    )
    done = quarry("check", wrapper)
    assert done.returncode == 1
    (error,) = done.stderr.decode().splitlines()
    assert error.startswith(f"quarry: {wrapper}:{line}: the index cannot be used: ")
    assert said in error


def test_check_tells_drift_from_a_page_that_is_odd(quarry, wrapper, towns):
    odd = towns / "towns" / "fir.html"
    odd.write_text(odd.read_text().replace("<p><b>Area:</b> 37 sq km</p>", "<p><b>Bridges:</b> 3</p>"))
    done = quarry("check", wrapper, "towns")
    assert done.returncode == 0
    assert "fir.html: 5 values; not found: land.area; not in the grammar: Bridges" in done.stdout.decode()
    for page in (towns / "towns").iterdir():
        page.write_text(page.read_text().replace("Trade:", "Crafts:"))
    done = quarry("check", wrapper, "towns")
    assert done.returncode == 1
    lines = [line.split() for line in done.stdout.decode().splitlines()]
    assert ["5", "people.trade"] in lines
    assert ["5", "Crafts"] in lines
    assert ["1", "land.area"] in lines


def test_correct_adds_a_heading_shows_it_and_takes_it_back(quarry, wrapper):
    before = wrapper.read_text()
    done = quarry("correct", wrapper, "add", "Patron saint", "--to", "people")
    assert done.returncode == 0, done.stderr
    assert "+   patron_saint" in done.stdout.decode()
    assert "1 correction so far" in done.stdout.decode()
    (found,) = records(quarry("extract", wrapper, "towns/elm.html").stdout)
    assert found["record"]["People"]["Patron saint"] == "Saint Elm"
    done = quarry("correct", wrapper, "undo")
    assert "-   patron_saint" in done.stdout.decode()
    assert "0 corrections so far" in done.stdout.decode()
    rules, _, history = wrapper.read_text().partition("\n# The corrections so far")
    assert rules.strip() == before.strip()
    assert 'undone = [\'add "Patron saint" --to "people"\']' in history


STOPPED_WHILE_WRITING = """
import os, pathlib, signal, sys
from webquarry.storing import result_files

def stop():
    os.kill(os.getpid(), signal.{signal})

def write_half(pieces, content, write=result_files.Pieces.write):
    write(pieces, content[:len(content) // 2])
    pieces._file.flush()
    stop()
    write(pieces, content[len(content) // 2:])

def stop_before(path, target, replace=pathlib.Path.replace):
    stop()
    return replace(path, target)

def stop_after(path, target, replace=pathlib.Path.replace):
    replace(path, target)
    stop()

{owner} = {moment}
sys.argv = ["quarry", "correct", {wrapper!r}, "undo"]
from webquarry.__main__ import run
run()
"""


MOMENTS = {
    "write_half": "result_files.Pieces.write",
    "stop_before": "pathlib.Path.replace",
    "stop_after": "pathlib.Path.replace",
}


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGKILL"])
@pytest.mark.parametrize("moment", MOMENTS)
def test_a_correction_that_is_stopped_while_it_is_written_leaves_a_whole_wrapper(
    quarry, wrapper, environment, moment, name
):
    uncorrected = wrapper.read_text()
    quarry("correct", wrapper, "add", "Patron saint", "--to", "people").check_returncode()
    corrected, files = wrapper.read_text(), sorted(wrapper.parent.iterdir())
    program = STOPPED_WHILE_WRITING.format(signal=name, owner=MOMENTS[moment], moment=moment, wrapper=str(wrapper))
    done = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, check=False)
    number = getattr(signal, name)
    assert done.returncode == (-number if number == signal.SIGKILL else 128 + number), done.stderr
    left = wrapper.read_text()
    if moment == "stop_after":
        assert left.startswith(uncorrected.rstrip())
        assert left != corrected
    else:
        assert left == corrected
    result_files.remove_abandoned.cache_clear()  # as in another run, which removes what a killed one left
    quarry("correct", wrapper, "redo" if moment == "stop_after" else "undo").check_returncode()
    assert sorted(wrapper.parent.iterdir()) == files


def test_the_papers_method_nests_as_intended_or_as_printed(quarry, work):
    (work / "fr.html").write_text(PAPER_PAGE)
    rules = {}
    for nesting in ("intended", "printed"):
        done = quarry("wrap", "fr.html", "--name", "f", "--method", "ashish", "--nesting", nesting, "-o", "f.toml")
        assert done.returncode == 0, done.stderr
        written = tomllib.loads((work / "f.toml").read_text())
        rules[nesting] = written["grammar"]["rules"]
        assert written["source"].get("nesting", "intended") == nesting
    assert rules["intended"] == "f -> geography\ngeography -> area coastline\narea -> total_area land_area\n"
    assert rules["printed"] == "f -> geography area total_area land_area coastline\n"


def test_corrections_work_on_the_papers_method(quarry, work):
    (work / "fr.html").write_text(PAPER_PAGE)
    quarry("wrap", "fr.html", "--name", "f", "--method", "ashish", "-o", "f.toml")
    for arguments in (
        ("drop", "land area"),
        ("add", "Capital", "--to", "geography"),
        ("rename", "Area", "--name", "size"),
    ):
        done = quarry("correct", "f.toml", *arguments)
        assert done.returncode == 0, done.stderr
    assert "3 corrections so far" in done.stdout.decode()
    (found,) = records(quarry("extract", "f.toml", "fr.html").stdout)
    assert found["record"]["Geography"]["Area"] == {"total area": "547,030 sq km land area: 545,630 sq km"}
    assert found["record"]["Geography"]["Capital"] == "Paris"
    assert tomllib.loads((work / "f.toml").read_text())["history"]["steps"] == {"paper": 3, "actions": 3}
    for _ in range(3):
        assert quarry("correct", "f.toml", "undo").returncode == 0
    (found,) = records(quarry("extract", "f.toml", "fr.html").stdout)
    assert found["record"]["Geography"]["Area"]["land area"] == "545,630 sq km"


def test_correct_makes_an_undone_correction_again(quarry, wrapper):
    quarry("correct", wrapper, "rename", "Trade", "--name", "craft")
    corrected = wrapper.read_text()
    quarry("correct", wrapper, "undo")
    done = quarry("correct", wrapper, "redo")
    assert done.returncode == 0, done.stderr
    assert wrapper.read_text() == corrected
    done = quarry("correct", wrapper, "redo")
    assert done.returncode == 1
    assert "has no correction to redo" in done.stderr.decode()


def test_a_heading_that_check_found_on_another_page_is_kept_under_a_name(quarry, wrapper, towns):
    odd = towns / "towns" / "fir.html"
    odd.write_text(odd.read_text() + "<h2>Bridges</h2><p>3</p>")
    done = quarry("check", wrapper, "towns")
    assert f'rename "Bridges" --page {odd.as_uri()} --name NAME' in done.stdout.decode()
    done = quarry("correct", wrapper, "rename", "Bridges", "--page", odd.as_uri(), "--name", "crossings")
    assert done.returncode == 0, done.stderr
    (found,) = records(quarry("extract", wrapper, "towns/fir.html").stdout)
    assert (found["record"]["crossings"], found["typed"]["crossings"]["value"]) == ("3", 3)
    (step,) = tomllib.loads(wrapper.read_text())["history"]["step"]
    assert step["action"] == 'rename "Bridges" --name "crossings" --page "towns/fir.html"'
    done = quarry("correct", wrapper, "drop", "Area", "--page", "towns/fir.html")
    assert (done.returncode, b"drop takes no --page PAGE" in done.stderr) == (2, True)


def test_correct_renames_and_counts_both_ways(quarry, wrapper):
    quarry("correct", wrapper, "rename", "Trade", "--name", "craft")
    done = quarry("correct", wrapper, "drop", "Setting")
    assert done.returncode == 0, done.stderr
    assert "2 corrections so far" in done.stdout.decode()
    history = tomllib.loads(wrapper.read_text())["history"]
    assert history["steps"]["actions"] == 2
    assert history["steps"]["paper"] >= 2
    assert "paper" not in done.stdout.decode() + quarry("check", wrapper).stdout.decode()


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("add",), 2, b"add needs an example"),
        (("move", "Area"), 2, b"move needs --to PATH"),
        (("rename", "Area"), 2, b"rename needs --name NAME"),
        (("drop", "Area", "--to", "people"), 2, b"drop takes no --to PATH"),
        (("undo", "Area"), 2, b"undo takes back the last correction"),
        (("paint", "Area"), 2, b"paint"),
        (("drop", "Railways"), 1, b"Railways"),
        (("undo",), 1, b"no correction to undo"),
    ],
)
def test_correct_tells_what_is_wrong_and_changes_nothing(quarry, wrapper, arguments, code, said):
    before = wrapper.read_text()
    done = quarry("correct", wrapper, *arguments)
    assert done.returncode == code
    assert said in done.stderr
    assert wrapper.read_text() == before


def test_correct_says_what_to_do_when_the_sample_was_standard_input(quarry, work):
    quarry("wrap", "-", "--name", "towns", "--static", "-o", "towns.toml", given=town(*TOWNS["ash"]).encode())
    done = quarry("correct", "towns.toml", "drop", "Setting")
    assert done.returncode == 1
    assert b"towns was learnt from standard input; add a similar page" in done.stderr


def test_correct_needs_the_sample_pages(quarry, wrapper, towns):
    (towns / "towns" / "ash.html").unlink()
    done = quarry("correct", wrapper, "drop", "Area")
    assert done.returncode == 1
    assert b"cannot read a sample page of the wrapper" in done.stderr


def test_a_listing_is_learnt_by_words_and_given_a_column_by_an_example(quarry, work):
    offers = "".join(
        f"<li class=offer><h3><a href=/{n}>Lamp {n}</a></h3><p>{n}0.50 €, by <b>House {n}</b></p></li>"
        for n in range(1, 7)
    )
    news = "".join(f"<li class=news><a href=/n{n}>News {n}</a> <span>{n} May 2024</span></li>" for n in range(1, 5))
    (work / "shop.html").write_text(f"<main><ul>{offers}</ul></main><aside><ul>{news}</ul></aside>")
    done = quarry("wrap", "shop.html", "--name", "news", "--static", "--like", "news 3", "-o", "news.toml")
    assert done.returncode == 0, done.stderr
    assert quarry("wrap", "shop.html", "--name", "x", "--kind", "item", "--like", "News 3").returncode == 2
    quarry("wrap", "shop.html", "--name", "lamps", "--static", "--kind", "records", "-o", "lamps.toml")
    done = quarry("correct", "lamps.toml", "add", "Lamp", "--name", "thing")
    assert done.returncode == 0, done.stderr
    extracted = quarry("extract", "lamps.toml", "shop.html", "--format", "csv").stdout.decode()
    assert "thing" in extracted.splitlines()[0]
    assert b'add "Lamp" --name "thing"' in (work / "lamps.toml").read_bytes().replace(b"\\", b"")
    news_rows = quarry("extract", "news.toml", "shop.html", "--format", "csv").stdout.decode().splitlines()
    assert len(news_rows) == 5
    assert quarry("correct", "lamps.toml", "undo").returncode == 0
