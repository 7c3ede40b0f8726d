"""Evaluate a program in NumPy: what the compiled program is compared with.

It shares nothing with bufferization: each operation on tensors gives new values. Only
the buffers that the program itself has are overwritten, one after the other. What must
not be read (`tensor.empty`) holds NaN or an odd integer, so that a program which reads
it differs.

    func.func @f(%t: tensor<4xf32>) ...   evaluate(module, "f", [np.ones(4, "f4")])
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
from xdsl.dialects.builtin import MemRefType, ModuleOp, UnrankedMemRefType
from xdsl.dialects.func import FuncOp
from xdsl.dialects.linalg.abstract_ops import LinalgStructuredOperation
from xdsl.ir import Attribute, Operation

from xdsl_bufferization.support.errors import fail_at

from .affine import AFFINE
from .affine_control import AFFINE_CONTROL
from .buffers import BUFFERS
from .complex_numbers import COMPLEX
from .control import CONTROL
from .elementwise import ARITH, MATH
from .globals import GLOBALS
from .index_numbers import INDEX
from .local_dialects import LOCAL_DIALECTS
from .machine import Handler, HandlerTable, Machine
from .relayouts import RELAYOUTS
from .structured import STRUCTURED, structured
from .tensors import TENSORS
from .tm_tensor import TM_TENSOR
from .values import Value, dtype_of, has_shape, of_type
from .vector_memory import VECTOR_MEMORY
from .vectors import VECTORS
from .views import VIEWS, as_memory

HANDLERS: HandlerTable = {
    **ARITH,
    **MATH,
    **COMPLEX,
    **INDEX,
    **TENSORS,
    **BUFFERS,
    **VIEWS,
    **GLOBALS,
    **VECTORS,
    **VECTOR_MEMORY,
    **STRUCTURED,
    **RELAYOUTS,
    **AFFINE,
    **AFFINE_CONTROL,
    **CONTROL,
    **LOCAL_DIALECTS,
    **TM_TENSOR,
}
"""All operations that are known by name."""

_NONE: HandlerTable = {}


@dataclass(frozen=True)
class Outcome:
    """What a call of a program gives."""

    results: list[Value]
    unspecified: frozenset[int]
    """Arguments that are buffers of which nothing says what they hold now.

    They were lent to tensors by `bufferization.to_tensor ... writable`, and never
    overwritten as a whole.
    """


def evaluate(
    module: ModuleOp, entry: str, arguments: Sequence[Any], more: HandlerTable = _NONE
) -> list[Value]:
    """Call function `entry` of a program; its results as arrays.

    Scalars are arrays of rank 0. Arguments that are tensors are not changed, but
    results may be views of them. Buffers are overwritten in place. An operation
    that is not known, and whatever MLIR leaves undefined, is an `OperationError` there.
    `more` are ops that the reference does not know by itself.
    """
    return evaluate_call(module, entry, arguments, more).results


def evaluate_call(
    module: ModuleOp, entry: str, arguments: Sequence[Any], more: HandlerTable = _NONE
) -> Outcome:
    """As `evaluate`; also says which buffers may hold anything afterwards."""
    machine = Machine(module, {**HANDLERS, **more}, by_class)
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
        results = [np.asarray(value) for value in machine.call(function, values)]
    unspecified = frozenset(
        index
        for index, (type_, value) in enumerate(zip(types, values, strict=True))
        if isinstance(type_, MemRefType)
        and any(np.may_share_memory(value, each) for each in machine.lent)
    )
    return Outcome(results, unspecified)


def by_class(op: Operation) -> Handler | None:
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
    if isinstance(type_, MemRefType | UnrankedMemRefType):
        return as_memory(array.view(dtype_of(cast("Attribute", type_), function)))
    return of_type(type_, array, function)


def _holds(expected: np.dtype[Any], actual: np.dtype[Any]) -> bool:
    """Whether a type takes such numbers; integers without a sign are taken as bits."""
    if {expected.kind, actual.kind} == {"i", "u"}:
        return expected.itemsize == actual.itemsize
    return expected.kind == actual.kind
