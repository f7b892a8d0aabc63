"""Switch each rule of a stage off alone: which pages change, and what that does to the scores.

`ablation_rules.txt` lists the rules by stage, a line each: where a function or constant is defined, and what takes its
place.  `first` lets a function give back its first argument, `no`, `yes`, `none`, `empty` and `zero` that value,
`nothing` an array of False as long as the first argument; anything else is the new value of a constant.
What follows `--` says why a rule stays though no page of the corpora needs it.

Pages are parsed and rendered once.  One run notes for each rule the pages on which its function gives something else
than what would take its place, or its constant takes part in a comparison that would come out otherwise: no other page
can change.  Each rule is then switched off, in a process of its own, on a sample of these pages; where none of them
changes, on the others, until the first that does.  So a run takes less than an hour on two cores.
"""

from __future__ import annotations

import ast
import contextlib
import hashlib
import importlib
import logging
import math
import multiprocessing
import os
import random
import signal
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from statistics import fmean
from typing import Any, TypeVar

import numpy as np

import webquarry as wq
from benchmarks.articles.truths import CLEANEVAL, SCRAPINGHUB, WCXB, read_truths
from benchmarks.corpora import draw_evenly
from benchmarks.findings import Finding
from benchmarks.halves import CHECK, TUNE, split
from benchmarks.listings import Listing, listings, site_of
from benchmarks.modern import modern_listings, rendered_modern, static_modern
from benchmarks.outliers.sites import SITES, rendered_site
from benchmarks.outliers.wrong_tables import SPOILERS, Spoilt, mined_tables
from benchmarks.pool import show_progress
from benchmarks.rendered import rendered_listings, static_listings
from benchmarks.scoring.articles import score_page
from benchmarks.scoring.modern import score_table
from benchmarks.scoring.records import score_records
from benchmarks.scoring.sections import score_sections
from benchmarks.switches import Watched, clear_caches, find_uses, watch_function
from benchmarks.tables import read_table_pages
from benchmarks.wrappers.books import CHOSEN, RENDERED, find_books, read_samples, static_page
from benchmarks.wrappers.details import extract, find_templates, read_samples as read_template, score_fields
from benchmarks.wrappers.sites import find_sites
from benchmarks.wrappers.swde import measure_site
from webquarry.mining import pager
from webquarry.model.document import Document
from webquarry.model.page import Page
from webquarry.validating import column_outliers

RULES_FILE = Path(__file__).with_name("ablation_rules.txt")
OWN_PAGES = Path(__file__).parents[1] / "tests" / "pages"
OWN_SOURCES = Path(__file__).parents[1] / "tests" / "pages-of-sources"
LEARNED_PAGES = 5
"""Sample pages of each of our own sources."""
SITE_HALVES = (TUNE, CHECK, TUNE)
SITE_PAGES = 30
"""Pages of each site that vote."""
SAMPLE_PAGES = 12
"""Pages of each half that show what a rule does to scores."""
BOOK_PAGES = 40
"""Pages of a fact book that a wrapper reads."""
MAX_SLOWDOWN, LEAST_SECONDS = 4, 20
"""A rule is needed for its speed if a stage takes this many times as long, and seconds, without it."""


@dataclass(frozen=True)
class Rule:
    """A function or constant, what takes its place, and why it stays if that changes nothing."""

    stage: str
    module: str
    name: str
    instead: str
    reason: str = ""

    @property
    def title(self) -> str:
        return f"{self.module.removeprefix('webquarry.')}.{self.name}"


@dataclass(frozen=True)
class Outcome:
    """The result for one page: a digest of all that was found, and a score where there is a truth."""

    half: str
    digest: str
    score: float | None = None


Found = TypeVar("Found")
Outcomes = dict[str, Outcome]
Case = tuple[str, str, Callable[[], tuple[object, float | None]]]
"""The name of a page, its half, and the work on it, which gives the result and its score."""


def read_rules(text: str) -> list[Rule]:
    """Read the list of rules.

    >>> read_rules("# mining\\n[mining]\\nvisual.MIN_RECORDS 1 -- a page shows it")
    [Rule(stage='mining', module='webquarry.mining.visual', name='MIN_RECORDS', instead='1', reason='a page shows it')]
    """
    rules, stage = [], ""
    for line in map(str.strip, text.splitlines()):
        if line.startswith("[") and line.endswith("]"):
            stage = line[1:-1]
        elif line and not line.startswith("#"):
            rule, _, reason = line.partition(" -- ")
            place, instead = rule.split(maxsplit=1)
            module, _, name = place.rpartition(".")
            folder = "" if "." in module else f"{stage}."
            rules.append(Rule(stage, f"webquarry.{folder}{module}", name, instead.strip(), reason.strip()))
    return rules


def switch_off(rule: Rule) -> None:
    """Put something else in the place of a function or constant, in every module that has imported it."""
    original = _original(rule)
    _replace(rule, original, _replacement(rule.instead, is_function=callable(original)))


def watch(rule: Rule, note: Callable[[], None]) -> None:
    """Have `note` called whenever it matters that a rule is on."""
    original = _original(rule)
    instead = _replacement(rule.instead, is_function=callable(original))
    kind = watch_function if callable(original) else Watched
    _replace(rule, original, kind(original, instead, note))


def _original(rule: Rule) -> Any:
    return getattr(importlib.import_module(rule.module), rule.name)


def _replace(rule: Rule, original: Any, replacement: Any) -> None:
    for holder, key in find_uses(original, "" if callable(original) else rule.name):
        holder[key] = replacement
    clear_caches()


def _replacement(instead: str, *, is_function: bool) -> Any:
    if is_function:
        return {
            "first": lambda first, *_, **__: first,
            "no": lambda *_, **__: False,
            "yes": lambda *_, **__: True,
            "none": lambda *_, **__: None,
            "empty": lambda *_, **__: [],
            "zero": lambda *_, **__: 0,
            "nothing": lambda first, *_, **__: np.zeros(len(first), dtype=np.bool_),
        }[instead]
    return float(instead) if instead in ("inf", "-inf") else ast.literal_eval(instead)


def run_ablation(root: Path, count: int | None = None) -> Finding | None:
    """Switch off every rule of the list, on `count` pages of each corpus or on all."""
    if not (root / "records").is_dir():
        return None
    rules = read_rules(RULES_FILE.read_text("utf-8"))
    changes = [
        change
        for stage in dict.fromkeys(rule.stage for rule in rules)
        for change in measure(stage, list(CASES[stage](root, count)), rules)
    ]
    idle = [rule for rule, change in changes if change.is_idle]
    return Finding(
        title="Ablation",
        note="Each rule switched off alone: the pages that it reaches, how many of a sample of them change, and how"
        " much their scores then gain or lose; where none changes, another page that does."
        f" {len(idle)} of {len(changes)} rules change no page; the list says why these stay.",
        heads=("rule", "reached", "tune", "check", "score: tune", "score: check", "elsewhere", "stays because"),
        rows=[
            [
                rule.title,
                str(change.reached),
                *(f"{change.pages[half]} of {change.sampled[half]}" for half in (TUNE, CHECK)),
                *(f"{each:+.4f}" for each in change.scores),
                change.elsewhere,
                rule.reason if change.is_idle else "",
            ]
            for rule, change in changes
        ],
        figures={"ablation, idle rules without a reason": sum(not rule.reason for rule in idle)},
        complaints=[f"changes no page: {rule.title}" for rule in idle if not rule.reason],
    )


@dataclass(frozen=True)
class Change:
    """Pages that a rule reaches, by half those of a sample that it changes, and how their score moves without it."""

    reached: int
    sampled: dict[str, int]
    pages: dict[str, int]
    scores: tuple[float, float]
    elsewhere: str = ""
    """A page beyond the sample that changes."""

    @property
    def is_idle(self) -> bool:
        """Say that no page changes."""
        return not any(self.pages.values()) and not self.elsewhere


def measure(stage: str, cases: Sequence[Case], rules: Iterable[Rule]) -> list[tuple[Rule, Change]]:
    """Run a stage with and without each of its rules, on the pages where that can matter."""
    wanted = [rule for rule in rules if rule.stage == stage]
    stable, before, seconds = _run_with_all_rules(stage, cases)
    mixed = sorted(stable, key=lambda case: hashlib.sha256(case[0].encode()).digest())
    reached = find_reached(stage, mixed, wanted)
    works = [lambda rule=rule: _measure_without(rule, reached[rule], before) for rule in wanted]
    results = _run_each(wanted, works, seconds, f"ablation of {stage}")
    return list(zip(wanted, results, strict=True))


def find_reached(stage: str, cases: Sequence[Case], rules: Sequence[Rule]) -> dict[Rule, list[Case]]:
    """Find the pages that each rule may change."""
    parts = [cases[start :: os.cpu_count()] for start in range(os.cpu_count() or 1)]
    works = [lambda part=part: _watch_all(part, rules) for part in parts]
    noted = [found for part in _run_each([None] * len(parts), works, math.inf, f"{stage}, watched") for found in part]
    names = {rule: {name for name, numbers in noted if number in numbers} for number, rule in enumerate(rules)}
    return {rule: [case for case in cases if case[0] in names[rule]] for rule in rules}


def _watch_all(cases: Sequence[Case], rules: Sequence[Rule]) -> list[tuple[str, set[int]]]:
    """Run cases with all rules on, and note the numbers of those that mattered."""
    noted: set[int] = set()
    for number, rule in enumerate(rules):
        watch(rule, lambda number=number: noted.add(number))
    found = []
    for name, _, work in cases:
        clear_caches()
        noted.clear()
        try:
            work()
        except Exception as error:  # noqa: BLE001 - a watched constant where only a plain number will do
            print(f"not watched: {name}: {error!r}", file=sys.stderr)
            noted.update(range(len(rules)))
        found.append((name, set(noted)))
    return found


def _measure_without(rule: Rule, reached: Sequence[Case], before: Outcomes) -> Change:
    """Compare the results of pages without a rule, which is off, with those before."""
    sample = [case for half in (TUNE, CHECK) for case in [each for each in reached if each[1] == half][:SAMPLE_PAGES]]
    after = _run(sample)
    known = {name: before[name] for name in after}
    change = _compare(len(reached), known, after)
    rest = [case for case in reached if case[0] not in after]
    if change.is_idle and not rule.reason:
        return replace(change, elsewhere=_first_change(rest, before))
    return change


def _run_with_all_rules(stage: str, cases: Sequence[Case]) -> tuple[list[Case], Outcomes, float]:
    """Run a stage twice with all its rules; give the pages whose results agree, and seconds for a run without a rule.

    A page whose result varies would seem to be changed by every rule.
    """
    start = time.process_time()
    before = _run(cases)
    seconds = max(LEAST_SECONDS, MAX_SLOWDOWN * (time.process_time() - start))
    (again,) = _run_each([None], [lambda: _run(cases)], seconds, f"{stage} with all rules again")
    stable = [case for case in cases if before[case[0]].digest == again[case[0]].digest]
    for name in sorted({case[0] for case in cases} - {case[0] for case in stable}):
        print(f"left out, as its result varies: {name}", file=sys.stderr)
    return stable, {case[0]: before[case[0]] for case in stable}, seconds


def _run_each(
    rules: Sequence[Rule | None], works: Sequence[Callable[[], Found]], seconds: float, label: str
) -> list[Found]:
    """Do some work without each of the rules, as many at once as there are cores."""
    global _work  # noqa: PLW0603 - what forked processes inherit
    _work = lambda number: _run_without(rules[number], works[number], seconds)  # noqa: E731
    with multiprocessing.get_context("fork").Pool(os.cpu_count(), maxtasksperchild=1) as pool:
        return list(show_progress(pool.imap(_call, range(len(rules)), chunksize=1), len(rules), label))


_work: Callable[[int], Any]


def _call(number: int) -> Any:
    return _work(number)


def _run_without(rule: Rule | None, run: Callable[[], Found], seconds: float) -> Found:
    if rule is not None:
        switch_off(rule)
    signal.signal(signal.SIGPROF, _give_up)
    if seconds < math.inf:
        signal.setitimer(signal.ITIMER_PROF, seconds)  # CPU time: other programs may be running
    return run()


def _first_change(cases: Sequence[Case], before: Outcomes) -> str:
    """Name the first page whose result differs from the one before; empty if none does."""
    for name, _, work in cases:
        try:
            digest, _ = _try(work)
        except TimeoutError as error:
            return f"{name}: {error}"
        if digest != before[name].digest:
            return name
    return ""


def _give_up(*_: object) -> None:
    raise TimeoutError("too slow without the rule")


def _run(cases: Sequence[Case]) -> Outcomes:
    outcomes = {name: Outcome(half, "not reached", 0.0) for name, half, _ in cases}
    logging.disable(logging.WARNING)
    try:
        with contextlib.suppress(TimeoutError):
            for name, half, work in cases:
                outcomes[name] = Outcome(half, *_try(work))
    finally:
        logging.disable(logging.NOTSET)
    return outcomes


def _try(work: Callable[[], tuple[object, float | None]]) -> tuple[str, float | None]:
    """Do the work on a page and give a digest of the result; without a rule a stage may fail, which is a result too."""
    try:
        result, score = work()
    except TimeoutError:
        raise
    except Exception as error:  # noqa: BLE001
        result, score = repr(error), 0.0
    return hashlib.sha256(repr(result).encode("utf-8", "replace")).hexdigest(), score


def _compare(reached: int, before: Outcomes, after: Outcomes) -> Change:
    halves = {half: [name for name, each in before.items() if each.half == half] for half in (TUNE, CHECK)}
    return Change(
        reached,
        {half: len(names) for half, names in halves.items()},
        {half: sum(before[name].digest != after[name].digest for name in names) for half, names in halves.items()},
        (_gain(before, after, TUNE), _gain(before, after, CHECK)),
    )


def _gain(before: Outcomes, after: Outcomes, half: str) -> float:
    scored = [name for name, each in before.items() if each.half == half and each.score is not None]
    return fmean([(after[name].score or 0.0) - (before[name].score or 0.0) for name in scored] or [0.0])


@cache
def _own_pages() -> tuple[tuple[str, Document], ...]:
    """Render the pages of our tests, which show cases that the corpora lack, and parse them."""
    files = sorted(OWN_PAGES.glob("*/page.html"))
    pages = list(wq.fetch_all(files))
    rendered = show_progress(wq.render_all(pages, roots=[OWN_PAGES], offline=True), len(pages), "rendering our pages")
    documents = [("rendered", each) for each in rendered] + [("static", wq.clean(page)) for page in pages]
    names = [file.parent.name for file in files]
    return tuple((f"ours {way} {name}", each) for name, (way, each) in zip(names * 2, documents, strict=True))


def mining_cases(root: Path, count: int | None) -> Iterator[Case]:
    """Mine listings rendered and static, tables, one page of each template of details, and our own pages."""
    for name, document in _own_pages():
        yield name, TUNE, lambda each=document: ((_describe(wq.mine(each)), pager.find_next(each)), None)
    for way, documents in (("rendered", rendered_listings(root, count)), ("static", static_listings(root, count))):
        for page, document in zip(listings(root, count), documents, strict=True):
            if document is not None:
                yield f"{way} {page.name}", page.half, lambda page=page, each=document: _mine_listing(page, each)
    for way, documents in (("rendered", rendered_modern(root, count)), ("static", static_modern(root, count))):
        for modern, document in zip(modern_listings(root, count), documents, strict=True):
            if document is not None:
                yield (
                    f"{way} {modern.name}",
                    modern.half,
                    lambda truth=modern.truth, each=document: _mine_modern(truth, each),
                )
    for table in read_table_pages(root, count):
        document = wq.clean(table.page)
        yield f"table {table.name}", table.half, lambda each=document: (_describe(wq.mine(each, method="tables")), None)
    for template in find_templates(root):
        document = wq.clean(template.page(template.samples[0]))
        yield f"detail {template.name}", template.half, lambda each=document: (_describe(wq.mine(each)), None)


def _mine_listing(page: Listing, document: Document) -> tuple[object, float]:
    regions = wq.mine(document)
    texts = [record.text for region in regions[:1] for record in region.records]
    return (_describe(regions), pager.find_next(document)), score_records(page.truths, texts).f1


def _mine_modern(truth: Mapping[str, Any], document: Document) -> tuple[object, float]:
    regions = wq.mine(document)
    score = score_table(dict(truth), regions[0].to_dict() if regions else None)
    return _describe(regions), score.share_usable


def _describe(regions: Sequence[wq.Region]) -> object:
    """All regions by their records, the columns of the first three, and what the page states in its data."""
    stated = wq.mine(regions[0].document, method="data") if regions else []
    return [(each.node, each.spans, each.role) for each in regions], [each.fields for each in (*regions[:3], *stated)]


def reading_cases(root: Path, count: int | None) -> Iterator[Case]:
    """Read articles and pages of every kind, with their metadata."""
    for name, document in _own_pages():
        yield name, TUNE, lambda each=document: (_read("", each)[0], None)
    for corpus in (SCRAPINGHUB, WCXB, CLEANEVAL):
        truths = read_truths(root, corpus)
        for page in draw_evenly(truths, count) if count else truths:
            document = wq.clean(Page(f"https://example.org/{page.name}", page.body))
            yield f"{corpus} {page.name}", page.half, lambda true=page.text, each=document: _read(true, each)
    for site, half in zip(SITES, SITE_HALVES, strict=True):  # rendered: some rules look at the layout
        for document in rendered_site(root, site, count or SITE_PAGES):
            yield f"rendered {document.url}", half, lambda each=document: (_read("", each)[0], None)


def _read(true: str, document: Document) -> tuple[object, float]:
    (article,) = wq.read([document])
    return (article.text, article.metadata, np.round(article.scores, 4).tolist()), score_page(true, article.text).words


def wrapping_cases(root: Path, count: int | None) -> Iterator[Case]:
    """Learn from samples and read others: fact books, sites, detail pages, listings and tables."""
    for book in find_books(root):
        samples = read_samples(book, RENDERED, CHOSEN)
        others = [(static_page(book, code), truth) for code, truth in draw_evenly([*book.truths().items()], BOOK_PAGES)]
        half = TUNE if book.year == "2011" else CHECK
        yield f"book {book.year}", half, lambda samples=samples, others=others: _learn_book(samples, others)
    for folder in sorted(OWN_SOURCES.glob("*/")):
        documents = [wq.clean(page) for page in wq.fetch_all(sorted(folder.glob("*.html")))]
        if documents:
            yield (
                f"ours {folder.name}",
                TUNE,
                lambda each=documents: (_learn_and_read(each[:LEARNED_PAGES], each, "sections"), None),
            )
    sites = find_sites(root)
    halves = split(site.name for site in sites)
    for site in sites:
        _ = site.documents  # parsed once
        yield f"swde {site.name}", halves[site.name], lambda site=site: _measure_site(site)
    templates = find_templates(root)
    for template in draw_evenly(templates, count) if count else templates:
        found = read_template(template)
        yield (
            f"detail {template.name}",
            template.half,
            lambda template=template, found=found: _read_details(template, found),
        )
    yield from _listing_cases(root, count)
    for table in read_table_pages(root, count)[::3]:
        document = wq.clean(table.page)
        yield f"table {table.name}", table.half, lambda each=document: (_learn_and_read([each], [each], "tables"), None)


def _listing_cases(root: Path, count: int | None) -> Iterator[Case]:
    """Learn listings from the first page of a site, and read the second."""
    pages = dict(
        zip(
            (page.name for page in listings(root, count)),
            zip(rendered_listings(root, count), static_listings(root, count), strict=True),
            strict=True,
        )
    )
    halves = {page.name: page.half for page in listings(root, count)}
    for name, (rendered, _) in pages.items():
        second = f"{site_of(name)}-2"
        if name.endswith("-1") and second in pages and rendered is not None:
            other = pages[second][1]
            yield (
                f"listing {site_of(name)}",
                halves[name],
                lambda a=rendered, b=other: (_learn_and_read([a], [b], "records"), None),
            )


def _learn_book(samples: Sequence[Document], others: Sequence[tuple[Document, Any]]) -> tuple[object, float]:
    wrapper = wq.wrap(samples, name="factbook", kind="sections")
    records = [wq.extract(wrapper, document).record for document, _ in others]
    scores = [score_sections(truth, record) for record, (_, truth) in zip(records, others, strict=True)]
    return (wrapper, records), fmean(score.right / score.true for score in scores)


def _measure_site(site: Any) -> tuple[object, float]:
    scores = measure_site(site)
    return scores, fmean(score.is_found for score in scores)


def _read_details(template: Any, found: Any) -> tuple[object, float]:
    said = extract(template, found)
    shares = score_fields(template, said)
    return said, fmean(shares.values()) if shares else 0.0


def _learn_and_read(samples: Sequence[Document], others: Sequence[Document], kind: str) -> object:
    wrapper = wq.wrap(samples, name="source", kind=kind)
    return wrapper, [wq.extract(wrapper, document).record for document in others]


def validating_cases(root: Path, count: int | None) -> Iterator[Case]:
    """Vote on the pages of sites, and judge the columns of mined tables, as they are and with faults."""
    for site, half in zip(SITES, SITE_HALVES, strict=True):
        documents = rendered_site(root, site, count or SITE_PAGES)
        for method in ("blocks", "boilerpipe"):
            articles = wq.read(documents, method=method)
            yield f"vote {site} {method}", half, lambda each=articles: (_judge(each, "vote"), None)
        yield f"hbos {site}", half, lambda each=articles: (_judge(each, "hbos"), None)
        yield f"knn {site}", half, lambda each=articles: (_judge(each, "knn"), None)
    for table in mined_tables(root, count):
        yield f"columns {table.name}", table.half, lambda each=table.region: (_judge([each], "columns"), None)
        for kind, spoil in SPOILERS.items():
            spoilt = spoil(table.region, random.Random(table.name))
            if spoilt is not None:
                yield f"{kind} {table.name}", table.half, lambda each=spoilt: (_judge_table(each), None)


def _judge(extracted: Sequence[Any], method: str) -> object:
    report = wq.validate(extracted, method=method)
    return [(page.drops.tolist(), np.round(page.scores, 6).tolist(), page.reasons) for page in report.pages]


def _judge_table(table: Spoilt) -> object:
    (verdicts,) = column_outliers.validate_columns([table.selection])
    return verdicts.drops.tolist(), np.round(verdicts.scores, 6).tolist(), verdicts.reasons


CASES: dict[str, Callable[[Path, int | None], Iterator[Case]]] = {
    "mining": mining_cases,
    "reading": reading_cases,
    "wrapping": wrapping_cases,
    "validating": validating_cases,
}
