"""Where results go."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from webquarry.cli.faults import UsageFault, complain, describe_fault, describe_refusal
from webquarry.cli.options import folders_of

if TYPE_CHECKING:
    from typing_extensions import TypeIs

    from webquarry.model import Document, Failure

ARCHIVES = (".warc", ".warc.gz")


class PageSink:
    """Where the results of a run go: standard output, one file, or a folder with a file for each page."""

    def __init__(
        self,
        output: Path | None,
        inputs: list[str],
        ending: str,
        content: Callable[[Document], bytes],
        *,
        needed: bool = True,
    ) -> None:
        """`content` gives what is written of a document; unless it is needed, no `-o` means that nothing is."""
        from webquarry.storing import ResultNames  # noqa: PLC0415

        many = names_many(inputs)
        if many and output is None and needed:
            raise UsageFault("several pages: name a folder for the results with -o DIR")
        if many and output is not None and (output.is_file() or output.suffix == ending):
            raise UsageFault(f"several pages do not go into one file; name a folder instead of {output}")
        self._output = output
        self._is_folder = output is not None and (many or output.is_dir())
        self._names = ResultNames(folders_of(inputs), ending)
        self._content = content
        self._needed = needed
        self.exit_code = 0

    def write(self, result: Document | Failure) -> None:
        """Write one result; one that fails is a line on standard error, and the others go on."""
        if not is_document(result):
            self.exit_code = complain(result.error, 1)
            return
        if self._output is None and not self._needed:
            return
        try:
            self._put(result.url, self._content(result))
        except BrokenPipeError:
            raise
        except OSError as error:
            self.exit_code = complain(describe_refusal(error, self._output), 1)
        except Exception as error:  # noqa: BLE001 - one page must not stop the others
            self.exit_code = complain(f"{result.url}: {describe_fault(error)}", 1)

    def _put(self, url: str, content: bytes) -> None:
        from webquarry.storing import write_whole  # noqa: PLC0415

        if self._output is None:
            sys.stdout.buffer.write(content)
            sys.stdout.buffer.flush()
        else:
            write_whole(self._output / self._names.give(url) if self._is_folder else self._output, content)


def names_many(inputs: list[str]) -> bool:
    """Whether inputs may name more than one page."""
    return len(inputs) > 1 or bool(folders_of(inputs)) or any(named.endswith(ARCHIVES) for named in inputs)


def is_document(result: Document | Failure) -> TypeIs[Document]:
    """Whether a page gave a result."""
    from webquarry.model import Document  # noqa: PLC0415

    return isinstance(result, Document)
