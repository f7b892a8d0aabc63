"""Data tables told from tables that lay out a page."""

from __future__ import annotations

import pytest

from webquarry.mining.table_regions import mine_tables
from webquarry.model.document import Document

TEXT = "A long paragraph of an article that goes on and on, as articles do. " * 8


@pytest.mark.parametrize(
    "markup",
    [
        f"<table><tr><td><a href=/>Home</a><td>{TEXT}<tr><td><a href=/b>News</a><td>x</table>",
        f"<table width=100%><tr><td colspan=2>Header<tr><td>Menu<td>{TEXT}<tr><td colspan=2>Footer</table>",
        "<table role=presentation><tr><th>a<th>b<tr><td>1<td>2<tr><td>3<td>4</table>",
        "<table><tr><td>Name<td><input><tr><td>Mail<td><input><tr><td>Age<td><input></table>",
        "<table><tr><td><h2>a</h2><p>x<td><h2>b</h2><p>y<tr><td><h2>c</h2><p>x<td><h2>d</h2><p>y</table>",
        "<table><tr><td>1<td>2<td>3</table>",
        "<table><tr><td>Pan<br>4 EUR<td>Pot<br>5 EUR<td>Jug<br>6 EUR<tr><td>Cup<br>7 EUR<td>Mug<br>8 EUR",
        "<table><tr><td>1<tr><td>2<tr><td>3</table>",
        "<table><tr><td><img src=a.gif><td><img src=b.gif><tr><td><img src=c.gif><td><img src=d.gif></table>",
        "<table><tr><td>a<td>b<tr><td>c<td>d</table>",
        "<table></table>",
        "<table><tr><th>a<th>b</table>",
    ],
)
def test_a_table_that_lays_out_is_not_returned(markup: str) -> None:
    assert mine_tables(Document(markup)) == []


def test_the_frame_around_a_data_table_is_not_returned() -> None:
    inner = "<table><tr><th>City<th>Size<tr><td>Rome<td>3<tr><td>Nice<td>1</table>"
    document = Document(f"<table><tr><td>Menu<td>News<tr><td>Links<td>{inner}</table>")
    assert [[field.name for field in region.fields] for region in mine_tables(document)] == [["City", "Size"]]


@pytest.mark.parametrize(
    "markup",
    [
        "<table><tr><th>City<th>Size<tr><td>Rome<td>3<tr><td>Nice<td>1</table>",
        "<table><tr><td>Rome<td>2,800,000<tr><td>Nice<td>340,000<tr><td>Oslo<td>700,000</table>",
        "<table border=1><tr><td>Rome<td>Italy<tr><td>Nice<td>France<tr><td>Cannes<td>France</table>",
        "<table><tr><td>City<td>State<td>River<tr><td>Rome<td>Italy<td>Tiber<tr><td>Prague<td>Czechia<td>Vltava</table>",
        "<table><tr><th>Born<td>Rome<tr><th>Died<td>Nice<tr><th>Work<td>Poet</table>",
        f"<table><tr><th>Film<th>Plot<th>Year<tr><td>One<td>{TEXT}<td>1990<tr><td>Two<td>{TEXT}<td>1991</table>",
        "<table><tr><td>City<td>May<td>June<tr><td>Rome<td>20<br>(68)<td>25<br>(77)<tr><td>Oslo<td>9<br>(48)<td>15<br>(59)",
        "<table><tr><th><th>Name<th>Age<tr><td><input><td>One<td>1<tr><td><input><td>Two<td>2</table>",
    ],
)
def test_a_table_of_data_is_returned(markup: str) -> None:
    assert len(mine_tables(Document(markup))) == 1
