# ruff: noqa: RUF001 - arrows are meant
from __future__ import annotations

import pytest

from webquarry.cleaning.html5 import clean_html5
from webquarry.mining.pager import find_next
from webquarry.model.document import Document
from webquarry.model.page import Page
from webquarry.pipeline.render_pages import render

HERE = "https://shop.example/list?page=2"


def following(markup: str, url: str = HERE) -> str | None:
    """Where the page goes on, as seen from its folder."""
    found = find_next(Document(markup, url=url))
    return None if found is None else found.removeprefix("https://shop.example/")


@pytest.mark.parametrize(
    "markup",
    [
        "<link rel=next href='list?page=3'>",
        "<link rel='prefetch NEXT' href='list?page=3'>",
        "<base href='https://shop.example/list'><link rel=next href='?page=3'>",
        "<p><a rel=next href='?page=3'>More</a>",
        "<p><a rel=next href='?page=3#top'></a>",
        # the next number
        "<p><a href='?page=1'>1</a> <b>2</b> <a href='?page=3'>3</a> <a href='?page=4'>4</a>",
        "<p><a href='?page=1'>1</a> | [2] | <a href='?page=3'>3</a> | … | <a href='?page=90'>90</a>",
        "<ul><li><a href='?page=1'>1</a><li class=active><a href='?page=2'>2</a><li><a href='?page=3'>3</a></ul>",
        "<nav><a href='?page=1'>1</a><a href='/x' aria-current=page>2</a><a href='?page=3'>3</a></nav>",
        "<nav><a href='?page=1'>1</a><a href='?page=2'>2</a><a href='?page=3'>3</a></nav>",
        "<div class=pager><a href='?page=1'>1</a> <a href='?page=3'>3</a> <a href='?page=4'>4</a></div>",
        "<a href='?page=1'><span>1</span></a> <span>2</span> <a href='?page=3'><span>3</span></a><a href='?x'>Next</a>",
        # words
        "<a href='?page=1'>Previous</a> Page 2 of 9 <a href='?page=3'>Next</a>",
        "<a href='?page=1'>Zurück</a> <a href='?page=3'>Weiter ›</a>",
        "<a href='?page=3'>Nächste Seite</a>",
        "<a href='?page=3'>Page suivante →</a>",
        "<a href='?page=3'>Siguiente »</a>",
        "<a href='?page=3'>Pagina successiva</a>",
        "<a href='?page=3'>Próxima</a>",
        "<a href='?page=3'>Volgende</a>",
        "<a href='?page=3'>Следующая страница</a>",
        "<a href='?page=3'>次へ</a>",
        "<a href='?page=3'>次の20件</a>",
        "<a href='?page=3'>下一页 ></a>",
        "<a href='?page=3'>다음 페이지</a>",
        "<a href='?page=3'>الصفحة التالية</a>",
        "<a href='?page=3'>Next 20 results</a>",
        "<a href='?page=3' aria-label='Next page'><svg></svg></a>",
        "<a href='?page=3' title='Next'>&gt;</a>",
        "<a href='?page=3'><img src=r.gif alt='Next page'></a>",
        "<a href='?page=3'>Next</a> <p>text</p> <a href='?page=3'>Next</a>",
        "<p><a href=a>weiter</a><p><a href=b>weiter</a><div class=pagination><a href='?page=3'>weiter</a></div>",
        "<div class=pages><a href='?page=3'>Next</a></div><div class=pages><a href='side?page=3'>Next</a></div>",
        # arrows
        "<div class=pager><a href='?page=1'>‹</a> <a href='?page=3'>›</a> <a href='?page=99'>»</a></div>",
        "<div><a href='?page=1'>&lt;&lt;</a> <a href='?page=3'>&gt;</a> <a href='?page=9'>&gt;&gt;</a></div>",
        "<ul class=paging><li><a href='?page=1'></a><li class=next><a href='?page=3'></a></ul>",
    ],
)
def test_finds_the_next_page(markup):
    assert following(markup) == "list?page=3"


@pytest.mark.parametrize(
    "markup",
    [
        "",
        "<p>Nothing here<a>Next</a><a href>Next</a>",
        "<a rel=prev href='?page=1'>Previous</a> <b>Page 2 of 2</b>",
        "<p><a href='?page=1'>1</a> <b>2</b>",
        # the same page, other sites, no pages
        "<a href='#next'>Next</a>",
        "<a href='?page=2'>Next</a>",
        "<link rel=next href='https://elsewhere.example/list?page=3'>",
        "<a href='https://elsewhere.example/list?page=3'>Next</a>",
        "<a href='javascript:next()'>Next</a>",
        "<a href='mailto:next@shop.example'>Next</a>",
        "<a href='file:///etc/passwd'>Next</a>",
        "<a href='http://[odd/'>Next</a>",
        # these links do not lead to pages of the listing
        "<a href=b>Next article</a>",
        "<a href=b>Next: how the ferry came to town</a>",
        "<a rel=next href=b>How the ferry came back to town</a>",
        "<link rel=next title='How the ferry came back to town' href=b>",
        "<a href='?month=12'>Next month</a>",
        "<a href='?month=12' title='Next month'>Next</a>",
        "<p><a href=a>weiter</a><p><a href=b>weiter</a>",
        "<div class=slides><a href=photo-b>›</a></div>",
        "<a href=deals>»</a>",
        # not for people, or not to be used
        "<a hidden href='?page=3'>Next</a>",
        "<a href='?page=3' aria-disabled=true>Next</a>",
        "<li class=disabled><a href='?page=3'>Next</a></li>",
        # numbers that do not count pages
        "<ul><li><a href=a>3</a> stars<li><a href=b>4</a> stars</ul>",
        "<table><tr><td>2</td><td><a href=a>3</a></td></tr><tr><td>5</td><td><a href=b>6</a></td></tr></table>",
    ],
)
def test_finds_none_where_there_is_none(markup):
    assert following(markup) is None


def test_a_calendar_is_no_pager():
    days = "".join(f"<td><a href='/day/{day}'>{day}</a>" for day in range(1, 31) if day != 12)
    assert following(f"<table><tr><td><a href='?m=12'>»</a>{days}<td>12</table>") is None


def test_the_first_page_has_no_number_in_its_address():
    pager = "<div><a href='list?page=2'>2</a> <a href='list?page=3'>3</a> <a href='list?page=4'>4</a></div>"
    assert following(pager, "https://shop.example/list") == "list?page=2"


def test_pages_on_disk_lead_to_pages_on_disk():
    page = Document("<a href=page2.html>Next</a>", url="file:///shop/index.html")
    assert find_next(page) == "file:///shop/page2.html"
    assert find_next(Document("<a href=https://shop.example/2>Next</a>", url="file:///shop/index.html")) is None


def test_a_page_without_an_address_leads_nowhere():
    assert find_next(Document("<a href=page2.html>Next</a>", url="stdin:")) is None
    assert find_next(Document("<a href=page2.html>Next</a>")) is None


def test_with_and_without_www_is_one_site():
    assert find_next(Document("<a href='//www.shop.example/3'>Next</a>", url=HERE)) == "https://www.shop.example/3"


@pytest.mark.usefixtures("browser")
def test_the_current_number_may_differ_in_style_alone():
    style = "<style>a { color: blue } .x { color: red; font-weight: bold }</style>"
    numbers = "".join(f"<a {'class=x' if n == 3 else ''} href='/cgi?go={n}abc'>{n}</a> " for n in range(1, 7))
    page = Page(HERE, f"{style}<p>{numbers}".encode())
    assert find_next(clean_html5(page)) is None
    assert find_next(render(page)) == "https://shop.example/cgi?go=4abc"
