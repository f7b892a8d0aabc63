"""What stages gave to reports, in Python."""

import json
from dataclasses import replace

import numpy as np
import pytest

import webquarry as wq
from webquarry.model.document import VISUAL_VALIDATION, Document, Layout
from webquarry.model.report import Selection
from webquarry.pipeline.validate_files import find_address, folders_of_pages, load_extraction, validate_extractions
from webquarry.pipeline.validate_results import JUDGES, SCOPES
from webquarry.validating import ballots

SENTENCE = "Sentence {} of page {} tells of rivers, and of the towns that stand beside them since they were founded."
GOODS = [
    ("Kettle", "12.50"),
    ("Lamp", "9.00"),
    ("Saw", "21.80"),
    ("Drill", "64.90"),
    ("Pan", "17.00"),
    ("Bell", "5.10"),
]
PROMOTION = "<p class=promo>Win two tickets.</p>"
LINK = "<p><a href=https://bridges.test/1>Bridges of the north</a></p>"  # to another site, so it may be content


def make_page(number: int, host: str = "rivers.test", more: str = "") -> Document:
    paragraphs = "".join(f"<p>{SENTENCE.format(place, number)}</p>" for place in range(4))
    return Document(
        f"<header><nav><a>Home</a> <a>Towns</a> <a>About us</a> <a>Contact</a></nav></header>"
        f"<main><article>{paragraphs}{more}</article></main><footer>All rights are reserved.</footer>",
        url=f"https://{host}/{number}",
    )


def select(document: Document, *paths: str) -> Selection:
    nodes = [document.node(path) for path in paths]
    return Selection(document, np.array(nodes, dtype=np.int32), tuple(document.text(node) for node in nodes))


def taken(document: Document, *more: str) -> Selection:
    return select(document, *more, *(f"/html/body/main/article/p[{place}]" for place in range(1, 5)))


def shop() -> Document:
    cards = "".join(f"<li class=offer><h3>{name}</h3> <b class=price>EUR {price}</b></li>" for name, price in GOODS)
    return Document(f"<ul>{cards}</ul>", url="https://shop.test/")


def dropped(report: wq.Report) -> list[str]:
    return [text for page in report.pages for _, text, _ in page.dropped]


def missing(report: wq.Report) -> set[str]:
    return {page.selection.document.texts[node] for page in report.pages for node, _ in page.additions}


def test_texts_are_voted_on_and_values_compared_by_columns():
    articles = wq.read([make_page(number) for number in range(3)])
    assert wq.validate(articles).method == "vote"
    assert wq.validate(wq.mine(shop())[0]).method == "columns"


def test_static_articles_are_validated_without_a_layout():
    documents = [make_page(number) for number in range(5)]
    report = wq.validate([taken(documents[0], "/html/body/header/nav/a[3]"), *map(taken, documents[1:])])
    assert dropped(report) == ["About us"]
    assert report.notes == ()


def test_one_article_needs_no_list():
    article = wq.read(make_page(0))
    assert wq.validate(article) == wq.validate([article])


def test_extractions_go_with_their_documents():
    sections = "<h1>{0}</h1><h2>Area</h2><p>{1} sq km</p><h2>Capital</h2><p>{0} City</p><h2>Form</h2><p>republic</p>"
    documents = [
        Document(sections.format(name, 100 + place), url=f"https://book.test/{place}")
        for place, name in enumerate(["Elmland", "Oakia", "Holmark", "Brindle"])
    ]
    wrapper = wq.wrap(documents, name="book")
    pairs = [(wq.extract(wrapper, document), document) for document in documents]
    report = wq.validate(pairs)
    assert len(report) == sum(len(extraction.values) for extraction, _ in pairs)
    assert (report.method, dropped(report)) == ("columns", [])
    assert len(wq.validate(pairs[0]).pages) == 1


def test_what_the_extraction_lacks_is_reported():
    documents = [make_page(number) for number in range(5)]
    short = select(documents[0], "/html/body/main/article/p[1]")
    report = wq.validate([short, *map(taken, documents[1:])])
    assert (report.missing, report.dropped) == (3, 0)
    assert "3 texts may be missing" in report.summary


def test_a_voter_is_a_method_or_a_function():
    documents = [make_page(number) for number in range(4)]
    links = [f"/html/body/header/nav/a[{place}]" for place in range(1, 5)]
    selections = [taken(document, *links) for document in documents]
    assert dropped(wq.validate(selections)) == []  # the extraction has them on all pages
    by_name = wq.validate(selections, voter="blocks")
    assert dropped(by_name) == ["Home", "Towns", "About us", "Contact"] * 4
    assert wq.validate(selections, voter=lambda document: wq.read(document, method="blocks")) == by_name


def test_what_the_voter_names_as_furniture_is_not_missing():
    documents = [make_page(number, more=more) for number, more in enumerate([PROMOTION, LINK, "", "", ""])]
    selections = [taken(document) for document in documents]
    assert missing(wq.validate(selections, voter="blocks")) == {"Bridges of the north"}
    by_no_names = missing(wq.validate(selections, voter="boilerpipe"))
    assert by_no_names >= {"Bridges of the north", "Win two tickets."}


def test_what_an_article_left_out_for_what_it_is_is_not_missing():
    documents = [make_page(number, more=more) for number, more in enumerate([PROMOTION, LINK, "", "", ""])]
    alone = wq.read(documents, method="blocks")
    assert missing(wq.validate(alone)) == {"Bridges of the north"}
    assert missing(wq.validate([taken(document) for document in documents])) == {
        "Bridges of the north",
        "Win two tickets.",
    }  # nobody told why


def test_what_a_file_of_articles_left_out_for_what_it_is_is_not_missing(tmp_path):
    for number, more in enumerate([PROMOTION, LINK, "", "", ""]):
        (tmp_path / f"{number}.html").write_text(make_page(number, more=more).markup)
    documents = [wq.clean(wq.fetch(path)) for path in sorted(tmp_path.glob("*.html"))]
    file = tmp_path / "articles.jsonl"
    file.write_text("".join(json.dumps(each.to_dict()) + "\n" for each in wq.read(documents, method="blocks")))
    done = validate_extractions([load_extraction(str(file))], rendered=False)
    assert missing(done.report) == {"Bridges of the north"}
    assert (len(done.report), done.report.dropped) == (20, 0)


def test_what_is_read_together_lacks_nothing():
    documents = [make_page(number, more=more) for number, more in enumerate([PROMOTION, LINK, "", "", ""])]
    report = wq.validate(wq.read(documents))
    assert (report.missing, report.dropped) == (0, 0)


def lay_out(document: Document) -> Document:
    """The document with small letters in what is promoted."""
    styles = np.zeros((len(document), len(VISUAL_VALIDATION)), dtype=np.int32)
    for node in np.flatnonzero([own.get("class") == "promo" for own in document.attributes]):
        styles[node : document.ends[node], VISUAL_VALIDATION.index("font-size")] = 1
    boxes = np.tile(np.array([0, 0, 100, 20], dtype=np.float32), (len(document), 1))
    visible = np.ones(len(document), dtype=np.bool_)
    layout = Layout(boxes, styles, ("16px", "11px"), VISUAL_VALIDATION, visible, 1366, 1000, "none", 1366)
    return Document(document.markup, url=document.url, kind="rendered", layout=layout, tree=document._columns)


def test_ranked_nodes_are_dropped_past_what_the_voter_names_as_furniture():
    promotion = "<p class=promo>Win two tickets for the river festival, and a dinner for four at the old mill.</p>"
    documents = [lay_out(make_page(number, more=promotion if number < 3 else "")) for number in range(5)]
    promoted = [taken(document, "/html/body/main/article/p[5]") for document in documents[:3]]
    report = wq.validate([*promoted, *map(taken, documents[3:])], method="hbos")
    assert [text[:15] for text in dropped(report)] == ["Win two tickets"] * 3


@pytest.mark.parametrize(
    ("scope", "advice"),
    [
        ("site", "give more pages of a site, compare with the corpus, or say where to stop, as in --stop share:0.1"),
        ("corpus", "give more pages, or say where to stop, as in --stop share:0.1"),
    ],
)
def test_too_few_pages_to_drop_ranked_nodes_are_told_with_what_helps(scope, advice):
    few = [taken(lay_out(make_page(number))) for number in range(2)]
    (note,) = wq.validate(few, method="hbos", scope=scope).notes
    assert note.endswith(f"it takes 5: nothing is dropped from 2 pages; {advice}")


def test_pages_are_judged_with_those_of_their_site():
    rivers = [make_page(number) for number in range(4)]
    strangers = [make_page(number, f"{number}.test") for number in range(2)]
    report = wq.validate([*map(taken, rivers), *map(taken, strangers)])
    (note,) = report.notes
    assert note.startswith("1 page is too few for a vote: nothing is dropped from 2 pages; give more pages of a site")
    assert [page.selection.document for page in report.pages] == [*rivers, *strangers]


def test_pages_are_compared_by_place_and_style_once_for_sites_and_vote(monkeypatch):
    looked_at = []
    actual = ballots.classes_of
    monkeypatch.setattr(ballots, "classes_of", lambda document: looked_at.append(document.url) or actual(document))
    wq.validate([taken(make_page(number)) for number in range(4)])
    assert looked_at == [f"https://rivers.test/{number}" for number in range(4)]


def test_a_corpus_is_judged_as_one():
    pages = [taken(make_page(number, f"{number}.test")) for number in range(4)]
    assert wq.validate(pages, scope="site").notes != ()
    assert wq.validate(pages, scope="corpus").notes == ()


@pytest.mark.parametrize(
    ("kind", "advice"),
    [
        ("static", "if scripts add it, use --scripts"),
        ("scripts", "if scripts remove it, leave out --scripts"),
    ],
)
def test_nodes_that_are_not_found_are_counted_and_advice_is_given(kind, advice):
    selection = taken(replace(make_page(0), kind=kind))
    lost = replace(selection, unmapped=("/html/body/b",))
    assert wq.validate([lost]).notes[0] == (
        "1 node of 1 page was not found and not judged, the first: /html/body/b of https://rivers.test/0; if pages "
        f"have changed, extract again or give an archive of the old ones (--pages); {advice}"
    )


def test_a_vote_without_voters_is_reported_as_such():
    empty = [Selection(make_page(number), np.zeros(0, dtype=np.int32), ()) for number in range(3)]
    (note,) = wq.validate(empty).notes
    assert note.startswith("nothing was called content on any page, so there is no vote: nothing is dropped from 3")


@pytest.mark.parametrize("method", JUDGES)
@pytest.mark.parametrize("scope", SCOPES)
def test_nothing_is_an_answer(method, scope):
    assert len(wq.validate([], method=method, scope=scope)) == 0
    empty = Selection(make_page(0), np.zeros(0, dtype=np.int32), ())
    if method in ("vote", "columns"):
        assert [len(page.scores) for page in wq.validate([empty, empty], method=method, scope=scope).pages] == [0, 0]


@pytest.mark.parametrize("method", ["knn", "hbos"])
def test_methods_that_look_want_rendered_documents(method):
    with pytest.raises(ValueError, match=f"{method} goes by how pages look, and not all of these were rendered"):
        wq.validate(wq.read(make_page(0)), method=method)


@pytest.mark.parametrize(
    ("knobs", "said"),
    [
        ({"method": "best"}, "no validating method 'best'; choose from vote, columns, knn, kth-nn, hbos"),
        ({"scope": "world"}, "no scope 'world'; choose from page, site, corpus"),
        *(
            ({"k": k}, f"k is a number of neighbours, or below 1 a share of the nodes; {k} is neither")
            for k in (0, -3, float("nan"), float("inf"))
        ),
        ({"voter": "me"}, "no reading method 'me'"),
    ],
)
def test_knobs_that_are_not_there_are_told(knobs, said):
    with pytest.raises(ValueError, match=said):
        wq.validate([], **knobs)


def test_what_cannot_be_validated_is_reported():
    with pytest.raises(TypeError, match="pairs of an Extraction and its Document, not a Document"):
        wq.validate([make_page(0)])


def test_paths_are_those_from_here_or_from_the_file(tmp_path, monkeypatch):
    (tmp_path / "here").mkdir()
    (tmp_path / "here" / "a.html").touch()
    monkeypatch.chdir(tmp_path / "here")
    assert find_address("https://example.org/a", tmp_path) == "https://example.org/a"
    assert find_address("a.html", tmp_path).endswith("/here/a.html")
    assert find_address("b.html", tmp_path / "there").endswith("/there/b.html")


def test_the_folder_of_pages_is_that_of_their_site(tmp_path):
    folder = tmp_path / "site" / "rivers"
    folder.mkdir(parents=True)
    pages = [(folder / name).as_uri() for name in ("a.html", "b.html")]
    assert folders_of_pages(pages) == [folder]
    (tmp_path / "site" / "index.html").touch()
    assert folders_of_pages(pages) == [tmp_path / "site"]
    assert folders_of_pages([*pages, "https://example.org/"]) == [tmp_path / "site"]
    assert folders_of_pages(["https://example.org/"]) == folders_of_pages(["file:///a.html"]) == []


def test_pages_all_over_the_home_folder_do_not_open_it_to_each_other(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "index.html").touch()
    pages = [(tmp_path / name / "a.html").as_uri() for name in ("downloads", "documents")]
    assert folders_of_pages(pages) == []
    assert folders_of_pages(pages[:1]) == [tmp_path / "downloads"]


def test_what_a_report_drops_can_be_taken_out():
    documents = [make_page(number) for number in range(4)]
    articles = wq.read(documents, method="boilerpipe")
    report = wq.validate(articles, voter=lambda document: wq.read(document, method="blocks"))
    left = wq.drop(articles, report)
    assert sum(map(len, articles)) - sum(map(len, left)) == report.dropped
    with pytest.raises(TypeError, match="Selection"):
        wq.drop(select(documents[0], "/html/body/main/article/p[1]"), wq.validate(select(documents[0], "/html/body")))
