"""Style classes of nodes."""

import numpy as np

from webquarry.model.document import VISUAL_VALIDATION, Document, Layout
from webquarry.validating.ballots import classes_of

STYLES = len(VISUAL_VALIDATION)


def painted(markup, colours):
    """A document as rendered, where elements have the colours that their attribute names; others are black."""
    document = Document(markup)
    values = ("black", *colours)
    styles = np.zeros((len(document), STYLES), dtype=np.int32)
    for node, attributes in enumerate(document.attributes):
        styles[node, 15] = values.index(attributes.get("data-colour", "black"))
    styles[document.tags < 0] = styles[document.parents[document.tags < 0]]
    layout = Layout(
        boxes=np.zeros((len(document), 4), dtype=np.float32),
        styles=styles,
        values=values,
        properties=tuple(map(str, range(STYLES))),
        visible=np.ones(len(document), dtype=np.bool_),
        width=1000,
        height=1000,
        browser="none",
        viewport=1000,
    )
    return Document(markup, kind="rendered", layout=layout)


def classes_of_texts(document):
    fine, coarse = classes_of(document)
    texts = document.seen_texts
    return fine[texts].tolist(), coarse[texts].tolist()


def test_texts_in_the_same_place_are_of_one_class_on_all_pages():
    first = classes_of_texts(Document("<title>x</title><div class='a b'><p>One<p>Two</div>"))
    second = classes_of_texts(Document("<div class='b a'><h1></h1><p>Three</div>"))
    assert first[0][0] == first[0][1] == second[0][0]
    assert first[1][0] == first[1][1] == second[1][0]


def test_class_names_part_fine_classes_and_not_coarse_ones():
    fine, coarse = classes_of_texts(Document("<div class=a><p>One</div><div class=b><p>Two</div><div><p>Three</div>"))
    assert len(set(fine)) == 3
    assert len(set(coarse)) == 1


def test_numbers_of_a_page_do_not_part_classes():
    first, _ = classes_of_texts(Document("<p class='post post-1234'>One"))
    second, _ = classes_of_texts(Document("<p class='post-98765 post'>One"))
    other, _ = classes_of_texts(Document("<p class='post col-4'>One"))
    assert first == second != other


def test_looks_part_fine_classes_of_rendered_pages():
    markup = "<p>One</p><p data-colour=red>Two</p><div data-colour=red><p>Three</p></div>"
    fine, coarse = classes_of_texts(painted(markup, ["red"]))
    again, _ = classes_of_texts(painted(markup, ["blue", "red"]))
    assert len(set(fine)) == 3
    assert coarse[0] == coarse[1] != coarse[2]
    assert again == fine


def test_a_text_is_of_another_class_than_what_holds_it():
    document = Document("<p>One")
    fine, coarse = classes_of(document)
    text = document.texts.index("One")
    assert fine[text] != fine[document.parents[text]]
    assert coarse[text] != coarse[document.parents[text]]


def test_blank_and_hidden_texts_are_not_seen():
    document = Document("<p>One <b> </b><i hidden>two</i><script>three</script>\xa0<p>&nbsp;<p>Four")
    assert [document.texts[node] for node in document.seen_texts.tolist()] == ["One ", "Four"]
