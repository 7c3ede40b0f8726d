"""Results that are shown in files: nobody may write to them, and they stay in step.

xbuf.explain       f.explained.txt
xbuf.showBuffers   f.buffers.mlir        each is written anew when its document changes
"""

import re
import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from xdsl_bufferization.support.whole_files import write_text

from .child import Explain, Run

if TYPE_CHECKING:
    from xdsl_bufferization.editing.results import Result

    from .opened import Opened


_NOT_IN_FILES: Final = re.compile(r"[^\w-]", re.ASCII)


@dataclass
class View:
    """A file with what was made of a function, or of a document."""

    file: Path
    uri: str
    """Of the document."""
    name: str | None
    """The function; None for all of the document."""
    pipeline: str | None
    """The passes that are run; None for an explanation in words."""
    is_old: bool = False
    """Whether the document has changed since."""

    def question(self, opened: "Opened") -> Explain | Run | None:
        """What the child is asked; None if the function is not there, or broken."""
        text = opened.document.text
        if self.name is not None:
            alone = opened.decisions.text_of(opened.document, self.name)
            if alone is None:
                return None
            text = alone
        if self.pipeline is None and self.name is not None:
            return Explain(text, opened.decisions.pipeline, self.name)
        return Run(text, self.pipeline or "")

    def write(self, result: "Result") -> None:
        """Show a result; an error is a comment."""
        text = result.text
        if result.is_error:
            text = "".join(f"// {line}\n" for line in text.splitlines())
        write_text(str(self.file), text)
        self.file.chmod(0o444)


class Views:
    """All views, in a folder that goes when the server ends."""

    def __init__(self) -> None:
        self._folder: Path | None = None
        self._views: dict[str, View] = {}

    def explanation(self, uri: str, name: str) -> View:
        """The view of a function in words."""
        return self._view(uri, (name, "explained"), "txt", name=name, pipeline=None)

    def result(self, uri: str, name: str | None, pipeline: str, what: str) -> View:
        """The view of what passes make of a function, or of a document."""
        parts = (name, what) if name is not None else (what,)
        return self._view(uri, parts, "mlir", name=name, pipeline=pipeline)

    def of(self, uri: str) -> Iterator[View]:
        """The views of a document."""
        return (view for view in self._views.values() if view.uri == uri)

    def next_old(self) -> View | None:
        """A view whose document has changed."""
        return next((view for view in self._views.values() if view.is_old), None)

    def _view(
        self,
        uri: str,
        parts: tuple[str, ...],
        extension: str,
        *,
        name: str | None,
        pipeline: str | None,
    ) -> View:
        if self._folder is None:
            self._folder = Path(tempfile.mkdtemp(prefix="xbuf-lsp-"))
        stem = Path(uri.rpartition("/")[2]).stem or "program"
        words = (_NOT_IN_FILES.sub("_", part) for part in (stem, *parts))
        file = ".".join((*words, extension))
        view = View(self._folder / file, uri, name, pipeline)
        self._views[file] = view
        return view

    def remove(self) -> None:
        """Remove all files."""
        self._views.clear()
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)
            self._folder = None
