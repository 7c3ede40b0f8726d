"""Write `docs/passes.md` from the passes themselves.

    python docs/generate_passes.py

- What a pass is for comes from its class and from the docstring of its module.
- What its options mean comes from the string below each field.
- The programs before and after come from running the pass (`pass_examples.py`).
"""

import inspect
from collections.abc import Iterator
from pathlib import Path

from pass_examples import find_example
from xdsl.passes import ModulePass

from xdsl_bufferization.pipelines.pass_bundle import PassBundle
from xdsl_bufferization.pipelines.pass_help import details_of, options_of, purpose_of
from xdsl_bufferization.pipelines.universe import XDSL_BUFFERIZATION_UNIVERSE

ROOT = Path(__file__).parents[1]
DOCUMENT = ROOT / "docs" / "passes.md"
PACKAGE = "xdsl_bufferization"

GROUPS = {
    "bufferization/bufferize": "From tensors to buffers",
    "bufferization/conversion": "One dialect at a time",
    "bufferization/fewer_copies": "Fewer copies",
    "bufferization/deallocation": "When buffers are freed",
    "bufferization/placement": "Where buffers are",
    "bufferization/verification": "Proofs",
    "optimization/simplify": "Tensors: simpler programs",
    "optimization/rerolling": "Tensors: equal steps and layers as loops",
    "optimization/fusion": "Tensors: fusion",
    "optimization/packing": "Tensors: packing",
    "optimization/tiling": "Tensors: tiling",
    "frontends/stablehlo": "From StableHLO to linalg",
    "codegen/xsmm": "From tiles to calls of kernels",
    "codegen": "From buffers to LLVM",
    "codegen/runtime_verification": "Checks while a program runs",
    "codegen/riscv": "From buffers to RISC-V, without LLVM",
    "codegen/mlir_22": "For MLIR 22",
    "pipelines": "Several passes in one",
    "pipelines/transform_dialect": "The transform dialect",
}
"""Where passes are, and what they have in common; a new folder is added at the end."""

HEADER = """\
# The passes

Written by `make docs` from the passes and by running them; change those, not this file.

Each pass is named as in `xdsl-opt -p`. Several are separated by commas. Options are in
braces, separated by blanks, as in `expand-realloc{emit-deallocs=false}`; a flag may be
given without a value. Names, options and defaults are MLIR's where MLIR has the pass.
The programs show what a pass does, before and after running it, without options unless
it says otherwise.
"""


def main() -> None:
    """Write the document."""
    DOCUMENT.write_text(document())


def document() -> str:
    """The whole text."""
    groups = group_passes()
    return "\n".join([HEADER, *_contents(groups), *_sections(groups)])


def group_passes() -> dict[str, list[type[ModulePass]]]:
    """The passes of each folder, in the order of `GROUPS`, and by name."""
    groups: dict[str, list[type[ModulePass]]] = {folder: [] for folder in GROUPS}
    for name in sorted(XDSL_BUFFERIZATION_UNIVERSE.all_passes):
        pass_type = XDSL_BUFFERIZATION_UNIVERSE.all_passes[name]()
        folder = str(source(pass_type).parent.relative_to(PACKAGE))
        groups.setdefault(folder, []).append(pass_type)
    return groups


def source(pass_type: type[ModulePass]) -> Path:
    """The file of a pass, from the root of the project."""
    return Path(inspect.getfile(pass_type)).relative_to(ROOT)


def _title(folder: str) -> str:
    return GROUPS.get(folder, Path(folder).name.capitalize())


def _contents(groups: dict[str, list[type[ModulePass]]]) -> Iterator[str]:
    yield "| pass | what it does |"
    yield "|---|---|"
    for folder, passes in groups.items():
        yield f"| **{_title(folder)}** | |"
        for pass_type in passes:
            yield f"| {link(pass_type.name)} | {purpose_of(pass_type)} |"
    yield ""


def link(name: str) -> str:
    """The name of a pass, with a link to its section if it has one."""
    known = name in XDSL_BUFFERIZATION_UNIVERSE.all_passes
    return f"[`{name}`](#{name.lower()})" if known else f"`{name}`"


def _sections(groups: dict[str, list[type[ModulePass]]]) -> Iterator[str]:
    for folder, passes in groups.items():
        yield f"## {_title(folder)}\n"
        for pass_type in passes:
            yield from _section(pass_type)


def _section(pass_type: type[ModulePass]) -> Iterator[str]:
    file = source(pass_type)
    yield f"### `{pass_type.name}`\n"
    yield f"{purpose_of(pass_type)} [Source](../{file.as_posix()})\n"
    for paragraph in details_of(pass_type):
        yield f"{paragraph}\n"
    yield from _options(pass_type)
    if issubclass(pass_type, PassBundle):
        names = ", ".join(link(each.name) for each in pass_type().passes())
        yield f"Runs {names}.\n"
    yield from _example(pass_type)


def _options(pass_type: type[ModulePass]) -> Iterator[str]:
    options = options_of(pass_type)
    if not options:
        return
    yield "| option | type | default | what it does |"
    yield "|---|---|---|---|"
    for each in options:
        columns = (f"`{each.name}`", each.type, each.default, each.meaning)
        yield f"| {' | '.join(columns)} |"
    yield ""


def _example(pass_type: type[ModulePass]) -> Iterator[str]:
    example = find_example(pass_type.name)
    if example is None:
        return
    if example.pipeline != pass_type.name:
        yield f"With `{example.pipeline}`:\n"
    yield f"```mlir\n{example.before}\n```\n"
    if example.after:
        yield "becomes\n"
        yield f"```mlir\n{example.after}\n```\n"
    if example.remarks:
        yield "and says\n" if example.after else "says\n"
        yield f"```text\n{example.remarks}\n```\n"


if __name__ == "__main__":
    main()
