"""Which arguments of a function are marked as values: they were tensors for the caller.

    func.func @f(%x: memref<4xf32> {xbuf.value})   a caller's array is not changed

    func.func @f(...) attributes {xbuf.results_in_arguments}
                                                   a caller finds results in arguments

`mark_value_arguments` of the transforms sets the marks.
"""

from typing import Final

from xdsl.dialects import func
from xdsl.dialects.builtin import DenseArrayBase, UnitAttr

VALUE: Final = "xbuf.value"
"""The attribute of an argument that is a value."""

RESULTS_IN_ARGUMENTS: Final = "xbuf.results_in_arguments"
"""The attribute of a function whose caller finds a result in an argument.

As a unit attribute: the function need not return such a result. As an array of 64-bit
integers: it does not return them. For each result of the program, the array has the
number of the argument that is the result, or -1.
"""


def is_value_argument(function: func.FuncOp, number: int) -> bool:
    """Whether an argument is marked as a value."""
    attributes = function.arg_attrs
    return attributes is not None and VALUE in attributes.data[number].data


def has_value_arguments(function: func.FuncOp) -> bool:
    """Whether an argument is marked as a value: then Python calls the function."""
    attributes = function.arg_attrs
    return attributes is not None and any(VALUE in each.data for each in attributes)


def finds_results_in_arguments(function: func.FuncOp) -> bool:
    """Whether a function need not return what its caller has handed over."""
    return isinstance(function.attributes.get(RESULTS_IN_ARGUMENTS), UnitAttr)


def results_in_arguments(function: func.FuncOp) -> tuple[int | None, ...] | None:
    """For each result of the program, the argument that is it; None if returned.

    None if the function returns all results.
    """
    found = function.attributes.get(RESULTS_IN_ARGUMENTS)
    if not isinstance(found, DenseArrayBase):
        return None
    return tuple(None if number < 0 else number for number in found.get_values())
