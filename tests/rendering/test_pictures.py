from __future__ import annotations

import struct

import pytest

from webquarry.errors import RenderError
from webquarry.model import Document, Page
from webquarry.rendering import draw_boxes

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
    with pytest.raises(RenderError, match=f"shows no {tag} element"):
        draw_boxes(renderer, document, png, tag)


def test_a_static_document_has_no_boxes(renderer):
    with pytest.raises(ValueError, match="static"):
        draw_boxes(renderer, Document("<p>x"), b"", "p")
