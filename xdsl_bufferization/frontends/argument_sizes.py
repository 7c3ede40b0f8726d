"""The sizes of arguments of a call, where a program is compiled for each anew.

    sizes_of((matrix, 3.0), {"f": row})
        ArgumentSizes(by_position=((4, 8), ()), by_name=(("f", (8,)),))

A program of StableHLO that leaves sizes open is such a program: see
`stablehlo/stablehlo_refine_shapes.py`.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple, TypeAlias

from .programs import PlainProgram, can_be_read_again, is_module, text_of

Shape: TypeAlias = tuple[int, ...]

_DIALECT: Final = "stablehlo."
_OPEN: Final = re.compile(r"[<x]\?")


class ArgumentSizes(NamedTuple):
    """The sizes of each argument of a call."""

    by_position: tuple[Shape, ...]
    by_name: tuple[tuple[str, Shape], ...]

    def in_order(self, names: Sequence[str]) -> "ArgumentSizes":
        """The same by position, if `names` are those of the arguments."""
        given = dict(self.by_name)
        rest = names[len(self.by_position) :]
        if {*rest} != {*given} or len(rest) != len(given):
            return self
        shapes = (given[name] for name in rest)
        return ArgumentSizes((*self.by_position, *shapes), ())

    def pieces(self) -> Sequence[bytes]:
        """What tells these from others."""
        return [repr(self).encode()]


def sizes_of(arguments: Sequence[object], named: Mapping[str, object]) -> ArgumentSizes:
    """The sizes of what a call is given; numbers have none."""
    return ArgumentSizes(
        tuple(map(_shape, arguments)),
        tuple((name, _shape(named[name])) for name in sorted(named)),
    )


def may_leave_sizes_open(program: PlainProgram) -> bool:
    """Whether a program is of StableHLO, and a type in it has an open size.

    Not for a pipe, which is read once.
    """
    if is_module(program):
        # Whoever has a module has imported xDSL.
        from .stablehlo.recognition import is_stablehlo

        return is_stablehlo(program) and _OPEN.search(str(program)) is not None
    if not can_be_read_again(program):
        return False
    data = text_of(program).data
    text = data if isinstance(data, str) else data.decode("utf-8", "replace")
    return _DIALECT in text and _OPEN.search(text) is not None


def _shape(value: Any) -> Shape:
    shape: Any = getattr(value, "shape", ())
    return tuple(map(int, shape))
