"""Templates of one small book: whatever surrounds its sections and labels, its pages say the same."""

from __future__ import annotations

import pytest

import webquarry as wq
from webquarry.model.wrapper import Source
from webquarry.wrapping.section_learner import learn_sections
from webquarry.wrapping.section_reader import Reader

BOOK = {
    "Altherra": {
        "Land": {"Area": "120 sq km", "Coast": "40 km"},
        "People": {"Number": "9,100 at the last count", "Tongue": "Eskish"},
    },
    "Brunmark": {
        "Land": {"Area": "88 sq km", "Coast": "31 km"},
        "People": {"Number": "7,240 at the last count", "Tongue": "Harnish"},
    },
    "Cassovia": {
        "Land": {"Area": "410 sq km", "Coast": "none"},
        "People": {"Number": "64,000 at the last count", "Tongue": "Veskish"},
    },
    "Delmere": {
        "Land": {"Area": "97 sq km", "Coast": "72 km"},
        "People": {"Number": "5,870 at the last count", "Tongue": "Eskish"},
    },
}

TEMPLATES = {
    "name_before_section": (
        "<table><tr><td><font size=4>{page}</font></td><td><font size=4><b>{section}</b></font></td></tr></table>",
        "<p><b>{label}:</b> {value}</p>",
    ),
    "name_after_section": (
        "<table><tr><td class=bar>{section}</td><td class=bar><span class=name>{page}</span></td></tr></table>",
        "<table><tr><td class=label>{label}:</td><td class=value>{value}</td></tr></table>",
    ),
    "top_link_below_section": (
        "<h3>{section}</h3><p><u>Top of page</u></p>",
        "<p><b>{label}:</b> {value}</p>",
    ),
    "definition_beside_label": (
        "<h2>{section}</h2>",
        "<table><tr><td><b>{label}</b></td><td><u>Definition</u></td><td>{value}</td></tr></table>",
    ),
    "section_smaller_than_label": (
        '<p><b style="font-size:11px">{section}</b></p>',
        "<p><b>{label}:</b> {value}</p>",
    ),
    "section_as_caption": (
        "<table><caption>{section}</caption></table>",
        "<p><i>{label}:</i> {value}</p>",
    ),
    "plain_footer": (
        "<h2>{section}</h2>",
        "<p><b>{label}:</b> {value}</p>",
        "<footer>Printed at the harbour press</footer>",
    ),
}


def write_page(name: str, bar: str, field: str, foot: str = "") -> wq.Page:
    parts = [f"<h1>{name}</h1>"]
    for section, fields in BOOK[name].items():
        parts.append(bar.format(page=name, section=section))
        parts += [field.format(label=label, value=value) for label, value in fields.items()]
    parts.append(foot)
    return wq.Page(url=f"https://book.example/{name}.html", body="".join(parts).encode())


@pytest.mark.parametrize("template", TEMPLATES)
def test_reads_the_book_whatever_its_template(template):
    documents = {name: wq.clean(write_page(name, *TEMPLATES[template])) for name in BOOK}
    reader = Reader(learn_sections(list(documents.values()), Source("book")))
    for name, document in documents.items():
        assert reader.read(document).record == {"_title": name, **BOOK[name]}


def test_notes_of_other_looks_stay_with_their_fields():
    field = "<dl><dt>{label}</dt><dd>{value}</dd><dd><em>note:</em> as told in {value}</dd></dl>"
    documents = [wq.clean(write_page(name, "<h2>{section}</h2>", field)) for name in BOOK]
    wrapper = learn_sections(documents, Source("book"))
    assert [[child.name for child in section.children] for section in wrapper.grammar.children] == [
        ["area", "coast"],
        ["number", "tongue"],
    ]
