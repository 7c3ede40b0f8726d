"""Pieces of code on buffers that several models emit.

%size = memref.dim %0, %c1 : memref<2x?xf32>
%1 = memref.alloc(%size) : memref<2x?xf32>
%2 = memref.subview %1[0, 3] [2, %size] [1, 1] : ...

Numbers are plain integers where they are known, and values where they are not, so that
no op is emitted for what is known.
"""

from collections.abc import Sequence

from xdsl.dialects import arith, memref
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AffineMapAttr,
    AnyFloat,
    DenseArrayBase,
    IntegerType,
    MemRefType,
    StridedLayoutAttr,
    i64,
)
from xdsl.dialects.linalg import ops as linalg
from xdsl.dialects.linalg.attrs import IteratorType, IteratorTypeAttr
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.ir.affine import AffineMap
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.utils.hints import isa

from xdsl_bufferization.dialects.common.static_values import (
    OpFoldResult,
    dynamic_values,
    index_constant,
    static_values,
)

from ..interfaces.state import BufferizationState
from . import new_ops


def buffer_type_of(buffer: SSAValue) -> MemRefType:
    """The type of a buffer that is known to have a rank."""
    assert isa(buffer.type, MemRefType)
    return buffer.type


def as_value(number: OpFoldResult, state: BufferizationState) -> SSAValue:
    """A number as a value of type index."""
    if isinstance(number, SSAValue):
        return number
    constant = index_constant(number)
    state.insert(constant)
    return constant.result


def add(a: OpFoldResult, b: OpFoldResult, state: BufferizationState) -> OpFoldResult:
    """The sum of two numbers; it is known if both numbers are known."""
    if isinstance(a, int) and isinstance(b, int):
        return a + b
    if a == 0:
        return b
    if b == 0:
        return a
    sum_ = arith.AddiOp(as_value(a, state), as_value(b, state))
    state.insert(sum_)
    return sum_.result


def size_of(
    buffer: SSAValue, dimension: int, state: BufferizationState
) -> OpFoldResult:
    """The size of a buffer along one dimension."""
    size = buffer_type_of(buffer).get_shape()[dimension]
    if size != DYNAMIC_INDEX:
        return size
    dim = new_ops.dim(buffer, as_value(dimension, state))
    state.insert(dim)
    return dim.result


def sizes_of(buffer: SSAValue, state: BufferizationState) -> list[OpFoldResult]:
    """The sizes of a buffer."""
    rank = buffer_type_of(buffer).get_num_dims()
    return [size_of(buffer, dimension, state) for dimension in range(rank)]


def allocate(
    type_: MemRefType, sizes: Sequence[OpFoldResult], state: BufferizationState
) -> SSAValue:
    """A new buffer; of `sizes`, only those count that `type_` leaves open."""
    dynamic = [
        as_value(number, state)
        for size, number in zip(type_.get_shape(), sizes, strict=True)
        if size == DYNAMIC_INDEX
    ]
    return state.allocate(type_, dynamic)


def copy_into(
    source: SSAValue,
    destination: SSAValue,
    offsets: Sequence[OpFoldResult],
    state: BufferizationState,
    sizes: Sequence[OpFoldResult] | None = None,
) -> None:
    """Copy all of `source` to `offsets` in `destination`, which is dense.

    `sizes` are those that the source must have, if they are known otherwise. A source
    without elements is not copied: it may begin where the destination ends, and MLIR
    has no such `memref.subview`.
    """
    if sizes is None:
        sizes = sizes_of(source, state)
    if 0 in sizes or _is_at_end(destination, offsets):
        return
    view = _view(destination, offsets, sizes)
    state.insert(view)
    state.insert(new_ops.copy(source, view.result))


def _is_at_end(buffer: SSAValue, offsets: Sequence[OpFoldResult]) -> bool:
    """Whether nothing of a buffer is left behind `offsets`."""
    return any(
        isinstance(offset, int) and size != DYNAMIC_INDEX and offset >= size
        for offset, size in zip(
            offsets, buffer_type_of(buffer).get_shape(), strict=True
        )
    )


def _view(
    buffer: SSAValue, offsets: Sequence[OpFoldResult], sizes: Sequence[OpFoldResult]
) -> memref.SubviewOp:
    """A block of `buffer` without steps."""
    static_offsets, static_sizes = static_values(offsets), static_values(sizes)
    type_ = buffer_type_of(buffer)
    strides = type_.get_strides()
    assert strides is not None
    start: int | None = type_.get_offset()
    for offset, stride in zip(static_offsets, strides, strict=True):
        if offset == 0:
            continue
        if start is None or stride is None or offset == DYNAMIC_INDEX:
            start = None
        else:
            start += offset * stride
    static = (static_offsets, static_sizes, [1] * len(sizes))
    segments = [1, *(numbers.count(DYNAMIC_INDEX) for numbers in static)]
    return memref.SubviewOp.create(
        operands=[
            buffer,
            *dynamic_values((*offsets, *sizes)),
        ],
        result_types=[
            MemRefType(
                type_.element_type,
                static_sizes,
                StridedLayoutAttr(strides, start),
                type_.memory_space,
            )
        ],
        properties={
            "static_offsets": DenseArrayBase.from_list(i64, static[0]),
            "static_sizes": DenseArrayBase.from_list(i64, static[1]),
            "static_strides": DenseArrayBase.from_list(i64, static[2]),
            **new_ops.segments(*segments),
        },
    )


def fill(buffer: SSAValue, scalar: SSAValue, state: BufferizationState) -> None:
    """Write `scalar` to every element of `buffer`."""
    element = buffer_type_of(buffer).element_type
    if isinstance(element, AnyFloat | IntegerType):
        state.insert(linalg.FillOp([scalar], [buffer], []))
        return
    # linalg.fill is for numbers that it could convert to another type.
    compute(buffer, [], Block([linalg.YieldOp(scalar)], arg_types=[element]), state)


def compute(
    buffer: SSAValue, inputs: Sequence[SSAValue], body: Block, state: BufferizationState
) -> None:
    """Write every element of `buffer`, as `body` computes it.

    The arguments of `body` are the elements at that position of `inputs`, which have
    the shape of `buffer`, and of `buffer` before; it ends in a `linalg.yield`.
    """
    rank = buffer_type_of(buffer).get_num_dims()
    state.insert(
        linalg.GenericOp(
            inputs,
            [buffer],
            Region(body),
            [AffineMapAttr(AffineMap.identity(rank))] * (len(inputs) + 1),
            [IteratorTypeAttr(IteratorType.PARALLEL)] * rank,
        )
    )


def take_body(op: Operation, element: Attribute) -> Block:
    """The block of an op that computes elements from positions, for `compute`.

    It is detached from `op`; its arguments become `linalg.index` ops.
    """
    block = op.regions[0].detach_block(0)
    for dimension, argument in reversed(list(enumerate(block.args))):
        if argument.first_use is not None:
            index = linalg.IndexOp(dimension)
            Rewriter.insert_op(index, InsertPoint.at_start(block))
            argument.replace_all_uses_with(index.result)
    for argument in reversed(block.args):
        block.erase_arg(argument)
    block.insert_arg(element, 0)
    terminator = block.last_op
    assert terminator is not None
    Rewriter.replace_op(terminator, linalg.YieldOp(*terminator.operands))
    return block
