"""Share options between commands, and decide by them whether pages are rendered.

Typer reads the options of a command from its signature.  A set of options is a function: its keyword parameters are the
options, its result is what they mean.  `shares` puts these parameters into the signature of a command and calls the
command with the results.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import wraps
from inspect import Parameter, signature
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar, cast

import typer

from webquarry.cli.messages import complain
from webquarry.cli.program import BROWSER, FETCHING, OUTPUT, WORKERS, UsageFault, suggest
from webquarry.fetching import policy as fetch_policy, saved_sites
from webquarry.pipeline import fetch_pages, render_pages
from webquarry.rendering import browser as browsers, requests
from webquarry.storing.result_files import CONFLICTS, PLAIN_ADDITION, Addition, Server, Target, resolve_target

if TYPE_CHECKING:
    from webquarry.fetching.policy import FetchOptions
    from webquarry.model.document import Document
    from webquarry.model.page import Failure, Page
    from webquarry.pipeline.render_pages import RenderOptions
    from webquarry.pipeline.worker_pool import WorkerOptions
    from webquarry.rendering.renderer import BrowserOptions

Maker = TypeVar("Maker", bound=Callable[..., Any])


def option(
    flags: str, metavar: str, text: str, group: str | None = None, *, values: Sequence[str] = (), **more: Any
) -> Any:
    """Declare an option such as `-o, --output` in a group of the help; it may take only one of some values."""

    def check(given: str | None) -> str | None:
        if given and given not in values:
            raise typer.BadParameter(f"choose from {', '.join(values)}", param_hint=flags)
        return given

    if values:
        more |= {"autocompletion": suggest(*values), "callback": check}
    return typer.Option(*flags.split(", "), metavar=metavar, help=text, rich_help_panel=group, **more)


def flag(flags: str, text: str, group: str | None = None) -> Any:
    """Declare an option that is given or not."""
    return typer.Option(*flags.split(", "), help=text, rich_help_panel=group)


Inputs = Annotated[
    list[str],
    typer.Argument(
        metavar="INPUT...",
        help="Files (.html, .htm, .xhtml, .mhtml, .warc, also .gz), folders, http(s) addresses, sitemaps, feeds, or - "
        "(standard input).",
        show_default=False,
    ),
]
Output = Annotated[Path | None, option("-o, --output", "FILE", "A file, or a folder for many pages.", OUTPUT)]
WrapperFile = Annotated[Path, typer.Argument(metavar="WRAPPER", help="A wrapper file, as `quarry wrap` writes it.")]
ParserFile = Annotated[
    Path | None,
    option("--parser", "FILE", "Write a parser of the sections, a Python file that needs nothing else.", OUTPUT),
]
MaybeInputs = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="[INPUT...]",
        help="Files, folders, http(s) addresses, archives, sitemaps, feeds, or - (standard input).",
    ),
]
Table = Annotated[str | None, option("--table", "NAME", "The database table to add to.", OUTPUT)]
SafeCsv = Annotated[
    bool, flag("--safe-csv", "In CSV, put ' before texts that a spreadsheet would run as formulas.", OUTPUT)
]
RenderInstead = Annotated[
    bool | None, flag("--render/--static", "With a browser or without, instead of what the wrapper says.", BROWSER)
]
RenderFirst = Annotated[bool | None, flag("--render/--static", "With a browser (default) or without.", BROWSER)]
BaseUrl = Annotated[str | None, option("--base-url", "URL", "The web address of the saved page.", FETCHING)]
UrlMapFile = Annotated[
    Path | None, option("--url-map", "FILE", "A CSV file with the addresses of saved pages: file, url.", FETCHING)
]
MaxPages = Annotated[int | None, option("--max-pages", "N", "Read at most N pages of all inputs.", FETCHING, min=1)]
Clean = Annotated[
    str,
    option(
        "--clean",
        "NAME",
        "The parser of pages without a browser: html5, or the published method cleandom, which means --static.",
        values=("html5", "cleandom"),
    ),
]
Cache = Annotated[Path | None, option("--cache", "DIR", "The cache folder.")]


@dataclass(frozen=True)
class ResultPlace:
    """The options that say where results go."""

    format: str | None = None
    target: Target | None = None
    table: str | None = None
    safe_csv: bool = False
    addition: Addition = PLAIN_ADDITION

    @property
    def file(self) -> Path | None:
        """The file, if results go to one."""
        return self.target if isinstance(self.target, Path) else None


def shares(**makers: Callable[..., Any]) -> Callable[[Maker], Maker]:
    """Replace named parameters of a command, or of a set of options, by the options that make their values.

    >>> def colours(*, red: bool = False, blue: bool = False) -> dict[str, bool]:
    ...     return {"red": red, "blue": blue}
    >>> @shares(paint=colours)
    ... def show(name: str, *, paint: dict[str, bool]) -> int:
    ...     return sum(paint.values())
    >>> signature(show), show(name="x", red=True, blue=True)
    (<Signature (name: str, *, red: bool = False, blue: bool = False) -> int>, 2)
    """

    def decorate(command: Maker) -> Maker:
        options = {name: _list_options(maker) for name, maker in makers.items()}
        # only type checkers need the types of the made values; importing them would load the stages
        command.__annotations__.update(dict.fromkeys(makers, "object"))

        @wraps(command)
        def call(**given: Any) -> Any:
            made = {
                name: make(**{option: given.pop(option) for option in options[name]}) for name, make in makers.items()
            }
            return command(**given, **made)

        own = signature(command, eval_str=True)
        parameters = [options[name].values() if name in makers else [each] for name, each in own.parameters.items()]
        call.__signature__ = own.replace(parameters=[*chain.from_iterable(parameters)])  # type: ignore[attr-defined]
        return cast(Maker, call)

    return decorate


def borrowed(command: Callable[..., Any], *names: str) -> Callable[..., dict[str, Any]]:
    """Make a set of some options of another command; its result is their values by name."""
    known = signature(command).parameters

    def take(**given: Any) -> dict[str, Any]:
        return given

    chosen = [known[name].replace(kind=Parameter.KEYWORD_ONLY) for name in names]
    take.__signature__ = signature(take).replace(parameters=chosen)  # type: ignore[attr-defined]
    return take


def grouped(group: str) -> Callable[[Maker], Maker]:
    """Put all options of a set into a group of the help."""

    def decorate(maker: Maker) -> Maker:
        maker.group = group  # type: ignore[attr-defined]
        return maker

    return decorate


def _list_options(maker: Callable[..., Any]) -> Mapping[str, Parameter]:
    """List the options of a set, each in the group of the set unless it has one of its own."""
    maker.__annotations__.pop("return", None)  # see `shares`
    options = signature(maker, eval_str=True).parameters
    for option in options.values():
        for info in getattr(option.annotation, "__metadata__", ()):
            info.rich_help_panel = info.rich_help_panel or getattr(maker, "group", None)
    return options


def varied(maker: Maker, **annotations: object) -> Maker:
    """Make a set of options in which some are declared in another way."""

    @wraps(maker)
    def make(**given: Any) -> Any:
        return maker(**given)

    own = signature(maker, eval_str=True)
    changed = [each.replace(annotation=annotations.get(name, each.annotation)) for name, each in own.parameters.items()]
    make.__signature__ = own.replace(parameters=changed)  # type: ignore[attr-defined]
    return cast("Maker", make)


@grouped(OUTPUT)
def storing(
    *,
    output_format: Annotated[
        str | None,
        option(
            "--format",
            "NAME",
            "table, json, jsonl, csv, parquet or xlsx.",
            autocompletion=suggest("table", "json", "jsonl", "csv", "parquet", "xlsx"),
        ),
    ] = None,
    output: Annotated[
        str | None,
        option(
            "-o, --output",
            "FILE",
            ".json, .jsonl, .csv (these also with .gz), .parquet, .xlsx, .duckdb, .sqlite, or "
            "postgresql://HOST/DATABASE.",
        ),
    ] = None,
    table: Table = None,
    safe_csv: SafeCsv = False,
    unique: Annotated[
        str | None,
        option(
            "--unique, --key", "COLUMN,...", "In PostgreSQL: the columns that identify a record; see --on-conflict."
        ),
    ] = None,
    on_conflict: Annotated[
        str | None,
        option(
            "--on-conflict",
            "ACTION",
            "With --unique, for records that the table already has: fail (default), skip or replace.",
            values=CONFLICTS,
        ),
    ] = None,
    flat: Annotated[bool, flag("--flat", "In PostgreSQL: a column for each section instead of jsonb.")] = False,
) -> ResultPlace:
    """Return where results go."""
    target = resolve_target(output)
    if not isinstance(target, Server) and (unique or on_conflict or flat):
        raise UsageFault("--unique, --on-conflict and --flat are for PostgreSQL; name a database with -o postgresql://")
    if on_conflict and not unique:
        raise UsageFault("--on-conflict needs --unique, the columns that identify a record")
    names = tuple(each.strip() for each in (unique or "").split(",") if each.strip())
    return ResultPlace(output_format, target, table, safe_csv, Addition(names, on_conflict or "fail", flat))


@grouped(FETCHING)
def fetching(
    *,
    offline: Annotated[bool, flag("--offline", "Use only pages in the cache.")] = False,
    refresh: Annotated[bool, flag("--refresh", "Ask servers again, even if the cache has the page.")] = False,
    cache: Cache = None,
    user_agent: Annotated[str | None, option("--user-agent", "TEXT", "The User-Agent header.")] = None,
    header: Annotated[
        list[str] | None, option("--header", "'NAME: VALUE'", "A header to send; may be repeated.")
    ] = None,
    allow_private: Annotated[bool, flag("--allow-private", "Also fetch from loopback and private networks.")] = False,
    ignore_robots: Annotated[bool, flag("--ignore-robots", "Fetch what robots.txt disallows.")] = False,
) -> FetchOptions:
    """Return the options of fetching."""
    if offline and refresh:
        raise UsageFault("--offline and --refresh cannot be used together")
    return {
        "offline": offline,
        "refresh": refresh,
        "cache": cache,
        "user_agent": user_agent,
        "headers": _headers(header),
        "allow_private": allow_private,
        "ignore_robots": ignore_robots,
    }


@grouped(FETCHING)
def saved_pages(*, base_url: BaseUrl = None, url_map: UrlMapFile = None) -> FetchOptions:
    """Return the options of fetching that say where saved pages came from."""
    if base_url is not None and not saved_sites.is_web_address(base_url):
        raise UsageFault(f"--base-url {base_url}: not an http or https address, such as https://shop.example/list/")
    return {"base_url": base_url or "", "url_map": None if url_map is None else saved_sites.read_url_map(url_map)}


def check_base_url(saved: FetchOptions, inputs: list[str]) -> None:
    """Raise if `--base-url` cannot be the address of what the inputs name."""
    if not saved.get("base_url"):
        return
    if len(inputs) != 1 or folders_of(inputs):
        raise UsageFault("--base-url is the address of one saved page; for several, name a CSV file with --url-map")
    if saved_sites.is_web_address(inputs[0]):
        raise UsageFault(f"--base-url is for saved pages; {inputs[0]} is an address already")


PageTimeout = Annotated[
    float | None, option("--page-timeout", "SECONDS", "CPU time that a page may take (60).", min=0.1)
]
PageMemory = Annotated[
    str | None, option("--page-memory", "SIZE", "Memory that a page may take, such as 500MB or 2GB (3GB).")
]


@grouped(WORKERS)
def working(
    *,
    workers: Annotated[
        int, option("--workers", "N", "The number of worker processes (1).", min=1, show_default=False)
    ] = 1,
    page_timeout: PageTimeout = None,
    page_memory: PageMemory = None,
) -> WorkerOptions:
    """Return the options of work in several processes."""
    return {"workers": workers, "page_timeout": page_timeout, "page_memory": parse_size(page_memory)}


def parse_size(given: str | None) -> int | None:
    """Parse a number of bytes such as 500MB.

    >>> parse_size("500MB"), parse_size("1.5 gb"), parse_size(None)
    (524288000, 1610612736, None)
    """
    if given is None:
        return None
    found = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([KMGT]?)I?B?", given.strip(), re.IGNORECASE)
    if found is None or float(found[1]) <= 0:
        raise typer.BadParameter(f"{given!r} is not a size, such as 500MB or 2GB", param_hint="--page-memory")
    return int(float(found[1]) * 1024 ** " KMGT".index(found[2].upper() or " "))


@grouped(BROWSER)
def rendering(
    *,
    scripts: Annotated[bool, flag("--scripts", "Let the scripts of pages run.")] = False,
    wait_for: Annotated[
        str | None, option("--wait-for", "CSS", "With --scripts: wait until an element matches.")
    ] = None,
    browser: Annotated[str | None, option("--browser", "PATH", "The browser to use.")] = None,
    width: Annotated[int, option("--width", "PIXELS", "Width of the window in CSS pixels.", min=1, max=16_000)] = 1366,
    root: Annotated[
        list[Path] | None, option("--root", "DIR", "A folder whose files pages below it may use; may be repeated.")
    ] = None,
) -> BrowserOptions:
    """Return the options of rendering."""
    if wait_for is not None and not scripts:
        raise UsageFault("--wait-for needs --scripts, which make what it waits for")
    for folder in root or []:
        if not folder.is_dir():
            raise UsageFault(f"--root {folder}: there is no such folder")
    return {"scripts": scripts, "wait_for": wait_for, "browser": browser, "width": width, "roots": root or []}


def folders_of(inputs: list[str]) -> list[Path]:
    """Return the inputs that are folders."""
    return [Path(named) for named in inputs if named and Path(named).is_dir()]


def _headers(given: list[str] | None) -> tuple[tuple[str, str], ...]:
    headers = []
    for header in given or []:
        name, colon, value = header.partition(":")
        if not colon or not name.strip():
            raise typer.BadParameter(f"{header!r} must have the form 'Name: value'", param_hint="--header")
        try:
            fetch_policy.check_header(name.strip(), value.strip())
        except ValueError as error:
            raise typer.BadParameter(str(error), param_hint="--header") from error
        headers.append((name.strip(), value.strip()))
    return tuple(headers)


@dataclass(frozen=True)
class PageAccess:
    """How pages are fetched, and opened with or without a browser."""

    browsing: BrowserOptions
    policy: FetchOptions
    max_pages: int | None = None
    url_map: Path | None = None
    """The file of the URL map, if one was named."""

    @property
    def options(self) -> RenderOptions:
        """All options of rendering and fetching."""
        return {**self.browsing, **self.policy}

    @property
    def roots(self) -> Iterable[str | Path]:
        """The folders of `--root`."""
        return self.browsing["roots"]

    def check_base_url(self, inputs: list[str]) -> None:
        """Raise if `--base-url` cannot be the address of what the inputs name."""
        check_base_url(self.policy, inputs)

    def fetch(
        self, inputs: list[str], progress: Callable[[int, int | None], None] | None = None, *, follow_lists: bool = True
    ) -> Iterator[Page | Failure]:
        """Fetch the pages of the inputs, as many as are allowed."""
        return fetch_pages.fetch_all(
            inputs,
            progress=progress,
            max_pages=self.max_pages,
            roots=self.roots,
            follow_lists=follow_lists,
            **self.policy,
        )

    def render_options(self, folders: Iterable[Path]) -> RenderOptions:
        """Return all options, with the web roots of folders beside those of `--root`."""
        return render_pages.add_roots(self.options, map(requests.find_web_root, folders))

    def open(
        self, pages: Iterable[Page | Failure], folders: Iterable[Path], *, rendered: bool, clean: str = "html5"
    ) -> Iterator[Document | Failure]:
        """Clean or render pages; pages on disk may use the files of the site that their input folder is in."""
        if not rendered:
            return fetch_pages.clean_all(pages, method=clean)
        return render_pages.render_all(pages, **self.render_options(folders))

    def decide_rendering(
        self, render: bool | None, *, default: bool | None, clean: str = "html5", needed: bool = False
    ) -> bool:
        """Tell whether to render pages; raise if options contradict each other, or the browser is missing.

        render: True for `--render`, False for `--static`, None for neither.
        default: the same if the user said neither; None renders if there is a browser, and warns if there is none.
        clean: the method that parses pages without a browser.
        needed: True if another option needs a browser.
        """
        if self.browsing["scripts"] and render is False:
            raise UsageFault("--scripts needs a browser; leave --static out")
        needed = needed or self.browsing["scripts"]
        if clean != fetch_pages.DEFAULT_CLEANER:
            if render or needed:
                raise UsageFault(
                    f"--clean {clean} parses pages without a browser, which has its own parser; leave --clean out, or "
                    "all that needs a browser (--render, --scripts, --picture, --method emine)"
                )
            return False
        wanted = default if render is None else render
        named = self.browsing["browser"]
        if needed or wanted:
            browsers.require_browser(named)
            return True
        if wanted is not None:
            return False
        if browsers.find_browser(named) is None:
            complain(
                f"no browser was found, so pages are read without rendering, which finds less; {browsers.ADVICE}", 0
            )
            return False
        return True


@shares(browsing=rendering, policy=fetching)
def opening(*, browsing: BrowserOptions, policy: FetchOptions) -> PageAccess:
    """Return how pages are fetched and opened."""
    return PageAccess(browsing, policy)


@shares(browsing=rendering, policy=fetching)
def opening_many(
    *,
    max_pages: MaxPages = None,
    browsing: BrowserOptions,
    policy: FetchOptions,
    base_url: BaseUrl = None,
    url_map: UrlMapFile = None,
) -> PageAccess:
    """Return how pages are fetched and opened, some of which may be saved pages."""
    return PageAccess(browsing, policy | saved_pages(base_url=base_url, url_map=url_map), max_pages, url_map)
