"""Whether wrappers learnt without labels read the fields of detail pages as they are today.

A wrapper is learnt from half of the pages of a template, at most five, evenly drawn from their sorted names, and read
on the others.  Of each true field the read field that agrees on most pages counts: texts must be the same (case,
spaces and outer punctuation aside), lists must have a word F1 of .95.  A field is right when it agrees on nine of ten
pages; fields that none of these pages has are left out.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from statistics import fmean
from typing import Any

import lxml.html

import webquarry as wq
from benchmarks.corpora import draw_evenly
from benchmarks.findings import Finding
from benchmarks.halves import ALL, by_half, split
from benchmarks.pool import show_progress
from benchmarks.scoring.modern import is_same_text
from benchmarks.scoring.records import words_of
from webquarry.errors import WebquarryError
from webquarry.model.document import Document
from webquarry.model.extraction import Extraction
from webquarry.model.page import Failure, Page
from webquarry.wrapping.item_reader import ItemReader

MAX_SAMPLES = 5
RIGHT = 0.9
"""The share of pages on which a right field agrees."""
LIST_F1 = 0.95
NAMES = ("name", "title")
TIMED_PAGES = 2
"""Pages of each template that the cost of reading is measured on."""
RUNS = 3
"""Of which the quickest counts."""


@dataclass(frozen=True, eq=False)
class Template:
    """Detail pages of one template, and what a person reads on each."""

    name: str
    half: str
    folder: Path
    truth: dict[str, Any]

    @property
    def samples(self) -> list[str]:
        pages = sorted(self.truth["pages"])
        return draw_evenly(pages, min(MAX_SAMPLES, len(pages) // 2))

    @property
    def others(self) -> list[str]:
        return [page for page in sorted(self.truth["pages"]) if page not in self.samples]

    def page(self, name: str) -> Page:
        path = self.folder / name
        return Page(path.resolve().as_uri(), path.read_bytes())


@dataclass(frozen=True)
class Samples:
    """The documents of a template: rendered ones to learn from, and the others plain to be read."""

    rendered: list[Document]
    others: dict[str, Document]


@cache
def find_templates(root: Path) -> tuple[Template, ...]:
    """Read the corpus."""
    files = sorted((root / "details").glob("*/truth.json"))
    halves = split(file.parent.name for file in files)
    return tuple(
        Template(file.parent.name, halves[file.parent.name], file.parent, json.loads(file.read_text("utf-8")))
        for file in files
    )


@cache
def read_samples(template: Template) -> Samples:
    """Render the samples of a template, and parse all its pages."""
    pages = [template.page(name) for name in template.samples]
    rendered = [
        each for each in wq.render_all(pages, roots=[template.folder], offline=True) if not isinstance(each, Failure)
    ]
    others = {name: wq.clean(template.page(name)) for name in template.others}
    return Samples(rendered, others)


def run_details(root: Path, count: int | None = None) -> Finding | None:
    """Score every template; None when there is no such corpus."""
    templates = draw_evenly(find_templates(root), count) if count else find_templates(root)
    if not templates:
        return None
    scores = [
        (template, score_fields(template, extract(template, read_samples(template))))
        for template in show_progress(templates, len(templates), "details")
    ]
    return Finding(
        title="Detail pages",
        note=f"Learnt from half of the pages of a template, at most {MAX_SAMPLES}, rendered; read on the others.",
        heads=("", "templates", "fields right", "fields", "share", "cells", "name right"),
        rows=[_row(half, each) for half, each in by_half(scores, lambda pair: pair[0].half).items()],
        figures={"details, extraction, CPU to lxml's parse": _measure_cost(templates)}
        | {
            f"details, {name}: {half}": figure
            for half, each in by_half(scores, lambda pair: pair[0].half).items()
            if half != ALL and each
            for name, figure in _means([shares for _, shares in each]).items()
        },
        complaints=[f"no field: {template.name}" for template, shares in scores if not any(shares.values())],
    )


def _measure_cost(templates: Sequence[Template]) -> float:
    """Measure the CPU time of reading pages by item wrappers, from their bytes, relative to lxml's parse."""
    reading = parsing = 0.0
    for template in templates:
        wrapper = wq.wrap(read_samples(template).rendered, name="timed", kind="item")
        for name in template.others[:TIMED_PAGES]:
            page = template.page(name)
            read = partial(_read_page, ItemReader(wrapper), page)
            read()
            reading += min(_time(read) for _ in range(RUNS))
            parsing += min(_time(partial(lxml.html.fromstring, page.body)) for _ in range(RUNS))
    return reading / parsing


def _read_page(reader: ItemReader, page: Page) -> Extraction:
    return reader.read(wq.clean(page))


def _time(run: Callable[[], object]) -> float:
    start = time.process_time()
    run()
    return time.process_time() - start


def extract(template: Template, samples: Samples) -> dict[str, dict[str, str]]:
    """Learn an item wrapper and read the other pages: by page the texts by path."""
    try:
        wrapper = wq.wrap(samples.rendered, name=template.name.replace("-", "_"), kind="item")
    except WebquarryError:
        return {name: {} for name in template.others}
    others = _render_others(template) if wrapper.source.render else samples.others
    results = {name: wq.extract(wrapper, document) for name, document in others.items()}
    return {name: list_leaves(result.record) for name, result in results.items()}


def _render_others(template: Template) -> dict[str, Document]:
    results = wq.render_all([template.page(name) for name in template.others], roots=[template.folder], offline=True)
    pairs = zip(template.others, results, strict=True)
    return {name: each for name, each in pairs if not isinstance(each, Failure)}


def list_leaves(record: object, path: str = "") -> dict[str, str]:
    """List the texts of a nested record by path; a list is one text.

    >>> list_leaves({"area": {"total": "5 km"}, "tags": ["a", "b"]})
    {'area.total': '5 km', 'tags': 'a\\nb'}
    """
    if isinstance(record, Mapping):
        inner = (list_leaves(value, f"{path}.{name}" if path else name) for name, value in record.items())
        return {name: text for each in inner for name, text in each.items()}
    if isinstance(record, list | tuple):
        parts = [" ".join(list_leaves(item, "x").values()) for item in record]
        return {path: "\n".join(parts)}
    return {} if record is None else {path: str(record)}


def score_fields(template: Template, said: Mapping[str, Mapping[str, str]]) -> dict[str, float]:
    """Find for each true field the share of pages on which the best read field agrees."""
    names = sorted({name for record in said.values() for name in record})
    best: dict[str, float] = {}
    for field in template.truth["fields"]:
        true = {page: template.truth["pages"][page].get(field) for page in said}
        if not any(true.values()):
            continue
        best[field] = 0.0
        for name in names:
            good = {page: _agrees(true[page], record.get(name)) for page, record in said.items()}
            filled = [is_good for page, is_good in good.items() if true[page] or said[page].get(name)]
            best[field] = max(best[field], min(fmean(good.values()), fmean(filled)))
    return best


def _agrees(true: object, said: str | None) -> bool:
    if true is None or true == []:
        return said is None or not said.strip()
    if said is None:
        return False
    if isinstance(true, list):
        a, b = words_of(" ".join(map(str, true))), words_of(said)
        total = a.total() + b.total()
        return bool(total) and 2 * (a & b).total() / total >= LIST_F1
    return is_same_text(true, said)


def _means(scores: Sequence[Mapping[str, float]]) -> dict[str, float]:
    shares = [share for each in scores for share in each.values()]
    return {
        "fields right": fmean(share >= RIGHT for share in shares),
        "cells": fmean(shares),
        "templates with the name right": fmean(
            max((each[name] for name in NAMES if name in each), default=1.0) >= RIGHT for each in scores
        ),
    }


def _row(half: str, scores: Sequence[tuple[Template, Mapping[str, float]]]) -> list[str]:
    shares = [share for _, each in scores for share in each.values()]
    means = _means([each for _, each in scores])
    right = sum(share >= RIGHT for share in shares)
    return [half, str(len(scores)), str(right), str(len(shares)), *(f"{figure:.3f}" for figure in means.values())]
