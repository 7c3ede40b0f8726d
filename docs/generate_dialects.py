"""Write `docs/dialects.md` from the definitions of the operations.

    python docs/generate_dialects.py

What an operation takes and returns comes from its IRDL definition, its description from
its docstring, and an example from the corpus in `tests/filecheck/dialects`.
"""

import re
from collections.abc import Iterator
from pathlib import Path

from xdsl.ir import Operation

from xdsl_bufferization.bufferization.context import get_context
from xdsl_bufferization.dialects.common.definitions import (
    EXTENDED_DIALECTS,
    OWN_DIALECTS,
)
from xdsl_bufferization.dialects.common.op_descriptions import (
    fields_of,
    operations_of,
    origin,
    parts_of,
    summary_of,
    syntax_of,
)
from xdsl_bufferization.dialects.parsing import MLIRParser
from xdsl_bufferization.dialects.printing import mlir_text

ROOT = Path(__file__).parents[1]
DOCUMENT = ROOT / "docs" / "dialects.md"
CORPUS = ROOT / "tests" / "filecheck" / "dialects"

DIALECTS = (
    "bufferization",
    "memref",
    "tensor",
    "scf",
    "cf",
    "linalg",
    "check",
    "perf",
    "tm_tensor",
    "xsmm",
)
"""The dialects that are described whole; of others, what we add or define."""

MLIR = "https://mlir.llvm.org/docs/Dialects"
PAGES = {
    "bufferization": f"{MLIR}/BufferizationOps",
    "cf": f"{MLIR}/ControlFlowDialect",
    "linalg": f"{MLIR}/Linalg",
    "memref": f"{MLIR}/MemRef",
    "scf": f"{MLIR}/SCFDialect",
    "tensor": f"{MLIR}/TensorOps",
}

LONGEST_EXAMPLE = 9

HEADER = """\
# The operations

Written by `make docs` from the definitions; change those, not this file.

Each operation says where it comes from:

- *xDSL*: xDSL defines it, as MLIR does;
- *xDSL, as MLIR defines it*: xDSL has another definition, and what follows is MLIR's;
- *added*: xDSL does not have it.

The syntax
is the declared assembly format, where there is one, and the shortest example in
`tests/filecheck/dialects`. `?` marks what may be missing, `*` what may be there any
number of times.

In a `func.func`, definitions must dominate their uses, as in MLIR; xDSL does not check
that.
"""


def main() -> None:
    """Write the document."""
    DOCUMENT.write_text(document())


def document() -> str:
    """The whole text."""
    examples = find_examples()
    parts = [HEADER, _contents()]
    parts += [part for name in DIALECTS for part in _dialect(name, examples)]
    parts += _others()
    return "\n".join(parts)


def find_examples() -> dict[str, str]:
    """The shortest custom text of each operation in the corpus."""
    examples: dict[str, str] = {}
    for file in sorted(CORPUS.glob("*/ops.mlir")):
        for program in file.read_text().split("// -----"):
            for op in MLIRParser(get_context(), program).parse_module().walk():
                text = _example(op)
                shortest = examples.get(op.name)
                if shortest is None or len(text) < len(shortest):
                    examples[op.name] = text
    return examples


def find_written(name: str) -> str | None:
    """A line of the corpus with an old spelling, which the parser replaces."""
    line = re.compile(rf"^ *((?:%\w+ = )?{re.escape(name)}\b.*)$", re.MULTILINE)
    for file in sorted(CORPUS.glob("*/*.mlir")):
        if (found := line.search(file.read_text())) is not None:
            return found[1]
    return None


def _example(op: Operation) -> str:
    lines = mlir_text(op).split("\n")
    if len(lines) > LONGEST_EXAMPLE:
        lines = [*lines[: LONGEST_EXAMPLE - 2], "  ...", lines[-1]]
    return "\n".join(lines)


def _contents() -> str:
    counts = {name: len(_operations(name)) for name in DIALECTS}
    lines = [f"- [{name}](#{name}), {counts[name]} operations" for name in DIALECTS]
    return "\n".join([*lines, "- [other dialects](#other-dialects)", ""])


def _operations(dialect: str) -> list[type[Operation]]:
    return operations_of(get_context(), dialect)


def _dialect(name: str, examples: dict[str, str]) -> Iterator[str]:
    yield f"## {name}\n"
    if name in PAGES:
        yield f"[MLIR's description]({PAGES[name]})\n"
    for op_type in _operations(name):
        example = examples.get(op_type.name) or find_written(op_type.name)
        yield _operation(op_type, example)


def _operation(op_type: type[Operation], example: str | None) -> str:
    description = f"*{origin(op_type)}.* {summary_of(op_type)}".rstrip()
    lines = [f"### `{op_type.name}`", "", description]
    fields = fields_of(op_type)
    if fields is None:
        return "\n".join([*lines, ""])
    if (syntax := syntax_of(op_type)) is not None:
        lines += ["", "```", syntax, "```"]
    if example is not None:
        lines += ["", "```mlir", example, "```"]
    parts = list(parts_of(fields))
    if parts:
        lines += ["", *parts]
    return "\n".join([*lines, ""])


def _others() -> Iterator[str]:
    yield "## Other dialects\n"
    yield "What we add to them, or define as MLIR does.\n"
    yield "| dialect | added | defined as in MLIR |"
    yield "|---|---|---|"
    for name in sorted({*EXTENDED_DIALECTS, *OWN_DIALECTS} - {*DIALECTS}):
        columns: dict[str, list[str]] = {"Added": [], "xDSL, as MLIR defines it": []}
        for op_type in _operations(name):
            columns.get(origin(op_type), []).append(f"`{op_type.name}`")
        added, defined = (", ".join(column) for column in columns.values())
        if added or defined:
            yield f"| {name} | {added} | {defined} |"
    yield ""


if __name__ == "__main__":
    main()
