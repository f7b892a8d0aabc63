"""Correct a wrapper on its sample pages: what the workbench shows of it, and what each click does.

Every action is a call of the library with the name that `quarry correct` gives it, and a step of the wrapper's history.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from webquarry.errors import InputError
from webquarry.model.document import Document
from webquarry.model.extraction import Extraction, SectionValue
from webquarry.model.nouns import value_to_dict
from webquarry.model.page import Failure
from webquarry.model.wording import count
from webquarry.model.wrapper import Wrapper
from webquarry.pipeline import correct_wrappers, extract_pages, learn_wrappers, source_pages
from webquarry.pipeline.mine_pages import mine
from webquarry.storing.formats import choose_format, open_sink
from webquarry.workbench.opened_pages import OpenedPage
from webquarry.wrapping.field_signatures import View
from webquarry.wrapping.heading_spots import KeptSamples, find_tokens, read_spots
from webquarry.wrapping.listing_examples import describe_lacking
from webquarry.wrapping.listing_reader import find_records, listing_of, read_records

OPTIONS = ("to", "name", "whole_format", "record", "at", "part")
"""Options of `webquarry.correct` that the browser may give."""


class WrapperWork:
    """A wrapper with its sample pages, and the corrections so far.

    Pages that are reached by `follow` are read too, but nothing is learnt from them.
    """

    def __init__(
        self, wrapper: Wrapper, pages: Sequence[OpenedPage], file: Path, follow: Callable[[OpenedPage], OpenedPage]
    ) -> None:
        self.wrapper = wrapper
        self.pages = list(pages)
        self._samples = len(self.pages)
        self._follow = follow
        self._file = file
        self._saved: Wrapper | None = None
        self._kept = KeptSamples()
        self._extracted: dict[int, Extraction | Failure] = {}

    def show(self, number: int) -> dict[str, Any]:
        """Describe the wrapper and what it finds on one page, for the browser."""
        page = self.pages[number]
        return {
            "view": "table" if self.wrapper.has_records else "outline",
            "name": self.wrapper.source.name,
            "kind": self.wrapper.source.kind,
            "file": str(self._file),
            "is_saved": self._saved == self.wrapper,
            "fields": self._fields(),
            "values": self._values(page, self._extract(number)),
            "records": self._records(page),
            "headings": self._headings(page),
            "history": [step.action for step in self.wrapper.history],
            "steps": self.wrapper.steps,
            "can_redo": bool(self.wrapper.undone),
            "lacking": self.find_gaps(number),
        }

    def act(self, number: int, action: str, given: Mapping[str, Any]) -> str:
        """Do what was clicked on a page; say what was done."""
        actions: dict[str, Callable[[], str]] = {
            "undo": self._undo,
            "redo": self._redo,
            "next_list": lambda: self._choose_next(number),
            "next_page": lambda: self._open_next(number),
            "save": lambda: self._save(str(given.get("file", ""))),
            "export": lambda: self._export(str(given.get("file", "")), str(given.get("table", ""))),
        }
        if action in actions:
            return actions[action]()
        options = {name: given[name] for name in OPTIONS if given.get(name)}
        return self._correct(action, str(given.get("example", "")), **options)

    def _correct(self, action: str, example: str, **options: Any) -> str:
        if action == "choose" and not self.wrapper.fields and self.wrapper.has_records:
            return self._start(example)
        documents = self._documents(action, record=bool(options.get("record")))
        before = self.wrapper
        self._change(correct_wrappers.correct(before, documents, action, example, kept=self._kept, **options))
        lacking = (
            describe_lacking(before, self.wrapper, documents) if action == "add" and not options.get("record") else ""
        )
        return "; ".join(filter(None, [self.wrapper.history[-1].action, lacking]))

    def _start(self, like: str) -> str:
        """Learn the list that has these words, as nothing was found when the page was opened."""
        source = self.wrapper.source
        documents, samples = self._documents("choose"), source.samples
        self._change(learn_wrappers.wrap(documents, name=source.name, kind=source.kind, samples=samples, like=like))
        return f'took the list with "{like}"'

    def _documents(self, action: str, *, record: bool = False) -> list[Document]:
        """Return the sample pages as `quarry correct` reads them for an action."""
        is_rendered = correct_wrappers.reads_rendered(self.wrapper, action, record=record)
        samples = self.pages[: self._samples]
        return [page.document if is_rendered or page.document.kind == "static" else page.static for page in samples]

    def _choose_next(self, number: int) -> str:
        """Choose the list of the page that is the next best after the present one; after the last the best."""
        document = self.pages[number].document
        method = "tables" if self.wrapper.source.kind == "tables" else "visual"
        lists = [region for region in mine(document, method=method) if len(region) > 1]
        if len(lists) < 2:
            raise InputError("the page has no other list; click on a thing of the one that you want")
        present = {row.span[0] for row in read_records(self.wrapper, document)} if method == "visual" else set()
        place = next((at for at, region in enumerate(lists) if present & {first for first, _ in region.spans}), -1)
        chosen = (place + 1) % len(lists)
        self._correct("choose", " ".join(lists[chosen].records[0].text.split()))
        return f"took list {chosen + 1} of {len(lists)}; Undo goes back"

    def _open_next(self, number: int) -> str:
        """Open the page that continues the listing of a page; it is read like the samples."""
        page = self._follow(self.pages[number])
        if all(page.page.url != each.page.url for each in self.pages):
            self.pages.append(page)
        return f"opened {page.title}"

    def _change(self, wrapper: Wrapper) -> None:
        self.wrapper = wrapper
        self._extracted.clear()

    def _undo(self) -> str:
        self._change(correct_wrappers.undo(self.wrapper))
        return f"undone: {self.wrapper.undone[0]}"

    def _redo(self) -> str:
        self._change(correct_wrappers.redo(self.wrapper, self._documents("redo"), kept=self._kept))
        return self.wrapper.history[-1].action

    def _save(self, file: str) -> str:
        if self.wrapper.has_records and not self.wrapper.fields:
            raise InputError("there is no list yet; click on a thing of the one that you want")
        self._file = Path(file) if file else self._file
        source_pages.save_wrapper(self._file, self.wrapper)
        self._saved = self.wrapper
        return f"saved {self._file}; it reads other pages too: quarry extract {self._file} PAGE -o FILE.csv"

    def _export(self, file: str, table: str) -> str:
        if not file:
            raise InputError("name a file, such as offers.csv, offers.parquet or offers.duckdb")
        path = Path(file)
        results = [self._extract(number) for number in range(len(self.pages))]
        name = choose_format(path, None, is_terminal=False)
        sink = open_sink(name, path, table=table or None, wrapper=self.wrapper)
        with closing(sink):
            for result in results:
                sink.add(result)
            sink.finish()
        read = [each for each in results if isinstance(each, Extraction)]
        records = {(each.page, value.path[1]) for each in read for value in each.values if len(value.path) > 1}
        wrote = count(len(records), "record") if self.wrapper.has_records else count(len(read), "row")
        return f"wrote {wrote} of {count(len(read), 'page')} to {file}"

    def _extract(self, number: int) -> Extraction | Failure:
        if number not in self._extracted:
            page = self.pages[number]
            document = page.document if self.wrapper.source.render else page.static
            (self._extracted[number],) = extract_pages.extract_all(self.wrapper, [document])
        return self._extracted[number]

    def _fields(self) -> list[dict[str, Any]]:
        """Describe the fields of records or of an item, and the sections, each with the path of its values."""
        names = [path[0] for path in extract_pages.find_paths(self.wrapper)[: len(self.wrapper.fields)]]
        fields = [
            {
                "name": rule.name,
                "path": name,
                "level": 1,
                "type": rule.type,
                "is_optional": rule.is_optional,
                "is_field": True,
            }
            for rule, name in zip(self.wrapper.fields, names, strict=True)
        ]
        sections = [
            {
                "name": section.name,
                "path": ".".join(path),
                "level": len(path),
                "type": section.type,
                "is_optional": section.is_optional,
                "is_repeated": section.is_repeated,
            }
            for path, section in self.wrapper.grammar.walk()
        ]
        return [*fields, *sections]

    def _values(self, page: OpenedPage, extraction: Extraction | Failure) -> list[dict[str, Any]]:
        if isinstance(extraction, Failure):
            return []
        return [_describe_value(page, value) for value in extraction.values]

    def _records(self, page: OpenedPage) -> list[list[int]]:
        """List for each record of a listing the number of its first element in the frame, and that after its last."""
        document = page.document if self.wrapper.source.render else page.static
        if self.wrapper.source.kind != "records" or len(document) != len(page.document):
            return []  # of tables only the cells are known; scripts may have changed the numbers
        records = find_records(listing_of(self.wrapper), View(document))
        return [[page.numbers.count_before(node) for node in record.span] for record in records]

    def _headings(self, page: OpenedPage) -> list[dict[str, Any]]:
        if self.wrapper.listing is not None:
            return []
        return [
            {
                "text": token.text,
                "level": token.level,
                "path": ".".join(token.path),
                "place": page.numbers.place(token.node),
            }
            for token in find_tokens(self.wrapper, page.document, self._kept)
        ]

    def find_gaps(self, number: int) -> list[str]:
        """List the paths of sections or fields that a page lacks; read it for the next correction too."""
        if self.wrapper.tokens and number < self._samples:
            read_spots(self.wrapper, self._kept.read(self.wrapper, [self.pages[number].document]))
        extraction = self._extract(number)
        return list(extraction.missing) if isinstance(extraction, Extraction) else []


def _describe_value(page: OpenedPage, value: SectionValue) -> dict[str, Any]:
    return {
        "path": list(value.path),
        "headings": list(value.headings),
        "text": value.text,
        "place": page.place_of(value.node),
        "typed": None
        if value.typed is None
        else [each if isinstance(each, str) else value_to_dict(each) for each in value.typed]
        if isinstance(value.typed, tuple)
        else value_to_dict(value.typed),
    }
