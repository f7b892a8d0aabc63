from __future__ import annotations

from webquarry.model.document import Document
from webquarry.model.wrapper import Source
from webquarry.wrapping.learner import learn_sections
from webquarry.wrapping.outline import find_tokens


def test_headings_that_repeat_the_title_are_pointed_at_as_they_are_read() -> None:
    def page(title: str, figure: int) -> Document:
        names = ("Geography", "People", "Economy")
        sections = "".join(f"<h2>{title}: {name}</h2><p>{name} {figure}</p>" for name in names)
        return Document(f"<h1>{title}</h1>{sections}")

    samples = [page(title, figure) for figure, title in enumerate(["Elm", "Oak", "Ash"])]
    tokens = find_tokens(learn_sections(samples, Source("book")), samples[0])
    assert [token.path for token in tokens] == [("geography",), ("people",), ("economy",)]
