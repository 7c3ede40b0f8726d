"""A request for a kernel and the call of it, from what the call works on.

    unary_call(UnaryKind.RELU, Source(%in, "none", 16), Target(%out, 4, 8, 8), F32)
        -> %0 = xsmm.unary.dispatch relu [4, 8, 16, 8] flags = (none) data_type = f32
           xsmm.unary relu(data_type = f32, %0, %in, %out) : ...

The functions return ops that nothing holds yet, in order.
"""

from collections.abc import Sequence
from typing import NamedTuple

from xdsl.dialects import arith, memref
from xdsl.dialects.builtin import IntegerAttr, i64
from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import Rewriter

from xdsl_bufferization.dialects.linalg.structure import shape_of
from xdsl_bufferization.dialects.xsmm import (
    BinaryDispatchOp,
    BinaryOp,
    BrgemmDispatchOp,
    BrgemmOp,
    FusedBrgemmOp,
    GemmDispatchOp,
    GemmOp,
    UnaryDispatchOp,
    UnaryOp,
)
from xdsl_bufferization.dialects.xsmm.attributes import (
    BinaryFlag,
    BinaryKind,
    DataType,
    GemmFlag,
    UnaryFlag,
    UnaryKind,
)

WHOLE = "none"
"""The `repeat` of a matrix that is not repeated."""

ROW = "bcast_col"
"""The `repeat` of one row for all rows. Columns and rows in flags are LIBXSMM's."""

COLUMN = "bcast_row"
"""The `repeat` of one column for all columns."""

SCALAR = "bcast_scalar"
"""The `repeat` of a single number."""


class Source(NamedTuple):
    """An input of a kernel."""

    value: SSAValue
    repeat: str
    """How it is repeated to fill the matrix: the name of a flag."""

    leading: int
    """The distance of its rows."""


class Target(NamedTuple):
    """The output of a kernel."""

    value: SSAValue
    rows: int
    columns: int
    leading: int


class Product(NamedTuple):
    """The operands of a product, and what its kernel must know of them."""

    operands: tuple[SSAValue, SSAValue, SSAValue]
    """A, B and C."""

    sizes: tuple[int, int, int]
    """m, n and k."""

    leading: tuple[int, int, int]
    """The distance of rows in A, B and C."""

    batch: tuple[int, int, int] | None
    """The number of matrices, and their distances in A and B; None without a batch."""

    flags: Sequence[GemmFlag] = (GemmFlag.NONE,)


def unary_call(
    kind: UnaryKind, source: Source, target: Target, data_type: DataType
) -> list[Operation]:
    """Map `source` into `target`."""
    inputs = (target.rows, target.columns, source.leading, target.leading)
    flags = [UnaryFlag(source.repeat)]
    dispatch = UnaryDispatchOp(kind, inputs, data_type, flags)
    operands = [dispatch.handle, source.value, target.value]
    return [dispatch, UnaryOp(kind, data_type, operands)]


def transpose_call(
    source: Source, target: Target, data_type: DataType
) -> list[Operation]:
    """Store the columns of `source` as the rows of `target`."""
    inputs = (target.columns, target.rows, source.leading, target.leading)
    dispatch = UnaryDispatchOp(UnaryKind.TRANSPOSE, inputs, data_type)
    operands = [dispatch.handle, source.value, target.value]
    return [dispatch, UnaryOp(UnaryKind.TRANSPOSE, data_type, operands)]


def binary_call(
    kind: BinaryKind, lhs: Source, rhs: Source, target: Target, data_type: DataType
) -> list[Operation]:
    """Combine `lhs` and `rhs` into `target`."""
    inputs = (target.rows, target.columns, lhs.leading, rhs.leading, target.leading)
    flags = [
        BinaryFlag(f"{source.repeat}_in{number}")
        for number, source in enumerate((lhs, rhs))
        if source.repeat != WHOLE
    ]
    dispatch = BinaryDispatchOp(kind, inputs, data_type, flags or [BinaryFlag.NONE])
    operands = [dispatch.handle, lhs.value, rhs.value, target.value]
    return [dispatch, BinaryOp(kind, data_type, operands)]


def product_call(product: Product, data_type: DataType) -> list[Operation]:
    """Add A * B, or the sum of such products over a batch, to C."""
    inputs = (*product.sizes, *product.leading)
    if product.batch is None:
        dispatch = GemmDispatchOp(inputs, data_type, product.flags)
        return [dispatch, GemmOp(data_type, [dispatch.handle, *product.operands])]
    count, *distances = product.batch
    number = arith.ConstantOp(IntegerAttr(count, i64))
    batched = BrgemmDispatchOp((*inputs, *distances), data_type, product.flags)
    operands = [batched.handle, *product.operands, number.result]
    return [number, batched, BrgemmOp(data_type, operands)]


def result_of(product: GemmOp | BrgemmOp | FusedBrgemmOp) -> SSAValue:
    """The buffer that a product writes: the row or column that is its matrix C."""
    value = product.c
    if isinstance(owner := value.owner, memref.ExpandShapeOp):
        if len(shape_of(owner.src.type)) > 1:
            return value
        value = owner.src
        if isinstance(owner := value.owner, memref.CollapseShapeOp):
            value = owner.src
    return value


def replace_by_call(op: Operation, call: Sequence[Operation]) -> None:
    """Put the ops of a call in the place of `op`, which tells where they come from."""
    for each in call:
        each.location = op.location
    Rewriter.replace_op(op, call)
