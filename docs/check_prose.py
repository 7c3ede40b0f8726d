"""Find prose that has to be read twice: long sentences, misused and undefined terms.

    python docs/check_prose.py            all documents, docstrings, messages, comments
    python docs/check_prose.py FILE ...   only these

The rules:

- A sentence has at most 30 words.
- The words of the field are used: *iteration* rather than `round`, *path* rather than
  `way` (`MISUSED`).
- Short sentences do not follow each other in a chain (`SHORT`, `CHAIN`): what belongs
  together is one sentence.
- A sentence does not begin with "this", "that", "these" or "those" without a noun
  (`NO_NOUN`), and a paragraph of a document not with "it" or "they" (`PRONOUN`).
- A sentence does not end with a verb whose rest stands before it, as in "of two, the
  first that is looked at is" (`CUT_OFF`).
- The numbers in a column of a table have one unit (`UNIT`).
- A document links a term of `docs/glossary.md` where it uses the term for the first
  time, and uses no term that the glossary lacks but should have (`NEEDS_DEFINITION`).

Comments, also those of programs in `tests/filecheck`, are read for misused words only.
Documents in `GENERATED` are made of docstrings, which are read where they are written.
"""

import ast
import inspect
import re
import sys
import tokenize
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from markdown_it import MarkdownIt
from markdown_it.token import Token
from typing_extensions import override

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
GLOSSARY = DOCS / "glossary.md"
GENERATED = ("dialects.md", "passes.md", "upstream.md", "xbuf.md")
SOURCES = (
    "xdsl_bufferization",
    "docs",
    "scripts",
    "tests/pytest",
    "tests/guest",
    "benchmarks",
)
PROGRAMS = ("tests/filecheck",)

LONGEST_SENTENCE = 30
"""In words. `docs/glossary.md` and the rest keep to about 20."""

SHORT = 8
CHAIN = 4
"""So many sentences in a row may not all have fewer words."""

PRONOUN = re.compile(r"^(?:It|They|Its|Their|He|She)\b")

CUT_OFF = re.compile(
    r"\b(?:at|of|in|on|by|with|from|for|them|other|ones?|both|always|never|too)"
    r" (?:is|are|was|were)\.$"
)

UNIT = re.compile(
    r"^[~<>]?[\d.,]+(?: to [\d.,]+)? ?(?P<unit>ns|us|ms|s|seconds?|minutes?|hours?"
    r"|GFLOP/s|GB/s|kB|MB|GB|bytes|%|percent|times|cycles|)(?![\w.])"
)
"""A number at the start of a cell, and its unit."""

MISUSED = {
    r"(?<!way\s)\brounds?\b(?! (?:to|up|down|trip|brackets?|once|otherwise)\b)": (
        "say `iteration`"
    ),
    r"\b(?:all|both|every|each|some|any|other|two|several) ways? (?:in|out|on|from"
    r"|through|that|of (?:a|the) (?:branch|block|loop|region|switch))\b": "say `path`",
    r"\bon (?:all|both|every|each|some|any|one|other|the other) ways?\b": "say `path`",
    r"\b(?:on the way (?:past|that|back)|one of (?:the|two) ways)\b": "say `path`",
    r"\bthe (?:former|latter)\b": "name the thing",
}
"""What is written, as a pattern, and what to write."""

NO_NOUN = re.compile(
    r"^(?:This|That|These|Those) (?:is|are|was|were|has|have|had|does|do|makes?|means?"
    r"|costs?|holds?|works?|takes?|needs?|gives?|goes|go|happens?|lets?|leaves?|can|may"
    r"|must|will|would|should|shows?)\b"
)

EVERYDAY = {
    "Block", "Code", "Copy", "Decision", "Live", "Op", "Operand", "Pass", "Pattern",
    "Peer", "Read", "Reference", "Tensor", "Value", "Write", "Buffer", "Target",
}  # fmt: skip
"""Terms of the glossary that a page may use without a link."""

OTHER_FORMS = {
    "Alias": ("aliases", "aliasing"),
    "Bufferize": ("bufferized", "bufferizes", "bufferization"),
    "Dominate": ("dominates", "post-dominates", "dominator", "dominators"),
    "Fuse": ("fused", "fuses", "fusion"),
    "Hoist": ("hoisted", "hoists", "hoisting"),
    "Lower": ("lowered", "lowers"),
    "Pack": ("packed", "packs"),
    "Boundary": ("boundaries",),
    "Analysis": ("analyses",),
    "Memref": ("memrefs",),
    "Escape": ("escapes", "escaped"),
}
"""Forms of terms beside the heading and its plural with s."""

NEEDS_DEFINITION = (
    "fix-point", "fixpoint", "lattice", "phi", "work-list", "worklist", "critical edge",
    "live-in", "live-out", "use-def", "SSA", "strided", "trait", "interface",
    "pipeline", "terminator", "use after free", "double free", "destination style",
    "stack", "heap", "ownership indicator", "capture", "borrow", "handover", "anchor",
)  # fmt: skip
"""What a newcomer need not know: defined in the glossary, or not used in a document."""


@dataclass(frozen=True)
class Problem:
    """Something to mend, at a line of a file."""

    path: Path
    line: int
    message: str

    @override
    def __str__(self) -> str:
        return f"{self.path.relative_to(ROOT)}:{self.line}: {self.message}"


@dataclass(frozen=True)
class Passage:
    """A paragraph, a heading, an item or a cell: text with code as ``."""

    line: int
    text: str
    links: frozenset[str] = frozenset()
    """Where its links lead."""


def passages(text: str) -> Iterator[Passage]:
    """The prose of a document in Markdown, without its blocks of code."""
    tokens = MarkdownIt("commonmark").enable("table").parse(text)
    line = 0
    for token in tokens:
        if token.map:
            line = token.map[0] + 1
        if token.type == "inline":
            yield Passage(line, plain(token.children or []), links(token))


def columns(text: str) -> Iterator[tuple[int, str, list[str]]]:
    """The columns of all tables: the line of the table, the head, and the cells."""
    tokens = MarkdownIt("commonmark").enable("table").parse(text)
    line, rows = 0, list[list[str]]()
    for number, token in enumerate(tokens):
        if token.type == "table_open":
            line, rows = (token.map or [0])[0] + 1, []
        elif token.type == "tr_open":
            rows.append([])
        elif token.type in ("th_open", "td_open"):
            rows[-1].append(plain(tokens[number + 1].children or []))
        elif token.type == "table_close":
            for head, *cells in zip(*rows, strict=True):
                yield line, head, cells


def problems_of_tables(path: Path, text: str) -> Iterator[Problem]:
    """Columns whose numbers have several units."""
    for line, head, cells in columns(text):
        matches = [UNIT.search(cell) for cell in cells]
        units = dict.fromkeys(each["unit"] for each in matches if each is not None)
        if len(units) > 1:
            names = ", ".join(unit or "none" for unit in units)
            message = f"the column {head!r} has several units: {names}"
            yield Problem(path, line, message)


def plain(tokens: Iterable[Token]) -> str:
    """The text of a passage; a span of code is one word that is no English."""
    texts = {"softbreak": "\n", "hardbreak": "\n", "code_inline": "``"}
    parts = (texts.get(each.type, each.content) for each in tokens)
    return "".join(parts)


def links(token: Token) -> frozenset[str]:
    """Where the links of a passage lead."""
    hrefs = (each.attrs.get("href") for each in token.children or [])
    return frozenset(href for href in hrefs if isinstance(href, str))


def sentences(passage: Passage) -> Iterator[tuple[int, str]]:
    """The sentences of a passage, each with its line."""
    line = passage.line
    for text in re.split(r"(?<=[.!?])(?=\s)", passage.text):
        started = len(text) - len(text.lstrip())
        yield line + text.count("\n", 0, started), " ".join(text.split())
        line += text.count("\n")


def words(sentence: str) -> int:
    """How many words a sentence has; a span of code is one."""
    return sum(bool(re.search(r"\w|``", word)) for word in sentence.split())


def problems_of_passage(path: Path, passage: Passage) -> Iterator[Problem]:
    """What is wrong with sentences, wherever they stand."""
    for line, sentence in sentences(passage):
        count = words(sentence)
        if count > LONGEST_SENTENCE:
            message = f"a sentence of {count} words: {sentence[:60]}..."
            yield Problem(path, line, message)
        if NO_NOUN.search(sentence):
            yield Problem(path, line, f"name the thing: {sentence[:50]}...")
        if CUT_OFF.search(sentence):
            message = f"say what follows the verb: ...{sentence[-50:]}"
            yield Problem(path, line, message)
    yield from chains(path, passage)
    yield from misused(path, passage)


def chains(path: Path, passage: Passage) -> Iterator[Problem]:
    """Short sentences in a row; a chain is named once."""
    row: list[str] = []
    for line, sentence in sentences(passage):
        count = words(sentence)
        if not 0 < count < SHORT:
            row = []
            continue
        row.append(sentence)
        if len(row) == CHAIN:
            message = f"{CHAIN} short sentences in a row: {row[0][:50]}..."
            yield Problem(path, line, message)


def misused(path: Path, passage: Passage) -> Iterator[Problem]:
    """Words for which the field has another."""
    for pattern, advice in MISUSED.items():
        spaced = pattern.replace(" ", r"\s+")
        for match in re.finditer(spaced, passage.text, re.IGNORECASE):
            line = passage.line + passage.text.count("\n", 0, match.start())
            yield Problem(path, line, f"{match[0]!r}: {advice}")


def headings(document: Path) -> list[str]:
    """The terms that the glossary defines."""
    return re.findall(r"^### (.+)$", document.read_text(), re.MULTILINE)


def forms(term: str) -> re.Pattern[str]:
    """A term as it may stand in a sentence."""
    every = (re.escape(each) for each in (term, term + "s", *OTHER_FORMS.get(term, ())))
    return re.compile(rf"(?<![\w`-])(?:{'|'.join(every)})(?![\w`-])", re.IGNORECASE)


def problems_of_terms(path: Path, found: list[Passage]) -> Iterator[Problem]:
    """Terms whose first use in a document does not lead to the glossary."""
    defined = GLOSSARY.read_text()
    for term in headings(GLOSSARY):
        anchor = f"glossary.md#{term.lower().replace(' ', '-')}"
        linked = any(link.endswith(anchor) for each in found for link in each.links)
        used = next((each for each in found if forms(term).search(each.text)), None)
        if term not in EVERYDAY and used is not None and not linked:
            message = f"link the first use of {term!r} to {anchor}"
            yield Problem(path, used.line, message)
    for term in NEEDS_DEFINITION:
        used = next((each for each in found if forms(term).search(each.text)), None)
        if used is not None and not forms(term).search(defined):
            yield Problem(path, used.line, f"the glossary does not define {term!r}")


def problems_of_document(path: Path) -> Iterator[Problem]:
    """What is wrong with a document in Markdown."""
    text = path.read_text()
    found = list(passages(text))
    for passage in found:
        yield from problems_of_passage(path, passage)
        if PRONOUN.search(passage.text):
            beginning = " ".join(passage.text.split()[:5])
            yield Problem(path, passage.line, f"name the thing first: {beginning}...")
    yield from problems_of_tables(path, text)
    if path != GLOSSARY:
        yield from problems_of_terms(path, found)


def problems_of_source(path: Path) -> Iterator[Problem]:
    """What is wrong with the docstrings and the messages of a module."""
    tree = ast.parse(path.read_text())
    documented = {id(each) for each in docstrings(tree)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            if id(node) in documented:
                yield from problems_of_docstring(path, node.lineno, node.value)
            elif len(node.value.split()) > 2 and "\n" not in node.value:
                yield from misused(path, Passage(node.lineno, node.value))
        elif isinstance(node, ast.Call) and ast.unparse(node.func) == "mo.md":
            text = "".join(text_of(each) for each in node.args)
            yield from problems_of_docstring(path, node.args[0].lineno, text)
    for comment in comments(path):
        yield from misused(path, comment)


def text_of(node: ast.expr) -> str:
    """The text of a string of a notebook, in which `{...}` stands for code."""
    parts = node.values if isinstance(node, ast.JoinedStr) else [node]
    return "".join(
        each.value
        if isinstance(each, ast.Constant) and isinstance(each.value, str)
        else "code"
        for each in parts
    )


def comments(path: Path) -> Iterator[Passage]:
    """The comments of a module; those of consecutive lines are one passage."""
    with path.open("rb") as file:
        tokens = [
            (each.start[0], each.string.lstrip("# "))
            for each in tokenize.tokenize(file.readline)
            if each.type == tokenize.COMMENT
        ]
    yield from joined(tokens)


def joined(lines: Iterable[tuple[int, str]]) -> Iterator[Passage]:
    """Lines that follow each other, as passages."""
    start, text = 0, list[str]()
    for line, content in lines:
        if line != start + len(text):
            yield Passage(start, "\n".join(text))
            start, text = line, []
        text.append(content)
    yield Passage(start, "\n".join(text))


def problems_of_program(path: Path) -> Iterator[Problem]:
    """What is wrong with the comments of a program, but for what they expect."""
    lines = enumerate(path.read_text().splitlines(), 1)
    prose = (
        (line, text.strip().removeprefix("//"))
        for line, text in lines
        if re.match(r"\s*//(?! ?(?:RUN|[A-Z0-9_-]+):)", text)
    )
    for passage in joined(prose):
        yield from misused(path, passage)


def docstrings(tree: ast.Module) -> Iterator[ast.Constant]:
    """Strings that stand as statements: of modules, classes, functions and fields."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            yield node.value


def problems_of_docstring(path: Path, line: int, text: str) -> Iterator[Problem]:
    """What is wrong with a docstring, whose code is indented or fenced."""
    for passage in passages(inspect.cleandoc(text)):
        moved = Passage(line + passage.line - 1, passage.text)
        yield from problems_of_passage(path, moved)


def documents() -> Iterator[Path]:
    """Documents that are written by hand."""
    yield from sorted(ROOT.glob("*.md"))
    yield from (
        each for each in sorted(DOCS.glob("*.md")) if each.name not in GENERATED
    )


def sources() -> Iterator[Path]:
    """Modules whose docstrings and messages are read."""
    for folder in SOURCES:
        yield from sorted((ROOT / folder).rglob("*.py"))


def programs() -> Iterator[Path]:
    """Programs whose comments are read."""
    for folder in PROGRAMS:
        yield from sorted((ROOT / folder).rglob("*.mlir"))


PROBLEMS = {
    ".md": problems_of_document,
    ".mlir": problems_of_program,
    ".py": problems_of_source,
}
"""How a file is read, by the end of its name."""


def main(names: list[str]) -> int:
    """Print what is wrong; 1 if there is anything."""
    given = [Path(name).resolve() for name in names]
    paths = given or [*documents(), *sources(), *programs()]
    count = 0
    for path in paths:
        for problem in PROBLEMS[path.suffix](path):
            print(problem)  # noqa: T201, this is its report
            count += 1
    print(f"{len(paths)} files, {count} problems")  # noqa: T201, as above
    return int(count > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
