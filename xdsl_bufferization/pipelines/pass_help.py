"""What passes say about themselves: their purpose, and their options with defaults.

    class PackMatmulPass(ModulePass):
        \"\"\"Pack the operands of matrix products into blocks.\"\"\"    purpose_of

        explain: bool = False                                      options_of
        \"\"\"Whether to say why products are left as they are.\"\"\"

The meaning of an option is the string below its field. Python does not keep that
string: it is read from the source of the class. `xbuf passes` and `docs/passes.md` have
it from here.
"""

import ast
import dataclasses
import inspect
import sys
from collections.abc import Iterator
from enum import Enum
from textwrap import dedent
from typing import Any, NamedTuple, get_type_hints

from xdsl.passes import ModulePass
from xdsl.utils.hints import type_repr

_TYPES: dict[object, str] = {
    bool: "flag",
    int: "number",
    str: "text",
    float: "number",
    int | float: "number",
    tuple[int, ...]: "numbers",
    tuple[str, ...]: "names",
}


class Option(NamedTuple):
    """An option of a pass, as text."""

    name: str
    """In MLIR's spelling, with `-`."""
    type: str
    default: str
    meaning: str
    """With the choices, of an option that is one of several words."""


def purpose_of(pass_type: type[ModulePass]) -> str:
    """The first paragraph about a pass, in one line."""
    text = inspect.cleandoc(pass_type.__doc__ or "")
    # Without a docstring, a dataclass has its signature there.
    if not text or text.startswith(f"{pass_type.__name__}("):
        text = inspect.cleandoc(sys.modules[pass_type.__module__].__doc__ or "")
    return " ".join(text.partition("\n\n")[0].split())


def details_of(pass_type: type[ModulePass]) -> Iterator[str]:
    """What more is said of a pass, but sketches of IR.

    It stands in the docstring of the module, or else in that of the class.
    """
    for described in sys.modules[pass_type.__module__], pass_type:
        more = inspect.cleandoc(described.__doc__ or "").split("\n\n")[1:]
        if more:
            yield from (text for text in more if not text.startswith(" "))
            return


def options_of(pass_type: type[ModulePass]) -> list[Option]:
    """The options of a pass, in the order of its fields."""
    meanings = option_meanings(pass_type)
    choices = _choices(pass_type)
    hints = get_type_hints(pass_type)
    return [
        Option(
            field.name.replace("_", "-"),
            _TYPES.get(hints[field.name]) or type_repr(hints[field.name]),
            _default(field),
            " ".join([meanings.get(field.name, ""), *choices.get(field.name, ())]),
        )
        for field in dataclasses.fields(pass_type)
        if field.init
    ]


def option_meanings(pass_type: type[ModulePass]) -> dict[str, str]:
    """What is said below each field.

    The field is that of the pass, of what it inherits from, or of the options that its
    function takes.
    """
    meanings: dict[str, str] = {}
    for described in (*_option_types(pass_type), *reversed(pass_type.__mro__)):
        if described.__module__.partition(".")[0] not in sys.stdlib_module_names:
            meanings.update(_field_docstrings(described))
    return meanings


def _choices(pass_type: type[ModulePass]) -> dict[str, list[str]]:
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
    try:
        source = inspect.getsource(described)
    except (OSError, TypeError):
        return  # Made by a function, or installed without its source.
    (definition,) = ast.parse(dedent(source)).body
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


def _default(field: dataclasses.Field[Any]) -> str:
    default: object = field.default
    if field.default_factory is not dataclasses.MISSING:
        default = field.default_factory()
    if default is dataclasses.MISSING:
        return "must be given"
    if isinstance(default, bool):
        return str(default).lower()
    if isinstance(default, tuple):
        return ",".join(map(str, default)) or "none"  # pyright: ignore[reportUnknownArgumentType]: of numbers or names
    return "none" if default is None else f"{default}" or "none"
