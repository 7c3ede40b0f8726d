"""Which arguments of a function are marked as values: they were tensors for the caller.

    func.func @f(%x: memref<4xf32> {xbuf.value})   a caller's array is not changed

`mark_value_arguments` of the transforms sets the mark.
"""

from typing import Final

from xdsl.dialects import func

VALUE: Final = "xbuf.value"
"""The attribute of an argument that is a value."""


def is_value_argument(function: func.FuncOp, number: int) -> bool:
    """Whether an argument is marked as a value."""
    attributes = function.arg_attrs
    return attributes is not None and VALUE in attributes.data[number].data


def has_value_arguments(function: func.FuncOp) -> bool:
    """Whether an argument is marked as a value: then Python calls the function."""
    attributes = function.arg_attrs
    return attributes is not None and any(VALUE in each.data for each in attributes)
