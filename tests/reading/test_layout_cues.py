"""The default reader leaves texts out because of their place and type on a rendered page."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

import webquarry as wq
from webquarry.model.article import Article
from webquarry.model.document import Document, Layout
from webquarry.reading.reader import read_blocks

SENTENCE = "The lamp of the old lighthouse was lit again on Friday, after forty years in the dark."
PLAIN = "300 {top} 600 90"
"""The box of a paragraph in the column of the text."""
PROPERTIES = ("font-size", "position")


def rendered(body: str) -> Document:
    """A page as a browser shows it: elements have the box, type size and position that their attributes state, or
    else those of what holds them."""
    document = Document(f"<!doctype html><body data-box='0 0 1366 4000' data-size=16px>{body}</body>")
    boxes = np.zeros((len(document), 4), dtype=np.float32)
    values, styles = ["16px"], np.zeros((len(document), len(PROPERTIES)), dtype=np.int32)
    for node, own in enumerate(document.attributes):
        holder = max(int(document.parents[node]), 0)
        boxes[node] = [float(side) for side in own["data-box"].split()] if "data-box" in own else boxes[holder]
        styles[node] = [styles[holder, 0], -1]
        for place, name in enumerate(["data-size", "data-position"]):
            if name in own:
                values += [own[name]] * (own[name] not in values)
                styles[node, place] = values.index(own[name])
    layout = Layout(
        boxes=boxes,
        styles=styles,
        values=tuple(values),
        properties=PROPERTIES,
        visible=np.ones(len(document), dtype=np.bool_),
        width=1366,
        height=4000,
        browser="none",
        viewport=1366,
    )
    return Document(document.markup, kind="rendered", layout=layout)


def placed(box: str, text: str, size: str = "16px", tag: str = "p") -> str:
    return f"<{tag} data-box='{box}' data-size={size}>{text}</{tag}>"


def story(first: int = 0, count: int = 8) -> str:
    """Paragraphs one below the other, 100 pixels each."""
    tops = range(100 * (first + 1), 100 * (first + count + 1), 100)
    return "".join(placed(PLAIN.format(top=top), f"{SENTENCE} It was seen {top} times.") for top in tops)


def side(left: int, count: int = 4, width: int = 200) -> str:
    """Short lines one below the other, in a column of their own."""
    boxes = [f"{left} {top} {width} 20" for top in range(120, 120 + 50 * count, 50)]
    return "".join(placed(box, f"Harbour news {box}") for box in boxes)


def reasons_of(article: Article, words: str) -> set[str]:
    texts = article.document.texts
    entries = zip(article.nodes.tolist(), article.reasons, strict=True)
    return {reason for node, reason in entries if words in texts[node]}


@pytest.mark.parametrize("left", [40, 1000])
def test_leaves_out_a_column_beside_that_of_the_text_whatever_it_is_called(left):
    document = rendered(f"<div>{side(left)}{story()}</div>")
    article = read_blocks(document)
    assert reasons_of(article, "Harbour news") == {"beside the column of the text"}
    assert article.text.count(SENTENCE) == 8
    assert "Harbour news" in read_blocks(Document(document.markup)).text


def test_leaves_out_what_of_a_side_column_goes_further_down_than_the_text():
    article = read_blocks(rendered(f"<div>{story()}{side(1000, count=20)}</div>"))
    assert reasons_of(article, "Harbour news") == {"beside the column of the text"}


def test_keeps_a_second_column_of_text():
    second = "".join(placed(f"950 {top} 500 90", f"Second column: {SENTENCE}") for top in range(100, 500, 100))
    assert read_blocks(rendered(f"<div>{story()}{second}</div>")).text.count("Second column") == 4


def test_keeps_what_is_outside_of_the_column_above_or_below_the_text():
    lines = "".join(
        placed(f"40 {top} 200 20", "Two lamps, three keepers and a dog") for top in (1200, 1230, 1260, 1290)
    )
    assert read_blocks(rendered(f"<div>{story()}{lines}</div>")).text.count("three keepers") == 4


@pytest.mark.parametrize(
    ("tag", "text"),
    [("div", "Height of the tower"), ("h2", "Who keeps it"), ("p", "A note in the margin, for sailors.")],
)
def test_keeps_labels_headings_and_notes_that_stand_beside_their_line_one_by_one(tag, text):
    lines = "".join(placed(f"40 {100 * line + 120} 200 20", text, tag=tag) + story(line, 1) for line in range(8))
    assert read_blocks(rendered(f"<div>{lines}</div>")).text.count(text) == 8


def test_keeps_the_cells_of_a_table_that_is_wider_than_the_column():
    cells = "".join(f"<td data-box='{left} 550 90 40'>{left}: {SENTENCE}</td>" for left in range(300, 1300, 100))
    table = f"<table data-box='300 550 1000 40'><tr>{cells}</tr></table>"
    article = read_blocks(rendered(f"<div>{story(count=4)}{table}{story(5, 20)}</div>"))
    assert article.text.count(SENTENCE) == 34


def test_leaves_out_the_side_column_of_a_page_that_is_laid_out_by_tables():
    rail = f"<td><table data-box='1000 100 200 400'><tr><td>{side(1000)}</table>"
    article = read_blocks(rendered(f"<table data-box='300 100 900 900'><tr><td>{story()}{rail}</table>"))
    assert reasons_of(article, "Harbour news") == {"beside the column of the text"}
    assert article.text.count(SENTENCE) == 8


def test_leaves_out_what_is_fixed_to_the_window():
    bar = f"<div data-box='0 700 1366 60' data-position=fixed><p>We use small files to know you again. {SENTENCE}</div>"
    article = read_blocks(rendered(f"<div>{story()}{bar}</div>"))
    assert reasons_of(article, "small files") == {"stays in place when the page is scrolled"}


@pytest.mark.parametrize(
    "page",
    [
        f"<div data-position=fixed>{story()}</div>",
        f"<div>{story(count=4)}<h2 data-position=sticky>Small files</h2>{story(4)}</div>",
    ],
)
def test_keeps_a_page_that_is_fixed_as_a_whole_and_headings_that_stick(page):
    article = read_blocks(rendered(page))
    assert article.text.count(SENTENCE) >= 8
    assert "stays in place" not in " ".join(article.reasons)


SMALL = "in smaller type than the text"


@pytest.mark.parametrize(
    "text", ["The tower in 1904, seen from the quay.", "Pass it on", "Win a night in the tower, see our next page."]
)
def test_leaves_out_captions_bars_and_promotions_in_smaller_type(text):
    small = placed("300 510 600 20", text, "13px", "div")
    article = read_blocks(rendered(f"<div>{story(count=4)}{small}{story(5)}</div>"))
    assert reasons_of(article, text) == {SMALL}
    assert article.text.count(SENTENCE) == 12


def test_leaves_out_the_lines_about_the_author_below_the_text_in_smaller_type():
    about = placed("300 950 600 60", f"Ada Quill keeps the lamp and writes. {SENTENCE * 2}", "12px")
    assert reasons_of(read_blocks(rendered(f"<div>{story()}{about}</div>")), "Ada Quill") == {SMALL}


@pytest.mark.parametrize(
    "small",
    [
        "<pre data-size=13px>lamp --light --forever</pre>",
        "<h3 data-size=12px>Who pays for the oil</h3>",
        "<table data-size=12px><tr><td>Oil<td>Forty litres a night</table>",
        f"<div data-size=12px>{SENTENCE} {SENTENCE} A long note in the midst.</div>",
        "<ul><li data-size=12px>Small steps of a list, one after the other.</ul>",
        "<p data-size=15px>A little smaller, as typefaces are.</p>",
        "<p>Partly <small data-size=12px>in smaller type, as a remark.</small></p>",
    ],
)
def test_keeps_what_of_the_text_is_in_smaller_type(small):
    article = read_blocks(
        rendered(f"<div>{story(count=4)}<div data-box='300 510 600 80'>{small}</div>{story(5)}</div>")
    )
    assert SMALL not in article.reasons
    assert article.kept.all()


def test_keeps_prose_in_smaller_type_that_is_as_much_as_that_in_larger():
    small = "".join(placed(f"300 {top} 600 90", f"Small: {SENTENCE}", "12px") for top in range(900, 1500, 100))
    assert read_blocks(rendered(f"<div>{story()}{small}</div>")).text.count("Small") == 6


def test_leaves_out_a_quotation_in_larger_type_around_which_the_text_flows():
    quotation = (
        "<blockquote data-box='650 320 240 60' data-size=24px><p>“It was never dark, said the dog.”</blockquote>"
    )
    article = read_blocks(rendered(f"<div>{story(count=2)}{quotation}{story(2)}</div>"))
    assert reasons_of(article, "never dark") == {"set into the text, which flows around it"}


def test_keeps_a_lead_in_larger_type_above_the_text():
    lead = placed("300 20 420 60", "A lamp that nobody had missed is back, and everybody came.", "24px")
    assert "everybody came" in read_blocks(rendered(f"<div>{lead}{story()}</div>")).text


def test_keeps_a_statement_in_larger_type_at_the_side():
    statement = placed("40 320 240 200", "It was never dark, said the dog to the lamp.", "24px")
    assert "never dark" in read_blocks(rendered(f"<div>{statement}{story()}</div>")).text


BOXES = st.builds("{} {} {} {}".format, *[st.sampled_from([0, 10, 300, 900])] * 4)
PARTS = st.builds(
    placed,
    BOXES,
    st.sampled_from(["Lamp", SENTENCE, f"<a href=/x>{SENTENCE}</a>"]),
    st.sampled_from(["8px", "16px", "40px"]),
    st.sampled_from(["p", "h2", "li", "td", "pre"]),
)


@settings(max_examples=60)
@given(parts=st.lists(PARTS, max_size=8))
def test_judges_every_text_wherever_it_is(parts):
    document = rendered(f"<div>{''.join(parts)}</div>")
    article = read_blocks(document)
    assert article.nodes.tolist() == document.seen_texts.tolist()
    assert all(article.reasons)


def test_reads_a_page_as_a_browser_lays_it_out(browser):
    style = """body { margin: 0; padding-bottom: 50px; font: 18px serif } .a { display: flex; width: 1100px; gap: 40px }
    .b { width: 700px } .c { width: 240px } .d { float: right; width: 200px; margin: 0 0 0 20px; font-size: 26px }
    .e { font-size: 13px } .f { position: fixed; bottom: 0; left: 0 }"""
    prose = f"<p>{SENTENCE} {SENTENCE}</p>" * 3
    menu = "<p>Harbour news of the week</p>" * 4
    body = f"""<div class=a><div class=c>{menu}</div><div class=b>{prose}
    <div class=d>“Never dark, said the dog.”</div>{prose}<div class=e>The tower in 1904, from the quay.</div>{prose}
    </div></div><div class=f><p>Small files help.</p></div>"""
    page = wq.Page(url="https://example.org/", body=f"<!doctype html><style>{style}</style>{body}".encode())
    article = read_blocks(wq.render(page, browser=browser))
    assert article.text.split("\n") == [f"{SENTENCE} {SENTENCE}"] * 9
    assert reasons_of(article, "Small files") == {"stays in place when the page is scrolled"}
