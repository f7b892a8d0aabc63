"""Corrections of sources that are learnt not quite right, against what a person reads on their pages."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from webquarry.model.document import Document
from webquarry.model.wrapper import Source, Wrapper
from webquarry.wrapping.corrections import Correction, correct
from webquarry.wrapping.section_learner import learn_sections
from webquarry.wrapping.section_reader import Reader

SOURCES = Path(__file__).parents[1] / "pages-of-sources"


def learn(source: str) -> tuple[Wrapper, list[Document]]:
    files = sorted((SOURCES / source).glob("*.html"))
    documents = [Document(file.read_text(encoding="utf-8"), url=file.name) for file in files]
    return learn_sections(documents, Source(source)), documents


def true_values(source: str, page: str, path: list[str]) -> list[str]:
    truth: dict[str, Any] = json.loads((SOURCES / source / "expected-sections.json").read_text(encoding="utf-8"))
    return [section["value"] for section in truth["pages"][page] if section["path"] == path]


def words(text: str) -> list[str]:
    return text.split()


def test_directors_and_director_are_one_section_of_films() -> None:
    wrapper, documents = learn("films-h5-labels")
    wrapper = correct(wrapper, Correction("join", "Directors:", "Director:"), documents)
    wrapper = correct(wrapper, Correction("join", "Writers:", "Writer:"), documents)
    reader = Reader(wrapper)
    for document in documents:
        record = reader.read(document).record["Overview"]
        for kept, plural in (("Director", "Directors"), ("Writer", "Writers")):
            true = [
                value
                for name in (kept, plural)
                for value in true_values("films-h5-labels", document.url, ["Overview", name])
            ]
            assert [words(record[kept])] == list(map(words, true))


def test_a_source_is_as_learnt_after_its_notes_were_dropped_and_added() -> None:
    learnt, documents = learn("factbook-plain")
    dropped = correct(learnt, Correction("drop", "note"), documents)
    added = correct(dropped, Correction("add", "note"), documents)
    as_learnt, without, again = (
        [Reader(wrapper).read(document).record for document in documents] for wrapper in (learnt, dropped, added)
    )
    assert without != as_learnt
    assert again == as_learnt
