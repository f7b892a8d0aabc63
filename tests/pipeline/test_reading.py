"""Documents to articles, page by page and those of a site together."""

import pickle

import pytest
from benchmarks.articles.made_sites import OTHERS, TEMPLATES, make_site

import webquarry as wq
from webquarry.model.document import Document
from webquarry.model.page import Failure
from webquarry.pipeline import read_pages as reading
from webquarry.pipeline.read_pages import ARTICLE_READERS, make_reading, read_all

SENTENCE = "Sentence {} of page {} tells of rivers, and of the towns that stand beside them since they were founded."


def make_page(number: int, host: str = "rivers.test", more: str = "") -> Document:
    paragraphs = "".join(f"<p>{SENTENCE.format(place, number)}</p>" for place in range(4))
    return Document(
        f"<title>River {number}</title><header><nav><a>Home</a> <a>Towns</a> <a>About us</a> <a>Contact</a></nav>"
        f"</header><main><article>{paragraphs}{more}</article></main><footer>All rights are reserved.</footer>",
        url=f"https://{host}/{number}",
    )


@pytest.mark.parametrize("method", ARTICLE_READERS)
def test_every_method_reads_one_document_and_many(method):
    documents = [make_page(number) for number in range(4)]
    alone = wq.read(documents[0], method=method)
    together = wq.read(documents, method=method)
    assert SENTENCE.format(2, 0) in alone.text
    assert [article.document for article in together] == documents
    assert all(SENTENCE.format(2, number) in article.text for number, article in enumerate(together))
    assert wq.read([], method=method) == []


def test_documents_may_come_one_after_the_other():
    documents = [make_page(number) for number in range(4)]
    assert wq.read(iter(documents)) == wq.read(documents)


def test_pages_of_a_site_vote_and_strangers_do_not():
    documents = [*(make_page(number) for number in range(3)), make_page(7, "elsewhere.test")]
    assert [article.method for article in wq.read(documents)] == ["vote", "vote", "vote", "blocks"]
    assert [article.method for article in wq.read(documents[:2])] == ["blocks", "blocks"]


def make_named(number: int) -> Document:
    head = f"<title>Salt road {number} | Maps | The Museum</title>"
    text = "".join(f"<p>{SENTENCE.format(place, number)}</p>" for place in range(4))
    menu = "".join(f"<a href=/{name}>{name}</a> " for name in ("Home", "Rooms", "Shop", "Help"))
    return Document(f"{head}<h1>The Museum</h1><nav>{menu}</nav><main><h2>Salt road {number}</h2>{text}</main>")


def test_a_page_that_waits_for_the_vote_is_not_parsed_again_in_another_process(monkeypatch):
    hidden = "<style>p { color: red }</style><div hidden>Nobody <a href=/x>sees</a> this.</div>"
    seen = "<pre>  kept\n  <b>as</b> <i>it</i> is</pre><p>A <a href=/y>link</a> to a town.</p>"
    reading = make_reading("vote", with_metadata=True)
    drafts = [reading.each(make_page(number, more=hidden + seen * (number == 3))) for number in range(4)]
    drafts += [reading.each(make_named(number)) for number in range(4)]
    copies = pickle.loads(pickle.dumps(drafts))
    wanted = reading.together(drafts)
    with monkeypatch.context() as patch:
        patch.setattr("webquarry.html.columns.build_columns", None)
        found = reading.together(copies)
        texts = [each.text for each in found]
    assert [each.method for each in found] == ["vote"] * 8
    assert texts == [each.text for each in wanted]
    assert [each.to_dict() for each in found] == [each.to_dict() for each in wanted]
    assert [each.to_markdown() for each in found] == [each.to_markdown() for each in wanted]
    for copied, original in ((each.document, other.document) for each, other in zip(found, wanted, strict=True)):
        assert [*copied.texts] == [*original.texts]
        assert [*map(dict, copied.attributes)] == [*map(dict, original.attributes)]


def test_pages_that_are_read_together_know_the_name_of_their_site():
    documents = [make_named(number) for number in range(4)]
    metadata = [article.metadata for article in wq.read(documents)]
    assert [(each.title, each.site) for each in metadata] == [
        (f"Salt road {number} | Maps", "The Museum") for number in range(4)
    ]
    assert [each.metadata for each in read_all(documents, with_metadata=True)] == metadata


@pytest.mark.parametrize("name", TEMPLATES)
def test_the_vote_of_articles_costs_pages_of_other_templates_nothing(name):
    pages = make_site(TEMPLATES[name], articles=20)
    documents = [Document(page, url=f"https://site.test/{place}") for place, page in enumerate(pages)]
    alone, together = wq.read(documents, method="blocks"), wq.read(documents)
    others = [1 + 5 * place for place in range(len(OTHERS))]
    lost = [set(alone[place].text.splitlines()).difference(together[place].text.splitlines()) for place in others]
    assert lost == [set()] * len(OTHERS)


def test_a_page_whose_text_is_where_others_have_furniture_is_read_alone():
    links = "<div class=notes><p><a href=/1>All rivers</a></p></div>"
    documents = [make_page(number, more=links) for number in range(20)]
    text = "".join(f"<p>{SENTENCE.format(place, 99)}</p>" for place in range(10, 20))
    odd = make_page(99, more=f"<div class=notes>{text}</div>")
    assert wq.read([*documents, odd])[-1] == wq.read(odd)


@pytest.mark.parametrize(
    ("line", "is_found"),
    [
        ("<p class=promo>Win two tickets for the circus.</p>", False),
        ("<p class=newsletter>Get all of our stories.</p>", False),
        ("<p class=share>Tell your friends</p>", False),
        ("<p class=related><a href=/1>Bridges of the north</a></p>", False),
        ("<p><a href=/1>Bridges of the north</a></p>", False),
        ("<p class=also>Read also: <a href=https://www.rivers.test/1>Bridges of the north</a></p>", False),
        ("<p><a href=https://bridges.test/1>Bridges of the north</a></p>", True),
        ("<p class=caption>The bridge at dusk</p>", True),
    ],
)
def test_the_vote_finds_what_lacks_prose_and_not_what_is_furniture_by_name(line, is_found):
    documents = [make_page(number, more=line if number == 1 else "") for number in range(5)]
    alone, together = wq.read(documents[1]), wq.read(documents)[1]
    assert (alone.kept[-2], together.kept[-2]) == (False, is_found)  # the last text is the footer
    assert (together.method, together.reasons[-2] == alone.reasons[-2]) == ("vote", not is_found)


def test_pages_that_are_read_alone_are_told_with_their_site(caplog):
    with caplog.at_level("INFO"):
        wq.read([make_page(0), make_page(1)])
    assert caplog.messages == [
        f"https://rivers.test/{number}: 2 pages are too few for a vote (site rivers.test): read alone"
        for number in range(2)
    ]


def test_what_there_was_no_vote_on_is_as_it_was_read_alone():
    stranger = make_page(7, "elsewhere.test")
    assert wq.read([make_page(0), make_page(1), make_page(2), stranger])[3] == wq.read(stranger)


def test_articles_state_what_their_pages_state():
    assert [article.metadata.title for article in wq.read([make_page(3), make_page(4)])] == ["River 3", "River 4"]


def test_failures_stay_in_their_places():
    failure = Failure("https://rivers.test/gone", "it is gone")
    results = list(read_all([make_page(0), failure, make_page(1), make_page(2)]))
    assert results[1] == failure
    assert [result.method for result in results if result != failure] == ["vote"] * 3


def test_a_reader_that_fails_on_a_page_stops_no_other(monkeypatch):
    actual = reading.find_reader("blocks")

    def read(document: Document):
        if document.url.endswith("/1"):
            raise RecursionError("too deep")
        return actual(document)

    monkeypatch.setattr(reading, "find_reader", lambda _method: read)
    results = list(read_all([make_page(number) for number in range(3)], method="blocks"))
    assert [isinstance(result, Failure) for result in results] == [False, True, False]
    assert results[1].page == "https://rivers.test/1"


def test_metadata_that_fails_is_a_failure_of_its_page_if_it_is_wanted(monkeypatch):
    def fail(statements: object, shared: list[str]):
        raise RecursionError("too deep")

    monkeypatch.setattr("webquarry.pipeline.read_pages.PageStatements.to_metadata", fail)
    (article,) = read_all([make_page(0)])
    assert len(article)
    (failure,) = read_all([make_page(0)], with_metadata=True)
    assert failure.error == "https://rivers.test/0: internal error, please report it: RecursionError: too deep"


def test_many_pages_are_read_in_batches(monkeypatch):
    monkeypatch.setattr(reading, "PAGES_PER_VOTE", 4)
    taken = []

    def give():
        for number in range(12):
            taken.append(number)
            yield make_page(number)

    results = read_all(give())
    first = next(results)
    assert (first.method, len(taken)) == ("vote", 4)
    assert [result.document.url for result in results] == [f"https://rivers.test/{number}" for number in range(1, 12)]


@pytest.mark.parametrize("given", [wq.Page(url="a.html", body=b""), [wq.Page(url="a.html", body=b"")], "a.html", 3])
def test_what_is_not_a_document_is_reported_with_what_makes_one(given):
    with pytest.raises(TypeError, match=r"read takes Documents, not an? .*; make one with clean or render"):
        wq.read(given)


@pytest.mark.parametrize("call", [wq.read, lambda given, method: read_all(given, method=method)])
def test_a_method_that_is_not_there_is_reported_at_once(call):
    with pytest.raises(ValueError, match="no reading method 'best'; choose from vote, blocks, boilerpipe"):
        call([], method="best")


def test_a_run_that_is_stopped_gives_out_what_it_has_read():
    def documents():
        for number in range(4):
            yield wq.clean(wq.Page(url=f"https://example.org/{number}", body=b"<p>" + b"A word of prose. " * 20))
        raise KeyboardInterrupt

    results = wq.read_all(documents())
    assert [next(results).page[-1] for _ in range(4)] == ["0", "1", "2", "3"]
    with pytest.raises(KeyboardInterrupt):
        next(results)


STATED = (
    '<script type="application/ld+json">{"@type": "Product", "name": "Cup", "description": "A cup for tea, thrown on a '
    'wheel by hand and fired twice in a kiln of wood, so that no two of them are alike."}</script>'
)


def test_a_page_that_shows_no_text_is_read_by_what_it_states():
    shell = Document(f"{STATED}<nav><a href=/>Home</a></nav><div id=app></div>", url="https://shop.test/cup")
    article = wq.read(shell)
    assert (len(article), article.text[:17]) == (0, "A cup for tea, th")
    assert article.to_markdown() == article.to_dict()["text"] == article.text
    assert next(read_all([shell])) == article


def test_what_a_page_states_is_not_added_to_what_it_shows():
    document = Document(f"{STATED}<main><p>{SENTENCE.format(0, 0)}</p></main>")
    assert wq.read(document).text == SENTENCE.format(0, 0)
