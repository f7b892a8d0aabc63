"""Commands on saved pages: addresses on the web, names of files, and following on disk."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from webquarry.fetching.inputs import file_uri

GOODS = "Kettle Lamp Saw Hammer Chair Table Mirror Basket Ladder".split()


def listing(goods: list[str], following: str = "", head: str = "") -> str:
    records = "".join(
        f"<li class=offer><h3><a href='/p/{name}'>{name}</a></h3><img src='/i/{name}.jpg' alt='' width=90 height=90>"
        f"<p>A {name.lower()} made to last for years.</p><span class=price>EUR {len(name)}.50</span></li>"
        for name in goods
    )
    pager = f"<p><a rel=next href='{following}'>Next</a>" if following else ""
    return f"<!doctype html><title>Shop</title>{head}<body><h1>Shop</h1><ul>{records}</ul>{pager}"


def save(path: Path, content: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content)
    return path


def rows(done) -> list[dict[str, str]]:
    assert done.returncode == 0, done.stderr
    return list(csv.DictReader(io.StringIO(done.stdout.decode())))


CANONICAL = "<link rel=canonical href='https://shop.example/list/'>"


@pytest.mark.parametrize(
    ("head", "options", "host"),
    [
        ("", ["--base-url", "https://given.example/list"], "https://given.example"),
        (CANONICAL, ["--base-url", "https://given.example/list"], "https://given.example"),
        ("", ["--url-map", "urls.csv"], "https://mapped.example"),
        (CANONICAL, [], "https://shop.example"),
        ("", [], "file://"),
    ],
)
def test_results_have_addresses_of_the_web_and_name_the_file(quarry, work, head, options, host):
    page = save(work / "list.html", listing(GOODS[:4], head=head))
    save(work / "urls.csv", "file,url\nlist.html,https://mapped.example/a/\n")
    (first, *_) = rows(quarry("mine", "list.html", "--static", "--format", "csv", *options))
    assert (first["link"], first["image"]) == (f"{host}/p/Kettle", f"{host}/i/Kettle.jpg")
    assert first["_page"] == file_uri(page)


def test_links_that_lead_nowhere_are_told_once(quarry, work):
    for name in ("a", "b"):
        save(work / f"{name}.html", listing(GOODS[:4]))
    done = quarry("mine", "a.html", "b.html", "--static", "--format", "csv")
    assert done.stderr.decode() == (
        "quarry: file:///p/Kettle: links that begin with / need the web address of their page; give it with --base-url"
        ", or for several pages with --url-map\n"
    )
    done = quarry("mine", "a.html", "--static", "--format", "csv", "--base-url", "https://given.example/list")
    assert done.stderr == b""


def test_rendered_pages_and_wrappers_give_the_same_addresses(quarry, work):
    save(work / "list.html", listing(GOODS[:4]))
    options = ["--base-url", "https://given.example/list", "--format", "csv"]
    mined = rows(quarry("mine", "list.html", "--render", *options))
    quarry("wrap", "list.html", "--kind", "records", "--name", "shop", "-o", "shop.toml", *options[:2])
    read = rows(quarry("extract", "shop.toml", "list.html", *options))
    assert (
        {row["link"] for row in mined}
        == {row["link"] for row in read}
        == {f"https://given.example/p/{name}" for name in GOODS[:4]}
    )


def test_texts_have_links_of_the_web(quarry, work):
    prose = "The museum shows how salt was made in the valley for eight hundred years, and by whom it was carried. "
    save(work / "a.html", f"<title>Salt</title><h1>Salt</h1><p>{prose * 3}<a href='/more'>More</a> {prose}")
    done = quarry("read", "a.html", "--format", "markdown", "--base-url", "https://given.example/news/salt")
    assert b"(https://given.example/more)" in done.stdout


def test_sql_takes_a_url_map(quarry, work):
    save(work / "list.html", listing(GOODS[:4]))
    save(work / "urls.csv", "file,url\nlist.html,https://mapped.example/a/\n")
    quarry("wrap", "list.html", "--kind", "records", "--name", "shop", "--static", "-o", "shop.toml")
    done = quarry("sql", "SELECT link FROM shop ORDER BY title", "--url-map", "urls.csv", "--format", "json")
    assert json.loads(done.stdout)[0] == {"link": "https://mapped.example/p/Hammer"}


@pytest.mark.parametrize("head", ["", CANONICAL])
@pytest.mark.parametrize(
    ("second", "file"),
    [
        ("/list/page/2/", "site/list/page/2/index.html"),
        ("page-2.html", "site/page-2.html"),
        ("?page=2", "site/list.html@page=2"),
    ],
)
def test_pagers_of_saved_sites_are_followed(quarry, work, head, second, file):
    if head and second.startswith("?"):
        file = "site/list/index.html?page=2"
    save(work / "site" / "list.html", listing(GOODS[:4], second, head))
    save(work / file, listing(GOODS[4:], "", head))
    done = quarry("mine", "site/list.html", "--root", "site", "--follow", 5, "--static", "--format", "csv")
    assert [row["title"] for row in rows(done)] == GOODS


def test_absolute_pagers_are_followed_to_files_that_the_page_and_the_map_name(quarry, work):
    save(work / "one.html", listing(GOODS[:3], "https://shop.example/list/?page=2", CANONICAL))
    save(work / "two.html", listing(GOODS[3:6], "https://shop.example/list/three", CANONICAL))
    save(work / "list" / "three.html", listing(GOODS[6:], "https://shop.example/list/four", CANONICAL))
    save(work / "urls.csv", "file,url\ntwo.html,https://shop.example/list/?page=2\n")
    done = quarry("mine", "one.html", "--follow", 5, "--static", "--format", "csv", "--url-map", "urls.csv")
    table = list(csv.DictReader(io.StringIO(done.stdout.decode())))
    assert [row["title"] for row in table] == GOODS
    assert done.returncode == 1
    assert b"https://shop.example/list/four: there is no such file as " in done.stderr


@pytest.mark.parametrize("name", ["list?page=2.html", "%41.html", "a#b.html", "100%.html"])
def test_names_of_files_are_not_read_as_addresses(quarry, work, name):
    page = save(work / name, listing(GOODS[:4]))
    (first, *_) = rows(quarry("mine", name, "--static", "--format", "csv"))
    assert first["_page"] == file_uri(page)
    again = rows(quarry("mine", first["_page"], "--static", "--format", "csv"))
    assert again[0] == first
    quarry("wrap", name, "--kind", "records", "--name", "shop", "--static", "-o", "shop.toml")
    done = quarry("sql", "SELECT title FROM shop", "--format", "json")
    assert [row["title"] for row in json.loads(done.stdout)] == GOODS[:4]


def test_a_template_of_file_names_may_have_a_question_mark(quarry, work):
    for number in (1, 2):
        save(work / f"list?page={number}.html", listing(GOODS[4 * number - 4 : 4 * number]))
    template = ["--pages", "list?page={n}.html"]
    done = quarry("wrap", "list?page=1.html", "--kind", "records", "--name", "shop", *template, "-o", "shop.toml")
    assert done.returncode == 0, done.stderr
    done = quarry("sql", "SELECT title FROM shop WHERE n = '2'", "--format", "json")
    assert [row["title"] for row in json.loads(done.stdout)] == GOODS[4:8]


def test_a_folder_gives_pages_with_the_query_in_their_names(quarry, work):
    save(work / "site" / "list.html?page=2", listing(GOODS[:4]))
    assert len(rows(quarry("mine", "site", "--static", "--format", "csv"))) == 4


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["a.html", "--base-url", "shop.example"], b"--base-url shop.example: not an http or https address"),
        (["a.html", "b.html", "--base-url", "http://a.example/"], b"--base-url is the address of one saved page"),
        ([".", "--base-url", "http://a.example/"], b"--base-url is the address of one saved page"),
        (["http://b.example/", "--base-url", "http://a.example/"], b"--base-url is for saved pages"),
    ],
)
def test_a_base_url_that_makes_no_sense_is_told(quarry, work, options, said):
    done = quarry("mine", *options)
    assert (done.returncode, done.stdout) == (2, b"")
    assert said in done.stderr


def test_a_url_map_that_makes_no_sense_is_told(quarry, work):
    save(work / "a.html", listing(GOODS[:4]))
    save(work / "urls.csv", "page,url\na.html,https://a.example/\n")
    done = quarry("mine", "a.html", "--url-map", "urls.csv")
    assert (done.returncode, done.stdout) == (1, b"")
    assert done.stderr == b"quarry: urls.csv: no column file; its columns are page, url, and file and url are needed\n"


@pytest.mark.parametrize("option", ["--base-url", "--url-map"])
def test_a_wrapper_keeps_the_addresses_that_its_sample_was_read_with(quarry, work, option):
    save(work / "list.html", listing(GOODS[:4]))
    save(work / "urls.csv", "file,url\nlist.html,https://shop.example/a/\n")
    given = {"--base-url": "https://shop.example/a/", "--url-map": "urls.csv"}[option]
    place = ("--name", "shop", "--kind", "records", "--static", "-o", "made/shop.toml")
    assert quarry("wrap", "list.html", *place, option, given).returncode == 0
    (work / "made" / "shop.toml").rename(work / "made" / "moved.toml")
    found = rows(quarry("extract", "made/moved.toml", "list.html", "--format", "csv"))
    assert found[0]["link"] == "https://shop.example/p/Kettle"
    found = rows(quarry("sql", "SELECT link FROM moved", "--catalog", "made", "--format", "csv"))
    assert found[0]["link"] == "https://shop.example/p/Kettle"
    done = quarry("extract", "made/moved.toml", "list.html", "--base-url", "https://other.example/", "--format", "csv")
    assert rows(done)[0]["link"] == "https://other.example/p/Kettle"
    (work / "urls.csv").unlink()
    done = quarry("check", "made/moved.toml")
    assert (done.returncode, b"there is no file" in done.stderr) == ((1, True) if option == "--url-map" else (0, False))
