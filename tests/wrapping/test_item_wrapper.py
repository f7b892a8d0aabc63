"""Wrappers of detail pages: learnt from a few, read on others."""

from __future__ import annotations

import pytest

import webquarry as wq
from webquarry.errors import InputError
from webquarry.model.document import Document
from webquarry.model.extraction import Extraction
from webquarry.model.wrapper import Wrapper
from webquarry.wrapping.wrapper_file import read_wrapper, write_wrapper

JOB = """<html><head><title>{title} | Quayside Jobs</title></head><body>
<nav><a href="/">Home</a> <a href="/all">All jobs</a></nav>
<main><h1>{title}</h1>
<div class="facts"><span class="company">{company}</span> <span class="where">{place}</span></div>
{pay}
<dl><dt>Contract</dt><dd>{contract}</dd><dt>Hours</dt><dd>{hours}</dd></dl>
<ul class="skills">{skills}</ul>
<div class="about">{about}</div></main>
<footer>Quayside Jobs, 12 Dock Road</footer></body></html>"""


def job(  # noqa: PLR0917 - a line of a table
    title: str, company: str, place: str, contract: str, hours: str, skills: list[str], about: str, pay: str = ""
) -> Document:
    markup = JOB.format(
        title=title,
        company=company,
        place=place,
        contract=contract,
        hours=hours,
        skills="".join(f"<li>{skill}</li>" for skill in skills),
        about=about,
        pay=f'<p class="pay">{pay}</p>' if pay else "",
    )
    return wq.clean(wq.Page(url=f"file:///{title.replace(' ', '-')}.html", body=markup.encode()))


SAMPLES = [
    job(
        "Crane driver",
        "Harbour Ltd",
        "Dock 4",
        "permanent",
        "38",
        ["cranes", "radio"],
        "<p>Lift crates.</p>",
        "£31,000",
    ),
    job("Cook", "Gull Inn", "Front Street", "seasonal", "40", ["knives"], "<p>Cook fish.</p><p>And chips.</p>"),
    job(
        "Night guard", "Harbour Ltd", "Gate 1", "permanent", "36", ["dogs", "radio", "torch"], "<p>Walk.</p>", "£24,500"
    ),
]
OTHER = job(
    "Ferry hand", "Blue Ferries", "Pier 2", "casual", "20", ["knots", "ropes"], "<p>Tie up.</p><p>Sweep.</p>", "£19,000"
)


@pytest.fixture(scope="module")
def wrapper() -> Wrapper:
    return wq.wrap(SAMPLES, name="jobs", kind="item")


@pytest.fixture(scope="module")
def read(wrapper: Wrapper) -> Extraction:
    return wq.extract(wrapper, OTHER)


def test_fields_are_found_with_and_without_labels(read: Extraction) -> None:
    record = read.record
    assert record["title"] == "Ferry hand"
    assert record["company"] == "Blue Ferries"
    assert record["Contract"] == "casual"
    assert record["Hours"] == "20"


def test_a_list_is_a_list_of_any_length(read: Extraction) -> None:
    assert read.record["skills"] == ["knots", "ropes"]


def test_paragraphs_are_one_text(read: Extraction) -> None:
    assert read.record["about"] == "Tie up. Sweep."


def test_fields_that_some_samples_lack_are_optional(wrapper: Wrapper, read: Extraction) -> None:
    assert next(rule for rule in wrapper.fields if rule.type == "money").is_optional
    assert read.to_dict()["typed"]["pay"] == {"value": 19000.0, "unit": "GBP"}


def test_absent_fields_are_absent(wrapper: Wrapper) -> None:
    read = wq.extract(wrapper, job("Diver", "Deep", "Bay", "casual", "9", ["air"], "<p>Dive.</p>"))
    assert "pay" not in read.record
    assert not read.missing


def test_furniture_is_no_field(read: Extraction) -> None:
    assert not {"Home", "All jobs", "Quayside Jobs, 12 Dock Road"} & set(map(str, read.record.values()))


def test_every_value_has_its_node(read: Extraction) -> None:
    for value in read.values:
        node = OTHER.node(value.node)
        assert node is not None
        assert value.text.split(",")[0].split()[0] in OTHER.text(node)


def test_the_wrapper_is_its_file(wrapper: Wrapper) -> None:
    assert read_wrapper(write_wrapper(wrapper)) == wrapper


def test_a_page_of_another_template_raises_nothing(wrapper: Wrapper) -> None:
    page = wq.clean(wq.Page(url="file:///other.html", body=b"<p>Nothing here."))
    read = wq.extract(wrapper, page)
    assert not read.values
    assert "title" in read.missing


def test_only_the_wanted_field_is_read(wrapper: Wrapper) -> None:
    assert wq.extract(wrapper, OTHER, only=["hours"]).record == {"Hours": "20"}


def test_samples_without_text_are_refused() -> None:
    empty = wq.clean(wq.Page(url="file:///empty.html", body=b"<body></body>"))
    with pytest.raises(InputError, match=r"empty\.html"):
        wq.wrap([empty], name="empty", kind="item")


def test_many_pairs_stay_pairs() -> None:
    rows = ["".join(f"<tr><th>Label {row}<td>{row * page}" for row in range(150)) for page in (2, 3)]
    pages = [f"<h1>Page {place}</h1><table>{each}</table>" for place, each in enumerate(rows)]
    samples = [wq.clean(wq.Page(url=f"file:///{page[4:10]}", body=page.encode())) for page in pages]
    wrapper = wq.wrap(samples, name="many", kind="item")
    record = wq.extract(wrapper, samples[0]).record
    assert record["Label 7"] == "14"
    assert record["specifications"]["Label 149"] == "298"


def camera(title: str, maker: str, *, is_boxed: bool) -> Document:
    shown = f"<div class=buying><h1>{title}</h1><span>by <a href='/{maker}'>{maker}</a></span></div>"
    parts = [shown, f"<div class=jump><b>{title} is in stock.</b> <i>Details</i></div>"]
    sold = f"<div class=seller><div class=buying><span>from <a href='/s{maker}'>{maker} & Sons</a></span></div></div>"
    body = sold + "".join(f"<div>{part}</div>" if is_boxed else part for part in parts)
    return wq.clean(wq.Page(url=f"file:///{title[-1]}.html", body=f"<body><form id=buy>{body}</form>".encode()))


def test_a_box_that_only_some_pages_have_around_a_field_does_not_split_it() -> None:
    samples = [
        camera("Lumen A", "Arrow", is_boxed=True),
        camera("Lumen B", "Arrow", is_boxed=True),
        camera("Brass C", "Colby", is_boxed=False),
        camera("Steel D", "Draper", is_boxed=False),
        camera("Stone E", "Emery", is_boxed=False),
    ]
    wrapper = wq.wrap(samples, name="cameras", kind="item")
    for is_boxed in (True, False):
        assert wq.extract(wrapper, camera("Slate F", "Fenner", is_boxed=is_boxed)).record["by"] == "Fenner"


def event(name: str, start: str, bring: str) -> Document:
    facts = f"<div class=b><strong>Bring along :</strong> {bring}</div>"
    body = f"<div class=when>{start}</div><h1>{name}</h1><p class=about>Come to {name} at {start}.</p>{facts}"
    markup = f"<title>{name} - Quayside</title><body>{body}"
    return wq.clean(wq.Page(url=f"file:///{start}.html", body=markup.encode()))


EVENTS = [
    event("Fridays at five", "June 5 at 5:00pm", "a chair"),
    event("Fridays at five", "June 12 at 5:00pm", "A chair"),
    event("Harbour fair", "July 3 at 9:00am", "A Chair"),
    event("Boat race", "July 9 at 11:00am", "a chair"),
]


def test_the_title_is_the_name_even_if_two_samples_share_it() -> None:
    assert wq.extract(wq.wrap(EVENTS, name="events", kind="item"), EVENTS[3]).record["title"] == "Boat race"


def test_a_text_beside_its_label_is_named_by_it() -> None:
    assert wq.extract(wq.wrap(EVENTS, name="events", kind="item"), EVENTS[3]).record["Bring along"] == "a chair"
