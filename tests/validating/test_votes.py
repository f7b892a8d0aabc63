"""The vote per style class, on a small made site whose voters say what the test wants."""

import numpy as np
import pytest

from webquarry.model.document import Document
from webquarry.validating.ballots import cast
from webquarry.validating.votes import MIN_PAGES, Tally, decide, decide_page

SENTENCE = "Sentence {} of page {} tells of rivers, and of the towns that stand beside them since they were founded."
COMMENT = "Comment {} on page {}: I was there and saw all of it, and it was much finer than the photographs tell."


def make_page(number, body="", *, before="", after="", comments=0, name=""):
    """A page of a template: menu, title, date, paragraphs with what is given behind them, share bar, comments."""
    paragraphs = "".join(f"<p>{SENTENCE.format(place, number)}</p>" for place in range(4))
    said = "".join(f"<li><p>{COMMENT.format(place, number)}</p></li>" for place in range(comments))
    return Document(
        f"<header><nav><a>Home</a><a>About us</a></nav></header><main>{before}<article class='{name}'>"
        f"<h1>Title of page {number}</h1><p class='date'>May {number}</p>"
        f"<div class='text'>{paragraphs}{body}<ul class='share'><li>Share this</li></ul></div></article>"
        f"{after}<ol class='comments'>{said}</ol></main><footer>All rights are reserved by those who made it.</footer>"
    )


def name_nodes(document, is_content):
    nodes = [node for node, text in enumerate(document.texts) if text and is_content(text)]
    return np.array(nodes, dtype=np.int32)


def kept_texts(document, decision):
    return [document.texts[node] for node in decision.nodes[decision.kept].tolist()]


def vote(documents, is_content):
    decisions = decide(documents, [name_nodes(document, is_content) for document in documents])
    return [kept_texts(*pair) for pair in zip(documents, decisions, strict=True)]


def is_sentence(text):
    return text.startswith("Sentence")


def sentences(number):
    return [SENTENCE.format(place, number) for place in range(4)]


def test_what_a_reader_took_on_one_page_by_mistake_is_dropped():
    documents = [make_page(number) for number in range(5)]
    found = vote(documents, lambda text: is_sentence(text) or text == "May 3" or text.startswith("All rights"))
    assert found[3] == sentences(3)


def test_what_a_reader_missed_on_one_page_is_found():
    documents = [make_page(number) for number in range(5)]
    found = vote(documents, lambda text: is_sentence(text) and "page 2" not in text)
    assert found[2] == sentences(2)


def test_what_few_pages_have_goes_with_what_holds_it():
    names = "<table><tr><td>Ada</td><td>Grace</td></tr></table>"
    documents = [make_page(number, names if number == 1 else "") for number in range(5)]
    assert vote(documents, is_sentence)[1] == [*sentences(1), "Ada", "Grace"]


def test_what_many_pages_have_has_its_own_vote():
    documents = [make_page(number) for number in range(5)]
    assert "Share this" not in vote(documents, is_sentence)[0]


def test_a_sentence_keeps_its_links():
    line = "<p>Sentence 5 says that <a href='/m'>{} of this river</a> was lost for a long time.</p>"
    documents = [make_page(number, line.format("The chart" if number else "The map")) for number in range(5)]
    found = vote(documents, lambda text: text.startswith(("Sentence", "The map", " was lost")))
    assert found[0][-3:] == ["Sentence 5 says that ", "The map of this river", " was lost for a long time."]


def test_a_line_of_links_does_not_leave_its_conjunctions_behind():
    line = "<p><a href='/a'>Next page of the story</a> and <a href='/b'>the page before it</a></p>"
    documents = [make_page(number, line) for number in range(5)]
    found = vote(documents, lambda text: is_sentence(text) or text == " and ")
    assert found == [sentences(number) for number in range(5)]


def test_what_a_reader_leaves_out_of_a_line_does_not_come_back_by_the_line():
    documents = [make_page(number, "<h2>Sentence about its mouth <a href='#m'>#</a></h2>") for number in range(5)]
    found = vote(documents, is_sentence)
    assert "Sentence about its mouth " in found[0]
    assert "#" not in found[0]


NOTICE = "Harbour Street 4. All rights are reserved, and nobody answers for what is said on the pages of others here."


@pytest.mark.parametrize(("count", "is_kept"), [(6, False), (3, True)])
def test_a_sentence_that_most_pages_share_outside_of_the_text_is_dropped(count, is_kept):
    documents = [make_page(number, after=f"<div class='end'>{NOTICE}</div>") for number in range(count)]
    found = vote(documents, lambda text: is_sentence(text) or text == NOTICE)
    assert [NOTICE in texts for texts in found] == [is_kept] * count
    assert found[0][:4] == sentences(0)


def test_a_sentence_that_pages_share_within_the_text_is_kept():
    documents = [make_page(number, f"<p>{NOTICE}</p>") for number in range(6)]
    assert all(NOTICE in texts for texts in vote(documents, lambda text: is_sentence(text) or text == NOTICE))


def test_comments_that_a_reader_takes_on_some_pages_are_dropped():
    documents = [make_page(number, comments=3) for number in range(5)]
    found = vote(documents, lambda text: is_sentence(text) or ("Comment" in text and "page 4:" not in text))
    assert all("Comment" in text for text in found[0][4:])  # four pages of five called them content
    found = vote(documents, lambda text: is_sentence(text) or ("Comment" in text and "page 1:" in text))
    assert found[1] == sentences(1)


def test_titles_and_dates_outside_of_the_main_element_are_not_its_text():
    documents = [make_page(number) for number in range(5)]
    found = vote(documents, lambda text: text.startswith(("Sentence", "Title", "May")))
    assert found[0] == sentences(0)


def test_what_pages_of_facts_have_once_is_not_a_label():
    def page(number):
        facts = "".join(f"<tr><td>Fact {place}</td><td>{place * number} km</td></tr>" for place in range(9))
        return Document(f"<h1>River {number}</h1><table>{facts}</table><footer>Contact us</footer>")

    documents = [page(number) for number in range(5)]
    assert vote(documents, lambda text: text != "Contact us")[3][:2] == ["River 3", "Fact 0"]


SUMMARY = (
    "<section>In short, page {} is about rivers and about the towns that stand beside them; about those who founded "
    "them it has nothing to tell.</section>"
)


@pytest.mark.parametrize(("place", "called", "is_kept"), [("before", 3, True), ("after", 5, True), ("after", 3, False)])
def test_a_summary_is_kept_more_easily_before_the_main_element_than_after_it(place, called, is_kept):
    documents = [make_page(number, **{place: SUMMARY.format(number)}) for number in range(5)]
    taken = [f"page {number} " for number in range(called)]
    found = vote(
        documents, lambda text: is_sentence(text) or ("In short" in text and any(map(text.__contains__, taken)))
    )
    assert any(text.startswith("In short") for text in found[0]) is is_kept


PROMOTION = "<div class='promo'>Win two tickets for the circus.</div>"


def test_what_was_left_out_on_purpose_is_not_found_again_by_its_place():
    documents = [make_page(number, PROMOTION if number < 2 else "") for number in range(5)]
    voted = [name_nodes(document, is_sentence) for document in documents]
    promotion = documents[0].texts.index("Win two tickets for the circus.")
    found = decide(documents, voted)[0]
    assert kept_texts(documents[0], found) == [*sentences(0), "Win two tickets for the circus."]
    refused = decide(documents, voted, refused=[{promotion: "advertisement"}, {}, {}, {}, {}])
    assert kept_texts(documents[0], refused[0]) == sentences(0)
    assert refused[0].reasons[refused[0].nodes.tolist().index(promotion)] == "advertisement"
    assert kept_texts(documents[1], refused[1]) == [*sentences(1), "Win two tickets for the circus."]


def test_what_was_left_out_on_purpose_is_found_where_others_like_it_are_content():
    documents = [make_page(number) for number in range(5)]
    voted = [
        name_nodes(document, lambda text: is_sentence(text) and "0 of page 2" not in text) for document in documents
    ]
    named = documents[2].texts.index(SENTENCE.format(0, 2))
    decisions = decide(documents, voted, refused=[{}, {}, {named: "footer"}, {}, {}])
    assert kept_texts(documents[2], decisions[2]) == sentences(2)


def test_the_reason_of_a_refusal_is_given_only_where_it_decides():
    documents = [make_page(number) for number in range(5)]
    refused = [name_nodes(document, lambda text: text == "Home") for document in documents]
    decisions = decide(
        documents,
        [name_nodes(document, is_sentence) for document in documents],
        refused=[dict.fromkeys(nodes.tolist(), "navigation") for nodes in refused],
    )
    assert "navigation" not in decisions[0].reasons


def test_names_that_each_page_has_anew_do_not_part_the_pages():
    documents = [make_page(number, name=f"post-{1000 + number} about-{chr(97 + number)}") for number in range(5)]
    assert vote(documents, lambda text: is_sentence(text) and "page 2" not in text)[2] == sentences(2)


def test_class_names_tell_places_with_the_same_tags_apart():
    def page(number):
        said, aside = SENTENCE.format(0, number), COMMENT.format(0, number)
        return Document(f"<div class='col-8'><p>{said}</p></div><div class='col-4'><p>{aside}</p></div>")

    documents = [page(number) for number in range(4)]
    assert vote(documents, lambda text: is_sentence(text) and "page 2" not in text)[2] == [SENTENCE.format(0, 2)]


def test_too_few_pages_keep_what_the_reader_said_and_say_so():
    documents = [make_page(number) for number in range(MIN_PAGES - 1)]
    decisions = decide(documents, [name_nodes(document, lambda text: text == "Home") for document in documents])
    assert [kept_texts(*pair) for pair in zip(documents, decisions, strict=True)] == [["Home"]] * len(documents)
    assert {each.note for each in decisions} == {"2 pages are too few for a vote"}


def test_of_several_voters_the_mean_counts():
    documents = [make_page(number, comments=2) for number in range(4)]
    first = [name_nodes(document, lambda text: text.startswith(("Sentence", "Comment"))) for document in documents]
    second = [name_nodes(document, is_sentence) for document in documents]
    decisions = decide(documents, first, second, second)
    assert kept_texts(documents[0], decisions[0]) == sentences(0)
    score_of = dict(zip(decisions[0].nodes.tolist(), decisions[0].scores.tolist(), strict=True))
    comment = documents[0].texts.index(COMMENT.format(0, 0))
    assert score_of[comment] == pytest.approx(1 / 3, abs=1e-6)


def test_a_page_that_did_not_vote_is_decided_by_those_that_did():
    tally = Tally()
    for number in range(4):
        document = make_page(number)
        tally.add(cast(document, name_nodes(document, is_sentence)))
    other = make_page(9)
    decision = decide_page(tally, cast(other, np.zeros(0, dtype=np.int32)))
    assert kept_texts(other, decision) == sentences(9)


def test_reasons_tell_how_the_style_was_called():
    documents = [make_page(number, "<b>Ada</b>" if number == 1 else "", comments=1) for number in range(4)]
    called = ("Sentence", "Title", "Comment 0 on page 1", "Comment 0 on page 2")
    decision = decide(
        documents, [name_nodes(document, lambda text: text.startswith(called)) for document in documents]
    )[1]
    reasons = {documents[1].texts[node]: reason for node, reason in zip(decision.nodes, decision.reasons, strict=True)}
    style, far = "texts in this style were called content", "outside the main text that is too little"
    assert reasons[SENTENCE.format(0, 1)] == f"On the pages of this site 16 of 16 {style}, 100 % of their length."
    assert reasons["Share this"] == f"On the pages of this site 0 of 4 {style}, 0 % of their length."
    assert reasons["Title of page 1"] == (
        "A short text that is once on each of 4 pages, outside the main text: a title or byline."
    )
    more = "or 60 % with this text and what is around it"
    assert (
        reasons[COMMENT.format(0, 1)]
        == f"On the pages of this site 2 of 4 {style}, 50 % of their length, {more}; {far}."
    )
    assert reasons["Ada"].startswith(
        "Only 1 of 4 pages has a text like this, so it goes with what is around it, of which "
    )


def test_reasons_tell_of_a_style_only_where_it_has_the_most_say():
    def tell_promotion(having):
        documents = [make_page(number, PROMOTION if number < having else "") for number in range(12)]
        decision = decide(documents, [name_nodes(document, is_sentence) for document in documents])[0]
        place = decision.nodes.tolist().index(documents[0].texts.index("Win two tickets for the circus."))
        return decision.reasons[place]

    assert tell_promotion(8).startswith(
        "Only 8 of 12 pages have a text like this, so it goes with what is around it, of which "
    )
    assert tell_promotion(9).startswith(
        "On the pages of this site 0 of 9 texts in this style were called content, 0 % of their length, or "
    )
    assert tell_promotion(12) == (
        "On the pages of this site 0 of 12 texts in this style were called content, 0 % of their length."
    )


def test_reasons_tell_of_the_place_where_a_style_is_rare():
    documents = [make_page(number) for number in range(4)]
    documents[0] = Document(documents[0].markup.replace("<p>Sentence 0", "<p class=lead>Sentence 0"))
    decision = decide(documents, [name_nodes(document, is_sentence) for document in documents])[0]
    reason = dict(zip(decision.nodes.tolist(), decision.reasons, strict=True))
    lead = documents[0].texts.index(SENTENCE.format(0, 0))
    assert reason[lead].startswith(
        "On the pages of this site 16 of 16 texts in this place, in any style, were called content, 100 %"
    )


@pytest.mark.parametrize("markup", ["", "<p> </p>", "<p hidden>One</p>"])
def test_pages_without_texts_have_nothing_to_decide(markup):
    documents = [Document(markup), *(make_page(number) for number in range(3))]
    decisions = decide(documents, [name_nodes(document, is_sentence) for document in documents])
    assert len(decisions[0].nodes) == 0
    assert kept_texts(documents[1], decisions[1]) == sentences(0)


def test_pages_without_any_content_are_left_without():
    documents = [make_page(number) for number in range(4)]
    assert vote(documents, lambda _: False) == [[]] * 4
