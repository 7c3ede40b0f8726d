"""Write `docs/upstream.md` from what this package changes in xDSL.

    python docs/generate_upstream.py

The changes are those of `upstream/changes.py`. What MLIR's ops have that xDSL's lack is
read from the definitions of both.
"""

import inspect
import sys
from collections.abc import Iterator
from pathlib import Path

from xdsl.irdl import IRDLOperation

from xdsl_bufferization import mlir_text
from xdsl_bufferization.dialects.common.definitions import (
    EXTENDED_DIALECTS,
    Definition,
    load_extension,
)
from xdsl_bufferization.upstream.changes import CHANGES
from xdsl_bufferization.upstream.fits import HIDES_ATTRIBUTES

ROOT = Path(__file__).parents[1]
DOCUMENT = ROOT / "docs" / "upstream.md"

HEADER = """\
# What xDSL could have

Written by `make docs` from the code; change that, not this file.

This page is for maintainers of xDSL, and for whoever wants to know what this package
does to xDSL in a process. Installing the package changes nothing. When a pass or a
function of the package is first used, the changes of the first list are made. All of
them widen xDSL: what it accepts is accepted, and prints as before.
"""


def main() -> None:
    """Write the document."""
    DOCUMENT.write_text(document())
    sys.stdout.write(f"{summary()}\n")


def document() -> str:
    """The whole text."""
    parts = [HEADER, f"{summary()}\n", *_changes(), *_text(), *_definitions(), *_ops()]
    return "\n".join(parts)


def summary() -> str:
    """How much is changed, and how much is proposed."""
    definitions = sum(1 for _ in _all_definitions())
    classes = len({change.owner for change in CHANGES})
    return (
        f"{len(CHANGES)} methods of {classes} classes of xDSL are changed. "
        f"{definitions} ops of xDSL have another definition in MLIR; their classes "
        "stay as they are."
    )


def _changes() -> Iterator[str]:
    yield "## Methods that are changed\n"
    yield "The smallest patches come first.\n"
    yield "| method | what the change is for | what xDSL could have instead |"
    yield "|---|---|---|"
    for change in CHANGES:
        method = f"`{change.owner.__name__}.{change.name}`"
        yield f"| {method} | {change.reason} | {change.proposal} |"
    yield ""
    yield (
        "Op classes get more traits beside that, once a pass of this package is "
        "loaded: the interfaces of this package, and the effects and canonicalization "
        "patterns that MLIR knows of an op. No trait that refuses programs is among "
        "them. The one place for this is `upstream/attach.py`.\n"
    )


def _text() -> Iterator[str]:
    yield "## Text that xDSL does not read, or writes otherwise\n"
    yield (
        "These are methods of a parser and a printer of our own, in `mlir_text/`. "
        "Each could move to xDSL's.\n"
    )
    yield "| file | what it is about |"
    yield "|---|---|"
    folder = Path(inspect.getfile(mlir_text)).parent
    for file in sorted(folder.glob("*.py")):
        if file.name != "__init__.py":
            first = file.read_text().removeprefix('"""').partition("\n")[0]
            yield f"| `mlir_text/{file.name}` | {first} |"
    yield ""


def _definitions() -> Iterator[str]:
    yield "## Ops that MLIR defines otherwise\n"
    yield (
        "Ops with the fewest differences come first. A *property* is one that xDSL's "
        "class lacks, *attributes are lost* means that xDSL's format does not print "
        "them. *Format* and *verifier* are MLIR's, in `dialects/`.\n"
    )
    yield "| op | what MLIR has |"
    yield "|---|---|"
    rows = [
        (len(differences), definition.op_type.name, ", ".join(differences))
        for definition in _all_definitions()
        if (differences := list(differences_of(definition)))
    ]
    for _, name, differences in sorted(rows):
        yield f"| `{name}` | {differences} |"
    yield ""


def differences_of(definition: Definition) -> Iterator[str]:
    """What MLIR's definition of an op says that xDSL's does not, in a few words."""
    xdsls, mlirs = definition.op_type, definition.view
    before, after = xdsls.get_irdl_definition(), mlirs.get_irdl_definition()
    for name in after.properties.keys() - before.properties.keys():
        yield f"property `{name}`"
    if _shape(xdsls) != _shape(mlirs):
        yield "operands, results or regions"
    members = {name for base in definition.differs for name in vars(base)}
    if after.assembly_format != before.assembly_format or "parse" in members:
        yield "format"
    if xdsls.name in HIDES_ATTRIBUTES:
        yield "attributes are lost"
    if "verify_" in members:
        yield "verifier"
    traits = sorted(
        {type(trait).__name__.strip("_") for trait in definition.new_traits}
    )
    if traits:
        yield "traits " + ", ".join(f"`{name}`" for name in traits)


def _shape(op_type: type[IRDLOperation]) -> list[tuple[str, str]]:
    fields = op_type.get_irdl_definition()
    parts = (*fields.operands, *fields.results, *fields.regions, *fields.successors)
    return [(name, type(field).__name__) for name, field in parts]


def _ops() -> Iterator[str]:
    yield "## Ops that xDSL lacks\n"
    yield "They are described in [the operations](dialects.md).\n"
    yield "| dialect | ops |"
    yield "|---|---|"
    for dialect in EXTENDED_DIALECTS:
        names = sorted(load_extension(dialect).operations)
        if names:
            listed = ", ".join(f"`{name}`" for name in names)
            yield f"| {dialect} | {listed} |"
    yield ""


def _all_definitions() -> Iterator[Definition]:
    for dialect in EXTENDED_DIALECTS:
        yield from load_extension(dialect).definitions.values()


if __name__ == "__main__":
    main()
