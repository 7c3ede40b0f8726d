"""Which kernel does what a structured op does to each element on its own.

linalg.fill ins(0.0) outs(%c)                           unary zero
linalg.copy, linalg.broadcast, a generic that yields    unary identity
linalg.transpose                                        unary transpose
arith.maximumf %x, 0.0                                  unary relu
arith.addf, subf, mulf, divf                            binary add, sub, mul, div

The output is a matrix, or one row. Inputs are whole matrices, or a row, a column or a
number that is repeated. Anything else has no kernel.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from xdsl.dialects import arith
from xdsl.dialects.builtin import FloatAttr
from xdsl.ir import Block, BlockArgument, Operation, SSAValue
from xdsl.ir.affine import AffineConstantExpr, AffineDimExpr, AffineMap

from xdsl_bufferization.dialects.linalg.structure import Structure
from xdsl_bufferization.dialects.xsmm.attributes import BinaryKind, DataType, UnaryKind

from .kernel_calls import (
    COLUMN,
    ROW,
    SCALAR,
    WHOLE,
    Source,
    Target,
    binary_call,
    transpose_call,
    unary_call,
)
from .strided_matrices import (
    as_buffer,
    common_data_type,
    leading_dimension,
    row_strides,
)

_BINARY_KINDS: dict[type[Operation], BinaryKind] = {
    arith.AddfOp: BinaryKind.ADD,
    arith.SubfOp: BinaryKind.SUB,
    arith.MulfOp: BinaryKind.MUL,
    arith.DivfOp: BinaryKind.DIV,
}

_TRANSPOSED = "transposed"
"""The `repeat` of a source whose columns are the rows of the target."""


@dataclass(frozen=True)
class _Elementwise:
    """A structured op that writes one matrix, in the terms of kernels."""

    structure: Structure
    target: Target
    data_type: DataType
    places: dict[int, int]
    """Of each loop: 0 if it goes over rows, 1 if it goes over columns."""

    def source(self, value: SSAValue) -> Source | None:
        """The input that `value` of the body is an element of."""
        body = self.structure.body.block
        if isinstance(value, BlockArgument) and value.block is body:
            return self._source_of(
                self.operand(value), self.structure.maps[value.index]
            )
        # A constant in the body is not there when the kernel is called.
        is_inside = isinstance(value.owner, Operation) and value.owner.parent is body
        return None if is_inside else Source(value, SCALAR, 1)

    def operand(self, value: SSAValue) -> SSAValue:
        """The operand that `value` is an element of; else `value` itself."""
        if not isinstance(value, BlockArgument):
            return value
        if value.block is not self.structure.body.block:
            return value
        return (*self.structure.inputs, *self.structure.outputs)[value.index]

    def _source_of(self, operand: SSAValue, map_: AffineMap) -> Source | None:
        buffer = as_buffer(operand.type)
        if buffer is None:
            return Source(operand, SCALAR, 1)
        strides = row_strides(operand.type)
        loops = self._loops(map_, buffer.get_shape())
        if strides is None or loops is None:
            return None
        source = self._described(operand, loops, strides)
        if source is None or source.repeat == WHOLE:
            return source
        # In place, what is repeated would be overwritten before its last use.
        return None if operand is self.target.value else source

    def _loops(
        self, map_: AffineMap, shape: Sequence[int]
    ) -> tuple[int | None, ...] | None:
        """What goes over each dimension of an input: a loop, or nothing if it is 1."""
        loops: list[int | None] = []
        for expr, size in zip(map_.results, shape, strict=True):
            if isinstance(expr, AffineDimExpr):
                loops.append(self.places[expr.position])
            elif expr == AffineConstantExpr(0) and size == 1:
                loops.append(None)
            else:
                return None
        return tuple(loops)

    def _described(
        self, value: SSAValue, loops: tuple[int | None, ...], strides: Sequence[int]
    ) -> Source | None:
        rows, columns = self.target.rows, self.target.columns
        match loops:
            case (0, 1):
                leading = leading_dimension(strides[0], rows, columns)
                return None if leading is None else Source(value, WHOLE, leading)
            case (1, 0):
                leading = leading_dimension(strides[0], columns, rows)
                return None if leading is None else Source(value, _TRANSPOSED, leading)
            case (1,) | (None, 1):
                return Source(value, WHOLE if rows == 1 else ROW, columns)
            case (0,) | (0, None) if rows > 1:
                leading = leading_dimension(strides[0], rows, 1)
                return None if leading is None else Source(value, COLUMN, leading)
            case () | (_,) | (None, None) | (0, None):
                return Source(value, SCALAR, 1)
            case _:
                return None


def elementwise_kernel(structure: Structure) -> list[Operation] | None:
    """The call of a kernel that does what the op does, or nothing."""
    elementwise = _understand(structure)
    if elementwise is None:
        return None
    payload = _payload_of(structure.body.block)
    if payload is None:
        return None
    return _call(elementwise, payload)


def _understand(structure: Structure) -> _Elementwise | None:
    if len(structure.outputs) != 1 or not all(structure.parallel):
        return None
    output = structure.outputs[0]
    data_type = common_data_type((*structure.inputs, output))
    buffer, strides = as_buffer(output.type), row_strides(output.type)
    loops = [
        expr.position
        for expr in structure.maps[-1].results
        if isinstance(expr, AffineDimExpr)
    ]
    if data_type is None or buffer is None or strides is None:
        return None
    if sorted(loops) != list(range(len(structure.parallel))):
        return None
    if len(loops) != len(strides) or not 1 <= len(loops) <= 2:
        return None
    rows, columns = (1, *buffer.get_shape())[-2:]
    leading = leading_dimension(strides[0], rows, columns)
    if leading is None:
        return None
    # A loop over rows has place 0, one over columns place 1.
    places = {loop: place for place, loop in enumerate(loops, 2 - len(loops))}
    target = Target(output, rows, columns, leading)
    return _Elementwise(structure, target, data_type, places)


class _Payload(NamedTuple):
    """What a body computes."""

    op: Operation | None
    """None if it yields something as it is."""

    operands: Sequence[SSAValue]


def _payload_of(body: Block) -> _Payload | None:
    """The single op of a body besides constants; None if it has several."""
    *ops, terminator = body.ops
    computing = [op for op in ops if not isinstance(op, arith.ConstantOp)]
    yielded = terminator.operands
    if len(computing) > 1:
        return None
    if not computing:
        return _Payload(None, yielded)
    op = computing[0]
    return _Payload(op, op.operands) if yielded[0].owner is op else None


def _call(what: _Elementwise, payload: _Payload) -> list[Operation] | None:
    if payload.op is None:
        return _copy(what, payload.operands[0])
    if isinstance(payload.op, arith.MaximumfOp):
        return _relu(what, payload.operands)
    kind = _BINARY_KINDS.get(type(payload.op))
    if kind is None:
        return None
    sources = [what.source(operand) for operand in payload.operands]
    lhs, rhs = sources
    if lhs is None or rhs is None or _TRANSPOSED in (lhs.repeat, rhs.repeat):
        return None
    return binary_call(kind, lhs, rhs, what.target, what.data_type)


def _copy(what: _Elementwise, yielded: SSAValue) -> list[Operation] | None:
    source = what.source(yielded)
    if source is None:
        return None
    if source.repeat == _TRANSPOSED:
        return transpose_call(source, what.target, what.data_type)
    kind = UnaryKind.ZERO if is_zero(source.value) else UnaryKind.IDENTITY
    return unary_call(kind, source, what.target, what.data_type)


def _relu(what: _Elementwise, operands: Sequence[SSAValue]) -> list[Operation] | None:
    lhs, rhs = operands
    for operand, other in ((lhs, rhs), (rhs, lhs)):
        if not is_zero(what.operand(other)):
            continue
        source = what.source(operand)
        if source is not None and source.repeat != _TRANSPOSED:
            return unary_call(UnaryKind.RELU, source, what.target, what.data_type)
    return None


def is_zero(value: SSAValue) -> bool:
    """Whether `value` is the constant 0.0, which is not -0.0."""
    op = value.owner
    if not isinstance(op, arith.ConstantOp) or not isinstance(op.value, FloatAttr):
        return False
    # Formatted, the two zeros differ; compared, they do not.
    return str(op.value.value.data) == "0.0"
