"""Learn wrappers from sample pages, correct them, and read all pages of a source by them."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from webquarry.errors import InputError
from webquarry.model.document import Document
from webquarry.model.extraction import Extraction
from webquarry.model.names import distinct, list_names, snake_case
from webquarry.model.page import Failure, Page
from webquarry.model.wrapper import Section, Source, Wrapper
from webquarry.pipeline.fetch_pages import attempt, attempt_together, clean, decode
from webquarry.pipeline.mine_pages import mine, mine_pictured
from webquarry.pipeline.render_pages import open_reader, open_renderer
from webquarry.rendering.pictures import draw_tokens
from webquarry.wrapping.ashish import extract_ashish, wrap_ashish
from webquarry.wrapping.corrections import (
    Add,
    Correction,
    Drop,
    Join,
    Move,
    Rename,
    Retype,
    correct as correct_wrapper,
    undo as undo_step,
)
from webquarry.wrapping.learner import learn_sections
from webquarry.wrapping.listing_learner import learn_listing
from webquarry.wrapping.listing_reader import read_listing
from webquarry.wrapping.outline import find_tokens
from webquarry.wrapping.section_reader import Reader
from webquarry.wrapping.table_wrapper import learn_table, read_table

if TYPE_CHECKING:
    from webquarry.model.region import Region
    from webquarry.rendering.renderer import Renderer

MAX_SHARE_OF_DIFFERING_VALUES = 0.01
"""Share of the samples' values that may differ without a browser: rendering takes many times as long as parsing."""
SECTIONS_NAMED = 3
"""Of the sections that differ without a browser, in the warning about it."""
PATHS_SUGGESTED = 5
"""Paths that an error suggests for one that does not exist."""
MIN_SIMILARITY_OF_SUGGESTIONS = 0.5
"""As `difflib` measures it."""

SectionPath = tuple[str, ...]
Statics = Sequence[Document | None] | None
"""Sample pages as they are without a browser, for pages that scripts have changed."""
Learn = Callable[[Sequence[Document], Source, Statics], Wrapper]
Read = Callable[[Document], Extraction]

_log = logging.getLogger(__name__)


def wrap(
    documents: Document | Iterable[Document],
    *,
    name: str,
    kind: str = "sections",
    method: str = "format",
    pages: str = "",
    key: str = "",
    base: str = "",
    index_page: str = "",
    index_file: str = "",
    samples: Sequence[str] = (),
    statics: Statics = None,
) -> Wrapper:
    """Learn how to read every page of a source from sample pages; never renders.

    `samples` says where the documents are, unless that is their own address.  For documents that scripts have changed,
    `statics` are the same pages without scripts: they show whether pages can be read without a browser.  If more than
    a few values differ then, the wrapper says `render`, and a warning says how many.  Duplicate samples are ignored.
    """
    learn: Learn = _choose(WRAPPERS, kind, method)
    documents = _check_documents(documents)
    places = tuple(samples) or tuple(document.url for document in documents)
    first: dict[Document, int] = {}  # duplicates would make every text look like boilerplate
    for number, document in enumerate(documents):
        first.setdefault(document, number)
    if len(first) < len(documents):
        _log.warning("%s: %d of the samples are the same as others", name, len(documents) - len(first))
        documents, places = [*first], tuple(places[number] for number in first.values())
        statics = None if statics is None else [statics[number] for number in first.values()]
    source = Source(name, kind, base, pages, key, index_page, index_file, samples=places)
    wrapper = learn(documents, source, statics)
    return replace(wrapper, source=replace(wrapper.source, samples=places[: len(wrapper.source.samples) or None]))


def wrap_samples(
    documents: Sequence[Document], *, samples: Sequence[str], statics: Statics = None, **options: Any
) -> tuple[Wrapper | None, dict[int, Failure]]:
    """Learn a wrapper as `wrap` does, leaving out documents on which that fails by a bug of ours.

    Returns the wrapper (None if no document is left) and the failures by the indices of their documents.
    """

    def learn(places: Sequence[int]) -> Wrapper:
        return wrap(
            [documents[place] for place in places],
            samples=[samples[place] for place in places],
            statics=None if statics is None else [statics[place] for place in places],
            **options,
        )

    return attempt_together([document.url for document in documents], learn)


def wrap_pictured(
    wrapper: Wrapper, page: Page, *, numbers: dict[SectionPath, int] | None = None, **options: Any
) -> bytes | Failure:
    """Draw on a page what the wrapper finds there, as PNG: the headings of sections, or the mined records.

    `numbers` are the numbers of sections by path; without them headings are counted in order.
    """
    if wrapper.listing is not None:
        method = "tables" if wrapper.source.kind == "tables" else "visual"
        result, picture = mine_pictured(page, method=method, **options)
        return result if isinstance(result, Failure) else picture or b""
    with open_renderer(options) as renderer:
        return attempt(page.url, partial(_draw_headings, renderer, wrapper, page, numbers))


def extract(wrapper: Wrapper, document: Document, *, only: Iterable[str] = ()) -> Extraction:
    """Extract the values that the wrapper finds on a page; `only` limits them to paths such as `geography.area`."""
    if not isinstance(document, Document):
        raise TypeError(f"extract takes a Document, not a {type(document).__name__}; make one with clean or render")
    return _make_reader(wrapper, only)(document)


def extract_all(
    wrapper: Wrapper, pages: Iterable[Page | Document | Failure], *, only: Iterable[str] = (), **options: Any
) -> Iterator[Extraction | Failure]:
    """Extract the values of many pages; a page that cannot be read becomes a failure.

    Pages that are not documents yet are cleaned, or rendered if the wrapper says so, with the options of `render`.
    """
    return _extract_all(_make_reader(wrapper, only), pages, options if wrapper.source.render else None)


def correct(
    wrapper: Wrapper,
    documents: Sequence[Document],
    action: str,
    example: str,
    *,
    to: str = "",
    name: str = "",
    whole_format: bool = False,
) -> Wrapper:
    """Correct a wrapper by one action; `documents` are its sample pages, rendered if it was learnt from rendered ones.

    `add` turns the example's text into a heading and `drop` undoes one, alone or with its `whole_format`; `move` puts a
    section into the section `to`, `rename` gives it a `name`, `join` merges it with the section `to`, `retype` reads it
    as the type `to`.  Fields of listings and tables are renamed, dropped and retyped.
    """
    check_options(action, to=to, name=name, whole_format=whole_format)
    options = ACTIONS[action]
    given = {"to": to, "name": name, "whole_format": whole_format}
    taken = {option: given[option] for option in (*options.needed, *options.possible)}
    return correct_wrapper(wrapper, options.correction(example, **taken), documents)


def undo(wrapper: Wrapper) -> Wrapper:
    """Take back the last correction of a wrapper."""
    return undo_step(wrapper)


class ActionOptions(NamedTuple):
    """The correction that an action makes, and the options that it needs and takes beside its example."""

    correction: Callable[..., Correction]
    needed: tuple[str, ...] = ()
    possible: tuple[str, ...] = ()


ACTIONS = {
    "add": ActionOptions(Add, possible=("to", "name", "whole_format")),
    "drop": ActionOptions(Drop, possible=("whole_format",)),
    "move": ActionOptions(Move, needed=("to",)),
    "rename": ActionOptions(Rename, needed=("name",)),
    "join": ActionOptions(Join, needed=("to",)),
    "retype": ActionOptions(Retype, needed=("to",)),
}


def check_options(action: str, *, to: str = "", name: str = "", whole_format: bool = False) -> None:
    """Raise for an unknown action, and for options that it needs or does not take."""
    if action not in ACTIONS:
        raise ValueError(f"no action {action!r}; there are {', '.join(ACTIONS)}")
    options = ACTIONS[action]
    flags = {"to": (to, "--to PATH"), "name": (name, "--name NAME"), "whole_format": (whole_format, "--class")}
    for option, (value, flag) in flags.items():
        if value and option not in (*options.needed, *options.possible):
            raise InputError(f"{action} takes no {flag}")
        if not value and option in options.needed:
            raise InputError(f"{action} needs {flag}")


def _check_documents(documents: Document | Iterable[Document]) -> list[Document]:
    given: list[Any] = [documents] if isinstance(documents, (Document, Page, str)) else list(documents)
    odd = next((type(each).__name__ for each in given if not isinstance(each, Document)), None)
    if odd is not None:
        raise TypeError(f"wrap takes Documents, not a {odd}; make one with clean or render")
    if not given:
        raise InputError("there is no sample page; give at least one, better five")
    return given


def _draw_headings(renderer: Renderer, wrapper: Wrapper, page: Page, numbers: dict[SectionPath, int] | None) -> bytes:
    document, screenshot = renderer.shoot(page, decode(page))
    return draw_tokens(renderer, document, screenshot, find_tokens(wrapper, document), numbers=numbers)


def _extract_all(
    read: Read, pages: Iterable[Page | Document | Failure], rendering: dict[str, Any] | None
) -> Iterator[Extraction | Failure]:
    with ExitStack() as stack:
        to_document: Callable[[Page], Document] | None = clean if rendering is None else None
        for page in pages:
            if isinstance(page, Page) and to_document is None:  # the browser starts with the first page that needs it
                to_document = stack.enter_context(open_reader(**(rendering or {})))
            if isinstance(page, Failure):
                yield page
            elif isinstance(page, Document):
                yield attempt(page.url, partial(read, page))
            else:
                yield attempt(page.url, partial(_clean_and_read, to_document or clean, read, page))


def _clean_and_read(to_document: Callable[[Page], Document], read: Read, page: Page) -> Extraction:
    return read(to_document(page))


def _make_reader(wrapper: Wrapper, only: Iterable[str]) -> Read:
    wanted = find_wanted(wrapper, only)
    read = _choose(READERS, wrapper.source.kind, wrapper.method)(wrapper, wanted)
    return (lambda document: narrow(read(document), wanted)) if wanted else read


def _choose(table: dict[tuple[str, str], Any], kind: str, method: str) -> Any:
    if (kind, method) in table:
        return table[kind, method]
    kinds = list(dict.fromkeys(each for each, _ in table))
    if kind not in kinds:
        raise ValueError(f"no kind of wrapper {kind!r}; there are {', '.join(kinds)}")
    methods = [name for each, name in table if each == kind]
    raise ValueError(f"no method {method!r} for {kind}; there are {', '.join(methods)}")


def _learn_sections(documents: Sequence[Document], source: Source, statics: Statics) -> Wrapper:
    wrapper = learn_sections(documents, source)
    if not wrapper.grammar.children:
        raise InputError(
            f"{documents[0].url}: no headings were found that start sections; "
            "name more sample pages, or another kind if it is a listing or a table"
        )
    if all(document.layout is None for document in documents):
        return wrapper
    difference = compare_without_browser(_read_sections(wrapper), documents, statics)
    if not difference.share:
        return wrapper
    needs_browser = difference.share > MAX_SHARE_OF_DIFFERING_VALUES
    _log.warning("%s: %s", source.name, difference.describe(needs_browser=needs_browser))
    return replace(wrapper, source=replace(wrapper.source, render=needs_browser))


def _learn_ashish(documents: Sequence[Document], source: Source, _statics: Statics) -> Wrapper:
    wrapper = wrap_ashish(documents, name=source.name)
    return replace(wrapper, source=replace(source, samples=wrapper.source.samples))


def _learn_records(documents: Sequence[Document], source: Source, statics: Statics) -> Wrapper:
    regions = [_find_best_region(document, "records", "visual") for document in documents]
    wrapper = learn_listing(regions, source, statics=statics)
    kept = {field.name for field in wrapper.listing.fields} if wrapper.listing else set()
    lost = [column.name for column in regions[0].columns if column.name not in kept]
    if lost:
        _log.warning(
            "%s: tags and class names do not lead to %s, so the wrapper lacks it", source.name, list_names(lost)
        )
    return wrapper


def _learn_tables(documents: Sequence[Document], source: Source, statics: Statics) -> Wrapper:
    regions = [_find_best_region(document, "table", "tables") for document in documents]
    return learn_table(regions, source, statics=statics)


def _find_best_region(document: Document, kind: str, method: str) -> Region:
    regions = mine(document, method=method)
    if not regions:
        raise InputError(f"{document.url}: no {kind.removesuffix('s')}s were found on this sample page; leave it out")
    return next((region for region in regions if region.kind == kind), regions[0])


def _read_sections(wrapper: Wrapper, wanted: Sequence[SectionPath] = ()) -> Read:
    return Reader(wrapper, only=[".".join(path) for path in wanted]).read


WRAPPERS: dict[tuple[str, str], Learn] = {
    ("sections", "format"): _learn_sections,
    ("sections", "ashish"): _learn_ashish,
    ("records", "format"): _learn_records,
    ("tables", "format"): _learn_tables,
}
"""Learners by kind and method."""
READERS: dict[tuple[str, str], Callable[[Wrapper, Sequence[SectionPath]], Read]] = {
    ("sections", "format"): _read_sections,
    ("sections", "ashish"): lambda wrapper, _wanted: partial(extract_ashish, wrapper),
    ("records", "format"): lambda wrapper, _wanted: partial(read_listing, wrapper),
    ("tables", "format"): lambda wrapper, _wanted: partial(read_table, wrapper),
}
"""Makers of readers by kind and method, from a wrapper and the wanted paths."""


@dataclass(frozen=True)
class Difference:
    """The difference between values read without a browser and with one."""

    share: float
    sections: tuple[str, ...]
    """Dotted paths of the sections that differ, most frequent first."""

    def describe(self, *, needs_browser: bool) -> str:
        """Say what differs, and what follows from it."""
        where = list_names(self.sections[:SECTIONS_NAMED])
        said = f"{self.share:.1%} of the samples' values differ without a browser, such as {where}"
        if needs_browser:
            return f"{said}: the markup alone does not show the headings, so pages will be rendered"
        return f"{said}; pages are still read without one unless you say --render"


def compare_without_browser(read: Read, documents: Sequence[Document], statics: Statics) -> Difference:
    """Compare the values read from rendered samples and from plain ones; white space does not count.

    Only `statics` show what a page was before scripts changed it: without them all of its values differ.
    """
    same = total = 0
    sections: Counter[str] = Counter()
    for document, static in zip(documents, statics or [None] * len(documents), strict=True):
        plain = static or (
            replace(document, method="html5", kind="static", layout=None, tree=None)
            if document.kind != "scripts"
            else None
        )
        seen = _count_values(read(document))
        found = _count_values(read(plain)) if plain else Counter()
        same += (seen & found).total()
        total += max(seen.total(), found.total())
        sections.update(path for path, _ in (seen - found) | (found - seen))
    share = 1 - same / total if total else 0.0
    return Difference(share, tuple(path for path, _ in sections.most_common()))


def _count_values(extraction: Extraction) -> Counter[tuple[str, str]]:
    return Counter((".".join(map(str, value.path)), " ".join(value.text.split())) for value in extraction.values)


def find_paths(wrapper: Wrapper) -> list[SectionPath]:
    """List the paths of all sections, or the names of a listing's fields, in order."""
    if wrapper.listing is None:
        return [path for path, _ in wrapper.grammar.walk()]
    return [(name,) for name in distinct(snake_case(field.name) for field in wrapper.listing.fields)]


def find_wanted(wrapper: Wrapper, only: Iterable[str]) -> list[SectionPath]:
    """Find the paths that are meant; raise for an unknown one and suggest the nearest."""
    paths = {".".join(path): path for path in find_paths(wrapper)}
    wanted = []
    for named in [only] if isinstance(only, str) else only:
        dotted = ".".join(snake_case(part) for part in named.split("."))
        if dotted not in paths:
            raise InputError(f"there is no section {named!r}; {_suggest_paths(dotted, list(paths))}")
        wanted.append(paths[dotted])
    return wanted


def narrow(extraction: Extraction, wanted: Collection[SectionPath]) -> Extraction:
    """Keep the values at the wanted paths and below them."""
    values = tuple(value for value in extraction.values if _is_wanted(_names_of(value.path), wanted))
    missing = tuple(path for path in extraction.missing if _is_wanted(tuple(path.split(".")), wanted))
    return replace(extraction, values=values, missing=missing, unknown=())


def narrow_wrapper(wrapper: Wrapper, only: Iterable[str]) -> Wrapper:
    """Keep the wanted sections of a wrapper and those around them, which give the columns of its results."""
    wanted = find_wanted(wrapper, only)
    if not wanted:
        return wrapper
    if wrapper.listing is None:
        return replace(wrapper, grammar=_prune(wrapper.grammar, (), wanted))
    pairs = zip(find_paths(wrapper), wrapper.listing.fields, strict=True)
    fields = tuple(field for path, field in pairs if path in wanted)
    return replace(wrapper, listing=replace(wrapper.listing, fields=fields))


def _prune(section: Section, path: SectionPath, wanted: Collection[SectionPath]) -> Section:
    if _is_wanted(path, wanted):
        return section
    below = [(child, (*path, child.name)) for child in section.children]
    children = tuple(
        _prune(child, here, wanted)
        for child, here in below
        if any(each[: len(here)] == here or here[: len(each)] == each for each in wanted)
    )
    return replace(section, children=children)


def _names_of(path: tuple[str | int, ...]) -> SectionPath:
    """Take the names of a path, without numbers, and without the `records` that a listing's fields are under."""
    names = tuple(part for part in path if isinstance(part, str))
    is_record = len(path) > 1 and isinstance(path[1], int)
    return names[1:] if is_record and path[0] == "records" else names


def _is_wanted(path: SectionPath, wanted: Collection[SectionPath]) -> bool:
    return any(path[: len(each)] == each for each in wanted)


def _suggest_paths(dotted: str, paths: list[str]) -> str:
    if not paths:
        return "the wrapper has none"
    last = dotted.rpartition(".")[2]
    ending = [path for path in paths if path == last or path.endswith(f".{last}")]
    alike = get_close_matches(dotted, paths, PATHS_SUGGESTED, MIN_SIMILARITY_OF_SUGGESTIONS)
    near = list(dict.fromkeys([*ending, *alike]))[:PATHS_SUGGESTED]
    return f"the nearest are {list_names(near)}" if near else f"there are {list_names(paths)}"
