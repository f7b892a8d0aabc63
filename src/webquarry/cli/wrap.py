"""`quarry wrap`: learn a wrapper from sample pages."""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from webquarry.cli.messages import complain, say
from webquarry.cli.options import (
    Clean,
    Inputs,
    PageAccess,
    ParserFile,
    RenderFirst,
    folders_of,
    opening_many,
    option,
    shares,
)
from webquarry.cli.output import PictureSink, show_progress
from webquarry.cli.program import OUTPUT, UsageFault, refuse
from webquarry.errors import InputError
from webquarry.fetching import inputs as fetch_inputs
from webquarry.html import urls
from webquarry.model import wrapper as wrappers
from webquarry.model.names import snake_case
from webquarry.model.page import Failure, Page
from webquarry.model.wording import count, list_names, printable
from webquarry.pipeline import (
    extract_pages,
    fetch_pages,
    learn_wrappers,
    parser_module,
    render_pages,
    source_addresses,
    source_pages,
)
from webquarry.storing.result_files import check_place, write_whole
from webquarry.wrapping import outline, page_addresses, wrapper_file

if TYPE_CHECKING:
    from webquarry.model.document import Document
    from webquarry.model.extraction import Extraction
    from webquarry.model.wrapper import Wrapper
    from webquarry.pipeline.render_pages import RenderOptions

EXAMPLE = "quarry wrap fr.html de.html it.html --name factbook -o factbook.toml"

SECTIONS_LISTED = 8
"""In a line about sections that some samples lack; the outline marks all of them."""
MAX_SHARE_OF_STRANGERS = 0.1
"""Share of the fields that pages of different templates may have in common, such as the title."""
EXAMPLE_LENGTH = 50
"""Characters of a value in the outline."""
MAX_LINE = 600
"""Characters of a line that is printed; a page may have headings of any length."""

SectionPath = tuple[str, ...]


@dataclass(frozen=True)
class Task:
    """What is learnt, and how."""

    name: str
    kind: str
    method: str
    nesting: str
    like: str


def learning(
    *,
    name: Annotated[str, option("--name", "NAME", "The name of the source.", show_default=False)],
    kind: Annotated[
        str,
        option(
            "--kind",
            "KIND",
            "sections, item, records or tables; chosen by the pages without it.",
            values=("sections", "item", "records", "tables"),
        ),
    ] = "",
    method: Annotated[
        str,
        option(
            "--method",
            "NAME",
            "format (by the look of headings), or for sections the published method ashish.",
            values=("format", "ashish"),
        ),
    ] = "format",
    nesting: Annotated[
        str,
        option(
            "--nesting",
            "NAME",
            "For ashish: intended, which gives the paper's Figure 3, or printed, as Figure 2 has it.",
            values=("intended", "printed"),
        ),
    ] = "",
    like: Annotated[
        str, option("--like", "WORDS", "For records and tables: the list with a record that has these words.")
    ] = "",
) -> Task:
    """Return what is learnt, and how; raise for unknown names, and for options that the kind or method lacks."""
    if not name.strip():
        raise UsageFault("--name is empty; name the source, which is also the name of its table in SQL")
    if (kind or "sections", method) not in learn_wrappers.WRAPPERS:
        methods = ", ".join(each for of, each in learn_wrappers.WRAPPERS if of == (kind or "sections"))
        raise typer.BadParameter(f"choose from {methods} for {kind or 'sections'}", param_hint="--method")
    if like and kind not in ("", *learn_wrappers.LISTED):
        raise UsageFault(f"--like is for records and tables; leave it out, or --kind {kind}")
    if nesting and method != "ashish":
        raise UsageFault("--nesting is for --method ashish; leave it out")
    return Task(name, kind, method, nesting or wrapper_file.NESTINGS[0], like)


@dataclass(frozen=True)
class Places:
    """Where the pages of a source are."""

    pages: str
    form: str
    key: str
    base: str
    index: str


def locating(
    *,
    pages: Annotated[str, option("--pages", "TEMPLATE", "Where pages are, such as geos/{code}.html.")] = "",
    form: Annotated[
        str, option("--form", "TEMPLATE", "The form to send to --pages by POST, such as land={country}.")
    ] = "",
    key: Annotated[
        str, option("--key", "NAME", "What identifies pages, such as country; several with commas: year,country.")
    ] = "",
    base: Annotated[str, option("--base", "ADDRESS", "The web address or folder that --pages is relative to.")] = "",
    index: Annotated[str, option("--index", "PAGE", "The page or CSV file that lists all pages.")] = "",
) -> Places:
    """Return where the pages of the source are; raise for options that lack another one."""
    is_csv = index.lower().endswith(".csv")
    refuse(
        {
            "--index needs --pages, the template of the addresses in it, such as geos/{code}.html": index and not pages,
            "--index needs --key for a CSV file, the name of the column that identifies pages": is_csv and not key,
            "--form needs --pages, the address that it is sent to, such as https://example.org/search": form
            and not pages,
        }
    )
    page_addresses.template_arguments(form)  # raises for malformed braces
    return Places(pages, form, key, base, index)


@shares(task=learning, places=locating, access=opening_many)
def wrap(
    inputs: Inputs,
    *,
    task: Task,
    places: Places,
    picture: Annotated[
        Path | None, option("--picture", "FILE", "Write a picture of the first page's headings.", OUTPUT)
    ] = None,
    clean: Clean = "html5",
    render: RenderFirst = None,
    output: Annotated[
        Path | None, option("-o, --output", "FILE", "The wrapper file, such as NAME.toml.", OUTPUT)
    ] = None,
    parser: ParserFile = None,
    access: PageAccess,
) -> int:
    """Learn a wrapper from sample pages of a source."""
    if picture is not None and render is False:
        raise UsageFault("--picture needs a browser; leave --static out")
    access.check_base_url(inputs)
    pictures = PictureSink({"--picture": picture})
    for target in filter(None, (output, parser)):
        check_place(target)
    rendered = access.decide_rendering(render, default=None, clean=clean, needed=picture is not None)
    with show_progress("reading samples") as progress:
        fetched = list(access.fetch(inputs, progress))
        options = access.render_options([*folders_of(inputs), *_base_folders(fetched, places)])
        samples = _read_samples(fetched, options, rendered=rendered, clean=clean)
    kind = task.kind
    if not kind and samples.documents and not task.like:
        kind = _choose_kind(samples, task.method)
    source = wrappers.Source(task.name, kind, key=places.key, base_url=access.policy["base_url"])
    source = _place_pages(source, places, [page.url for page in samples.pages], output)
    source = _place_files(source, output, roots=access.roots, url_map=access.url_map)
    wrapper, failures = learn_wrappers.wrap_samples(
        samples.documents,
        source,
        method=task.method,
        statics=samples.statics if access.browsing["scripts"] else None,
        nesting=task.nesting,
        like=task.like,
    )
    samples.leave_out(failures)
    if wrapper is None:
        return samples.exit_code
    lines = list(write_outline(wrapper, samples.documents, _extract(wrapper, samples)))
    if output is not None:
        source_pages.save_wrapper(output, wrapper)  # before printing, which may end in a broken pipe
    if parser is not None:
        save_parser(parser, wrapper)
    if picture is not None:
        _draw_first(wrapper, samples, pictures, options)
    for line in lines:
        echo(line, err=output is None)
    if output is None:
        sys.stdout.buffer.write(wrapper_file.write_wrapper(wrapper).encode())
        sys.stdout.buffer.flush()
    else:
        say(f"learnt from {count(len(wrapper.source.samples), 'page')}, in {output}")
    return samples.exit_code


def _draw_first(wrapper: Wrapper, samples: _Samples, pictures: PictureSink, options: RenderOptions) -> None:
    """Draw what the wrapper finds on the first sample page, numbered as in the outline."""
    numbers = {path: number for number, path in enumerate(extract_pages.find_paths(wrapper), start=1)}
    drawn = learn_wrappers.wrap_pictured(wrapper, samples.pages[0], numbers=numbers, **options)
    if isinstance(drawn, bytes):
        pictures.pictures = {"--picture": drawn}
        pictures.write()
    else:
        samples.exit_code = complain(drawn.error, 1)


def save_parser(file: Path, wrapper: Wrapper) -> None:
    """Write the stand-alone parser of a wrapper."""
    write_whole(file, parser_module.write_parser(wrapper, file.name).encode(), "--parser")
    say(f"a parser of {wrapper.source.name} is in {file}; try: python {file} PAGE")


def _choose_kind(samples: _Samples, method: str) -> str:
    """Choose the kind of wrapper, and say why and how to choose another."""
    if method != "format":
        return "sections"
    choice, failures = learn_wrappers.choose_kind_of_samples(samples.documents)
    samples.leave_out(failures)
    if choice is None:
        return ""
    others = "|".join(kind for kind in wrapper_file.KINDS if kind != choice.kind)
    say(f"kind {choice.kind}: {choice.reason}; choose another with --kind {others}")
    return choice.kind


class _Samples:
    """The sample pages that could be read."""

    def __init__(self) -> None:
        self.pages: list[Page] = []
        self.documents: list[Document] = []
        self.statics: list[Document] = []
        """The same pages without a browser."""
        self.exit_code = 0

    def leave_out(self, failures: Mapping[int, Failure]) -> None:
        """Drop the pages at the indices of failures, and report these."""
        for index in sorted(failures, reverse=True):
            for each in (self.pages, self.documents, self.statics):
                del each[index]
        for failure in failures.values():
            self.exit_code = complain(failure.error, 1)


def _read_samples(pages: Sequence[Page | Failure], options: RenderOptions, *, rendered: bool, clean: str) -> _Samples:
    """Read the sample pages as documents; report those that fail."""
    samples = _Samples()
    statics = list(fetch_pages.clean_all(pages, method=clean))
    documents = render_pages.render_all(pages, **options) if rendered else statics
    for page, document, static in zip(pages, documents, statics, strict=True):
        if isinstance(document, Failure):
            samples.exit_code = complain(document.error, 1)
        elif isinstance(static, Failure):
            samples.exit_code = complain(static.error, 1)
        elif not isinstance(page, Failure):
            samples.pages.append(page)
            samples.documents.append(document)
            samples.statics.append(static)
    return samples


def _extract(wrapper: Wrapper, samples: _Samples) -> list[Extraction]:
    """Extract from the sample pages as from all later pages; report those that fail."""
    documents = samples.documents if wrapper.source.render else samples.statics
    results = list(extract_pages.extract_all(wrapper, documents))
    for result in results:
        if isinstance(result, Failure):
            samples.exit_code = complain(result.error, 1)
    return [result for result in results if not isinstance(result, Failure)]


def write_outline(wrapper: Wrapper, documents: Sequence[Document], extractions: Sequence[Extraction]) -> Iterator[str]:
    """Write the formats and sections, or the fields of a listing, numbered; then which of them some samples lack."""
    if wrapper.listing is None:
        yield from outline.outline(wrapper, documents).splitlines()
    else:
        examples = _find_examples(extractions) if wrapper.source.kind == "item" else {}
        lines = list(outline.list_lines(wrapper))
        for number, (line, path) in enumerate(zip(lines, extract_pages.find_paths(wrapper), strict=True), start=1):
            shown = f'  "{examples[path]}"' if path in examples else ""
            yield f"{number:>2}  {line}{shown}"
    open_names = {snake_case(rule.name) for rule in wrapper.fields if rule.type == "pairs"}  # samples may have none
    paths = [path for path in extract_pages.find_paths(wrapper) if path[0] not in open_names]
    found = _count_pages(extractions)
    lacking = [path for path in paths if found[path] < len(extractions)]
    what = "sections" if wrapper.listing is None else "fields and sections" if wrapper.grammar.children else "fields"
    samples = f"all {len(extractions)} samples" if len(extractions) > 1 else "the only sample"
    yield f"{len(paths) - len(lacking)} of {len(paths)} {what} are on {samples}"
    for pages in sorted({found[path] for path in lacking}, reverse=True):
        alike = [path for path in lacking if found[path] == pages]
        names = list_names([".".join(path) for path in alike if path[:-1] not in alike], SECTIONS_LISTED)
        yield f"on {pages} of {len(extractions)}: {names}"
    if not any(found[path] for path in paths):
        yield "the wrapper finds nothing on its own samples; learn it with --static, or from other pages"
    elif len(paths) - len(lacking) <= MAX_SHARE_OF_STRANGERS * len(paths) and len(extractions) > 1:
        what = "section" if wrapper.listing is None else "field"
        few = "no" if len(lacking) == len(paths) else "hardly any"
        yield f"{few} {what} is on all samples; if they have different templates, learn a wrapper for each"


def _find_examples(extractions: Sequence[Extraction]) -> dict[SectionPath, str]:
    """Take the first value of each field and section as an example, cut to a few words."""
    examples: dict[SectionPath, str] = {}
    for value in (value for extraction in extractions for value in extraction.values):
        text = " ".join(value.text.split())
        shown = text if len(text) <= EXAMPLE_LENGTH else text[: EXAMPLE_LENGTH - 1] + "…"
        examples.setdefault(tuple(part for part in value.path if isinstance(part, str)), shown)
    return examples


def echo(text: str, *, err: bool = False) -> None:
    """Print lines that may quote a page, safe for a terminal and cut to a sensible length; keep their spaces."""
    for line in text.splitlines():
        shown = line if len(line) <= MAX_LINE else line[: MAX_LINE - 1] + "…"
        typer.echo(re.sub(r"[^ ]+", lambda word: printable(word[0]), shown), err=err)


def _count_pages(extractions: Iterable[Extraction]) -> Counter[SectionPath]:
    """Count the pages that have something at each path or below it."""
    pages: Counter[SectionPath] = Counter()
    for extraction in extractions:
        paths = {tuple(part for part in value.path if isinstance(part, str)) for value in extraction.values}
        found = {path[:length] for path in paths for length in range(1, len(path) + 1)}
        pages.update(found | {path[1:] for path in found if path[0] == "records"})
    return pages


def _place_pages(
    source: wrappers.Source, places: Places, addresses: Sequence[str], output: Path | None
) -> wrappers.Source:
    """Say where a source is for a wrapper file `output`: its base, samples and index.

    Without a base, it is what the template leaves of the sample pages' addresses.  Files are named relative to the
    base, so that wrapper and pages can be moved together.
    """
    base, pages, form, index = places.base, places.pages, places.form, places.index
    folder = Path() if output is None else output.parent
    if base and not fetch_inputs.SCHEME.match(base):
        base = source_addresses.folder_relative_to(folder, fetch_inputs.file_uri(Path(base)))
    elif not base and pages and not form:
        found = source_addresses.find_base(pages, addresses)
        base = "" if found is None else source_addresses.folder_relative_to(folder, found)
    base = "" if base == "." else base
    if not form:  # samples of pages behind a form were saved under names of their own
        _check_template(pages, base, folder, addresses)
    _check_index_file(index, base, folder)
    relative = partial(source_addresses.name_page, wrappers.Source("", base=base), folder)
    source = replace(
        source, base=base, pages=pages, form=form, samples=tuple(relative(address) for address in addresses)
    )
    if not index:
        return source
    is_file = not fetch_inputs.SCHEME.match(index) and Path(index).is_file()
    place = relative(fetch_inputs.file_uri(Path(index)) if is_file else index)
    return replace(source, index_file=place) if index.lower().endswith(".csv") else replace(source, index_page=place)


def _place_files(
    source: wrappers.Source, output: Path | None, *, roots: Iterable[str | Path], url_map: Path | None
) -> wrappers.Source:
    """Name the folders and the URL map that the samples were read with, relative to the wrapper file `output`."""
    folder = Path() if output is None else output.parent

    def name(path: Path) -> str:
        return source_addresses.folder_relative_to(folder, fetch_inputs.file_uri(path))

    named = "" if url_map is None else name(url_map)
    return replace(source, roots=tuple(name(Path(root)) for root in roots), url_map=named)


def _base_folders(fetched: Sequence[Page | Failure], places: Places) -> list[Path]:
    """Find the folder of a source on disk, whose files, such as style sheets, its pages may use."""
    addresses = [page.url for page in fetched if isinstance(page, Page)]
    found = places.base or source_addresses.find_base(places.pages, addresses) or ""
    if found.startswith("file:"):
        return [Path(urls.path_of(found))]
    return [Path(found)] if found and not fetch_inputs.SCHEME.match(found) else []


def open_source_pages(
    wrapper: Wrapper,
    pages: Iterable[Page | Failure],
    access: PageAccess,
    *,
    folder: Path,
    inputs: Iterable[Path] = (),
    rendered: bool,
    clean: str = "html5",
) -> Iterator[Document | Failure]:
    """Open pages as `access` does, with the folders and addresses that their wrapper was learnt with.

    `folder` is that of the wrapper file, `inputs` are the folders that were named.
    """
    source = wrapper.source
    is_named = bool(source.base or source.pages)  # a template without a base is relative to the wrapper file
    own = [folder / source.base] if is_named and not fetch_inputs.SCHEME.match(source.base) else []
    roots = [*access.roots, *source_pages.source_roots(source, folder)]
    wider = replace(access, browsing={**access.browsing, "roots": roots})
    addressed = source_pages.with_addresses(source, folder, pages)
    return wider.open(addressed, [*inputs, *own], rendered=rendered, clean=clean)


def _check_index_file(index: str, base: str, folder: Path) -> None:
    """Raise for an index file that does not exist."""
    if not index or fetch_inputs.SCHEME.match(index) or fetch_inputs.SCHEME.match(base):
        return
    if not (Path(index).is_file() or (folder / base / index).is_file()):
        raise InputError(f"--index {index}: there is no such file, neither here nor in {folder / base}; check the path")


def _check_template(pages: str, base: str, folder: Path, addresses: Sequence[str]) -> None:
    """Raise if the template does not match the sample pages: it would find no other page either."""
    if not pages or page_addresses.is_function(pages):
        return
    page_addresses.template_arguments(pages)  # raises for malformed braces
    template = source_addresses.address_of(folder, wrappers.Source("", base=base), pages)
    odd = [address for address in addresses if page_addresses.match(template, address) is None]
    if odd:
        raise InputError(
            f"--pages {pages!r} does not match the sample page {odd[0]}; it means addresses such as {template}: "
            "change it, or say with --base what it is relative to"
        )
