"""Test the benchmarks of wrappers on small sources."""

from __future__ import annotations

import pytest
from benchmarks.scoring.sections import score_sections, sum_of_sections
from benchmarks.wrappers.books import CHOSEN, find_books
from benchmarks.wrappers.correcting import correct_page
from benchmarks.wrappers.outlines import PageTruth, Steps, read_record, steps_of_ashish, steps_of_ours
from benchmarks.wrappers.rankorder import RankTable, run_rankorder
from benchmarks.wrappers.sites import find_sites, score_site
from benchmarks.wrappers.table2 import MULTIPLE, SINGLE, read_source

from webquarry.model.document import Document
from webquarry.model.extraction import Extraction, SectionValue
from webquarry.wrapping.ashish import extract_ashish, wrap_ashish

TRUTHS = [(("Area", "total"), "9 sq km"), (("Area", "land"), "8 sq km"), (("Flag",), "a blue one on a white one")]


def read_page(*values: tuple[tuple[str | int, ...], str]) -> Extraction:
    return Extraction(
        "page.html", "static", "book", tuple(SectionValue(path, path, text, "/html") for path, text in values)
    )


@pytest.mark.parametrize(
    ("record", "placed", "right", "spurious"),
    [
        ({"Area": {"total": "9 sq km", "land": "8 sq km"}, "Flag": "a blue one on a white one"}, 3, 3, 0),
        ({"AREA:": {"Total": "9 sq. km"}}, 1, 1, 0),
        ({"Area": {"total": "9"}}, 1, 0, 0),
        ({"Area": "total 9 sq km"}, 0, 0, 0),
        ({"Area": {"rest": {"total": "9 sq km"}}}, 0, 0, 1),
        ({"Flag": {"colour": "a blue one on a white one"}}, 1, 1, 1),  # one word more than the true text
        ({"Flag": [{"_n": "1", "part": "a blue one"}, "on a white one"]}, 1, 1, 0),
        ({"_other": {"Area": {"total": "9 sq km"}}, "Flag": {"_text": "a blue one on a white one"}}, 1, 0, 0),
        ({"Menu": "Home"}, 0, 0, 1),
    ],
)
def test_sections_are_right_if_path_and_words_agree(record, placed, right, spurious):
    score = score_sections(TRUTHS, record)
    assert (score.true, score.placed, score.right, score.spurious) == (3, placed, right, spurious)
    assert len(score.missed) == 3 - right


def test_adds_up_the_scores_of_pages():
    total = sum_of_sections([score_sections(TRUTHS, {"Flag": "a blue one on a white one"}), score_sections(TRUTHS, {})])
    assert (total.share_right, total.share_placed, total.share_spurious) == (1 / 6, 1 / 6, 0)


OURS = [(("Area", "total"), "9"), (("Area", "land"), "8"), (("Flag",), "blue")]


def test_a_page_that_is_read_right_needs_no_step():
    assert steps_of_ours(read_page(*OURS), PageTruth(TRUTHS)) == Steps(0, 0)


def test_a_wrong_heading_found_twice_is_two_steps_and_one_action():
    found = read_page(*OURS, (("Flag", "http"), "x"), (("http",), "y"))
    assert steps_of_ours(found, PageTruth(TRUTHS)) == Steps(2, 1)


def test_a_misplaced_section_needs_two_rules():
    found = read_page(OURS[0], (("land",), "8"), OURS[2])
    assert steps_of_ours(found, PageTruth(TRUTHS)) == Steps(2, 2)


def test_labels_allowed_anywhere_need_no_steps():
    found = read_page(*OURS, (("Area", "note"), "x"), (("_other", "Flag", "motto"), "y"))
    assert steps_of_ours(found, PageTruth(TRUTHS, free={"note"})) == Steps(0, 0)


def test_rows_are_one_section_and_are_nested_under_their_headings():
    found = read_page(
        (("job", 0, "_heading"), "Baker"),
        (("job", 0, "Pay"), "1"),
        (("job", 1, "_heading"), "Cook"),
        (("job", 1, "_text"), "now"),
    )
    truth = PageTruth([(("Baker", "Pay"), "1"), (("Cook",), "now")], rows={"baker": 0, "cook": 0})
    assert steps_of_ours(found, truth) == Steps(0, 0)
    assert read_record(found) == {"Baker": {"Pay": "1"}, "Cook": "now"}


def test_a_table_is_one_text_with_its_header_first():
    found = read_page(
        (("Fees", 0, "kind"), "full"), (("Fees", 0, "price"), "9"), (("Fees", 1, "kind"), "half"), (("End",), "x")
    )
    assert read_record(found) == {"Fees": "kind price full 9 half", "End": "x"}


def test_the_papers_method_needs_a_step_for_each_tag_mistaken_for_a_heading():
    document = Document("<h2>Area</h2>\n<b>total</b> 9\n<b>land</b> 8\n<h2>Flag</h2> <body><b>blue</b>\n")
    counted = steps_of_ashish(document, PageTruth(TRUTHS))
    assert counted.tokens == counted.actions == 1  # delete blue


def test_a_script_that_knows_the_sections_corrects_the_papers_wrapper():
    markup = "<h2>Area</h2>\n<b>total</b> 9 sq km\n<p>land 8 sq km\n<h2>Flag</h2>\n<i>a blue one</i> on a white one\n"
    document = Document(markup)
    wrapper = correct_page(wrap_ashish([document], name="book"), document, PageTruth(TRUTHS))
    assert [step.action for step in wrapper.history] == ['drop "a_blue_one"', 'add "land" --to "area"']
    assert extract_ashish(wrapper, document).record == {
        "Area": {"total": "9 sq km", "land": "8 sq km"},
        "Flag": "a blue one on a white one",
    }


@pytest.mark.parametrize("name", [*MULTIPLE, *SINGLE])
def test_every_source_of_table_2_has_pages_and_their_truths(name):
    source = read_source(name)
    assert len(source.pages) == len(source.truths) > 0
    assert all(truth.scored and truth.outline() for truth in source.truths)


def make_site(folder):
    (folder / "swde" / "groundtruth").mkdir(parents=True)
    (folder / "swde" / "film-db").mkdir()
    for number in range(12):
        (folder / "swde" / "film-db" / f"{number:04}.htm").write_text("<p>x", "utf-8")
    lines = ["film\tdb\tgenre", "12\t12"] + [f"{number:04}\t2\tCrime\tWar &amp; Peace" for number in range(11)]
    (folder / "swde" / "groundtruth" / "film-db-genre.txt").write_text("\n".join(lines), "utf-8-sig")
    (site,) = find_sites(folder)
    return site


@pytest.mark.parametrize(
    ("text", "equal", "inside"),
    [
        ("War & Peace | Crime", 1, 1),
        ("crime", 1, 1),
        ("Crime, War & Peace, Drama", 0, 1),
        ("Crimea", 0, 0),
    ],
)
def test_a_field_equals_an_attribute_if_it_has_one_value_or_all(tmp_path, text, equal, inside):
    site = make_site(tmp_path)
    (score,) = score_site(site, [read_page((("genres",), text)) for _ in site.others])
    assert (score.attribute, score.pages, score.equal, score.inside) == (
        "genre",
        1,
        equal,
        inside,
    )  # the last page has no genre
    assert score.field == ("genres" if equal else "")


COUNTRY = "<html><body><h1>{name}</h1><h2>Geography</h2><h3>Area:</h3><p><b>total:</b> {area} sq km</p><h2>People</h2>\
<h3>Population:</h3><p>{people} (2011 est.)</p></body></html>"


@pytest.fixture
def book(tmp_path):
    """Write a fact book of twelve pages; the table of areas rounds them all, and is wrong about one."""
    folder = tmp_path / "factbook-2011"
    (folder / "geos").mkdir(parents=True)
    (folder / "rankorder").mkdir()
    codes = [*CHOSEN, *(f"x{letter}" for letter in "abcdefg")]
    areas = {code: f"{number + 1},0{number:02}.4" for number, code in enumerate(codes)}
    for number, code in enumerate(codes):
        page = COUNTRY.format(name=f"Land {code}", area=areas[code], people=f"{number + 3},000")
        (folder / "geos" / f"{code}.html").write_text(page, "utf-8")
    (folder / "index.csv").write_text("country,region,code\n" + "".join(f"Land {c},r,{c}\n" for c in codes), "utf-8")
    (folder / "truth.jsonl").write_text("", "utf-8")
    lines = [f"{n}\tLand {code}\t {areas[code][:-2]}" for n, code in enumerate(codes)]
    table = "\r".join([*lines[:-1], "7\tLand xg\t 5", "8\tAtlantis\t 6"])
    (folder / "rankorder" / "rawdata_2147.txt").write_text(table, "utf-8")
    return tmp_path


def test_compares_numbers_after_rounding_like_the_table(book, monkeypatch):
    assert [each.year for each in find_books(book)] == ["2011"]
    monkeypatch.setattr("benchmarks.wrappers.rankorder.TABLES", [RankTable(2147, "geography.area.total", 0)])
    finding = run_rankorder(book)
    assert finding.figures == {"rankorder, numbers that agree": 11 / 12}
    assert finding.complaints == ["number differs: geography.area.total: xg 5, ours 12,011.4"]
    monkeypatch.setattr("benchmarks.wrappers.rankorder.TABLES", [RankTable(2147, "geography.area.total")])
    assert run_rankorder(book).figures == {"rankorder, numbers that agree": 0}
