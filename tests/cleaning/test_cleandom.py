"""CleanDOM: the worked example of the paper, and each repair that its printed algorithms need."""

from __future__ import annotations

import re

import pytest

import webquarry as wq
from webquarry.cleaning.cleandom import backward_pass, clean_markup, forward_pass, frame, trace_markup
from webquarry.html.tokens import COMMENT, EMPTY, OPAQUE_CLOSE, OPAQUE_OPEN, TEXT_ONLY, Tokens, read_tokens

# Section 3 of the paper: the page, the tokens after the forward pass, and the page after the backward pass.
PAGE = """
<head> <title> First Test Page </title> </head>
<body> <tag1> <tag2> <tag3> Inside Tag3 </tag3> Outside Tag3, inside Tag2 <tag2>
Open second Tag2, Close Tag1 </tag1> Close second Tag2 </tag2> Close first Tag1 </tag1> </body> </html>
"""
AFTER_FORWARD_PASS = """
<html>, <head>, <title>, 'First Test Page', </title>, </head>, <body>, <tag1>, <tag2>, <tag3>, 'Inside Tag3', </tag3>,
'Outside Tag3, inside Tag2', <tag2>, 'Open second Tag2, Close Tag1', </tag2>, </tag2>, </tag1>, 'Close second Tag2',
</tag2>, 'Close first Tag1', </tag1>, </body>, </html>
"""
AFTER_BACKWARD_PASS = """
<html> <head> <title> First Test Page </title> </head> <body> <tag1> - new <tag2> - new <tag1> <tag2> <tag3> Inside Tag3
</tag3> Outside Tag3, inside Tag2 <tag2> Open second Tag2, Close Tag1 </tag2> - new </tag2> - new </tag1>
Close second Tag2 </tag2> Close first Tag1 </tag1> </body> </html>
"""
EXPECTED_TOKENS = re.findall(r"<[^>]*>|'[^']*'", AFTER_FORWARD_PASS)


def listed(tokens: Tokens, sequence: list[int]) -> list[str]:
    """Tags and texts as the paper lists them."""
    output = []
    for number in sequence:
        text = tokens.tails[number].strip()
        output += [tokens.parts[number], f"'{text}'" if text else ""]
    return list(filter(None, output))


def body_of(xhtml: str) -> str:
    found = re.search(r"<body>(.*)</body></html>$", xhtml, re.DOTALL)
    return found[1] if found else ""


def test_the_worked_example_after_the_forward_pass():
    tokens = read_tokens(PAGE)
    assert listed(tokens, forward_pass(tokens, frame(tokens))) == EXPECTED_TOKENS


def test_the_worked_example_after_the_backward_pass():
    tokens = read_tokens(PAGE)
    sequence = backward_pass(tokens, forward_pass(tokens, frame(tokens)))
    expected = re.findall(r"<[^>]*>|[^<>]+", AFTER_BACKWARD_PASS.replace("- new", ""))
    stripped = [item.strip() if item.startswith("<") else f"'{' '.join(item.split())}'" for item in expected]
    assert listed(tokens, sequence) == [item for item in stripped if item != "''"]


def test_the_worked_example_as_a_page():
    written = (
        clean_markup(PAGE).partition('xhtml1-strict.dtd">')[2].replace(' xmlns="http://www.w3.org/1999/xhtml"', "")
    )
    assert "".join(written.split()) == "".join(AFTER_BACKWARD_PASS.replace("- new", "").split())


def test_the_trace_prints_the_worked_example_as_the_paper_does():
    trace = str(trace_markup(PAGE))
    read, forward, backward = re.split(r"(?m)^[\w-]+:\n", trace)[1:]
    assert read.strip().split(", <") == ", ".join(EXPECTED_TOKENS[1:]).replace(", </tag2>, </tag2>", "", 1).split(", <")
    assert forward.replace(" - new", "").strip() == ", ".join(EXPECTED_TOKENS)
    assert re.findall(r"(<[^>]*>) - new", forward) == ["<html>", "</tag2>", "</tag2>"]
    assert "".join(backward.split()).replace("<html>-new", "<html>") == "".join(AFTER_BACKWARD_PASS.split())
    assert "\n    <tag1> - new\n      <tag2> - new\n        <tag1>\n" in backward


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("<iframe>a</iframe>b</iframe>c", "<iframe>a</iframe>bc"),
        ("<p>a</p></title>b", "<p>a</p>b"),
        ("<noembed><!--<noembed></noembed>--></noembed>", "<noembed>&lt;!--&lt;noembed&gt;</noembed>--&gt;"),
        ("<svg><title>a</svg>b<p>c", "<svg><title>a</title></svg>b<p>c</p>"),
        ("<svg><title><b>a</b></title></svg>b", "<svg><title><b>a</b></title></svg>b"),
        ("<svg><![CDATA[a>b</svg>]]></svg>c", "<svg>a&gt;b&lt;/svg&gt;</svg>c"),
        ("<math><![CDATA[<math>a", "<math>&lt;math&gt;a</math>"),
        ("<svg/><!-- <svg> --><p>a<![CDATA[b]]>c", "<svg/><!-- <svg> --><p>a<!--[CDATA[b]]-->c</p>"),
        ("a\ufdd0b", "a\ufdd0b"),
    ],
)
def test_words_are_not_lost_in_elements_that_hold_text_alone(markup, expected):
    assert body_of(clean_markup(markup)) == expected


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("<x>a</x>", "<x>a</x>"),
        ("<x>a", "<x>a</x>"),
        ("a</x>", "<x>a</x>"),
        ("<x><y>a</x>", "<x><y>a</y></x>"),
        ("a</y>b</x>", "<x><y>a</y>b</x>"),
        ("<b><i>both</b> italic</i>", "<i><b><i>both</i></b> italic</i>"),
        ("<x>a<y>b<z>c</x>d", "<x>a<y>b<z>c</z></y></x>d"),
        ("a</x>b</y>c<z>d", "<y><x>a</x>b</y>c<z>d</z>"),
        ("<x></x>", "<x/>"),
    ],
)
def test_what_is_left_open_is_closed_and_what_is_left_closed_is_opened(markup, expected):
    assert body_of(clean_markup(markup)) == expected


def test_text_passes_through_in_its_order():
    markup = "1<x>2<br>3<!--c-->4</x>5<y>6</z>7"
    assert re.sub(r"<[^>]*>", "", body_of(clean_markup(markup))) == "1234567"


@pytest.mark.parametrize(
    "element", ["<script>a<b></i>", "<style>a>b{}</p>", "<script>x", "<style>x"], ids=["tags", "tag", "open", "style"]
)
def test_scripts_and_styles_are_opaque(element):
    name = element[1 : element.index(">")]
    closed = "</p>" not in element and "</i>" not in element
    tokens = read_tokens(f"<p>{element}" + ("" if closed else f"</{name}>"))
    whats = [tokens.whats[number] for number in range(len(tokens))]
    assert whats.count(OPAQUE_OPEN) == whats.count(OPAQUE_CLOSE) == 1
    assert whats.index(OPAQUE_CLOSE) == whats.index(OPAQUE_OPEN) + 1


def test_closing_tags_of_opaque_elements_alone_are_left_out():
    assert body_of(clean_markup("<p>a</script>b</style>c")) == "<p>abc</p>"


@pytest.mark.parametrize("tag", ["img", "hr", "input", "meta", "link", "area", "col", "wbr"])
def test_closing_tags_of_empty_elements_are_left_out(tag):
    assert body_of(clean_markup(f"<x>a<{tag}>b</{tag}>c")) == f"<x>a<{tag}/>bc</x>"


def test_a_closing_tag_of_a_line_break_breaks_the_line():
    assert body_of(clean_markup("<p>a</br>b")) == "<p>a<br/>b</p>"


def test_noscript_holds_elements():
    assert body_of(clean_markup("<p>a<noscript><b>c</b>")) == "<p>a<noscript><b>c</b></noscript></p>"


def test_a_tag_that_ends_in_a_slash_is_an_empty_element():
    tokens = read_tokens("<x/>a<y />b<z>")
    assert [what for what in tokens.whats if what == EMPTY] == [EMPTY, EMPTY]
    assert body_of(clean_markup("<p>a<x/>b")) == "<p>a<x/>b</p>"


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("", "<head><title/></head><body/>"),
        ("a", "<head><title/></head><body>a</body>"),
        ("<title>T</title>a", "<head><title>T</title></head><body>a</body>"),
        ("<p>a", "<head><title/></head><body><p>a</p></body>"),
        ("<head></head>a", "<head><title/></head><body>a</body>"),
        ("<html><head><title>T</title></head></html>", "<head><title>T</title></head><body/>"),
        ("<html><html><head><head><body>a<body>b</body>", "<head><title/></head><body>ab</body>"),
        ("<body class=a>x<body id=b>", '<head><title/></head><body class="a">x</body>'),
        ("<head id=h><meta name=a><p>x", '<head id="h"><title/><meta name="a"/></head><body><p>x</p></body>'),
        ("<script>s</script><link rel=a>x", '<head><title/><script>s</script><link rel="a"/></head><body>x</body>'),
        (
            "<noscript><title>N</title></noscript>x",
            "<head><title/><noscript><title>N</title></noscript></head><body>x</body>",
        ),
        ("<noscript><link rel=a>", '<head><title/><noscript><link rel="a"/></noscript></head><body/>'),
        ("<!--c--> <title>T</title>", "<head><!--c--> <title>T</title></head><body/>"),
        ("x<title>T</title>", "<head><title/></head><body>x<title>T</title></body>"),
    ],
)
def test_a_page_has_one_head_with_a_title_and_one_body(markup, expected):
    written = clean_markup(markup)
    inner = re.search(r'<html xmlns="http://www.w3.org/1999/xhtml">(.*)</html>$', written)[1]
    assert inner == expected


def test_the_attributes_of_the_first_root_stay():
    written = clean_markup("<html class=a><html id=b><p>x")
    assert '<html xmlns="http://www.w3.org/1999/xhtml" class="a">' in written


def test_comments_and_texts_are_tokens_that_no_pass_changes():
    tokens = read_tokens("<!--c-->a<x>")
    assert [what for what in tokens.whats if what in (COMMENT, TEXT_ONLY)] == [TEXT_ONLY, COMMENT]
    sequence = forward_pass(tokens, range(len(tokens)))
    assert [tokens.parts[number] for number in sequence] == ["", "<!--c-->", "<x>", "</x>"]


@pytest.mark.parametrize("piece", ["<x>", "</x>", "<x></y>", "<x><y></x>", "<p>", "<li><p>", "<td><a>", "<b></p>"])
def test_the_number_of_tokens_grows_linearly(piece):
    lengths = []
    for count in (1_000, 2_000):
        tokens = read_tokens(piece * count)
        sequence = backward_pass(tokens, forward_pass(tokens, frame(tokens)))
        assert len(sequence) <= 4 * (piece.count("<") * count + 10)
        lengths.append(len(sequence))
    assert lengths[1] - lengths[0] == pytest.approx(lengths[0], abs=30)


def test_a_balanced_page_gets_no_token():
    tokens = read_tokens(
        "<html><head><title>T</title></head><body><div><p>a</p><ul><li>b</li></ul></div></body></html>"
    )
    framed = frame(tokens)
    assert backward_pass(tokens, forward_pass(tokens, framed)) == framed


def test_the_document_holds_the_xhtml_that_cleandom_wrote():
    document = wq.clean(wq.Page(url="https://example.org/", body=b"<x>a"), method="cleandom")
    assert document.method == "cleandom"
    assert document.markup == document.to_xhtml() == clean_markup("<x>a")
    assert document.url == "https://example.org/"


@pytest.mark.parametrize(
    "markup", ["<li<noscript >x</li<noscript>y", "<p <noscript a<noscript =1>z", "<noscript\x01>x"]
)
def test_noscript_inside_a_name_leaves_the_page_well_formed(markup, read):
    assert read(clean_markup(markup)).tag.endswith("html")
