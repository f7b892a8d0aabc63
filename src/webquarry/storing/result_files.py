"""Name the places of results, and write files so that readers see the old one or the new one, never a part.

A file or folder that is being written is beside its place, and locked.  The system drops the lock when its process
ends, however it ends; so one that can be locked belongs to nobody, and is removed.
"""

from __future__ import annotations

import fcntl
import os
import re
import shutil
import sys
import tempfile
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from gzip import BadGzipFile, GzipFile
from pathlib import Path, PurePosixPath
from typing import IO, BinaryIO, cast
from urllib.parse import parse_qsl, unquote, urlsplit

from webquarry.errors import InputError
from webquarry.html.urls import path_of
from webquarry.model.wording import describe_special_file

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


PACKED = ".gz"
"""The ending of files that are packed with gzip when they are written, and unpacked when they are read."""
MAX_TEXT_BYTES = 4 * 2**30
"""Limit of a text file after unpacking: a small file may unpack to one that fills memory."""


def write_whole(path: Path, content: bytes, option: str = "-o", *, is_packed: bool = False) -> None:
    """Replace a file in one step; an error names the option that named the file."""
    with closing(Pieces(path, None, option, packs=not is_packed)) as file:
        file.write(content)
        file.finish()


def write_pieces(pieces: Iterable[bytes], output: Path | None, stream: BinaryIO) -> None:
    """Write all pieces to the file, or without one to the stream."""
    with closing(Pieces(output, stream)) as place:
        for piece in pieces:
            place.write(piece)
        place.finish()


class Pieces:
    """Output in pieces: to a file that appears when finished, and leaves nothing before; or at once to a stream.

    A file whose name ends in .gz is packed, unless the pieces are.
    """

    def __init__(self, output: Path | None, stream: BinaryIO | None, option: str = "-o", *, packs: bool = True) -> None:
        self._output, self._option, self._stream = output, option, stream
        self._unfinished: Unfinished | None = None
        self._file: IO[bytes] | None = None
        self._packer: GzipFile | None = None
        if output is None:
            return
        path = self._path = output.resolve()  # a link stays, and the file that it points to is replaced
        with translated(output, option):
            path.parent.mkdir(parents=True, exist_ok=True)
            if path.exists() and not path.is_file():  # a device or a pipe cannot be replaced
                self._file = path.open("wb")
                return
            self._unfinished = Unfinished(path.parent)
            try:
                self._file = self._unfinished.path.open("wb")
            except BaseException:  # a signal too
                self._unfinished.remove()
                raise
            if packs and path.name.lower().endswith(
                PACKED
            ):  # without name and time, so that equal results are equal files
                self._packer = GzipFile("", "wb", fileobj=cast("BinaryIO", self._file), mtime=0)

    def write(self, content: bytes) -> None:
        """Add a piece."""
        if self._file is not None:
            with translated(self._output, self._option):
                (self._packer or self._file).write(content)
        elif self._stream is not None:
            self._stream.write(content)
            self._stream.flush()

    def finish(self) -> str | None:
        """Put the file in its place."""
        if self._file is None:
            return None
        with translated(self._output, self._option):
            if self._packer is not None:
                self._packer.close()
            self._file.close()
            if self._unfinished is not None:
                mode = self._path.stat().st_mode & 0o777 if self._path.exists() else 0o666 & ~_umask()
                self._unfinished.path.chmod(mode)
                self._unfinished.path.replace(self._path)
                self._unfinished.release()
                self._unfinished = None
        return None

    def close(self) -> None:
        """Remove the file if it is not finished."""
        if self._file is not None:
            with suppress(OSError):  # closing flushes, which may fail a second time
                self._file.close()
        if self._unfinished is not None:
            self._unfinished.remove()
            self._unfinished = None


def _umask() -> int:
    """Return the mask for new files, which can only be read by setting it."""
    mask = os.umask(0o077)
    os.umask(mask)
    return mask


@contextmanager
def translated(output: Path | None, option: str = "-o") -> Iterator[None]:
    """Turn an OSError on a file into an InputError that names the file and its option."""
    try:
        yield
    except OSError as error:
        raise InputError(
            f"{output}: cannot be written: {error.strerror or error}; make room or name another file with {option}"
        ) from error


def check_place(output: Path, option: str = "-o") -> None:
    """Raise if a file clearly cannot be written there; creates nothing."""
    if output.is_dir():
        raise InputError(f"{output}: is a folder; name a file with {option}")
    if output.exists() and not output.is_file():  # a device or a pipe needs no writable folder
        return
    above = next(folder for folder in output.resolve().parents if folder.exists())
    if not above.is_dir() or not os.access(above, os.W_OK):
        raise InputError(
            f"{output}: cannot be written: {above} is not a writable folder; name another file with {option}"
        )


def read_text(path: Path) -> str:
    """Read a UTF-8 text file, which may be packed with gzip."""
    try:
        if what := describe_special_file(str(path), path.stat().st_mode):
            raise InputError(f"{path}: is {what}, not a file; name a file")
        content = _unpack(path) if path.name.lower().endswith(PACKED) else path.read_bytes()
        return content.decode("utf-8-sig")
    except FileNotFoundError as error:
        raise InputError(f"{path}: there is no such file; check the path") from error
    except IsADirectoryError as error:
        raise InputError(f"{path}: is a folder; name a file") from error
    except OSError as error:
        raise InputError(f"{path}: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        raise InputError(f"{path}: line {line} is not in UTF-8; save the file in UTF-8") from error


def read_standard_input(what: str) -> str:
    """Read a UTF-8 text from standard input; `what` names it in errors, such as `query`."""
    try:
        return sys.stdin.buffer.read().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"-: the {what} is not in UTF-8; save it in UTF-8") from error
    except OSError as error:
        raise InputError(f"standard input: cannot be read ({error.strerror or error})") from error


def _unpack(path: Path) -> bytes:
    try:
        with GzipFile(path) as file:
            content = file.read(MAX_TEXT_BYTES + 1)
    except (BadGzipFile, EOFError, zlib.error) as error:
        raise InputError(f"{path}: is not a whole gzip file ({error}); pack it again") from error
    if len(content) > MAX_TEXT_BYTES:
        raise InputError(f"{path}: unpacks to more than {MAX_TEXT_BYTES:,} bytes; split it")
    return content


PREFIX = ".quarry-"
_NAME = re.compile(rf"{re.escape(PREFIX)}[a-z0-9_]{{8}}")  # as tempfile makes them


class Unfinished:
    """A new file in a folder, or a new folder in it, that no other run takes away."""

    def __init__(self, folder: Path, *, is_folder: bool = False) -> None:
        remove_abandoned(folder)
        self.path, self._lock = _make_locked(folder, is_folder=is_folder)

    def release(self) -> None:
        """Release the lock, after the file was moved to its place."""
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def remove(self) -> None:
        """Remove what was not moved."""
        _remove(self.path)
        self.release()


def _make_locked(folder: Path, *, is_folder: bool) -> tuple[Path, int | None]:
    while True:
        if is_folder:
            path = Path(tempfile.mkdtemp(prefix=PREFIX, dir=folder))
        else:
            handle, name = tempfile.mkstemp(prefix=PREFIX, dir=folder)
            os.close(handle)
            path = Path(name)
        try:
            lock = os.open(path, os.O_RDONLY)
        except FileNotFoundError:
            continue  # another run took it for abandoned before it was locked
        if not _can_lock(lock):  # a file system without locks, or another run is looking at it
            os.close(lock)
            return path, None
        if os.fstat(lock).st_nlink and path.exists():
            return path, lock
        os.close(lock)


@cache  # once for each folder in a run: thousands of pages may be written to it
def remove_abandoned(folder: Path) -> None:
    """Remove what processes that are gone have left in a folder."""
    with suppress(OSError):
        for path in folder.iterdir():
            if _NAME.fullmatch(path.name):
                with suppress(OSError):
                    _remove_if_abandoned(path)


def _remove_if_abandoned(path: Path) -> None:
    lock = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    try:
        if _can_lock(lock):
            _remove(path)
    finally:
        os.close(lock)


def _can_lock(handle: int) -> bool:
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def _remove(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path, ignore_errors=True)
    else:
        with suppress(OSError):
            path.unlink()
