"""Wrappers learnt from sample pages, and used to read all pages of a source."""

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
from webquarry.pipeline.fetch_pages import attempt, attempt_together, clean
from webquarry.pipeline.mine_pages import mine, mine_pictured
from webquarry.pipeline.render_pages import open_reader, open_renderer
from webquarry.rendering.pictures import draw_tokens
from webquarry.wrapping import corrections
from webquarry.wrapping.ashish import extract_ashish, wrap_ashish
from webquarry.wrapping.learner import learn_sections
from webquarry.wrapping.listing_learner import learn_listing
from webquarry.wrapping.listing_reader import read_listing
from webquarry.wrapping.outline import find_tokens
from webquarry.wrapping.section_reader import Reader
from webquarry.wrapping.table_wrapper import learn_table, read_table

if TYPE_CHECKING:
    from webquarry.model.region import Region
    from webquarry.rendering.renderer import Renderer

# MERGED pipeline/verifying: Whether pages can be read without the browser that their wrapper was learnt with
Statics = Sequence[Document | None] | None
"""Sample pages as they are without a browser, where their markup does not tell."""
MOST_DIFFERING = 0.01
"""Share of the samples' values that may be others without a browser: rendering takes many times as long as parsing."""
NAMED = 3
"""Sections that are named of those that differ."""


@dataclass(frozen=True)
class Difference:
    """How far values that were read without a browser are others than those read with one."""

    share: float
    sections: tuple[str, ...]
    """Their dotted paths, the most frequent first."""

    def describe(self, *, needs_browser: bool) -> str:
        """What differs, and what follows from it."""
        where = list_names(self.sections[:NAMED])
        said = f"{self.share:.1%} of the samples' values are others without a browser, such as {where}"
        if needs_browser:
            return f"{said}, for markup alone does not tell what is a heading there; so pages will be rendered"
        return f"{said}; pages are read without one all the same, unless told to render"


def compare_without_browser(
    read: Callable[[Document], Extraction], documents: Sequence[Document], statics: Statics
) -> Difference:
    """What is not the same on the rendered and the plain samples; spaces do not count.

    What a page was before its scripts changed it only `statics` can tell: without them all of its values differ.
    """
    same = total = 0
    sections: Counter[str] = Counter()
    for document, static in zip(documents, statics or [None] * len(documents), strict=True):
        plain = static or (Document(document.markup, url=document.url) if document.kind != "scripts" else None)
        seen = _values_of(read(document))
        found = _values_of(read(plain)) if plain else Counter()
        same += (seen & found).total()
        total += max(seen.total(), found.total())
        sections.update(path for path, _ in (seen - found) | (found - seen))
    share = 1 - same / total if total else 0.0
    return Difference(share, tuple(path for path, _ in sections.most_common()))


def _values_of(extraction: Extraction) -> Counter[tuple[str, str]]:
    return Counter((".".join(map(str, value.path)), " ".join(value.text.split())) for value in extraction.values)


# MERGED pipeline/narrowing: What is wanted of the sections of a source.
Path = tuple[str, ...]
NEAREST = 5
"""Paths that are named in the place of one that is not there."""
LEAST_LIKE = 0.5
"""Of two names, as `difflib` measures it."""


def find_paths(wrapper: Wrapper) -> list[Path]:
    """The paths of all sections, or of a listing the names of its fields, in their order."""
    if wrapper.listing is None:
        return [path for path, _ in wrapper.grammar.walk()]
    return [(name,) for name in distinct(snake_case(field.name) for field in wrapper.listing.fields)]


def find_wanted(wrapper: Wrapper, only: Iterable[str]) -> list[Path]:
    """The paths that are meant; raises for one that the wrapper has not, with those that are nearest."""
    paths = {".".join(path): path for path in find_paths(wrapper)}
    wanted = []
    for named in [only] if isinstance(only, str) else only:
        dotted = ".".join(snake_case(part) for part in named.split("."))
        if dotted not in paths:
            raise InputError(f"there is no section {named!r}; {_describe_nearest(dotted, list(paths))}")
        wanted.append(paths[dotted])
    return wanted


def narrow(extraction: Extraction, wanted: Collection[Path]) -> Extraction:
    """The extraction with what is at the wanted paths and below them."""
    values = tuple(value for value in extraction.values if _is_wanted(_named(value.path), wanted))
    missing = tuple(path for path in extraction.missing if _is_wanted(tuple(path.split(".")), wanted))
    return replace(extraction, values=values, missing=missing, unknown=())


def narrow_wrapper(wrapper: Wrapper, only: Iterable[str]) -> Wrapper:
    """The wrapper with the wanted sections alone, and those around them: what the columns of its results are."""
    wanted = find_wanted(wrapper, only)
    if not wanted:
        return wrapper
    if wrapper.listing is None:
        return replace(wrapper, grammar=_prune(wrapper.grammar, (), wanted))
    kept = zip(find_paths(wrapper), wrapper.listing.fields, strict=True)
    fields = tuple(field for path, field in kept if path in wanted)
    return replace(wrapper, listing=replace(wrapper.listing, fields=fields))


def _prune(section: Section, path: Path, wanted: Collection[Path]) -> Section:
    if _is_wanted(path, wanted):
        return section
    below = [(child, (*path, child.name)) for child in section.children]
    children = tuple(
        _prune(child, here, wanted)
        for child, here in below
        if any(each[: len(here)] == here or here[: len(each)] == each for each in wanted)
    )
    return replace(section, children=children)


def _named(path: tuple[str | int, ...]) -> Path:
    """The names of a path; of a listing's record the number is no part of it, and neither is what it stands under."""
    names = tuple(part for part in path if isinstance(part, str))
    is_record = len(path) > 1 and isinstance(path[1], int)
    return names[1:] if is_record and path[0] == "records" else names


def _is_wanted(path: Path, wanted: Collection[Path]) -> bool:
    return any(path[: len(each)] == each for each in wanted)


def _describe_nearest(dotted: str, paths: list[str]) -> str:

    if not paths:
        return "the wrapper has none"
    last = dotted.rpartition(".")[2]
    ending = [path for path in paths if path == last or path.endswith(f".{last}")]
    near = list(dict.fromkeys([*ending, *get_close_matches(dotted, paths, NEAREST, LEAST_LIKE)]))[:NEAREST]
    return f"the nearest are {list_names(near)}" if near else f"there are {list_names(paths)}"


Learn = Callable[[Sequence[Document], Source, Statics], Wrapper]
Read = Callable[[Document], Extraction]
Wanted = Sequence[tuple[str, ...]]

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
    """How to read every page of the source that the documents are sample pages of; it never renders.

    `samples` says where these are, in the order of the documents, unless that is their own address.  Of documents
    that scripts have changed `statics` are those without: by them, or else by the markup, it is tried whether pages
    can be read without a browser.  If more than a few values are others then, the wrapper says `render`; a warning
    says how many are.  Of sample pages that are the same the first counts.
    """
    learn: Learn = _choose(WRAPPERS, kind, method)
    documents = _take_documents(documents)
    if not documents:
        raise InputError("there is no sample page; a wrapper is learnt from one at least, better from five")
    places = tuple(samples) or tuple(document.url for document in documents)
    kept = _find_distinct(documents)
    if len(kept) < len(documents):
        _log.warning("%s: %d of the samples are the same as others", name, len(documents) - len(kept))
        documents, places = [documents[number] for number in kept], tuple(places[number] for number in kept)
        statics = None if statics is None else [statics[number] for number in kept]
    source = Source(name, kind, base, pages, key, index_page, index_file, samples=places)
    wrapper = learn(documents, source, statics)
    return replace(wrapper, source=replace(wrapper.source, samples=places[: len(wrapper.source.samples) or None]))


def wrap_samples(
    documents: Sequence[Document], *, samples: Sequence[str], statics: Statics = None, **knobs: Any
) -> tuple[Wrapper | None, dict[int, Failure]]:
    """Learn a wrapper as `wrap` does, without the documents on which that fails by a fault of ours.

    Gives the wrapper, None if no document is left, and the failures by the places of their documents.
    """

    def learn(places: Sequence[int]) -> Wrapper:
        return wrap(
            [documents[place] for place in places],
            samples=[samples[place] for place in places],
            statics=None if statics is None else [statics[place] for place in places],
            **knobs,
        )

    return attempt_together([document.url for document in documents], learn)


def _take_documents(documents: Document | Iterable[Document]) -> list[Document]:
    given: list[Any] = [documents] if isinstance(documents, (Document, Page, str)) else list(documents)
    odd = next((type(each).__name__ for each in given if not isinstance(each, Document)), None)
    if odd is not None:
        raise TypeError(f"wrap takes Documents, not a {odd}; clean or render makes one of a Page")
    return given


def _find_distinct(documents: Sequence[Document]) -> list[int]:
    """The numbers of the documents that differ from all before: what a page repeats would look like furniture."""
    first: dict[Document, int] = {}
    for number, document in enumerate(documents):
        first.setdefault(document, number)
    return list(first.values())


def extract(wrapper: Wrapper, document: Document, *, only: Iterable[str] = ()) -> Extraction:
    """The values that the wrapper finds on a page; of `only` the sections at these paths, such as `geography.area`."""
    if not isinstance(document, Document):
        raise TypeError(
            f"extract takes a Document, not a {type(document).__name__}; clean or render makes one of a Page"
        )
    return _reader(wrapper, only)(document)


def extract_all(
    wrapper: Wrapper, pages: Iterable[Page | Document | Failure], *, only: Iterable[str] = (), **knobs: Any
) -> Iterator[Extraction | Failure]:
    """The values of many pages, with a failure in the place of each that has none to read.

    Pages that are no documents yet are cleaned, or if the wrapper says so rendered, with knobs as of `render`.
    """
    read = _reader(wrapper, only)  # what is not there is no fault of a page
    return _extract_all(read, pages, knobs if wrapper.source.render else None)


def wrap_pictured(
    wrapper: Wrapper, page: Page, *, numbers: dict[tuple[str, ...], int] | None = None, **knobs: Any
) -> bytes | Failure:
    """Draw on a page what the wrapper is made of, as PNG: the headings of sections, or the mined records.

    `numbers` are those of the sections by their paths; without them headings are counted as they come.  A page that
    cannot be rendered or drawn is a failure.
    """
    if wrapper.listing is not None:
        method = "tables" if wrapper.source.kind == "tables" else "visual"
        result, picture = mine_pictured(page, method=method, **knobs)
        return result if isinstance(result, Failure) else picture or b""
    with open_renderer(knobs) as renderer:
        return attempt(page.url, partial(_draw_headings, renderer, wrapper, page, numbers))


def _draw_headings(
    renderer: Renderer, wrapper: Wrapper, page: Page, numbers: dict[tuple[str, ...], int] | None
) -> bytes:

    document, screenshot = renderer.shoot(page, clean(page).markup)
    return draw_tokens(renderer, document, screenshot, find_tokens(wrapper, document), numbers=numbers)


def _extract_all(
    read: Read, pages: Iterable[Page | Document | Failure], knobs: dict[str, Any] | None
) -> Iterator[Extraction | Failure]:
    with ExitStack() as stack:
        to_document: Callable[[Page], Document] | None = clean if knobs is None else None
        for page in pages:
            if isinstance(page, Page) and to_document is None:  # documents need no browser
                to_document = stack.enter_context(open_reader(**(knobs or {})))
            yield page if isinstance(page, Failure) else attempt(page.url, partial(_read, read, page, to_document))


def _read(read: Read, page: Page | Document, to_document: Callable[[Page], Document] | None) -> Extraction:
    if isinstance(page, Document):
        return read(page)
    return read((to_document or clean)(page))


def _reader(wrapper: Wrapper, only: Iterable[str]) -> Read:
    """What reads the pages of a source, made once for all."""
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
    needs_browser = difference.share > MOST_DIFFERING
    _log.warning("%s: %s", source.name, difference.describe(needs_browser=needs_browser))
    return replace(wrapper, source=replace(wrapper.source, render=needs_browser))


def _learn_ashish(documents: Sequence[Document], source: Source, _statics: Statics) -> Wrapper:

    wrapper = wrap_ashish(documents, name=source.name)
    return replace(wrapper, source=replace(source, samples=wrapper.source.samples))


def _learn_records(documents: Sequence[Document], source: Source, statics: Statics) -> Wrapper:

    return learn_listing(
        [_best_region(document, "records", "visual") for document in documents], source, statics=statics
    )


def _learn_tables(documents: Sequence[Document], source: Source, statics: Statics) -> Wrapper:

    return learn_table([_best_region(document, "table", "tables") for document in documents], source, statics=statics)


def _best_region(document: Document, kind: str, method: str) -> Region:
    regions = mine(document, method=method)
    if not regions:
        raise InputError(f"{document.url}: no {kind.removesuffix('s')}s were found on this sample page; leave it out")
    return next((region for region in regions if region.kind == kind), regions[0])


def _read_sections(wrapper: Wrapper, wanted: Wanted = ()) -> Read:

    return Reader(wrapper, only=[".".join(path) for path in wanted]).read


def _read_ashish(wrapper: Wrapper, _wanted: Wanted) -> Read:

    return partial(extract_ashish, wrapper)


def _read_records(wrapper: Wrapper, _wanted: Wanted) -> Read:

    return partial(read_listing, wrapper)


def _read_tables(wrapper: Wrapper, _wanted: Wanted) -> Read:

    return partial(read_table, wrapper)


WRAPPERS: dict[tuple[str, str], Learn] = {
    ("sections", "format"): _learn_sections,
    ("sections", "ashish"): _learn_ashish,
    ("records", "format"): _learn_records,
    ("tables", "format"): _learn_tables,
}
"""How wrappers are learnt, by kind and method."""
READERS: dict[tuple[str, str], Callable[[Wrapper, Wanted], Read]] = {
    ("sections", "format"): _read_sections,
    ("sections", "ashish"): _read_ashish,
    ("records", "format"): _read_records,
    ("tables", "format"): _read_tables,
}
"""What makes of a wrapper, and of the paths that are wanted, that which reads its pages."""


# MERGED pipeline/correcting: Corrections of a wrapper, as a person says them.
_SPELLED = {"to": "--to PATH", "name": "--name NAME", "whole_format": "--class"}  # as the command line has them


class Options(NamedTuple):
    """What an action must and may be told beside its example."""

    needed: tuple[str, ...] = ()
    possible: tuple[str, ...] = ()


ACTIONS = {
    "add": Options(possible=("to", "name", "whole_format")),
    "drop": Options(possible=("whole_format",)),
    "move": Options(needed=("to",)),
    "rename": Options(needed=("name",)),
    "join": Options(needed=("to",)),
}


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
    """The wrapper after one action; `documents` are its sample pages, rendered if it was learnt so.

    `add` makes a heading of the text of an example and `drop` undoes one, on it alone or on its `whole_format`; `move`
    puts a section `to` another, `rename` gives it a `name`, `join` makes it one with the section `to`.
    """

    check_options(action, to=to, name=name, whole_format=whole_format)
    noun = getattr(corrections, action.capitalize())
    given = {"to": to, "name": name, "whole_format": whole_format}
    taken = {option: given[option] for option in (*ACTIONS[action].needed, *ACTIONS[action].possible)}
    return corrections.correct(wrapper, noun(example, **taken), documents)


def check_options(action: str, *, to: str = "", name: str = "", whole_format: bool = False) -> None:
    """Raise for an action that there is not, and for options that it needs or does not take."""
    if action not in ACTIONS:
        raise ValueError(f"no action {action!r}; there are {', '.join(ACTIONS)}")
    options = ACTIONS[action]
    for option, value in {"to": to, "name": name, "whole_format": whole_format}.items():
        if value and option not in (*options.needed, *options.possible):
            raise InputError(f"{action} takes no {_SPELLED[option]}")
        if not value and option in options.needed:
            raise InputError(f"{action} needs {_SPELLED[option]}")


def undo(wrapper: Wrapper) -> Wrapper:
    """The wrapper as it was before its last correction."""

    return corrections.undo(wrapper)
