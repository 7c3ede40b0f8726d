"""Documents name no pass, option, command, file or folder that does not exist.

Docstrings name no file or folder that does not exist.

`buffer-reuse`   `strategy=clone`   `xbuf run --check`   `dialects/text/`
"""

import ast
import re
from collections.abc import Callable, Iterator
from contextlib import redirect_stdout, suppress
from functools import cache
from io import StringIO
from itertools import pairwise

import pytest
from check_prose import docstrings
from harness.pages.console import commands, split
from harness.pages.documents import BLOCK, DOCS, GENERATED, ROOT, blocks, documents
from xdsl.passes import PassPipeline
from xdsl.universe import Universe

from xdsl_bufferization.pipelines.universe import XDSL_BUFFERIZATION_UNIVERSE
from xdsl_bufferization.runtime.processors.names import NAMES
from xdsl_bufferization.tools import xbuf

DOCUMENTS = {
    str(each.relative_to(ROOT)): each
    for each in [*documents(), *(DOCS / name for name in GENERATED)]
}

OTHERS = {
    "aarch64-linux-gnu-gcc": "a compiler driver",
    "convert-math-to-llvm": "a pass of MLIR",
    "expected-error": "a comment of MLIR's tests",
    "expected-error-re": "a comment of MLIR's tests",
    "expected-note": "a comment of MLIR's tests",
    "expected-remark": "a comment of MLIR's tests",
    "expected-warning": "a comment of MLIR's tests",
    "linalg-block-pack-matmul": "a pass of MLIR",
    "linalg-fold-into-elementwise": "a pass of MLIR",
    "linalg-on-tensors": "an output type of torch-mlir",
    "math-expand-ops": "a pass of MLIR",
    "mlir-lsp-server": "the language server of MLIR",
    "mlir-mode": "a mode of Emacs that comes with LLVM",
    "mlir-22": "a target of `xdsl-opt` that is ours",
    "qemu-aarch64": "an emulator",
    "qemu-riscv64": "an emulator",
    "riscv-asm": "a target of xDSL",
    "riscv64-linux-gnu-gcc": "a compiler driver",
    "scf-forall-to-parallel": "a pass of MLIR",
    "test-tensor-copy-insertion": "a pass of MLIR",
    "xbuf-lsp": "a command of ours that is a script by itself",
    "xdsl-opt": "a tool of xDSL",
}
"""Names in these forms that are none of ours, and whose they are."""

WRITTEN_BY_COMMANDS = {
    "tests/filecheck/transforms/fold-xors/fold_xors.mlir",
    "tests/filecheck/transforms/one-shot-bufferize/math_absf.mlir",
    "xdsl_bufferization/bufferization/models/bufferizable/math.py",
    "xdsl_bufferization/optimization/simplify/fold_xors.py",
}
"""What commands of `CONTRIBUTING.md` write: `test_new_files.py` follows them."""

SPAN = re.compile(r"`([^`\n]+)`")
PLACEHOLDER = re.compile(r"NAME|PATH|<|\*|\.\.\.")


@cache
def passes() -> set[str]:
    return set(Universe.get_multiverse().all_passes)


@cache
def options() -> set[str]:
    """The options of all passes that are ours."""
    types = (load() for load in XDSL_BUFFERIZATION_UNIVERSE.all_passes.values())
    names = {field for each in types for field in each.__dataclass_fields__}
    return {name.replace("_", "-") for name in names}


@cache
def choices() -> set[str]:
    """What `docs/passes.md` lists as choices; a test compares it with the passes."""
    sections = (DOCS / "passes.md").read_text()
    rows = re.findall(r"^\| `.*$", sections, re.MULTILINE)
    return {choice for row in rows for choice in SPAN.findall(row)}


@cache
def flags(*command: str) -> set[str]:
    """The options of `xbuf`, or of one of its commands, as its help has them."""
    printed = StringIO()
    with redirect_stdout(printed), suppress(SystemExit):
        xbuf.main([*command, "--help"])
    return set(re.findall(r"--[a-z][a-z-]*", printed.getvalue()))


@cache
def subcommands() -> set[str]:
    printed = StringIO()
    with redirect_stdout(printed), suppress(SystemExit):
        xbuf.main(["--help"])
    return set(re.findall(r"^ {4}([a-z]+)\b", printed.getvalue(), re.MULTILINE))


@cache
def files() -> set[str]:
    """All files of the project, by every end of their path."""
    found: set[str] = set()
    for folder in ("xdsl_bufferization", "tests", "docs", "benchmarks", ".github"):
        for path in (ROOT / folder).rglob("*.*"):
            parts = path.relative_to(ROOT).parts
            found.update("/".join(parts[start:]) for start in range(len(parts)))
    return found | {path.name for path in ROOT.glob("*.*")}


@cache
def folders() -> set[str]:
    """All folders of the project, by every end of their path."""
    parents = [name.rpartition("/")[0] for name in files()]
    found = {
        "/".join(parent.split("/")[:end]) for parent in parents for end in range(9)
    }
    return {f"{folder}/" for folder in found}


def problems(name: str) -> Iterator[str]:
    """What a document names, in a span or a command, that does not exist."""
    document = DOCUMENTS[name]
    made = {each.title for each in blocks(document)}
    for block in blocks(document):
        if block.language == "console":
            for line in commands(block.text):
                yield from problems_of_text(line)
    for span in SPAN.findall(BLOCK.sub("", document.read_text())):
        if span not in made:
            yield from problems_of_span(span)


def problems_of_span(span: str) -> Iterator[str]:
    for form, problems_of_form in FORMS:
        if form.fullmatch(span):
            yield from problems_of_form(span)
            return


def problems_of_text(command: str) -> Iterator[str]:
    for words in split(command):
        yield from problems_of_command(words)


def problems_of_command(words: list[str]) -> Iterator[str]:
    program, *arguments = words
    if program == "xbuf" and arguments and not arguments[0].startswith("-"):
        command = arguments[0]
        if command not in subcommands():
            yield f"there is no xbuf {command}"
            return
        given = {word.partition("=")[0] for word in arguments if word.startswith("--")}
        for flag in sorted(given - flags(command)):
            yield f"xbuf {command} has no {flag}"
    for flag, value in pairwise(arguments):
        if flag in ("-p", "--pipeline") and not PLACEHOLDER.search(value):
            yield from problems_of_pipeline(value)


def problems_of_flag(flag: str) -> Iterator[str]:
    known = flags().union(*(flags(command) for command in subcommands()))
    if flag.partition(" ")[0] not in known:
        yield f"no command of xbuf has {flag}"


def problems_of_file(file: str) -> Iterator[str]:
    if PLACEHOLDER.search(file) or file in WRITTEN_BY_COMMANDS:
        return
    if file.removeprefix("../") not in files():
        yield f"there is no file {file}"


def problems_of_folder(folder: str) -> Iterator[str]:
    if folder.removeprefix("../") not in folders():
        yield f"there is no folder {folder}"


def problems_of_assignment(assignment: str) -> Iterator[str]:
    if assignment.partition("=")[0] not in options():
        yield f"no pass has the option of {assignment}"


def problems_of_word(word: str) -> Iterator[str]:
    if word not in passes() | options() | choices() | set(OTHERS) | set(NAMES):
        yield f"{word} is no pass, no option and no choice"


def problems_of_pipeline(pipeline: str) -> Iterator[str]:
    one_choice = re.sub(r"\|[\w-]+", "", re.sub(r"=N\b", "=1", pipeline))
    try:
        PassPipeline.parse_spec(Universe.get_multiverse().all_passes, one_choice)
    except Exception as error:  # xDSL raises exceptions of all kinds.
        yield f"{pipeline}: {error}"


FILE = re.compile(r"[\w./-]+\.(?:py|md|mlir|toml|yml)")
FOLDER = re.compile(r"[\w.-]+(?:/[\w.-]+)*/")
PASS = r"[a-zA-Z][\w-]*(?:\{[^}]*\})?"
FORMS: list[tuple[re.Pattern[str], Callable[[str], Iterator[str]]]] = [
    (re.compile(r"(?:xbuf|xdsl-opt) .+"), problems_of_text),
    (re.compile(r"--[a-z][a-z-]*(?: .*)?"), problems_of_flag),
    (FILE, problems_of_file),
    (FOLDER, problems_of_folder),
    (re.compile(r"[a-z][a-z-]*=[\w,.|-]+"), problems_of_assignment),
    (re.compile(r"[a-z][a-z0-9]*(?:-[a-zA-Z0-9]+)+"), problems_of_word),
    (re.compile(rf"(?=.*\{{){PASS}(?:,{PASS})*"), problems_of_pipeline),
]
"""What code in a sentence may look like; what looks otherwise is not looked at."""

FORMS_OF_PATHS = [(FILE, problems_of_file), (FOLDER, problems_of_folder)]


@pytest.mark.parametrize("name", DOCUMENTS)
def test_what_a_document_names_exists(name: str) -> None:
    assert list(problems(name)) == []


@pytest.mark.parametrize("folder", ["xdsl_bufferization", "docs", "benchmarks"])
def test_files_that_docstrings_name_exist(folder: str) -> None:
    sources = (ROOT / folder).rglob("*.py")
    found = (
        f"{source.relative_to(ROOT)}: {problem}"
        for source in sources
        for text in docstrings(ast.parse(source.read_text()))
        for span in SPAN.findall(str(text.value))
        for form, problems_of_form in FORMS_OF_PATHS
        if form.fullmatch(span)
        for problem in problems_of_form(span)
    )
    assert sorted(found) == []


@pytest.mark.parametrize(
    "span",
    [
        "buffer-reused",
        "strategies=clone",
        "buffer-deallocation{strategies=clone}",
        "xbuf runs mlp.mlir",
        "xbuf run --believed",
        "xdsl-opt -p buffer-reused",
        "--believed",
        "analyses/owners.py",
        "analyses/owners/",
    ],
)
def test_what_does_not_exist_is_found(span: str) -> None:
    assert list(problems_of_span(span)) != []


@pytest.mark.parametrize(
    "span",
    [
        "buffer-reuse",
        "strategy=clone",
        "static-memory-planner{arena=allocate|argument algorithm=best-fit|trivial}",
        "xbuf run mlp.mlir --check",
        "xdsl-opt -p buffer-reuse,cse -t llvm",
        "--check",
        "bufferization/analyses/ownership/ownership.py",
        "analyses/ownership/",
    ],
)
def test_what_exists_is_no_problem(span: str) -> None:
    assert list(problems_of_span(span)) == []


def test_names_of_others_are_not_ours() -> None:
    assert (passes() | options()) & set(OTHERS) == set()
