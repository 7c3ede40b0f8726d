"""Write `docs/upstream.md` from what this package changes in xDSL.

    python docs/generate_upstream.py

The changes are those of `dialects/xdsl_patches/changes.py`, and the corrections those
of `dialects/xdsl_patches/of_dialects/`. What MLIR's ops have that xDSL's lack is read
from the definitions of both.
"""

import inspect
import sys
from collections.abc import Iterator
from pathlib import Path

from xdsl.irdl import IRDLOperation

import xdsl_bufferization
from xdsl_bufferization.dialects import text as mlir_text
from xdsl_bufferization.dialects.common.definitions import (
    EXTENDED_DIALECTS,
    Definition,
    load_extension,
)
from xdsl_bufferization.dialects.xdsl_patches.changes import CHANGES
from xdsl_bufferization.dialects.xdsl_patches.fits import HIDES_ATTRIBUTES
from xdsl_bufferization.dialects.xdsl_patches.of_dialects import all_corrections
from xdsl_bufferization.support.xdsl_releases import private_names

ROOT = Path(__file__).parents[1]
DOCUMENT = ROOT / "docs" / "upstream.md"

HEADER = """\
# What xDSL could have

This page lists all that this package changes in xDSL's classes. It is for two kinds of
readers:

- You want to know what happens to xDSL in your process. Read
  [the first list](#methods-that-are-changed).
- You maintain xDSL. Each entry names a change of xDSL that would make ours unnecessary.

Three facts hold for the whole page:

- Installing the package changes nothing. The changes are made when a
  [pass](glossary.md#pass) or a function of the package is used for the first time.
- Every change lets xDSL accept more. A program that xDSL accepts stays accepted, and
  prints as before.
- `make docs` writes this page from the code. Change the code, not the page.
"""


def main() -> None:
    """Write the document."""
    DOCUMENT.write_text(document())
    sys.stdout.write(f"{summary()}\n")


def document() -> str:
    """The whole text."""
    parts = [HEADER, f"{summary()}\n", *_changes(), *_corrections(), *_beside()]
    parts += [*_private_names(), *_text(), *_definitions(), *_ops()]
    parts += [*_patches(), *_llvmlite()]
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
        method = f"`{change.short_name}`"
        yield f"| {method} | {change.reason} | {change.proposal} |"
    yield ""
    yield (
        "Classes of ops also get more traits when a pass of this package is loaded. "
        "A *trait* is a fact about an op that passes can ask for. There are two kinds:"
        "\n\n"
        "- the interfaces of this package, for example its "
        "[models](glossary.md#model)\n"
        "- the effects and [canonicalization](glossary.md#canonicalization) patterns "
        "that MLIR knows of an op\n\n"
        "None of these traits refuses programs. All of them are attached in "
        "`dialects/xdsl_patches/attach.py`.\n"
    )


def _corrections() -> Iterator[str]:
    yield "## Patterns and folders that are corrected\n"
    yield (
        "A trait of an op says which canonicalization patterns and which folder the op "
        "has. For the faults below, a trait of this package takes the place of xDSL's "
        "trait. So `canonicalize` of xDSL is right as well. The patterns and methods "
        "of xDSL stay as they are: whoever calls one of them directly meets the "
        "fault.\n"
    )
    yield (
        "| op | fault in | what the correction is for | what xDSL could have instead |"
    )
    yield "|---|---|---|---|"
    for each in all_corrections():
        ops = ", ".join(sorted(f"`{op_type.name}`" for op_type in each.op_types))
        yield f"| {ops} | `{each.fault}` | {each.reason} | {each.proposal} |"
    yield ""


def _private_names() -> Iterator[str]:
    yield "## Private names that are used\n"
    yield (
        "xDSL has no public way for these. All of them are used in "
        "`xdsl_bufferization/support/xdsl_releases/` alone, and none of them has to be "
        "there: the last column says what is done in a release without the name.\n"
    )
    yield "| name | what the name is for | what xDSL could have instead | without it |"
    yield "|---|---|---|---|"
    for each in private_names():
        name = f"`{each.owner}.{each.name}`"
        yield f"| {name} | {each.reason} | {each.wish} | {each.without} |"
    yield ""


_BESIDE = (
    (
        "dialects/common/wider_context.py",
        "Ops, attributes and types are found that xDSL's dialects lack, for example "
        "`memref.reshape`.",
        "Let a package add ops, attributes and types to a dialect of another package.",
    ),
    (
        "bufferization/simplification/canonicalize.py",
        "The patterns of a class are made once. xDSL makes them for each op, and asks "
        "three times for the effects of each op.",
        "Make the patterns of a class once, and pass over ops that have none.",
    ),
    (
        "bufferization/simplification/common_subexpressions.py",
        "An op is hashed once. xDSL hashes it for each look-up and each comparison.",
        "Keep the hash in `OperationInfo`.",
    ),
)
"""Files, what they do beside xDSL's classes, and what xDSL could have instead."""


def _beside() -> Iterator[str]:
    yield "## What is done beside xDSL's classes\n"
    yield "These files change nothing in xDSL.\n"
    yield "| file | what it does | what xDSL could have instead |"
    yield "|---|---|---|"
    for file, what, proposal in _BESIDE:
        assert (Path(inspect.getfile(xdsl_bufferization)).parent / file).exists()
        yield f"| `{file}` | {what} | {proposal} |"
    yield ""


def _text() -> Iterator[str]:
    yield "## Text that xDSL does not read, or writes otherwise\n"
    yield (
        "This package has a parser and a printer of its own for this text, in "
        "`dialects/text/`. Each of their methods could move to xDSL.\n"
    )
    yield "| file | what it is about |"
    yield "|---|---|"
    folder = Path(inspect.getfile(mlir_text)).parent
    for file in sorted(folder.glob("*.py")):
        if file.name != "__init__.py":
            first = file.read_text().removeprefix('"""').partition("\n")[0]
            yield f"| `dialects/text/{file.name}` | {first} |"
    yield ""


def _definitions() -> Iterator[str]:
    yield "## Ops that MLIR defines otherwise\n"
    yield "Ops with the fewest differences come first.\n"
    yield "| word | meaning |"
    yield "|---|---|"
    yield "| *property* | xDSL's class lacks the property. |"
    yield (
        "| *operands, results or [regions](glossary.md#region)* | The op has others "
        "in MLIR. |"
    )
    yield "| *format* | MLIR writes the op otherwise. Ours is in `dialects/`. |"
    yield "| *attributes are lost* | xDSL's format does not print some attributes. |"
    yield (
        "| *verifier* | MLIR has rules for the op that xDSL does not check. "
        "`dialects/` has them. |"
    )
    yield "| *traits* | MLIR's op has these, and xDSL's has not. |\n"
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
    for name in sorted(after.properties.keys() - before.properties.keys()):
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
    yield "[The operations](dialects.md) describes each of them.\n"
    yield "| dialect | ops |"
    yield "|---|---|"
    for dialect in EXTENDED_DIALECTS:
        names = sorted(load_extension(dialect).operations)
        if names:
            listed = ", ".join(f"`{name}`" for name in names)
            yield f"| {dialect} | {listed} |"
    yield ""


def _patches() -> Iterator[str]:
    yield "## Patches that are ready\n"
    yield (
        "Each patch is for the source distribution of xDSL 0.75.0, and has a test. "
        "`make check-patches` applies the patches one by one, and runs xDSL's tests of "
        "the patched files. With the patch, the methods in the last column stay as "
        "xDSL has them.\n"
    )
    yield "| patch | what it does | changes of this package that it ends |"
    yield "|---|---|---|"
    for path in sorted((ROOT / "docs" / "upstream").glob("*.patch")):
        title, *lines = path.read_text().splitlines()
        [ends] = [line for line in lines if line.startswith("Replaces:")]
        names = ", ".join(f"`{name}`" for name in ends.split()[1:]) or "none"
        link = f"[{path.stem}](upstream/{path.name})"
        yield f"| {link} | {title}. | {names} |"
    yield ""


def _llvmlite() -> Iterator[str]:
    yield "## What llvmlite could have\n"
    yield (
        "llvmlite 0.50 keeps memory of each compilation. [Memory](security.md#memory) "
        "has the figures.\n"
    )
    yield "| where | what stays | what llvmlite could have instead |"
    yield "|---|---|---|"
    yield (
        "| `ModulePassManager.close` | All passes, 70 kB. `ObjectRef` comes first "
        "among the bases of the class, and its `_dispose` does nothing. This package "
        "frees the passes itself, in `runtime/llvm.py`. | Name the base "
        "`NewPassManager` first. |"
    )
    yield (
        "| `LLVMPY_CreatePassBuilder` | A `PassInstrumentationCallbacks`, 1.6 kB. "
        "`LLVMPY_DisposePassBuilder` frees the builder alone, and Python cannot reach "
        "the rest. | Free both. |"
    )
    yield ""


def _all_definitions() -> Iterator[Definition]:
    for dialect in EXTENDED_DIALECTS:
        yield from load_extension(dialect).definitions.values()


if __name__ == "__main__":
    main()
