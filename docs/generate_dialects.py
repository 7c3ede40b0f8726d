"""Write `docs/dialects.md` from the definitions of the operations.

    python docs/generate_dialects.py

What an operation takes and returns comes from its IRDL definition, its description from
its docstring, and an example from the corpus in `tests/filecheck/dialects`.
"""

import inspect
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from xdsl.ir import Operation
from xdsl.irdl import (
    AllOf,
    AnyOf,
    AttrConstraint,
    AttributeDef,
    AttrSetConstraint,
    BaseAttr,
    EqAttrConstraint,
    IRDLOperation,
    MessageConstraint,
    OpDef,
    OptionalDef,
    ParamAttrConstraint,
    PropertyDef,
    RangeConstraint,
    RangeLengthConstraint,
    RangeOf,
    RangeVarConstraint,
    VarConstraint,
    VariadicDef,
)

from xdsl_bufferization.bufferization.context import get_context
from xdsl_bufferization.dialects.common.definitions import (
    EXTENDED_DIALECTS,
    OWN_DIALECTS,
    definition_of,
    load_extension,
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
LONGEST_CONSTRAINT = 60

SEGMENTS = {"operandSegmentSizes", "resultSegmentSizes"}
"""Properties that only count operands and results."""

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
    operations = {*get_context().get_dialect(dialect).operations}
    operations |= {*load_extension(dialect).operations.values()}
    return sorted(operations, key=lambda op_type: op_type.name)


def _dialect(name: str, examples: dict[str, str]) -> Iterator[str]:
    yield f"## {name}\n"
    if name in PAGES:
        yield f"[MLIR's description]({PAGES[name]})\n"
    for op_type in _operations(name):
        example = examples.get(op_type.name) or find_written(op_type.name)
        yield _operation(op_type, example)


def _operation(op_type: type[Operation], example: str | None) -> str:
    description = f"*{origin(op_type)}.* {_summary(op_type)}".rstrip()
    lines = [f"### `{op_type.name}`", "", description]
    mlirs = definition_of(op_type)
    described = op_type if mlirs is None else mlirs.view
    if not issubclass(described, IRDLOperation):
        return "\n".join([*lines, ""])
    definition = described.get_irdl_definition()
    if definition.assembly_format is not None:
        syntax = " ".join(definition.assembly_format.split())
        lines += ["", "```", f"{op_type.name} {syntax}".rstrip(), "```"]
    if example is not None:
        lines += ["", "```mlir", example, "```"]
    parts = list(_parts(definition))
    if parts:
        lines += ["", *parts]
    return "\n".join([*lines, ""])


def origin(op_type: type[Operation]) -> str:
    """Who defines an operation."""
    dialect = op_type.name.partition(".")[0]
    if dialect in OWN_DIALECTS:
        return "Added"
    extension = load_extension(dialect)
    if op_type.name in extension.operations:
        return "Added"
    return "xDSL" if definition_of(op_type) is None else "xDSL, as MLIR defines it"


def _summary(op_type: type[Operation]) -> str:
    """The first sentence of the docstring: xDSL's, or else that of the definition."""
    described_by: list[type[object]] = [op_type]
    if (mlirs := definition_of(op_type)) is not None:
        described_by.append(mlirs.view)
    for described in described_by:
        text = inspect.cleandoc(vars(described).get("__doc__") or "")
        paragraph = " ".join(text.partition("\n\n")[0].split())
        if paragraph:
            sentence, stop, _ = paragraph.partition(". ")
            return sentence + stop.rstrip()
    return ""


def _parts(definition: OpDef) -> Iterator[str]:
    attributes: dict[str, PropertyDef | AttributeDef] = {
        name: part
        for name, part in (definition.properties | definition.attributes).items()
        if name not in SEGMENTS
    }
    kinds: list[tuple[str, Iterable[tuple[str, Any]]]] = [
        ("Operands", definition.operands),
        ("Attributes", attributes.items()),
        ("Results", definition.results),
        ("Regions", definition.regions),
        ("Successors", definition.successors),
    ]
    for kind, parts in kinds:
        described = ", ".join(_part(name, part) for name, part in parts)
        if described:
            yield f"- {kind}: {described}"


def _part(name: str, part: object) -> str:
    optional, variadic = isinstance(part, OptionalDef), isinstance(part, VariadicDef)
    mark = "?" if optional else "*" if variadic else ""
    constraint = describe(getattr(part, "constr", None))
    return f"`{name}`{mark}" + (f" ({constraint})" if constraint else "")


def describe(constraint: object) -> str:
    """The attributes or types that fit, in few words; empty if any fits."""
    text = " or ".join(dict.fromkeys(_fitting(constraint)))
    return text if len(text) <= LONGEST_CONSTRAINT else ""


def _fitting(constraint: object) -> Iterator[str]:
    """Names of what fits a constraint; nothing if that says no more than "any"."""
    match constraint:
        case BaseAttr() | ParamAttrConstraint():
            yield _name(constraint)
        case EqAttrConstraint():
            yield f"`{constraint.attr}`"
        case AttrSetConstraint():
            yield from sorted(f"`{each}`" for each in constraint.values)
        case AnyOf():
            yield from _fitting_any(constraint.attr_constrs)
        case AllOf():
            for each in constraint.attr_constrs:
                yield from _fitting(each)
        case VarConstraint() | RangeVarConstraint() | RangeLengthConstraint():
            yield from _fitting(constraint.constraint)
        case MessageConstraint() | RangeOf():
            yield from _fitting(constraint.constr)
        case _:
            assert constraint is None or isinstance(
                constraint, AttrConstraint | RangeConstraint
            )


def _fitting_any(constraints: Iterable[AttrConstraint]) -> Iterator[str]:
    alternatives = [list(_fitting(each)) for each in constraints]
    if all(alternatives):
        for names in alternatives:
            yield from names


def _name(constraint: BaseAttr[Any] | ParamAttrConstraint[Any]) -> str:
    is_base = isinstance(constraint, BaseAttr)
    attribute = constraint.attr if is_base else constraint.base_attr
    return getattr(attribute, "name", attribute.__name__)


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
