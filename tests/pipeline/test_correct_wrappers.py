"""Correcting which list a wrapper reads, and which of its elements are records."""

import pytest

import webquarry as wq
from webquarry.wrapping.corrections import Correction, read_action, to_words
from webquarry.wrapping.wrapper_file import read_wrapper, write_wrapper

OFFERS = "".join(
    f'<div class="offer"><h3><a href="/o/{number}">Lamp model {number}</a></h3><p class="price">{number}0.50 €</p>'
    f'<p class="note">A sturdy lamp for desk number {number}.</p></div>'
    for number in range(1, 9)
)
BANNER = '<div class="offer banner"><h3><a href="/club">Join the lamp club</a></h3><p class="price">5.00 €</p></div>'
NEWS = "".join(
    f'<li class="news"><a href="/n/{n}">News item {n}</a><span>{n} May 2024</span></li>' for n in range(1, 6)
)
PAGE = f"<main><div class=list>{OFFERS}{BANNER}</div></main><aside><ul>{NEWS}</ul></aside>"


@pytest.fixture
def documents() -> list[wq.Document]:
    return [wq.clean(wq.Page(url="https://shop.example/list", body=PAGE.encode()))]


@pytest.fixture
def wrapper(documents: list[wq.Document]) -> wq.Wrapper:
    return wq.wrap(documents, name="lamps", kind="records")


def titles(wrapper: wq.Wrapper, documents: list[wq.Document]) -> list[str]:
    records = wq.extract(wrapper, documents[0]).record["records"]
    return [next(iter(record.values())) for record in records]


def test_choosing_takes_the_list_with_these_words(wrapper, documents):
    assert "Lamp model 1" in titles(wrapper, documents)
    chosen = wq.correct(wrapper, documents, "choose", "News item 3")
    assert titles(chosen, documents) == [f"News item {number}" for number in range(1, 6)]
    assert [step.action for step in chosen.history] == ['choose "News item 3"']
    assert titles(wq.undo(chosen), documents) == titles(wrapper, documents)


def test_words_on_no_page_are_an_error_that_names_them(wrapper, documents):
    with pytest.raises(wq.InputError, match="no text has 'Kettle'"):
        wq.correct(wrapper, documents, "choose", "Kettle")
    with pytest.raises(wq.InputError, match="'Kettle'"):
        wq.correct(wrapper, documents, "drop", "Kettle", record=True)


def test_what_is_no_record_is_left_out_and_fields_keep_their_names(wrapper, documents):
    renamed = wq.correct(wrapper, documents, "rename", "price", name="cost")
    without = wq.correct(renamed, documents, "drop", "Join the lamp club", record=True)
    assert titles(without, documents) == [f"Lamp model {number}" for number in range(1, 9)]
    assert "cost" in [field.name for field in without.listing.fields]
    again = read_wrapper(write_wrapper(without))
    assert again == without
    assert titles(wq.undo(again), documents) == titles(renamed, documents)


def test_a_record_can_be_added_again(wrapper, documents):
    without = wq.correct(wrapper, documents, "drop", "Join the lamp club", record=True)
    added = wq.correct(without, documents, "add", "Join the lamp club", record=True)
    assert "Join the lamp club" in titles(added, documents)


def test_a_history_replayed_on_the_learnt_wrapper_gives_the_same_file(wrapper, documents):
    corrected = wq.correct(wrapper, documents, "rename", "price", name="cost")
    corrected = wq.correct(corrected, documents, "drop", "Join the lamp club", record=True)
    corrected = wq.correct(corrected, documents, "retype", "cost", to="text")
    replayed = wrapper
    for step in corrected.history:
        given = {name: value for name, value in vars(read_action(step.action)).items() if value}
        replayed = wq.correct(replayed, documents, **given)
    assert write_wrapper(replayed) == write_wrapper(corrected)


@pytest.mark.parametrize(
    "action",
    [
        Correction("add", '5" nails \\ x', to="a.b"),
        Correction("drop", "x", whole_format=True),
        Correction("drop", "y", record=True),
        Correction("choose", "z"),
        Correction("retype", "a", "b"),
    ],
)
def test_actions_are_read_as_they_are_written(action):
    assert read_action(to_words(action)) == action


def test_a_list_is_learnt_by_words_of_a_record(documents):
    learnt = wq.wrap(documents, name="news", like="News item 3")
    assert learnt.source.kind == "records"
    assert titles(learnt, documents) == [f"News item {number}" for number in range(1, 6)]
    with pytest.raises(wq.InputError, match="a wrapper of sections reads none"):
        wq.wrap(documents, name="news", kind="sections", like="News item 3")


def test_choosing_words_of_the_present_list_takes_another_one_that_has_them():
    rows = "".join(
        f"<tr><td class=cell><h3><a href=/{row}{n}>Lamp {row}{n}</a></h3><p>{n}0.50 €</p></td></tr>"
        for row in "abcd"
        for n in range(3)
    )
    groups = "".join(f"<section><h2>Group {n}</h2><table>{rows}</table></section>" for n in range(3))
    documents = [wq.clean(wq.Page(url="https://shop.example/", body=f"<main>{groups}</main>".encode()))]
    first = wq.wrap(documents, name="lamps", kind="records")
    second = wq.correct(first, documents, "choose", "Lamp b1")
    assert len(titles(second, documents)) != len(titles(first, documents))


def test_a_list_is_grown_from_words_where_none_was_found():
    story = "A sentence of a long story about the sea and its ships. " * 200
    page = f"<div><span>Blue kettle</span> <span>Red kettle</span></div><p>{story}</p>"
    documents = [wq.clean(wq.Page(url="https://shop.example/", body=page.encode()))]
    with pytest.raises(wq.InputError, match="no records were found"):
        wq.wrap(documents, name="kettles", kind="records")
    assert titles(wq.wrap(documents, name="kettles", like="red kettle"), documents) == ["Blue kettle", "Red kettle"]


def test_an_added_record_brings_those_like_it():
    offers = f"<div class=list>{OFFERS}</div>"
    more = "".join(f'<div class="offer ad"><h3><a href="/a/{n}">Advert {n}</a></h3></div>' for n in range(1, 4))
    page = f"<main>{offers}<div class=more>{more}</div></main>"
    documents = [wq.clean(wq.Page(url="https://shop.example/list", body=page.encode()))]
    wrapper = wq.wrap(documents, name="lamps", kind="records")
    if "Advert 1" in titles(wrapper, documents):
        wrapper = wq.correct(wrapper, documents, "drop", "Advert", record=True)
    assert not [title for title in titles(wrapper, documents) if title.startswith("Advert")]
    added = wq.correct(wrapper, documents, "add", "Advert 2", record=True)
    assert [title for title in titles(added, documents) if title.startswith("Advert")] == [
        f"Advert {n}" for n in (1, 2, 3)
    ]


def test_a_record_that_only_its_text_tells_is_left_out(wrapper, documents):
    without = wq.correct(wrapper, documents, "drop", "Lamp model 3", record=True)
    assert "Lamp model 3" not in titles(without, documents)
    assert len(titles(without, documents)) == len(titles(wrapper, documents)) - 1
    assert without.listing.excluded_texts == ("Lamp model 3",)
    assert read_wrapper(write_wrapper(without)) == without
    assert wq.undo(without) == wrapper
