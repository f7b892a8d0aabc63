"""What every cleaning method promises of the XHTML that it writes."""

from __future__ import annotations

import re
from collections import Counter
from xml.etree import ElementTree as ET

import lxml.etree
import pytest

import webquarry as wq
from webquarry.html.xhtml_names import decode_name

XHTML = "{http://www.w3.org/1999/xhtml}"
DOCTYPE = (
    '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-strict.dtd">'
)


def body_of(xhtml: str) -> str:
    """What is written inside the body."""
    if xhtml.endswith("<body/></html>"):
        return ""
    return re.search(r"<body[^>]*>(.*)</body></html>$", xhtml, re.DOTALL)[1]


def local(element) -> str:
    return lxml.etree.QName(element).localname


PAGES = {
    "nothing": "",
    "blanks": " \n\t",
    "words": "Just words & more <words",
    "fragment": "<p>One<p>Two",
    "page": "<!doctype html><html><head><title>T</title></head><body><h1>H</h1></body></html>",
    "upper case": '<HTML><HEAD><TITLE>T</TITLE></HEAD><BODY BGCOLOR="RED"><TABLE WIDTH=100%></TABLE></BODY></HTML>',
    "frames": "<frameset cols='*,*'><frame src=a noresize><frame src=b></frameset><noframes>No</noframes>",
    "frames in a page": "<html><head><title>T</title></head><frameset><frame name=a></frameset></html>",
    "two of each": "<html><head><title>A</title></head><body>1</body></html><html><head></head><body>2</body></html>",
    "head alone": "<head><title>T",
    "title in the body": "<body><title>T</title>x",
    "late head": "x<head><title>T</title></head>",
    "own doctype": '<!DOCTYPE html PUBLIC "-//W3C//DTD HTML 4.01//EN"><p>x',
    "xhtml": '<?xml version="1.0" encoding="ISO-8859-1"?><html xmlns="http://www.w3.org/1999/xhtml"><p>x</p></html>',
    "misnested": "<b><i>bold</b> italic</i><p><div>x</p></div>",
    "lists": "<ul><li>a<li>b<ul><li>c</ul></ul>",
    "table": "<table>stray<tr><td>1<td>2<tr><th>3</table>",
    "template": "<template><p>x</template>",
    "script": "<script>if (a < b && c) {}</script><style>a > b {}</style>",
    "svg": "<svg viewBox='0 0 1 1'><foreignObject><p>x</p></foreignObject></svg><math><mi>y</mi></math>",
    "odd names": '<o:p @click=1 a"b=2 :x=3>x</o:p><é:f>y',
    "entities": "&nbsp;&eacute;&amp;&lt;&bogus;&#128;&#0;",
    "root with a link": "<html xlink:href=a>x",
    "root with half a declaration": "<html xmlns:=a>x",
    "unclosed noscript": "<noscript a=1>",
    "form": "<form name=f><input disabled><select><option selected>a<option>b</select></form>",
    "unclosed": "<p class='a",
    "end tags alone": "</p></div></b></table></html>",
}


@pytest.mark.parametrize("page", PAGES)
def test_every_reader_accepts_one_root_with_its_mandatory_elements(to_xhtml, read, page):
    xhtml = to_xhtml(PAGES[page])
    root = read(xhtml)
    assert xhtml.startswith(DOCTYPE)
    assert root.getroottree().docinfo.public_id == "-//W3C//DTD XHTML 1.0 Strict//EN"
    assert root.tag == f"{XHTML}html"
    children = [local(child) for child in root.iterchildren(lxml.etree.Element)]
    assert children.count("head") == children.count("body") == 1
    assert children[0] == "head"
    assert children[-1] == "body"
    assert [local(child) for child in root[0].iterchildren(lxml.etree.Element)].count("title") == 1
    assert all(name == name.lower() for name in map(local, root.iter(f"{XHTML}*")))


@pytest.mark.parametrize("page", PAGES)
def test_cleaning_again_gives_the_same_bytes(to_xhtml, method, page):
    xhtml = to_xhtml(PAGES[page])
    assert to_xhtml(xhtml) == xhtml
    assert wq.Document(xhtml).to_xhtml() == xhtml
    received = wq.Page(url="https://example.org/", body=xhtml.encode())
    assert wq.clean(received, method=method).to_xhtml() == xhtml


@pytest.mark.parametrize("charset", ["windows-1252", "shift_jis", "utf-16", "utf-8"])
def test_cleaning_again_heeds_no_encoding_that_the_page_named(method, charset):
    codec = "utf-8" if charset == "utf-16" else charset
    markup = f"<meta charset={charset}><p>{'ガラス' if charset == 'shift_jis' else 'é'}"
    page = wq.Page(url="https://example.org/", body=markup.encode(codec))
    xhtml = wq.clean(page, method=method).to_xhtml()
    assert body_of(xhtml) == markup.replace(f"<meta charset={charset}>", "") + "</p>"
    again = wq.clean(wq.Page(url="https://example.org/", body=xhtml.encode()), method=method)
    assert again.to_xhtml() == xhtml


def test_a_line_end_behind_our_xhtml_does_not_grow(to_xhtml):
    xhtml = to_xhtml("<p>x")
    assert to_xhtml(xhtml + "\n") == xhtml


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("<P>Text", "<p>Text</p>"),
        ("<TABLE WIDTH=100%></TABLE>", '<table width="100%"/>'),
        ("<hr><br><img src=a.png>", '<hr/><br/><img src="a.png"/>'),
        ("<b><i>both</i></b>", "<b><i>both</i></b>"),
        ("<p class='a\"b'>x</p>", '<p class="a&quot;b">x</p>'),
        ("<p title='&lt;&amp;&gt;'>x", '<p title="&lt;&amp;&gt;">x</p>'),
        ("<p Title=a TITLE=b>x", '<p title="a">x</p>'),
        ("<input checked>", '<input checked="checked"/>'),
        ("<input CHECKED=''>", '<input checked="checked"/>'),
        ("<input checked=yes>", '<input checked="yes"/>'),
        ("<input checked='\x01'>", '<input checked="checked"/>'),
        ("<option selected>x</option>", '<option selected="selected">x</option>'),
        ("<p title>x", '<p title="">x</p>'),
        ("a < b & c &copy; &nbsp;", "a &lt; b &amp; c © \xa0"),
    ],
)
def test_tags_are_closed_lower_case_and_attributes_quoted_and_whole(to_xhtml, read, markup, expected):
    xhtml = to_xhtml(markup)
    read(xhtml)
    assert body_of(xhtml) == expected


def test_a_frame_that_is_not_resized_says_so_in_full(to_xhtml):
    assert '<frame noresize="noresize"/>' in to_xhtml("<frameset><frame noresize></frameset>")


@pytest.mark.parametrize("tag", ["a", "applet", "form", "iframe", "img", "map"])
def test_a_name_gets_an_id_beside_it(to_xhtml, tag):
    assert f'<{tag} name="top" id="top"' in to_xhtml(f"<{tag} name=top>")


def test_a_frame_gets_an_id_too(to_xhtml):
    assert '<frame name="top" id="top"/>' in to_xhtml("<frameset><frame name=top></frameset>")


@pytest.mark.parametrize("tag", ["input", "meta", "select", "textarea", "button", "p"])
def test_names_that_xhtml_keeps_get_no_id(to_xhtml, tag):
    assert "id=" not in to_xhtml(f"<{tag} name=top>")


def test_ids_are_unique_and_valid(to_xhtml, read):
    markup = "<img id=a><a name=a>1</a><a name=a>2</a><a name=a_2>3</a><a name='1 ö'>4</a><a name=''>5</a><a name>6</a>"
    elements = read(to_xhtml(markup)).xpath("//*[@id]")
    ids = [element.get("id") for element in elements]
    assert len(elements) == 7
    assert len(set(ids)) == len(ids)
    assert all(re.fullmatch(r"[A-Za-z_][\w.-]*", given, re.ASCII) for given in ids)
    assert [element.get("name") for element in elements] == [None, "a", "a", "a_2", "1 ö", "", ""]


def test_an_id_that_is_there_stays(to_xhtml):
    assert body_of(to_xhtml("<a name=b id=c>x</a>")) == '<a name="b" id="c">x</a>'


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("<p lang=fr>x", {"lang": "fr", "xml:lang": "fr"}),
        ("<p xml:lang=fr>x", {"lang": "fr", "xml:lang": "fr"}),
        ("<p lang=fr xml:lang=de>x", {"lang": "fr", "xml:lang": "de"}),
        ("<p hidden lang=fr xml:lang=de>x", {"hidden": "hidden", "lang": "fr", "xml:lang": "de"}),
        ("<p lang=''>x", {"lang": "", "xml:lang": ""}),
        ("<p>x", {}),
    ],
)
def test_lang_goes_with_xml_lang(to_xhtml, read, markup, expected):
    (paragraph,) = read(to_xhtml(markup)).iter(f"{XHTML}p")
    names = {"{http://www.w3.org/XML/1998/namespace}lang": "xml:lang"}
    assert {names.get(name, name): value for name, value in paragraph.attrib.items()} == expected


def test_the_root_has_lang_too(to_xhtml, read):
    root = read(to_xhtml("<html lang=de><p>x"))
    assert root.get("lang") == root.get("{http://www.w3.org/XML/1998/namespace}lang") == "de"


ODD_NAMES = (
    "<p @click=1>",
    "<p a\"b=2 c'd=3>",
    "<p :class=4 v-on:click.prevent=5 x:y:z=6>",
    "<p _x0041_=7 é=8 ü:ö=9>",
    "<p 0=10 -a=11 .=12 <b=13 =c=14>",
    "<p xmlns:x='' xmlns:xml=a xmlns:xmlns=b xmlns=c xmlns:o='urn:x' xmlns:xlink=d>",
    "<html xmlns:x='' xmlns:xml=a xmlns=c xmlns:o='urn:x' xmlns:q='urn:x' xmlns:xlink=d x:a=1>",
    "<body @a=1 b:c=2>",
    "<p xml:a:b=1 xlink:c:d=2 xml:@=3 xml:é=4>",
    "<html xmlns:=a>",
    "<html xlink:href=a>",
    "<p xml:id=a><p xml:id=a><p xml:id='1 2'><p xml:id>",
    "<p @" + "a" * 150 + "=1>",
    "<svg @a=1 xlink:href=b xml:lang=c><a @b=1 xlink:title=d></svg>",
    "<o:p w:r=1>x</o:p>",
    '<a"b>x</a"b><c\'d/><e:f:g><h:>',
)


@pytest.mark.parametrize("markup", ODD_NAMES)
def test_no_odd_name_is_dropped(to_xhtml, read, markup):
    written = to_xhtml(markup)
    root = read(written)
    columns = wq.Document(markup)
    kept = Counter(decode_name(name) for name, _ in re.findall(r'([^\s<>"=]+)="([^"]*)"', written))
    wanted = Counter(name for attributes in columns.attributes for name in attributes)
    assert not wanted - kept
    tags = Counter(decode_name(name) for name in re.findall(r"<([\w:.-]+)", written))
    assert not Counter(columns.tag(node) for node in range(len(columns)) if columns.tag(node)) - tags
    assert root.tag == f"{XHTML}html"


def test_prefixes_are_declared_on_the_root(to_xhtml, read):
    root = read(to_xhtml('<html xmlns:og="http://ogp.me/ns#"><p og:a=1><o:p v:b=2>x</o:p>'))
    declared = {"og": "http://ogp.me/ns#", "o": "urn:webquarry:prefix:o", "v": "urn:webquarry:prefix:v"}
    assert root.nsmap == {None: "http://www.w3.org/1999/xhtml", **declared}


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        ("<p>a\x0cb", "a b"),
        ("<p>a\x01b\x1bc", "abc"),
        ("<p>a\0b", "ab"),
        ("<p>a\ud800b\udfffc", "abc"),
        ("<p>a\ufffeb\uffffc", "abc"),
        ("<p>]]>", "]]>"),
        ("<p>a\r\nb\rc", "a\nb\nc"),
        ("<p>&#13;x", "\rx"),
        ("<p>\x80\x9f", "\x80\x9f"),
        ("<p>\U0001f600", "\U0001f600"),
    ],
)
def test_characters_that_xml_cannot_hold_are_left_out(to_xhtml, read, markup, text):
    (paragraph,) = read(to_xhtml(markup)).iter(f"{XHTML}p")
    assert paragraph.text == text


@pytest.mark.parametrize(
    ("value", "read_back"),
    [
        ("a\tb\nc", "a\tb\nc"),
        ("a&#13;b", "a\rb"),
        (" a  b ", " a  b "),
        ("a\x0bb\ufffec", "abc"),
        ("a\x0cb", "a b"),
        ("]]>--", "]]>--"),
    ],
)
def test_white_space_in_values_survives_every_reader(to_xhtml, read, value, read_back):
    xhtml = to_xhtml(f'<p title="{value}">x')
    (paragraph,) = read(xhtml).iter(f"{XHTML}p")
    assert paragraph.get("title") == read_back
    (paragraph,) = ET.fromstring(xhtml).iter(f"{XHTML}p")
    assert paragraph.get("title") == read_back


@pytest.mark.parametrize(
    ("comment", "text"),
    [
        ("<!-- a -- b -->", " a - - b "),
        ("<!--a--->", "a- "),
        ("<!----->", "- "),
        ("<!-->", ""),
        ("<!-- ]]> <p> & -->", " ]]> <p> & "),
        ("<!-- a --!>", " a "),
        ("<!-- never closed", " never closed"),
        ("<! bogus>", " bogus"),
        ("<![CDATA[x]]>", "[CDATA[x]]"),
        ("<!--a\x01\x0cb-->", "a b"),
    ],
)
def test_comments_stay_in_a_form_that_xml_allows(to_xhtml, read, comment, text):
    comments = read(to_xhtml(f"<p>x</p>{comment}")).iter(lxml.etree.Comment)
    assert [found.text for found in comments] == [text]


@pytest.mark.parametrize(
    "markup",
    [
        "<p><?php echo '<b>' ?>x",
        "<p><?xml version='1.0'?>x",
        "<p><?xml?>x",
        "<p><?XML a?>x",
        "<p><?a:b c?>x",
        "<p><? ?>x",
        "<p><?é?>x",
        "<p><?a ?? b>x",
        "<?xml version='1.0' encoding='latin-1'?><p>x",
    ],
)
def test_instructions_break_nothing(to_xhtml, read, markup):
    xhtml = to_xhtml(markup)
    assert "".join(read(xhtml).itertext(f"{XHTML}p")).endswith("x")
    assert to_xhtml(xhtml) == xhtml


def test_scripts_and_styles_keep_their_text(to_xhtml, read):
    script, style = "if (a < b && c > d) { x = ']]>' }", "a > b { content: '<&' }"
    root = read(to_xhtml(f"<script>{script}</script><style>{style}</style>"))
    assert [element.text for element in root.iter(f"{XHTML}script", f"{XHTML}style")] == [script, style]
