"""What depends on weights alone, computed by NumPy where NumPy can.

    func.func @main_weights(%w: tensor<...>) -> tensor<...> { linalg.pack %w ... }
    prepare = evaluated(module, "main_weights")
    packed = prepare([weights])

A network spends a third of its ops on weights: they are scaled, transposed and packed.
Each op has its own sizes, and runs once. To compile these ops takes far longer than to
evaluate them. So the function that `prepare-weights` splits off is evaluated as it is,
on tensors.
"""

from collections.abc import Callable, Sequence
from math import inf, prod
from typing import Any, Final

from xdsl.dialects import arith, tensor
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    Float16Type,
    Float32Type,
    Float64Type,
    IntegerType,
    ModuleOp,
    TensorType,
)
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.dialects.linalg.ops import FillOp, GenericOp, TransposeOp
from xdsl.ir import Attribute, Operation
from xdsl.utils.hints import isa

from xdsl_bufferization.dialects.linalg.pack import RelayoutOp
from xdsl_bufferization.dialects.linalg.structure import Structure, structure_of
from xdsl_bufferization.dialects.linalg.trip_counts import trip_counts
from xdsl_bufferization.dialects.parsing import locate
from xdsl_bufferization.reference.evaluator import evaluate
from xdsl_bufferization.reference.points import runs_on_arrays
from xdsl_bufferization.runtime.descriptor import Array
from xdsl_bufferization.runtime.errors import ProgramError
from xdsl_bufferization.runtime.object_code import aligned_room
from xdsl_bufferization.support.errors import OperationError

Prepare = Callable[[Sequence[Array]], Sequence[Array]]
"""From weights to what compiled code takes in their place."""

_MOVING: Final = (
    arith.ConstantOp,
    RelayoutOp,
    tensor.CastOp,
    tensor.CollapseShapeOp,
    tensor.ConcatOp,
    tensor.EmptyOp,
    tensor.ExpandShapeOp,
    tensor.ExtractSliceOp,
    ReturnOp,
)
"""Ops that compute nothing."""

_COMPUTING: Final = (FillOp, GenericOp, TransposeOp)

_MOST_STEPS: Final = 1024
"""Of a sum."""

_INTEGER_BITS: Final = (1, 8, 16, 32, 64)


def can_evaluate(function: FuncOp) -> bool:
    """Whether NumPy computes each result of `function` quickly.

    Long sums, regions with branches, and types that NumPy lacks are compiled instead.
    """
    return all(_is_known(op) for block in function.body.blocks for op in block.ops)


def _is_known(op: Operation) -> bool:
    values = (*op.operands, *op.results)
    if not all(_has_numpy_type(value.type) for value in values):
        return False
    return isinstance(op, _MOVING) or (isinstance(op, _COMPUTING) and _is_quick(op))


def _is_quick(op: Operation) -> bool:
    structure = structure_of(op)
    return (
        structure is not None
        and _steps(structure) <= _MOST_STEPS
        and runs_on_arrays(structure.body.block)
    )


def _steps(structure: Structure) -> float:
    """How many points a sum is over; NumPy takes one after the other at worst."""
    sizes = trip_counts(structure)
    if DYNAMIC_INDEX in sizes:
        return inf
    pairs = zip(sizes, structure.parallel, strict=True)
    return prod(size for size, is_parallel in pairs if not is_parallel)


def _has_numpy_type(type_: Attribute) -> bool:
    element = type_.element_type if isa(type_, TensorType) else type_
    if isa(element, IntegerType):
        return element.width.data in _INTEGER_BITS
    return isinstance(element, Float16Type | Float32Type | Float64Type)


def evaluated(module: ModuleOp, name: str) -> Prepare:
    """The function `name` of a program on tensors, evaluated by NumPy.

    The results start at cache lines, as kernels read them fastest. Raises
    `ProgramError` where an assertion about weights fails.
    """

    def prepare(weights: Sequence[Array]) -> Sequence[Array]:
        try:
            results = evaluate(module, name, weights)
        except OperationError as error:
            place = locate(error.op) or ""
            raise ProgramError(place, error.op.name, error.message) from error
        # One after the other: each is freed when its copy is made.
        for number, each in enumerate(results):
            results[number] = _aligned(each)
        return results

    return prepare


def _aligned(array: Array) -> Array:
    """A copy without gaps that starts at a cache line."""
    copy: Any = aligned_room(array.nbytes).view(array.dtype).reshape(array.shape)
    copy[...] = array
    return copy
