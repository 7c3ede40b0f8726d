"""Write `docs/passes.md` from the passes themselves.

    python docs/generate_passes.py

- What a pass is for comes from its class and from the docstring of its module.
- What its options mean comes from the string below each field.
- The programs before and after come from running the pass (`pass_examples.py`).
"""

import ast
import dataclasses
import inspect
import sys
from collections.abc import Iterator
from enum import Enum
from pathlib import Path
from textwrap import dedent
from typing import get_type_hints

from pass_examples import find_example
from xdsl.passes import ModulePass

from xdsl_bufferization.pipelines.pass_bundle import PassBundle
from xdsl_bufferization.universe import XDSL_BUFFERIZATION_UNIVERSE

ROOT = Path(__file__).parents[1]
DOCUMENT = ROOT / "docs" / "passes.md"
PACKAGE = "xdsl_bufferization"

GROUPS = {
    "transforms/bufferize": "From tensors to buffers",
    "transforms/conversion": "One dialect at a time",
    "transforms/deallocation": "When buffers are freed",
    "transforms/placement": "Where buffers are",
    "transforms/tpp": "From products to kernels",
    "transforms/lowering": "From buffers to LLVM",
    "transforms/riscv": "From buffers to RISC-V, without LLVM",
    "pipelines": "Several passes in one",
}
"""Where passes are, and what they have in common; a new folder is added at the end."""

TYPES: dict[object, str] = {
    bool: "flag",
    int: "number",
    str: "text",
    float: "number",
    tuple[int, ...]: "numbers",
    tuple[str, ...]: "names",
}

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
            yield f"| {link(pass_type.name)} | {purpose(pass_type)} |"
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
    yield f"{purpose(pass_type)} [Source](../{file.as_posix()})\n"
    yield from _details(pass_type)
    yield from _options(pass_type)
    if issubclass(pass_type, PassBundle):
        names = ", ".join(link(each.name) for each in pass_type().passes())
        yield f"Runs {names}.\n"
    yield from _example(pass_type)


def purpose(pass_type: type[ModulePass]) -> str:
    """The first sentence about a pass."""
    return inspect.cleandoc(pass_type.__doc__ or "").partition("\n\n")[0]


def _details(pass_type: type[ModulePass]) -> Iterator[str]:
    """What the module says of its pass, but the first line and the sketches of IR."""
    text = inspect.cleandoc(sys.modules[pass_type.__module__].__doc__ or "")
    for paragraph in text.split("\n\n")[1:]:
        if not paragraph.startswith(" "):
            yield f"{paragraph}\n"


def _options(pass_type: type[ModulePass]) -> Iterator[str]:
    fields = dataclasses.fields(pass_type)
    if not fields:
        return
    types = get_type_hints(pass_type)
    meanings = option_meanings(pass_type)
    choices = option_choices(pass_type)
    yield "| option | type | default | what it does |"
    yield "|---|---|---|---|"
    for field in fields:
        columns = (
            f"`{field.name.replace('_', '-')}`",
            TYPES[types[field.name]],
            _value(field.default),
            " ".join([meanings[field.name], *choices.get(field.name, ())]),
        )
        yield f"| {' | '.join(columns)} |"
    yield ""


def option_meanings(pass_type: type[ModulePass]) -> dict[str, str]:
    """What is said below each field.

    The field is that of the pass, of what it inherits from, or of the options that its
    function takes.
    """
    meanings: dict[str, str] = {}
    for described in (*_option_types(pass_type), *reversed(pass_type.__mro__)):
        if described.__module__.startswith(PACKAGE):
            meanings.update(_field_docstrings(described))
    return meanings


def option_choices(pass_type: type[ModulePass]) -> dict[str, list[str]]:
    """A sentence with the choices, of options that are one of several words."""
    return {
        name: [f"One of {', '.join(f'`{choice.value}`' for choice in hint)}."]
        for described in _option_types(pass_type)
        for name, hint in get_type_hints(described).items()
        if isinstance(hint, type) and issubclass(hint, Enum)
    }


def _option_types(pass_type: type[ModulePass]) -> Iterator[type]:
    """Classes that the module of a pass calls options."""
    for name, value in vars(sys.modules[pass_type.__module__]).items():
        if name.endswith("Options") and inspect.isclass(value):
            yield value


def _field_docstrings(described: type) -> Iterator[tuple[str, str]]:
    (definition,) = ast.parse(dedent(inspect.getsource(described))).body
    assert isinstance(definition, ast.ClassDef)
    for field, below in zip(definition.body, definition.body[1:], strict=False):
        match field, below:
            case (
                ast.AnnAssign(target=ast.Name(id=name)),
                ast.Expr(value=ast.Constant(value=str(text))),
            ):
                yield name, " ".join(text.split())
            case _:
                pass


def _value(default: object) -> str:
    if isinstance(default, bool):
        return str(default).lower()
    if isinstance(default, tuple):
        return ",".join(map(str, default)) or "none"  # pyright: ignore[reportUnknownArgumentType]: of numbers or names
    return f"{default}" or "none"


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
