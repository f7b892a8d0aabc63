"""`quarry wrap`: learn a wrapper from sample pages."""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from webquarry.cli.options import (
    Inputs,
    Knobs,
    check_base_url,
    fetching,
    folders_of,
    has_browser,
    rendering,
    saved_pages,
    shares,
    with_web_roots,
)
from webquarry.cli.output import PictureSink, show_progress
from webquarry.cli.program import UsageFault, complain
from webquarry.errors import InputError
from webquarry.fetching import inputs as fetch_inputs
from webquarry.html import urls
from webquarry.model import wrapper as wrappers
from webquarry.model.names import count, list_names, printable
from webquarry.model.page import Failure, Page
from webquarry.pipeline import fetch_pages, find_sources, learn_wrappers, render_pages
from webquarry.storing.atomic_files import check_place
from webquarry.wrapping import outline, page_addresses, wrapper_file

if TYPE_CHECKING:
    from webquarry.model.document import Document
    from webquarry.model.extraction import Extraction
    from webquarry.model.wrapper import Wrapper

EXAMPLE = "quarry wrap fr.html de.html it.html --name factbook -o factbook.toml"

SECTIONS_LISTED = 8
"""In a line about sections that some samples lack; the outline marks all of them."""
MAX_LINE = 600
"""Characters of a line that is printed; a page may have headings of any length."""

SectionPath = tuple[str, ...]


@shares(knobs=rendering, policy=fetching, saved=saved_pages)
def wrap(
    inputs: Inputs,
    *,
    name: Annotated[str, typer.Option("--name", metavar="NAME", help="The name of the source.", show_default=False)],
    kind: Annotated[str, typer.Option("--kind", help="sections, records or tables.")] = "sections",
    method: Annotated[str, typer.Option("--method", help="format, or ashish for sections.")] = "format",
    pages: Annotated[
        str, typer.Option("--pages", metavar="TEMPLATE", help="Where pages are, such as geos/{code}.html.")
    ] = "",
    key: Annotated[str, typer.Option("--key", metavar="NAME", help="What identifies pages, such as country.")] = "",
    base: Annotated[
        str, typer.Option("--base", metavar="PLACE", help="The address or folder that --pages is relative to.")
    ] = "",
    index: Annotated[
        str, typer.Option("--index", metavar="PAGE", help="The page or CSV file that lists all pages.")
    ] = "",
    picture: Annotated[
        Path | None, typer.Option("--picture", metavar="FILE", help="Write a picture of the first page's headings.")
    ] = None,
    render: Annotated[
        bool | None, typer.Option("--render/--static", help="With a browser (default) or without.")
    ] = None,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="FILE", help="The wrapper file, such as NAME.toml.")
    ] = None,
    knobs: Knobs,
    policy: Knobs,
    saved: Knobs,
) -> int:
    """Learn a wrapper from sample pages of a source."""
    _check_options(name, kind, method, picture=picture, render=render, scripts=knobs["scripts"])
    _check_index(index, pages=pages, key=key)
    check_base_url(saved, inputs)
    policy |= saved
    pictures = PictureSink({"--picture": picture})
    if output is not None:
        check_place(output)
    needed = bool(render or picture is not None or knobs["scripts"])
    rendered = method != "ashish" and render is not False and has_browser(knobs["browser"], needed=needed)
    with show_progress("reading samples") as progress:
        fetched = list(fetch_pages.fetch_all(inputs, progress=progress, **policy))
        folders = [*folders_of(inputs), *_base_folders(fetched, pages=pages, base=base)]
        knobs = with_web_roots(knobs, folders) | policy
        samples = _read_samples(fetched, knobs, rendered=rendered)
    place = _place_source([page.url for page in samples.pages], output, pages=pages, base=base, index=index)
    statics = samples.statics if knobs["scripts"] else None
    wrapper, failures = learn_wrappers.wrap_samples(
        samples.documents, name=name, kind=kind, method=method, key=key, pages=pages, statics=statics, **place
    )
    samples.leave_out(failures)
    if wrapper is None:
        return samples.exit_code
    lines = list(write_outline(wrapper, samples.documents, _extract(wrapper, samples)))
    if output is not None:
        find_sources.save_wrapper(output, wrapper)  # before printing, which may end in a broken pipe
    if picture is not None:
        numbers = {path: number for number, path in enumerate(learn_wrappers.find_paths(wrapper), start=1)}
        drawn = learn_wrappers.wrap_pictured(wrapper, samples.pages[0], numbers=numbers, **knobs)
        if isinstance(drawn, bytes):
            pictures.pictures = {"--picture": drawn}
            pictures.write()
        else:
            samples.exit_code = complain(drawn.error, 1)
    for line in lines:
        echo(line, err=output is None)
    if output is None:
        sys.stdout.buffer.write(wrapper_file.write_wrapper(wrapper).encode())
        sys.stdout.buffer.flush()
    else:
        typer.echo(f"learnt from {count(len(wrapper.source.samples), 'page')}, in {output}", err=True)
    return samples.exit_code


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


def _read_samples(pages: Sequence[Page | Failure], knobs: Knobs, *, rendered: bool) -> _Samples:
    """Read the sample pages as documents; report those that fail."""
    samples = _Samples()
    statics = list(fetch_pages.clean_all(pages))
    documents = render_pages.render_all(pages, **knobs) if rendered else statics
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
    results = list(learn_wrappers.extract_all(wrapper, documents))
    for result in results:
        if isinstance(result, Failure):
            samples.exit_code = complain(result.error, 1)
    return [result for result in results if not isinstance(result, Failure)]


def write_outline(wrapper: Wrapper, documents: Sequence[Document], extractions: Sequence[Extraction]) -> Iterator[str]:
    """Write the formats and sections, or the fields of a listing, numbered; then which of them some samples lack."""
    if wrapper.listing is None:
        yield from outline.outline(wrapper, documents if wrapper.method == "format" else ()).splitlines()
    else:
        for number, field in enumerate(wrapper.listing.fields, start=1):
            yield f"{number:>2}  {field.name}{'?' * field.is_optional} {field.type}"
    paths = learn_wrappers.find_paths(wrapper)
    found = _count_pages(extractions)
    lacking = [path for path in paths if found[path] < len(extractions)]
    what = "sections" if wrapper.listing is None else "fields"
    samples = f"all {len(extractions)} samples" if len(extractions) > 1 else "the only sample"
    yield f"{len(paths) - len(lacking)} of {len(paths)} {what} are on {samples}"
    for pages in sorted({found[path] for path in lacking}, reverse=True):
        alike = [path for path in lacking if found[path] == pages]
        names = list_names([".".join(path) for path in alike if path[:-1] not in alike], SECTIONS_LISTED)
        yield f"on {pages} of {len(extractions)}: {names}"
    if not any(found[path] for path in paths):
        yield "the wrapper finds nothing on its own samples; learn it with --static, or from other pages"
    elif len(lacking) == len(paths) and len(extractions) > 1:
        yield "no section is on all samples; if they have different templates, learn a wrapper for each"


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


def _place_source(
    addresses: Sequence[str], output: Path | None, *, pages: str, base: str, index: str
) -> dict[str, Any]:
    """Find the options of `webquarry.wrap` that say where a source is, for a wrapper file `output`.

    Without a base, it is what the template leaves of the sample pages' addresses.  Files are named relative to the
    base, so that wrapper and pages can be moved together.
    """
    folder = Path() if output is None else output.parent
    if base and not fetch_inputs.SCHEME.match(base):
        base = find_sources.folder_relative_to(folder, fetch_inputs.file_uri(Path(base)))
    elif not base and pages:
        found = find_sources.find_base(pages, addresses)
        base = "" if found is None else find_sources.folder_relative_to(folder, found)
    base = "" if base == "." else base
    _check_template(pages, base, folder, addresses)
    _check_index_file(index, base, folder)
    is_on_web = bool(fetch_inputs.SCHEME.match(base))
    below = base if base.endswith("/") else f"{base}/"
    relative = (
        (lambda address: address.removeprefix(below)) if is_on_web else partial(find_sources.relative_to, folder / base)
    )
    place: dict[str, Any] = {"base": base, "samples": [relative(address) for address in addresses]}
    if index:
        is_file = not fetch_inputs.SCHEME.match(index) and Path(index).is_file()
        kind = "index_file" if index.lower().endswith(".csv") else "index_page"
        place[kind] = relative(fetch_inputs.file_uri(Path(index)) if is_file else index)
    return place


def _base_folders(fetched: Sequence[Page | Failure], *, pages: str, base: str) -> list[Path]:
    """Find the folder of a source on disk, whose files, such as style sheets, its pages may use."""
    found = base or find_sources.find_base(pages, [page.url for page in fetched if isinstance(page, Page)]) or ""
    if found.startswith("file:"):
        return [Path(urls.path_of(found))]
    return [Path(found)] if found and not fetch_inputs.SCHEME.match(found) else []


def source_folders(wrapper: Wrapper, folder: Path) -> list[Path]:
    """Find the folder of a wrapper's source on disk, if it names one; `folder` is that of the wrapper file."""
    source = wrapper.source
    is_named = bool(source.base or source.pages)  # a template without a base is relative to the wrapper file
    return [folder / source.base] if is_named and not fetch_inputs.SCHEME.match(source.base) else []


def _check_options(
    name: str, kind: str, method: str, *, picture: Path | None, render: bool | None, scripts: bool
) -> None:
    """Raise for unknown names, and for options that contradict each other."""
    if not name.strip():
        raise UsageFault("--name is empty; name the source, which is also the name of its table in SQL")
    kinds = list(dict.fromkeys(each for each, _ in learn_wrappers.WRAPPERS))
    if kind not in kinds:
        raise typer.BadParameter(f"choose from {', '.join(kinds)}", param_hint="--kind")
    if (kind, method) not in learn_wrappers.WRAPPERS:
        methods = ", ".join(each for of, each in learn_wrappers.WRAPPERS if of == kind)
        raise typer.BadParameter(f"choose from {methods} for {kind}", param_hint="--method")
    if render is False and (picture is not None or scripts):
        raise UsageFault(f"{'--picture' if picture is not None else '--scripts'} needs a browser; leave --static out")


def _check_index(index: str, *, pages: str, key: str) -> None:
    """Raise for an index that does not lead to pages."""
    if index and not pages:
        raise UsageFault("--index needs --pages, the template of the addresses in it, such as geos/{code}.html")
    if index.lower().endswith(".csv") and not key:
        raise UsageFault("--index needs --key for a CSV file, the name of the column that identifies pages")


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
    template = find_sources.address_of(folder, wrappers.Source("", base=base), pages)
    odd = [address for address in addresses if page_addresses.match(template, address) is None]
    if odd:
        raise InputError(
            f"--pages {pages!r} does not match the sample page {odd[0]}; it means addresses such as {template}: "
            "change it, or say with --base what it is relative to"
        )
