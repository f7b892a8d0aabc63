"""The tree of a browser as XHTML."""

from __future__ import annotations

import re

import pytest
from lxml import etree

from webquarry.html.xhtml import to_xhtml

XHTML, SVG = "http://www.w3.org/1999/xhtml", "http://www.w3.org/2000/svg"
MATHML, XLINK = "http://www.w3.org/1998/Math/MathML", "http://www.w3.org/1999/xlink"


def body_of(xhtml: str) -> str:
    found = re.search(r"<body[^>]*>(.*)</body></html>$", xhtml, re.DOTALL)
    return found[1] if found else ""


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("<b><i>both</b> italic</i>", "<b><i>both</i></b><i> italic</i>"),
        ("<table>stray<tr><td>a</table>", "stray<table><tbody><tr><td>a</td></tr></tbody></table>"),
        ("<p>a<div>b</div>", "<p>a</p><div>b</div>"),
        ("<a>1<a>2</a>", "<a>1</a><a>2</a>"),
        ("a</br>b", "a<br/>b"),
        ("</p>", "<p/>"),
        ("<image src=a>", '<img src="a"/>'),
        ("<noscript><p>x</noscript>", "<noscript><p>x</p></noscript>"),
        ("<pre>\n\nx</pre>", "<pre>\nx</pre>"),
        ("<textarea><p></textarea>", "<textarea>&lt;p&gt;</textarea>"),
        ("<template><td>x</template>", "<template><td>x</td></template>"),
        ("<svg><script>x</script></svg>", '<svg xmlns="http://www.w3.org/2000/svg"><script>x</script></svg>'),
        ("<b><template shadowrootmode=open>x</template></b>", '<b><template shadowrootmode="open">x</template></b>'),
    ],
)
def test_the_tree_is_that_of_a_browser(markup, expected):
    assert body_of(to_xhtml("<body>" + markup)) == expected


def namespaces_of(root) -> dict[str, str]:
    return {re.sub(r"\{.*\}", "", element.tag): re.match(r"\{(.*)\}", element.tag)[1] for element in root.iter("*")}


def test_svg_mathml_and_html_inside_them_are_in_their_namespaces(read):
    root = read(
        to_xhtml(
            "<svg><linearGradient/><foreignObject><p>x<svg><g/></svg></p></foreignObject><desc><b>y</b></desc></svg>"
            "<math><mi>z</mi><annotation-xml encoding='text/html'><i>w</i></annotation-xml></math>"
        )
    )
    assert namespaces_of(root) == {
        **dict.fromkeys(["html", "head", "title", "body", "p", "b", "i"], XHTML),
        **dict.fromkeys(["svg", "linearGradient", "foreignObject", "g", "desc"], SVG),
        **dict.fromkeys(["math", "mi", "annotation-xml"], MATHML),
    }


def test_text_that_looks_like_an_empty_namespace_stays(read):
    markup = (
        '<svg><foreignObject><p title=\'<p xmlns="">\'>&lt;p xmlns=""&gt;<!--<p xmlns="">--></p></foreignObject></svg>'
    )
    root = read(to_xhtml(markup))
    (paragraph,) = root.iter(f"{{{XHTML}}}p")
    assert paragraph.get("title") == '<p xmlns="">'
    assert paragraph.text == '<p xmlns="">'
    assert paragraph[0].text == '<p xmlns="">'


@pytest.mark.parametrize(
    ("markup", "written"),
    [
        ("<svg viewBox='0 0 1 1' @click=a>", 'viewBox="0 0 1 1" _x0040_click="a"'),
        ("<svg><a preserveAspectRatio=b o:c=d>", 'preserveAspectRatio="b" o:c="d"'),
        ("<math definitionURL=a @click=b>", 'definitionURL="a" _x0040_click="b"'),
    ],
)
def test_attributes_of_svg_and_mathml_keep_their_capitals_beside_odd_ones(markup, written):
    assert written in to_xhtml(markup)


@pytest.mark.parametrize("declared", ["", f" xmlns:xlink='{XLINK}'", f" xmlns='{SVG}' xmlns:xlink='{XLINK}'"])
def test_links_of_svg_are_links(read, declared):
    (link,) = read(to_xhtml(f"<svg{declared}><a xlink:href=b>x</a></svg>")).iter(f"{{{SVG}}}a")
    assert link.get(f"{{{XLINK}}}href") == "b"


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        (f"<p xmlns='{XHTML}'>x", '<p xmlns="http://www.w3.org/1999/xhtml">x</p>'),
        (f"<p xmlns='{SVG}'>x", '<p _x0078_mlns="http://www.w3.org/2000/svg">x</p>'),
        ("<p xmlns=''>x", '<p _x0078_mlns="">x</p>'),
        ("<p xmlns:o='urn:x'>x", '<p xmlns_x003a_o="urn:x">x</p>'),
    ],
)
def test_declarations_inside_the_page_keep_no_meaning_but_the_true_one(markup, expected):
    assert body_of(to_xhtml(markup)) == expected


def test_comments_around_the_root_stay_around_it():
    written = to_xhtml("<!--a--><html></html><!--b-->")
    assert re.search(r'dtd"><!--a--><html .*</html><!--b-->$', written)


def test_every_doctype_gives_way_to_ours():
    assert to_xhtml("<!DOCTYPE html><!DOCTYPE x [<!ENTITY a 'b'>]><p>x").count("<!DOCTYPE") == 1


def test_what_only_looks_like_our_xhtml_is_read_as_html(read):
    ours = to_xhtml("<title>T</title><p>x")
    broken = ours.replace("</p>", "")
    root = read(to_xhtml(broken))
    assert len(list(root.iter(f"{{{XHTML}}}p"))) == 1


def test_our_xhtml_that_was_edited_is_completed(read):
    edited = to_xhtml("<p>x").replace("<p>", '<p lang="de"><a name="b"/><input checked=""/>')
    written = body_of(to_xhtml(edited))
    assert written == '<p lang="de" xml:lang="de"><a name="b" id="b"/><input checked="checked"/>x</p>'


def test_our_xhtml_without_head_or_body_gets_them():
    edited = re.sub(r"<head>.*</html>", "<p>x</p></html>", to_xhtml(""))
    assert to_xhtml(edited).endswith("<head><title/></head><p>x</p><body/></html>")


def test_thousands_of_prefixes_are_declared_by_the_root_alone():
    count = 3_000
    tags = "".join(f'<x{number}:a y{number}:b="1"></x{number}:a>' for number in range(count))
    xhtml = to_xhtml(f'<!-- xmlns:x0="urn:webquarry:prefix:x0"--><html title="&quot; xmlns:x0=">{tags}')
    root = re.search(r"<html[^>]*>", xhtml)
    assert root is not None
    assert root[0].count(" xmlns:x") == root[0].count('="urn:webquarry:prefix:x') + 1 == count + 1
    assert etree.fromstring(xhtml.encode()).find(".//{urn:webquarry:prefix:x7}a").attrib == {
        "{urn:webquarry:prefix:y7}b": "1"
    }
