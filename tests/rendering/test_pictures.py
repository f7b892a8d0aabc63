from __future__ import annotations

import re
import struct
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any

import pytest

from webquarry.errors import RenderError
from webquarry.html.columns import Kind
from webquarry.model.document import Document
from webquarry.model.page import Page
from webquarry.model.region import Region
from webquarry.model.table_columns import Field
from webquarry.model.wrapper import Token
from webquarry.rendering.pictures import (
    MAX_RECORDS,
    MAX_REGIONS,
    Canvas,
    draw_boxes,
    draw_regions,
    draw_steps,
    draw_tokens,
)
from webquarry.rendering.renderer import Renderer

PAGE = Page("http://site.test/", b"")
TABLES = """<!DOCTYPE html><style>body{margin:0}table{width:400px;height:300px}</style>
<table><tr><td>one<table><tr><td>inner</table><td>two</table><p style='width:1500px;height:5px'></p>"""


def size_of(png: bytes) -> tuple[int, int]:
    assert png.startswith(b"\x89PNG\r\n\x1a\n")
    width, height = struct.unpack(">II", png[16:24])
    return width, height


def test_a_picture_shows_the_whole_page(renderer):
    document, png = renderer.shoot(PAGE, "<!DOCTYPE html><p style='height:3000px'>")
    assert size_of(png) == (document.layout.width, document.layout.height) == (1366, 3032)


def test_a_page_has_the_same_layout_with_and_without_a_picture(renderer):
    plain = renderer.render(PAGE, TABLES)
    assert renderer.shoot(PAGE, TABLES)[0] == plain
    assert renderer.render(PAGE, TABLES) == plain


def test_a_picture_of_an_endless_page_is_cut(renderer):
    assert size_of(renderer.shoot(PAGE, "<!DOCTYPE html><p style='height:90000px'>")[1]) == (1366, 16_000)


def test_boxes_are_drawn_over_the_page(renderer):
    document, png = renderer.shoot(PAGE, TABLES)
    drawn = draw_boxes(renderer, document, png, "td")
    assert size_of(drawn) == size_of(png) == (1500, document.layout.height)
    assert drawn != png
    assert drawn == draw_boxes(renderer, document, png, "td")


@pytest.mark.parametrize("tag", ["article", "template"])
def test_nothing_to_draw_is_told(renderer, tag):
    document, png = renderer.shoot(PAGE, f"{TABLES}<template>x</template>")
    with pytest.raises(RenderError, match=f"has no visible {tag} element"):
        draw_boxes(renderer, document, png, tag)


def test_a_static_document_has_no_boxes(renderer):
    with pytest.raises(ValueError, match="static"):
        draw_boxes(renderer, Document("<p>x"), b"", "p")


LIST = """<!DOCTYPE html><style>body{margin:0}
ul{margin:40px;padding:0;width:600px} li{list-style:none;height:60px;margin:10px}
</style><ul><li><b>Kettle</b> <i>31.00</i><li><b>Lamp</b> <i>12.50</i><li><b>Hammer</b> <i>8.49</i></ul>"""


def region_of(document: Document, **changes: Any) -> Region:
    items = [node for node in range(len(document)) if document.tag(node) == "li"]
    spans = tuple((node, int(document.ends[node])) for node in items)
    fields = tuple(
        Field(name, "text", tuple(document.text(node + shift) for node in items), tuple(node + shift for node in items))
        for name, shift in (("title", 1), ("price", 4))
    )
    region = Region(document, int(document.parents[items[0]]), spans, "records", "visual", "main", 0.93, fields)
    return replace(region, **changes)


class Drawn:
    """Keeps what is drawn for the browser, beside the picture that it makes of it."""

    def __init__(self, renderer: Renderer) -> None:
        self.markup = ""
        self._renderer = renderer

    def shoot(self, page: Page, markup: str) -> tuple[Document, bytes]:
        self.markup = markup.replace(markup.partition('src="')[2].partition('"')[0], "")
        return self._renderer.shoot(page, markup)


def words(markup: str) -> list[str]:
    return Document(markup).text().split("\n")


def test_regions_are_drawn_below_a_legend(renderer):
    document, png = renderer.shoot(PAGE, LIST)
    drawn = Drawn(renderer)
    picture = draw_regions(drawn, document, png, [region_of(document)])
    assert words(drawn.markup)[0] == "1main, 3 records, score .93titleprice"
    assert re.findall(r"<text[^>]*>([^<]*)", drawn.markup) == ["1", "2", "3", "1 main, 3 records, score .93"]
    assert drawn.markup.count('class="tint"') == 6
    assert size_of(picture)[0] == size_of(png)[0]
    assert size_of(picture)[1] > size_of(png)[1]


def test_records_of_several_regions_bear_the_number_of_theirs(renderer):
    document, png = renderer.shoot(PAGE, LIST)
    region = region_of(document)
    drawn = Drawn(renderer)
    regions = [replace(region, spans=region.spans[:1], fields=()), replace(region, spans=region.spans[1:], fields=())]
    draw_regions(drawn, document, png, regions)
    labels = re.findall(r"<text[^>]*>([^<]*)", drawn.markup)
    assert [label for label in labels if "." in label and " " not in label] == ["1.1", "2.1", "2.2"]


def test_columns_of_one_node_share_its_box(renderer):
    document, png = renderer.shoot(PAGE, LIST)
    region = region_of(document)
    title = region.fields[0]
    drawn = Drawn(renderer)
    draw_regions(drawn, document, png, [replace(region, fields=(title, replace(title, name="link")))])
    x, width = (float(document.layout.boxes[title.nodes[0], side]) for side in (0, 2))
    tints = re.findall(r'class="tint" x="([\d.]+)" y="[\d.]+" width="([\d.]+)"', drawn.markup)
    assert tints[:2] == [(f"{x:.1f}", f"{width / 2:.1f}"), (f"{x + width / 2:.1f}", f"{width / 2:.1f}")]


def test_values_that_are_missing_or_have_no_box_are_not_tinted(renderer):
    document, png = renderer.shoot(PAGE, LIST + "<script></script>")
    script = next(node for node in range(len(document)) if document.tag(node) == "script")
    field = Field("x", "text", ("a", None, "b"), (script, None, region_of(document).spans[2][0]))
    drawn = Drawn(renderer)
    draw_regions(drawn, document, png, [region_of(document, fields=(field,))])
    assert drawn.markup.count('class="tint"') == 1


def test_names_are_text_and_not_markup(renderer):
    document, png = renderer.shoot(PAGE, LIST)
    name = '</header><img src="http://127.0.0.1/"><script>'
    field = replace(region_of(document).fields[0], name=name)
    drawn = Drawn(renderer)
    draw_regions(drawn, document, png, [region_of(document, fields=(field, replace(field, name="w" * 99)), role=name)])
    shown = Document(drawn.markup)
    assert [shown.tag(node) for node in range(len(shown))].count("img") == 1
    assert "script" not in shown.tag_names
    assert "http://127.0.0.1/" in words(drawn.markup)[0]
    assert "w" * 39 + "…" in words(drawn.markup)[0]
    assert "w" * 40 not in drawn.markup


def test_pictures_of_very_many_records_are_bounded(renderer):
    style = "<style>li { display: inline-block; width: 20px; height: 10px; font-size: 5px }</style>"
    items = "<li><b>x</b> <i>z</i></li>" * (MAX_RECORDS + 5)
    document, png = renderer.shoot(PAGE, f"<!DOCTYPE html>{style}<ul>{items}</ul>")
    drawn = Drawn(renderer)
    draw_regions(drawn, document, png, [region_of(document)] * (MAX_REGIONS + 2))
    assert drawn.markup.count("<text") == MAX_RECORDS + MAX_REGIONS
    assert f"only the first {MAX_RECORDS} records are drawn" in drawn.markup
    assert "2 more regions with lower scores not drawn" in drawn.markup


def test_regions_that_are_hardly_lists_are_not_drawn(renderer):
    document, png = renderer.shoot(PAGE, LIST)
    drawn = Drawn(renderer)
    draw_regions(drawn, document, png, [region_of(document, score=score) for score in (0.5, 0.004, 0.005)])
    best, other, rest = words(drawn.markup)[:3]
    assert best.startswith("1main, 3 records, score .50")
    assert other.startswith("3main, 3 records")  # numbers stay those of --region
    assert rest.endswith("1 more region with lower scores not drawn")


def test_what_lies_beyond_the_picture_is_not_drawn(renderer):
    document, png = renderer.shoot(
        PAGE, "<!DOCTYPE html><ul>" + "<li style='height:6000px'><b>x</b> <i>z</i>" * 4 + "</ul>"
    )
    drawn = Drawn(renderer)
    draw_regions(drawn, document, png, [region_of(document)])
    assert re.findall(r"<text[^>]*>([^<]*)", drawn.markup) == ["1", "2", "3", "1 main, 4 records, score .93"]


def test_steps_are_drawn_in_colours_of_their_own(renderer):
    document, png = renderer.shoot(PAGE, LIST)
    region = region_of(document)
    items = [first for first, _ in region.spans]
    body = int(document.parents[region.node])
    drawn = Drawn(renderer)
    steps = [("largest", [body]), ("container", [region.node]), ("kept", items[:2]), ("discarded", items[2:])]
    picture = draw_steps(drawn, document, png, steps)
    assert [line.partition(" ")[0] for line in words(drawn.markup)[:4]] == [
        "largest1366",
        "container600",
        "kept2",
        "discarded1",
    ]
    assert re.findall(r"<text[^>]*>([^<]*)", drawn.markup) == ["1", "2", "1", "container", "largest"]
    assert len(set(re.findall(r'class="box"[^>]*fill="(\S+)"', drawn.markup))) == 4
    assert picture == draw_steps(renderer, document, png, steps)


@pytest.mark.parametrize("steps", [[], [("largest", []), ("container", []), ("kept", []), ("discarded", [])]])
def test_steps_that_found_nothing_leave_the_page_as_it_is(renderer, steps):
    document, png = renderer.shoot(PAGE, LIST)
    drawn = Drawn(renderer)
    assert size_of(draw_steps(drawn, document, png, steps))[0] == 1366
    assert "<text" not in drawn.markup


def test_regions_of_a_static_document_have_no_boxes(renderer):
    document = Document(LIST)
    with pytest.raises(ValueError, match="static"):
        draw_regions(renderer, document, b"", [region_of(document)])


def test_borders_end_where_the_page_ends(renderer):
    document, png = renderer.shoot(PAGE, "<!DOCTYPE html><body style='margin:0'><div style='height:900px'>x</div>")
    body = next(node for node in range(len(document)) if document.tag(node) == "body")
    drawn = Drawn(renderer)
    draw_steps(drawn, document, png, [("largest", [body]), ("kept", []), ("discarded", [])])
    assert 'x="2.0" y="2.0" width="1362.0" height="896.0"' in drawn.markup


def overlap(one: Sequence[float], other: Sequence[float]) -> bool:
    return all(one[axis] < other[axis] + other[axis + 2] and other[axis] < one[axis] + one[axis + 2] for axis in (0, 1))


def test_labels_cover_neither_text_nor_each_other_where_there_is_room(renderer):
    document, png = renderer.shoot(PAGE, LIST)
    drawn = Drawn(renderer)
    draw_regions(drawn, document, png, [region_of(document)])
    number = r'="([\d.]+)"'
    found = re.findall(rf"<rect x{number} y{number} width{number} height{number} fill", drawn.markup)
    labels = [[float(side) for side in each] for each in found]
    texts = document.layout.boxes[(document.kinds == Kind.TEXT) & document.layout.visible].tolist()
    assert len(labels) == 4
    assert len(texts) == 9
    assert not any(overlap(label, text) for label in labels for text in texts)
    assert not any(overlap(one, other) for one, other in combinations(labels, 2))


HEADINGS = "<!DOCTYPE html><style>body{margin:40px}</style><h2>Land</h2><p>flat</p><h3>Area</h3><p>9</p><h2>Trade</h2>"


def tokens_of(document: Document) -> list[Token]:
    found = []
    for node, text in enumerate(document.texts):
        if text in ("Land", "Area", "Trade"):
            path = ("land", "area") if text == "Area" else (text.lower(),)
            found.append(Token(text, node, len(path), path))
    return found


def drawn_labels(monkeypatch) -> list[tuple[str, str]]:
    """What is written into a picture, and in which colour."""
    written: list[tuple[str, str]] = []
    original = Canvas.label

    def label(self: Canvas, box: Any, text: str, colour: str) -> None:
        written.append((text, colour))
        original(self, box, text, colour)

    monkeypatch.setattr(Canvas, "label", label)
    return written


def test_headings_are_drawn_in_the_colour_of_their_level_and_numbered_as_they_come(renderer, monkeypatch):
    written = drawn_labels(monkeypatch)
    document, png = renderer.shoot(PAGE, HEADINGS)
    drawn = draw_tokens(renderer, document, png, tokens_of(document))
    assert [text for text, _ in written] == ["1", "2", "3"]
    colours = [colour for _, colour in written]
    assert colours[0] == colours[2] != colours[1]
    assert size_of(drawn)[1] > size_of(png)[1]  # the legend


def test_headings_have_the_numbers_of_their_sections(renderer, monkeypatch):
    written = drawn_labels(monkeypatch)
    document, png = renderer.shoot(PAGE, HEADINGS)
    draw_tokens(renderer, document, png, tokens_of(document), numbers={("land",): 7, ("land", "area"): 8})
    assert [text for text, _ in written] == ["7", "8", "?"]
