"""The names of arguments and results, as the program has them.

    func.func @f(%m: tensor<4xf32>, %1: f32) {     arguments: m, and one without a name
      return %new, %0 : tensor<4xf32>, f32         results: new, result1
    }

A caller may pass `m=...`, and read `results.new`. A name that is no identifier of
Python, or that two values have, is left out.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, Final, cast

from xdsl.dialects.builtin import IntegerType, Signedness, TensorType
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import SSAValue

from .names import Names, is_usable

_UNSIGNED: Final = {IntegerType(bits, Signedness.UNSIGNED) for bits in (8, 16, 32, 64)}


def names_of(function: FuncOp) -> Names:
    """What the program calls a function, its arguments and its results."""
    return Names(
        function.sym_name.data,
        argument_names(function),
        result_names(function),
        unsigned_results(function),
    )


def argument_names(function: FuncOp) -> tuple[str, ...]:
    """The name of each argument, empty where it has none that can be used."""
    return _usable(argument.name_hint for argument in function.args)


def result_names(function: FuncOp) -> tuple[str, ...]:
    """The name of each result: that of the value which the first `return` names."""
    returned: Sequence[SSAValue] = ()
    for block in function.body.blocks:
        if isinstance(block.last_op, ReturnOp):
            returned = block.last_op.operands
            break
    names = _usable(value.name_hint for value in returned)
    if len(names) != len(function.function_type.outputs):
        names = ("",) * len(function.function_type.outputs)
    taken = set(names)
    return tuple(
        name or _free(f"result{number}", taken) for number, name in enumerate(names)
    )


def unsigned_results(function: FuncOp) -> tuple[int, ...]:
    """The results that are tensors of integers without a sign, by position."""
    return tuple(
        number
        for number, type_ in enumerate(function.function_type.outputs)
        if isinstance(type_, TensorType)
        and cast("TensorType[Any]", type_).element_type in _UNSIGNED
    )


def _usable(hints: Iterable[str | None]) -> tuple[str, ...]:
    names = [hint if hint and is_usable(hint) else "" for hint in hints]
    counts = Counter(names)
    return tuple(name if counts[name] == 1 else "" for name in names)


def _free(name: str, taken: set[str]) -> str:
    while name in taken:
        name += "_"
    return name
