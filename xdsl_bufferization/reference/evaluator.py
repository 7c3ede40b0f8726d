"""Evaluate a program on tensors in NumPy: what the compiled program is compared with.

It shares nothing with bufferization: each operation gives new values, and there are no
buffers. What must not be read (`tensor.empty`) holds NaN or a large odd integer, so
that a program which reads it differs.

    func.func @f(%t: tensor<4xf32>) ...   evaluate(module, "f", [np.ones(4, "f4")])
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.dialects.linalg.abstract_ops import LinalgStructuredOperation
from xdsl.ir import Attribute, Operation

from xdsl_bufferization.errors import fail_at
from xdsl_bufferization.reference.affine import AFFINE
from xdsl_bufferization.reference.complex_numbers import COMPLEX
from xdsl_bufferization.reference.control import CONTROL
from xdsl_bufferization.reference.elementwise import ARITH, MATH
from xdsl_bufferization.reference.local_dialects import LOCAL_DIALECTS
from xdsl_bufferization.reference.machine import Handler, HandlerTable, Machine
from xdsl_bufferization.reference.relayouts import RELAYOUTS
from xdsl_bufferization.reference.structured import STRUCTURED, structured
from xdsl_bufferization.reference.tensors import TENSORS
from xdsl_bufferization.reference.tm_tensor import TM_TENSOR
from xdsl_bufferization.reference.values import (
    Value,
    dtype_of,
    has_shape,
    of_type,
)

HANDLERS: HandlerTable = {
    **ARITH,
    **MATH,
    **COMPLEX,
    **TENSORS,
    **STRUCTURED,
    **RELAYOUTS,
    **AFFINE,
    **CONTROL,
    **LOCAL_DIALECTS,
    **TM_TENSOR,
}
"""All operations that are known by name."""


def evaluate(module: ModuleOp, entry: str, arguments: Sequence[Any]) -> list[Value]:
    """Call function `entry` of a program on tensors; its results as arrays.

    Scalars are arrays of rank 0. The arguments are not changed, but results may be
    views of them. An operation that is not known, and whatever MLIR leaves undefined,
    is an `OperationError` at that operation.
    """
    machine = Machine(module, HANDLERS, _by_class)
    function = machine.functions.get(entry)
    if function is None or function.is_declaration:
        fail_at(module, f"there is no body of a function @{entry} to evaluate")
    types = function.function_type.inputs.data
    if len(types) != len(arguments):
        fail_at(
            function,
            f"@{entry} takes {len(types)} arguments, but {len(arguments)} were given",
        )
    values = [
        _argument(function, index, type_, argument)
        for index, (type_, argument) in enumerate(zip(types, arguments, strict=True))
    ]
    with np.errstate(all="ignore"):
        return [np.asarray(value) for value in machine.call(function, values)]


def _by_class(op: Operation) -> Handler | None:
    """Named structured operations carry their maps and payload with them."""
    return structured if isinstance(op, LinalgStructuredOperation) else None


def _argument(function: FuncOp, index: int, type_: Attribute, argument: Any) -> Value:
    array = np.asarray(argument)
    if not has_shape(type_, array):
        fail_at(
            function,
            f"argument {index} is a {type_}, but an array of shape "
            f"{list(array.shape)} was given",
        )
    if array.ndim and not _holds(dtype_of(type_, function), array.dtype):
        fail_at(
            function,
            f"argument {index} is a {type_}, but an array of {array.dtype} was given",
        )
    return of_type(type_, array, function)


def _holds(expected: np.dtype[Any], actual: np.dtype[Any]) -> bool:
    """Whether a type takes such numbers; integers without a sign are taken as bits."""
    if {expected.kind, actual.kind} == {"i", "u"}:
        return expected.itemsize == actual.itemsize
    return expected.kind == actual.kind
