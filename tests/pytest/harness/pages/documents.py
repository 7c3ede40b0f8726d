"""Documents that are tested: their code runs, or a script writes them.

    ```python       runs, after the blocks above it, with their names
    ```console      commands, run one after the other in a folder of their own; where
                    they start with $, the other lines are what they print, exactly
    ```output       what the block above printed, exactly
    ```mlir         a program that parses and verifies; saved, with title="NAME"
    ```c            a C source, saved with title="NAME"
    ```python title="NAME"    a module of a project of the page: saved, not run
    ```toml title="NAME"      the description of that project: saved
    ```text         anything else; not looked at

A line above a block, which readers do not see, says one of three things. Why the block
is not run. Or which packages of Python or programs it needs: it runs where they are
installed. Or that its command ends with an error, which is what the command prints:

    <!-- not run: only what changes is shown -->
    <!-- needs: torch, torch_mlir -->
    <!-- fails -->

The folder is empty at first: a page makes all files that it uses.
"""

import io
import os
import re
import sys
from collections.abc import Callable, Generator, Iterator
from contextlib import chdir, contextmanager, redirect_stdout
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from pathlib import Path
from shutil import which
from tempfile import TemporaryDirectory
from types import ModuleType
from typing import Any, NamedTuple

import pytest

from harness.pages.console import error_of, run_console
from xdsl_bufferization.bufferization.context import get_context
from xdsl_bufferization.dialects.parsing import parse_module

ROOT = Path(__file__).parents[4]
DOCS = ROOT / "docs"

GENERATED = ("dialects.md", "passes.md")
"""Their blocks come from programs that a script has parsed and run; see their tests."""

BLOCK = re.compile(
    r"(?:^<!-- not run: (?P<reason>.+?) -->\n)?"
    r"(?:^<!-- needs: (?P<needs>.+?) -->\n)?"
    r"(?P<fails>^<!-- fails -->\n)?"
    r"^```(?P<language>\w*)(?: title=\"(?P<title>[^\"]+)\")?(?P<rest>[^\n]*)\n"
    r"(?P<text>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)


class Block(NamedTuple):
    """A block of a document."""

    language: str
    title: str | None
    """The name of the file that it is."""

    text: str
    line: int
    """How many lines are above its text."""

    reason: str | None
    """Why it does not run."""

    rest: str
    """What else is behind the language; nothing, if all is well."""

    fails: bool
    """Whether its command ends with an error."""


def documents() -> list[Path]:
    """All documents of the project that are written by hand."""
    written = [each for each in DOCS.glob("*.md") if each.name not in GENERATED]
    return [*sorted(ROOT.glob("*.md")), *sorted(written)]


def blocks(document: Path) -> Iterator[Block]:
    """The blocks of a document, in order."""
    text = document.read_text()
    for found in BLOCK.finditer(text):
        line = text.count("\n", 0, found.start("text"))
        needs = found["needs"].split(", ") if found["needs"] else []
        missing = [name for name in needs if not _is_installed(name)]
        yield Block(
            found["language"],
            found["title"],
            found["text"],
            line,
            f"{missing} are not installed" if missing else found["reason"],
            found["rest"],
            found["fails"] is not None,
        )


def _is_installed(name: str) -> bool:
    return which(name) is not None or find_spec(name) is not None


def run_document(document: Path) -> int:
    """Run all blocks, one after the other; how many of output were compared."""
    run = _Run(document)
    with TemporaryDirectory() as directory, chdir(directory), own_packages(directory):
        for block in blocks(document):
            if block.reason is None:
                run.block(block)
    run.expect_nothing_more()
    return run.compared


@contextmanager
def own_packages(directory: str) -> Generator[None]:
    """Forget at the end what a page has installed from `directory`."""
    path = [*sys.path]
    yield
    sys.path[:] = path
    for name, module in [*sys.modules.items()]:
        if (getattr(module, "__file__", None) or "").startswith(directory):
            del sys.modules[name]


class _Run:
    """What has been printed, and which names are known, up to some block."""

    def __init__(self, document: Path) -> None:
        self.document = document
        self.names: dict[str, Any] = {"__name__": document.stem}
        self.printed = ""
        self.compared = 0
        self._runners: dict[str, Callable[[Block], None]] = {
            "python": self._python,
            "console": self._console,
            "output": self._output,
            "mlir": self._mlir,
            "c": self._source,
            "toml": self._source,
            "text": self._text,
        }

    def block(self, block: Block) -> None:
        place = f"{self.document.name}:{block.line}"
        assert block.language in self._runners, (
            f"{place}: a block is one of {', '.join(self._runners)}, "
            f"not '{block.language}'; see {Path(__file__).name}"
        )
        assert not block.rest, f"{place}: '{block.rest}' means nothing here"
        is_module = block.language == "python" and block.title is not None
        run = self._source if is_module else self._runners[block.language]
        run(block)

    def expect_nothing_more(self) -> None:
        assert not self.printed, "the document does not show what a block prints"

    def _python(self, block: Block) -> None:
        self.expect_nothing_more()
        # So that an error names the line of the document.
        code = "\n" * block.line + block.text
        self.printed = capture(
            lambda: exec(compile(code, str(self.document), "exec"), self.names)
        )

    def _console(self, block: Block) -> None:
        self.expect_nothing_more()
        place = f"{self.document.name}:{block.line}"
        if block.fails:
            self.printed = error_of(block.text)
            return
        # What commands print is long; it is compared where the document shows it.
        self._maybe_shown = capture(lambda: run_console(block.text, place))

    def _output(self, block: Block) -> None:
        printed = self.printed or self._maybe_shown
        assert printed.strip("\n") == block.text.strip("\n"), self.document
        self.printed = self._maybe_shown = ""
        self.compared += 1

    def _mlir(self, block: Block) -> None:
        self.expect_nothing_more()
        name = f"{self.document.name}:{block.line}"
        parse_module(block.text, name, get_context()).verify()
        if block.title is not None:
            Path(block.title).write_text(block.text)

    def _source(self, block: Block) -> None:
        self.expect_nothing_more()
        if block.title is not None:
            Path(block.title).parent.mkdir(parents=True, exist_ok=True)
            Path(block.title).write_text(block.text)

    def _text(self, block: Block) -> None:
        """It is for people only."""

    _maybe_shown = ""


def capture(action: Callable[[], object]) -> str:
    """What `action` prints."""
    output = io.StringIO()
    with redirect_stdout(output):
        action()
    return output.getvalue()


def load_generator(name: str) -> ModuleType:
    """The script `docs/<name>.py`, which writes a document."""
    return load_script(DOCS / f"{name}.py")


def load_script(file: Path) -> ModuleType:
    """A script in `docs`, as a module."""
    spec = spec_from_file_location(file.stem, file)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def need_extra(name: str) -> None:
    """Skip a test where a package of the extra `docs` is missing, but not in CI."""
    if find_spec(name) is None:
        leave_out = pytest.fail if os.environ.get("CI") else pytest.skip
        leave_out(f"{name} is not installed: pip install '.[docs]'")
