"""Say where results go: to a file or a PostgreSQL database, and under which names in a folder."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from urllib.parse import parse_qsl, unquote, urlsplit

from webquarry.html.urls import path_of

_SERVER = re.compile(r"postgres(?:ql)?://", re.IGNORECASE)
_CREDENTIALS = re.compile(r"(?<=://).*@")  # up to the last @, because a password that is not escaped may contain one
_SECRET_PARAMETERS = re.compile(r"(?<=[?&])(?:ssl)?password=[^&]*&?", re.IGNORECASE)
CONFLICTS = ("fail", "skip", "replace")
"""The choices for a record whose key the table already has."""


@dataclass(frozen=True)
class Server:
    """A PostgreSQL database, by its address; shows itself without user and password."""

    uri: str

    def __str__(self) -> str:
        return _SECRET_PARAMETERS.sub("", _CREDENTIALS.sub("", self.uri, count=1)).rstrip("?&")

    def __repr__(self) -> str:
        return f"<Server {self}>"

    def hide_password(self, message: str) -> str:
        """Remove the password from a message of the database or its driver.

        >>> Server("postgresql://me:t0p%21@db.example/shop").hide_password("no t0p! here, nor t0p%21")
        'no *** here, nor ***'
        """
        found = _CREDENTIALS.search(self.uri)
        given = [] if found is None else [found.group().rstrip("@").partition(":")[2]]
        given += [value for name, value in parse_qsl(self.uri.partition("?")[2]) if name.lower().endswith("password")]
        # if the password is not escaped, the message may have only a part of it
        parts = {each for secret in given for each in (secret, unquote(secret), *re.split("[:/?#@]", secret)) if each}
        for part in sorted(parts, key=len, reverse=True):
            message = message.replace(part, "***")
        return message


Target = Path | Server
"""The target of results, if not standard output."""


@dataclass(frozen=True)
class Addition:
    """The options for adding records to a PostgreSQL table."""

    unique: Sequence[str] = ()
    """The columns that identify a record: the table has each combination once."""
    on_conflict: str = "fail"
    """One of CONFLICTS: what to do with a record that the table already has."""
    flat: bool = False
    """True to write each section to a separate column instead of `jsonb`."""


PLAIN_ADDITION = Addition()


def resolve_target(named: str | None) -> Target | None:
    """Return the target that an option names: a database, a file, or None.

    >>> resolve_target("postgresql://me:secret@db.example/shop?password=x&sslmode=require")
    <Server postgresql://db.example/shop?sslmode=require>
    >>> resolve_target("offers.csv")
    PosixPath('offers.csv')
    """
    if named is None:
        return None
    return Server(named) if _SERVER.match(named) else Path(named)


_UNSAFE = re.compile(r"[^\w.,=@+-]+")
_PAGE_ENDINGS = re.compile(r"(\.(x?html?|mht(ml)?))?(\.gz)?$", re.IGNORECASE)
_MAX_NAME_BYTES = 160  # file systems allow 255, and a number and an ending follow


class ResultNames:
    """Gives each page a unique path: that of its file as far as the inputs need it, else one from its address.

    Pages below an input folder keep their place in it, below the name of the folder if there are several.  Files that
    are named one by one keep as much of their paths as tells them apart.

    >>> names = ResultNames(["a/index.html", "b/index.html", "b/about.html"], ".xhtml")
    >>> [str(names.give(Path(name).absolute().as_uri())) for name in ("a/index.html", "b/index.html", "b/about.html")]
    ['a/index.xhtml', 'b/index.xhtml', 'about.xhtml']
    >>> str(names.give("https://example.org/a/b.html?c=1")), str(names.give("stdin:"))
    ('example.org/a/b_c=1.xhtml', 'stdin.xhtml')
    """

    def __init__(self, inputs: Iterable[str | Path], ending: str) -> None:
        paths = [Path(path_of(each) if each.startswith("file:") else each) for each in map(str, inputs) if each]
        folders = [path.resolve() for path in paths if path.is_dir()]
        named = _tell_apart(folders) if len(folders) > 1 else [PurePosixPath()] * len(folders)
        self._folders = dict(zip(folders, named, strict=True))
        files = list(dict.fromkeys(path.absolute() for path in paths if not path.is_dir()))
        self._files = dict(zip(files, _tell_apart(files), strict=True))
        self._ending = ending
        self._given: set[str] = set()

    def give(self, url: str) -> PurePosixPath:
        """Make a path for the result of this page, different from all before."""
        # without endings, so that the folder of one page is never the file of another
        parts = [_safe(_PAGE_ENDINGS.sub("", part)) for part in self._parts(url)]
        path = PurePosixPath(*filter(None, parts)) if any(parts) else PurePosixPath("page")
        number = 1
        while (candidate := self._numbered(path, number)).as_posix().lower() in self._given:
            number += 1
        self._given.add(candidate.as_posix().lower())
        return candidate

    def _parts(self, url: str) -> Sequence[str]:
        try:
            split = urlsplit(url)
        except ValueError:  # the address of a saved page can be any text
            return [url]
        path = PurePosixPath(path_of(url))
        if split.scheme == "file":
            return self._place(Path(path)).parts
        if split.scheme not in ("http", "https"):
            return [split.scheme or "page", *path.parts]
        name = _PAGE_ENDINGS.sub("", path.name) or "index"
        return [split.netloc, *path.parent.parts, f"{name}_{split.query}" if split.query else name]

    def _place(self, file: Path) -> PurePosixPath:
        """Place a file as the inputs have it."""
        if file in self._files:
            return self._files[file]
        inside = (named / file.relative_to(folder) for folder, named in self._folders.items() if folder in file.parents)
        return next(inside, PurePosixPath(file.name))

    def _numbered(self, path: PurePosixPath, number: int) -> PurePosixPath:
        return path.with_name(f"{path.name}{f'-{number}' if number > 1 else ''}{self._ending}")


def _tell_apart(paths: Sequence[Path]) -> list[PurePosixPath]:
    """Shorten paths to their ends, as far as these are different.

    >>> [str(path) for path in _tell_apart([Path("/x/a/page.html"), Path("/x/b/page.htm"), Path("/y/b/c.html")])]
    ['a/page.html', 'b/page.htm', 'c.html']
    """
    stems = [_PAGE_ENDINGS.sub("", path.as_posix()).lower() for path in paths]
    lengths = [1] * len(paths)
    while True:
        ends = [PurePosixPath(*path.parts[-length:]) for path, length in zip(paths, lengths, strict=True)]
        keys = [_PAGE_ENDINGS.sub("", end.as_posix()).lower() for end in ends]
        times = Counter(key for key, _ in set(zip(keys, stems, strict=True)))  # no end tells a.htm from a.html
        alike = [
            place for place, key in enumerate(keys) if times[key] > 1 and lengths[place] < len(paths[place].parts) - 1
        ]
        if not alike:
            return ends
        for place in alike:
            lengths[place] += 1


def _safe(part: str) -> str:
    """Replace what could lead out of the folder, or is not allowed in file names."""
    return _UNSAFE.sub("_", part).strip("._").encode()[:_MAX_NAME_BYTES].decode("utf-8", "ignore")
