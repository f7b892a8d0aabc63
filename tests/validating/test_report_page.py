"""The page of a report tells what was dropped and why, and can hold nothing but text of what others wrote."""

from __future__ import annotations

import re
import struct
import zlib
from collections.abc import Sequence

import numpy as np
import pytest

from webquarry.html.columns import Kind
from webquarry.model.document import Document, Layout
from webquarry.model.report import Report, Selection, Verdicts
from webquarry.validating import report_page
from webquarry.validating.labelled_quality import make_tables
from webquarry.validating.report_markup import Deletion, Scale, nice_ticks
from webquarry.validating.report_page import write_page

PAGE = Document("<title>News</title><h1>Bridge opens</h1><p>It rained.</p><p>Share this</p>", url="https://a.test/1")


def texts_of(document: Document) -> list[int]:
    return [
        node
        for node in np.flatnonzero((document.kinds == Kind.TEXT) & ~document.hidden).tolist()
        if document.texts[node].strip()
    ]


def judge(document: Document, dropped: Sequence[str] = (), **more: tuple) -> Verdicts:
    """Verdicts on all texts of a document; the named ones are dropped."""
    nodes = texts_of(document)
    texts = tuple(" ".join(document.texts[node].split()) for node in nodes)
    drops = np.array([text in dropped for text in texts], dtype=np.bool_)
    scores = np.where(drops, 8.0, 1.0) + np.arange(len(nodes)) / 10
    selection = Selection(
        document, np.array(nodes, dtype=np.int32), texts, more.get("columns", ()), more.get("unmapped", ())
    )
    reasons = tuple("font-size 11px, the others 16px" if drop else "" for drop in drops)
    return Verdicts(selection, scores, drops, more.get("reasons", reasons), more.get("additions", ()))


def lay_out(document: Document) -> Document:
    """The document with a layout: each node a line of its own, 20 px high."""
    size = len(document)
    boxes = np.array([(10, 20 * node, 100, 16) for node in range(size)], dtype=np.float32)
    layout = Layout(
        boxes,
        np.zeros((size, 1), dtype=np.int32),
        ("16px",),
        ("font-size",),
        ~document.hidden,
        200,
        20 * size,
        "none",
        200,
    )
    return Document(document.markup, url=document.url, kind="rendered", layout=layout)


def blank_png(width: int, height: int) -> bytes:
    def chunk(name: bytes, content: bytes) -> bytes:
        return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))

    rows = zlib.compress((b"\0" + b"\xff" * width) * height)
    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


def report(*pages: Verdicts, notes: tuple[str, ...] = ()) -> Report:
    return Report("vote", pages, notes)


def parse(html: str) -> Document:
    return Document(html)


def texts(html: str, path: str) -> list[str]:
    return [" ".join("".join(each.itertext()).split()) for each in parse(html).to_lxml().xpath(path)]


def test_the_summary_counts_pages_nodes_and_bytes():
    html = write_page(report(judge(PAGE, ["Share this"]), judge(PAGE)))
    tiles = dict(zip(texts(html, "//dt"), texts(html, "//dt/following-sibling::dd[1]"), strict=True))
    assert tiles == {"pages": "2", "nodes": "6", "nodes that look wrong": "1", "bytes in them": "10"}
    assert "15.6 %" in texts(html, "//dd")
    assert texts(html, "//h1") == ["Validation of 2 pages"]


def test_notes_and_what_was_not_found_are_told():
    page = judge(PAGE, unmapped=("/html/body/ol",))
    html = write_page(report(page, notes=("Too few pages for a vote.",)))
    assert texts(html, "//ul[@class='notes']/li") == ["Too few pages for a vote."]
    assert texts(html, "//details//li/code") == ["/html/body/ol"]
    assert "not found" in texts(html, "//dt")


def test_what_is_dropped_is_in_a_table_with_score_reason_and_address():
    html = write_page(report(judge(PAGE, ["Share this", "It rained."])))
    assert texts(html, "//tr[@class='dropped']/*") == [
        *("3", "Share this", "8.2", "font-size 11px, the others 16px", "/html/body/p[2]/text()"),
        *("2", "It rained.", "8.1", "font-size 11px, the others 16px", "/html/body/p[1]/text()"),
    ]
    assert texts(html, "//details//tr[@class='kept']/*") == ["1", "Bridge opens", "1", "/html/body/h1/text()"]


def test_columns_are_told_where_there_are_any():
    html = write_page(report(judge(PAGE, ["Share this"], columns=("title", "text", "text"))))
    assert texts(html, "//tr[@class='dropped']/td[4]") == ["text"]


def test_what_the_extraction_lacks_is_listed():
    html = write_page(report(judge(PAGE, additions=((6, "looks as the others"),))))
    assert texts(html, "//tr[@class='added']/*")[2] == "looks as the others"


def test_rows_beyond_the_limit_are_counted(monkeypatch):
    monkeypatch.setattr(report_page, "MAX_KEPT", 2)
    html = write_page(report(judge(Document("<p>x" * 7))))
    assert len(texts(html, "//tr[@class='kept']")) == 2
    assert "5 more are not shown." in texts(html, "//p")


def test_a_hundred_pages_stay_a_file_that_opens():
    page = judge(Document("<title>t</title>" + "<p>some words of text</p>" * 500, url="https://a.test/"))
    html = write_page(report(*[page] * 120))
    assert len(texts(html, "//article")) == 120
    assert len(html) < 4_000_000
    assert len(texts(html, "//tr[@class='kept']")) == report_page.MAX_KEPT_IN_ALL


def test_outlines_stand_where_the_boxes_are_and_lead_to_their_rows():
    page = judge(lay_out(PAGE), ["Share this"], additions=((6, "looks as the others"),))
    html = write_page(report(page), screenshots={PAGE.url: blank_png(200, 240)})
    tree = parse(html).to_lxml()
    assert [each.get("viewbox") or each.get("viewBox") for each in tree.xpath("//figure//svg")] == ["0 0 200 240"]
    node = page.selection.nodes[2]
    outline = tree.xpath("//figure//a/rect[@class='dropped']")[0]
    assert [outline.get(side) for side in ("x", "y", "width", "height")] == ["7", f"{20 * node - 3}", "106", "22"]
    targets = [each.get("href").removeprefix("#") for each in tree.xpath("//figure//a")]
    assert len(targets) == 2
    assert all(tree.xpath(f"//tr[@id='{target}']") for target in targets)
    assert len(tree.xpath("//figure//rect[@class='kept']")) == 2
    assert "1 dropped node and 1 addition are outlined" in tree.xpath("//figure//image/@aria-label")[0]


def test_pages_without_marks_have_their_picture_too():
    marked, clean = judge(lay_out(PAGE), ["Share this"]), judge(lay_out(PAGE))
    picture = {PAGE.url: blank_png(200, 240)}
    assert "<figure>" in write_page(report(marked), screenshots=picture)
    assert "<figure>" in write_page(report(clean), screenshots=picture)
    assert "nothing of 3 nodes looks wrong" in write_page(report(clean))


def test_screenshots_that_are_too_large_together_are_left_out_and_told(monkeypatch):
    pages = [
        judge(lay_out(Document(PAGE.markup, url=f"https://a.test/{number}")), ["Share this"]) for number in range(3)
    ]
    pictures = {page.selection.document.url: blank_png(200, 240) for page in pages[:2]}
    monkeypatch.setattr(report_page, "MAX_PICTURES", len(blank_png(200, 240)))
    html = write_page(report(*pages), screenshots=pictures)
    assert html.count("<figure>") == 1
    assert texts(html, "//ul[@class='notes']/li") == [
        "1 screenshot left out: together they are too large for one file.",
        "There are screenshots of 2 of the 3 pages.",
    ]


def test_a_screenshot_that_is_not_a_png_is_refused():
    with pytest.raises(ValueError, match="PNG"):
        write_page(report(judge(lay_out(PAGE), ["Share this"])), screenshots={PAGE.url: b"<svg onload=x>"})


def with_scores(*scores: float) -> Report:
    page = judge(Document("<p>x" * len(scores)))
    drops = np.array(scores) > 5
    return report(Verdicts(page.selection, np.array(scores, dtype=np.float64), drops, page.reasons))


def test_bars_count_what_is_kept_apart_from_what_is_dropped():
    html = write_page(with_scores(1, 1, 1, 2, 9))
    assert texts(html, "//svg//rect[@class='kept']") == [
        "kept, score 1 to 1.2: 3 nodes",
        "kept, score 2 to 2.2: 1 node",
    ]
    assert texts(html, "//svg//rect[@class='dropped']") == ["dropped, score 8.8 to 9: 1 node"]
    assert texts(html, "//svg//text[@class='label']")[-1] == "score"


def test_skewed_scores_and_counts_are_drawn_by_logarithms():
    html = write_page(with_scores(*[1.0] * 200, 2, 3, 4000))
    assert texts(html, "//svg//text[@class='label']")[-1] == "score, logarithmic; nodes logarithmic"
    assert "kept: 202 nodes" in texts(html, "//svg//text")


@pytest.mark.parametrize(
    ("scores", "told"),
    [
        ((), "There are no scores to show."),
        ((2, 2), "All nodes have the same score."),
        ((np.nan, 1), "All nodes have the same score."),
    ],
)
def test_scores_that_make_no_chart_are_told(scores, told):
    assert told in texts(write_page(with_scores(*scores)), "//section[@id='scores']/p")


def test_zeroes_among_skewed_scores_stand_in_the_first_bar():
    html = write_page(with_scores(*[0.0] * 60, 0.01, 5000))
    assert texts(html, "//svg//rect[@class='kept']") == ["kept, score 0.01 to 0.01388: 61 nodes"]


def test_the_curve_marks_its_stops_and_tells_the_measures_there():
    deletion = Deletion(
        [0, 0.1, 0.5], {"precision": [0.8, 1, 1], "recall": [0.9, 0.9, 0.5], "F1": [0.85, 0.95, 0.67]}, {"stop": 1}
    )
    html = write_page(report(judge(PAGE)), deletion=deletion)
    assert texts(html, "//section[@id='deletion']//tbody/tr[2]/*") == [
        "stop",
        "1",
        "10.0 %",
        "1.0000",
        "0.9000",
        "0.9500",
    ]
    assert len(parse(html).to_lxml().xpath("//svg/polyline")) == 3
    assert "At stop: precision 1.000, recall 0.900, F1 0.950." in texts(html, "//svg/desc")[-1]
    assert "deletion" not in parse(write_page(report(judge(PAGE)))).to_lxml().xpath("//section/@id")


def test_a_long_curve_keeps_its_stops():
    share = np.linspace(0, 1, 100_000)
    html = write_page(report(judge(PAGE)), deletion=Deletion(share, {"F1": share}, {"stop": 4_321}))
    points = parse(html).to_lxml().xpath("//svg/polyline/@points")[0].split()
    circle = parse(html).to_lxml().xpath("//svg/circle")[0]
    assert len(points) <= 401
    assert any(point.startswith(f"{float(circle.get('cx')):.1f},") for point in points)


HOSTILE = [
    "</script><script>alert(1)</script>",
    "\"><img src=http://evil.test/x onerror='alert(1)'>",
    "</title></style><link rel=stylesheet href=//evil.test/>",
    "<!-- <iframe src=javascript:alert(1)>",
    "\x00<svg/onload=alert(1)>\ud800\u202e",
    "&lt;b&gt;",
]


@pytest.mark.parametrize("words", HOSTILE)
def test_no_text_of_others_is_anything_but_text(words):
    base = judge(Document("<title>T</title><p>x</p><p>y</p>"), ["x"])
    selection = base.selection
    document = lay_out(Document(f"<title>{words.replace('<', '&lt;')}</title><p>x</p><p>y</p>", url=words))
    hostile = Verdicts(
        type(selection)(document, selection.nodes, (words, words), (words, words), (words,)),
        base.scores,
        base.drops,
        (words, words),
        ((int(selection.nodes[1]), words),),
    )
    html = write_page(
        Report(words, (hostile, hostile), (words,)),
        screenshots={words: blank_png(200, 100)},
        deletion=Deletion([0, 1], {words: [0, 1]}, {words: 1}),
    )
    html.encode()
    tree = parse(html).to_lxml()
    assert not tree.xpath("//script | //iframe | //link | //object | //*[@onerror or @onload] | //comment()")
    assert {each[:22] for each in tree.xpath("//image/@href")} == {"data:image/png;base64,"}
    assert all(each.startswith("#") for each in tree.xpath("//*[not(self::image)]/@href"))
    plain = " ".join(re.sub("[\x00\ud800\ufffd]", "", words).split())
    shown = [each.replace("\ufffd", "") for each in texts(html, "//tr[@class='dropped']/td[1]")]
    assert shown == [plain, plain]


def test_the_policy_forbids_all_that_is_not_in_the_file():
    html = write_page(report(judge(PAGE)))
    policy = parse(html).to_lxml().xpath("//meta[@http-equiv='Content-Security-Policy']/@content")[0]
    assert policy.split("; ")[0] == "default-src 'none'"
    assert not re.search(r"https?:(?!//a\.test)", html.replace(policy, ""))
    assert html.index("Content-Security-Policy") < html.index("<style>")


def test_headings_tables_and_pictures_are_named_for_those_who_do_not_see_them():
    html = write_page(report(judge(lay_out(PAGE), ["Share this"])), screenshots={PAGE.url: blank_png(200, 240)})
    tree = parse(html).to_lxml()
    assert [each.tag for each in tree.xpath("//h1 | //h2 | //h3")] == ["h1", "h2", "h3", "h2", "h3"]
    assert all(
        table.xpath("caption and thead/tr/th[@scope='col'] and tbody/tr/th[@scope='row']")
        for table in tree.xpath("//table")
    )
    assert all(svg.get("aria-label") for svg in tree.xpath("//svg"))
    assert tree.get("lang") == "en"
    assert len(tree.xpath("//@id")) == len(set(tree.xpath("//@id")))


@pytest.mark.parametrize(
    ("low", "high", "ticks"),
    [(0, 1, [0, 0.2, 0.4, 0.6, 0.8, 1]), (-3, 9, [0, 5]), (4, 4, [4]), (0, 1e-7, [0, 2e-8, 4e-8, 6e-8, 8e-8, 1e-7])],
)
def test_ticks_are_round(low, high, ticks):
    assert nice_ticks(low, high, 6 if high <= 1 else 4) == pytest.approx(ticks)


def test_a_scale_by_logarithms_gives_each_power_the_same_room():
    scale = Scale(1, 1000, 0, 300, is_log=True)
    assert [scale(value) for value in (1, 10, 100, 1000)] == pytest.approx([0, 100, 200, 300])
    assert scale.ticks() == [1, 10, 100, 1000]


def test_labels_are_drawn_as_figures_2_and_3_and_written_as_tables_1_and_2():
    verdicts = judge(lay_out(PAGE), ["Share this"])
    content = np.array([text != "Share this" for text in verdicts.selection.texts])
    report = Report("knn", (verdicts,))
    page = write_page(report, content=content, tables=make_tables([verdicts.selection], content))
    assert "content: 2 nodes" in page
    assert "boilerplate: 1 node<" in page
    assert len(re.findall(r'<rect [^>]*class="content"', page)) == 1
    assert len(re.findall(r'<rect [^>]*class="boilerplate"', page)) == 1
    assert page.count("<h3>F1 along deletion, recall 0.65 assumed</h3>") == 1
    assert page.count("<h3>F1 along deletion, recall 0.95 assumed</h3>") == 1
    for name in ("200-NN", "500-NN", "HBOS"):
        assert len(re.findall(rf"<text [^>]*>{name}</text>", page)) == 2
    assert page.count('<th scope="row">100-NN</th>') == 2
    assert "By labels" not in write_page(report)
