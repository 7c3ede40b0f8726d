"""The pass `convert-check-to-loops`: checks of buffers as loops with assertions.

Runs after bufferization. `cf.assert` says at which check the program ended.

    check.expect_almost_eq(%a, %b, %t) : memref<4xf32>, memref<4xf32>, f32
        -> scf.for %i = %c0 to %c4 step %c1 {
             %0 = memref.load %a[%i]
             ...
             cf.assert %small, "two elements differ by more than the threshold"
           }

Elements and threshold may have different types: the narrower is extended. Where sizes
are dynamic, an assertion compares the shapes first.

Source: `convert-check-to-loops` of tpp-mlir.
"""

from collections.abc import Callable, Sequence
from math import inf
from typing import Final

from xdsl.dialects import arith, cf, math
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AnyFloat,
    FloatAttr,
    ModuleOp,
)
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.utils.hints import isa

from xdsl_bufferization.bufferization.interfaces.operands import is_tensor
from xdsl_bufferization.bufferization.mlir_pass import LoweringPass
from xdsl_bufferization.dialects.check import (
    ExpectAlmostEqOp,
    ExpectSaneOp,
    ExpectTrueOp,
)
from xdsl_bufferization.dialects.linalg.structure import shape_of
from xdsl_bufferization.support.errors import fail_at
from xdsl_bufferization.support.traversal import ops_inside

from .loop_builder import LoopBuilder

_DIFFERENT: Final = "two elements differ by more than the threshold"
_SHAPES: Final = "the two operands have different shapes"
_INSANE: Final = "an element is NaN or infinite"
_FALSE: Final = "the condition is false"


def convert_check_to_loops(module: ModuleOp) -> None:
    """Replace every op of the check dialect in `module`.

    Raises an `OperationError` at one on tensors.
    """
    for op in ops_inside(module):
        write = _WRITERS.get(type(op))
        if write is None:
            continue
        if any(map(is_tensor, op.operands)):
            fail_at(op, f"'{op.name}' on tensors must be bufferized first")
        code = LoopBuilder(InsertPoint.at_end(Block()), op.location)
        write(op, code)
        Rewriter.inline_block(code.block, InsertPoint.before(op))
        Rewriter.erase_op(op)


def _write_true(op: Operation, code: LoopBuilder) -> None:
    _demand(op.operands[0], _FALSE, code)


def _write_almost_eq(op: Operation, code: LoopBuilder) -> None:
    lhs, rhs, threshold = op.operands
    _compare_shapes(lhs, rhs, code)

    def compare(inner: LoopBuilder, indices: Sequence[SSAValue]) -> None:
        pair = inner.load(lhs, indices), inner.load(rhs, indices)
        a, b = (_as_float(element, threshold.type, inner) for element in pair)
        difference = inner.insert(arith.SubfOp(a, b)).result
        distance = inner.insert(math.AbsFOp(difference)).result
        limit = _as_float(threshold, distance.type, inner)
        # NaN is not close to anything.
        is_small = inner.insert(arith.CmpfOp(distance, limit, "ole")).result
        _demand(is_small, _DIFFERENT, inner)

    _for_each_element(lhs, compare, code)


def _write_sane(op: Operation, code: LoopBuilder) -> None:
    (buffer,) = op.operands

    def look_at(inner: LoopBuilder, indices: Sequence[SSAValue]) -> None:
        element = inner.load(buffer, indices)
        if not isa(element.type, AnyFloat):
            return  # All integers are finite.
        size = inner.insert(math.AbsFOp(element)).result
        limit = inner.insert(arith.ConstantOp(FloatAttr(inf, element.type))).result
        is_finite = inner.insert(arith.CmpfOp(size, limit, "olt")).result
        _demand(is_finite, _INSANE, inner)

    _for_each_element(buffer, look_at, code)


_WRITERS: Final[dict[type[Operation], Callable[[Operation, LoopBuilder], None]]] = {
    ExpectTrueOp: _write_true,
    ExpectAlmostEqOp: _write_almost_eq,
    ExpectSaneOp: _write_sane,
}


def _demand(condition: SSAValue, message: str, code: LoopBuilder) -> None:
    code.insert(cf.AssertOp(condition, message))


def _compare_shapes(lhs: SSAValue, rhs: SSAValue, code: LoopBuilder) -> None:
    for dimension, size in enumerate(shape_of(lhs.type)):
        if size == DYNAMIC_INDEX:
            sizes = code.size(lhs, dimension), code.size(rhs, dimension)
            _demand(code.insert(arith.CmpiOp(*sizes, "eq")).result, _SHAPES, code)


def _for_each_element(
    buffer: SSAValue,
    body: Callable[[LoopBuilder, Sequence[SSAValue]], None],
    code: LoopBuilder,
) -> None:
    """Loops over all elements, in order."""
    sizes = code.sizes(buffer)

    def nest(inner: LoopBuilder, indices: Sequence[SSAValue]) -> None:
        if len(indices) == len(sizes):
            body(inner, indices)
        else:
            inner.count(sizes[len(indices)], lambda c, i: nest(c, [*indices, i]))

    nest(code, [])


def _as_float(value: SSAValue, wanted: Attribute, code: LoopBuilder) -> SSAValue:
    """A number as one of type `wanted`, unless its own type is wider."""
    assert isa(wanted, AnyFloat)
    type_ = value.type
    if not isa(type_, AnyFloat):
        return code.insert(arith.SIToFPOp(value, wanted)).result
    if type_.bitwidth < wanted.bitwidth:
        return code.insert(arith.ExtFOp(value, wanted)).result
    return value


class ConvertCheckToLoopsPass(LoweringPass):
    """Turn checks of buffers into loops with assertions."""

    name = "convert-check-to-loops"
    rewrite = staticmethod(convert_check_to_loops)
