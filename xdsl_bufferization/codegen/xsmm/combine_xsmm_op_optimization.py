"""The pass `combine-xsmm-op-optimization`: a product and what is done to it, in one.

Runs after `convert-linalg-to-xsmm`.

    xsmm.brgemm(%0, %a, %b, %c, %n)
    xsmm.binary add(%1, %bias, %c, %c)     ->  xsmm.fused_brgemm(%3, %a, %b, %c, %bias,
    xsmm.unary relu(%2, %c, %c)                                  %n)

Either of the two may be missing, and the product be a `gemm`: a sum over a batch of
one. The binary call takes a whole matrix, a row, a column
or a number besides the product; if the order matters, that comes first, as the fused
kernel has it. Both work in place, and nothing in between reads or writes the memory
involved. The bias must not be memory of the product, which the kernel overwrites: an
argument of a function may be the memory of another.

Source: the document "Pass Analysis" of tpp-mlir, whose pass takes only a repeated row
and needs all three calls.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from xdsl.dialects import arith, memref
from xdsl.dialects.builtin import (
    DenseArrayBase,
    IntegerAttr,
    MemRefType,
    ModuleOp,
    i64,
)
from xdsl.ir import Block, Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from xdsl_bufferization.bufferization.mlir_pass import TensorPass
from xdsl_bufferization.dialects.memref.reshapes import get_expanded_type
from xdsl_bufferization.dialects.xsmm import (
    BinaryDispatchOp,
    BinaryOp,
    BrgemmOp,
    FusedBrgemmDispatchOp,
    FusedBrgemmOp,
    GemmOp,
    UnaryDispatchOp,
    UnaryOp,
)
from xdsl_bufferization.dialects.xsmm.attributes import (
    BinaryFlag,
    BinaryKind,
    GemmFlag,
    UnaryFlag,
    UnaryKind,
)
from xdsl_bufferization.dialects.xsmm.dispatch import ProductDispatchOp
from xdsl_bufferization.dialects.xsmm.invoke import InvokeOp
from xdsl_bufferization.optimization.common.relayout import reassociation

from .kernel_calls import result_of
from .memory_between import Memory, blocks_of, functions_with_memory
from .strided_matrices import as_buffer, row_strides

_COMMUTATIVE = (BinaryKind.ADD, BinaryKind.MUL)
_FUSIBLE = (*_COMMUTATIVE, BinaryKind.SUB, BinaryKind.DIV)


def combine_xsmm_ops(module: ModuleOp) -> None:
    """Fuse the products in `module` with what is done to them."""
    for function, memory in functions_with_memory(module):
        for block in blocks_of(function):
            for chain in _find_chains(block, memory):
                _fuse(chain)


@dataclass
class _Bias:
    """What a binary call combines the product with."""

    value: SSAValue
    flag: BinaryFlag
    """How it is repeated, as the first operand."""

    leading: int


@dataclass
class _Chain:
    """A product, and the calls on it that follow."""

    product: GemmOp | BrgemmOp
    dispatch: ProductDispatchOp
    binary: BinaryOp | None = None
    bias: _Bias | None = None
    unary: UnaryOp | None = None

    @property
    def is_combined(self) -> bool:
        """Whether there is anything to fuse."""
        return self.binary is not None or self.unary is not None

    def is_disturbed_by(self, op: Operation, memory: Memory) -> bool:
        """Whether the product, and the reading of the bias, cannot move past `op`."""
        product = self.product
        read = [product.a, product.b]
        if self.bias is not None:
            read.append(self.bias.value)
        return memory.disturbs(op, read, [product.c])


def _find_chains(block: Block, memory: Memory) -> list[_Chain]:
    """The chains of calls in a block, in one go through its ops."""
    chains: list[_Chain] = []
    current: _Chain | None = None
    for op in block.ops:
        if current is not None and _extend(current, op, memory):
            if current.unary is not None:
                current = None
            continue
        started = _start(op)
        if started is not None:
            chains.append(started)
            current = started
        elif current is not None and current.is_disturbed_by(op, memory):
            current = None
    return [chain for chain in chains if chain.is_combined]


def _start(op: Operation) -> _Chain | None:
    if not isinstance(op, GemmOp | BrgemmOp):
        return None
    dispatch = op.dispatch_op()
    if not isinstance(dispatch, ProductDispatchOp):
        return None
    # The factors of a gemm become batches, for which their strides must be known.
    if row_strides(op.a.type) is None or row_strides(op.b.type) is None:
        return None
    if any(flag.data is GemmFlag.VNNI_C for flag in dispatch.flags):
        return None
    return _Chain(op, dispatch)


def _extend(chain: _Chain, op: Operation, memory: Memory) -> bool:
    """Add `op` to a chain; False if it does not belong there."""
    if isinstance(op, UnaryOp) and _is_relu_of(op, result_of(chain.product)):
        chain.unary = op
        return True
    if chain.binary is not None or not isinstance(op, BinaryOp) or _is_column(chain):
        return False
    bias = _bias_of(op, result_of(chain.product))
    if bias is None or memory.may_be_written_with(bias.value, chain.product.c):
        return False
    chain.binary, chain.bias = op, bias
    return True


def _is_column(chain: _Chain) -> bool:
    """Whether the product writes as a column what other calls take for a row."""
    is_view = chain.product.c is not result_of(chain.product)
    return is_view and chain.dispatch.named_inputs()["m"] != 1


def _is_relu_of(op: UnaryOp, product: SSAValue) -> bool:
    dispatch = op.dispatch_op()
    return (
        isinstance(dispatch, UnaryDispatchOp)
        and op.kind.data is UnaryKind.RELU
        and op.input is product
        and op.output is product
        and dispatch.flags.data[0].data is UnaryFlag.NONE
    )


def _bias_of(op: BinaryOp, product: SSAValue) -> _Bias | None:
    """The operand besides the product, if there is one that a fused kernel takes."""
    dispatch = op.dispatch_op()
    if not isinstance(dispatch, BinaryDispatchOp) or op.output is not product:
        return None
    if op.lhs is op.rhs or product not in (op.lhs, op.rhs):
        return None
    comes_first = op.rhs is product
    if op.kind.data not in (_FUSIBLE if comes_first else _COMMUTATIVE):
        return None
    flags = [flag.data.value for flag in dispatch.flags]
    suffix, other = ("_in0", "_in1") if comes_first else ("_in1", "_in0")
    if any(flag.endswith(other) for flag in flags):
        return None
    value = op.lhs if comes_first else op.rhs
    leading = dispatch.named_inputs()["ldi_lhs" if comes_first else "ldi_rhs"]
    names = (f.removesuffix(suffix) for f in flags if f.endswith(suffix))
    name = next(names, None)
    flag = BinaryFlag.NONE if name is None else BinaryFlag(f"{name}_in0")
    return _Bias(value, flag, leading)


def _fuse(chain: _Chain) -> None:
    product, last = chain.product, chain.unary or chain.binary
    assert last is not None
    batch = as_batch(product, chain.dispatch)
    dispatch = _fused_dispatch(chain, batch.inputs)
    # Without a binary kernel there is an operand for it all the same.
    extra = product.c if chain.bias is None else chain.bias.value
    fused = FusedBrgemmOp(
        product.data_type.data,
        [dispatch.handle, batch.a, batch.b, product.c, extra, batch.size],
    )
    new_ops = [*batch.new_ops, dispatch, fused]
    for op in new_ops:
        op.location = product.location
    Rewriter.insert_op(new_ops, InsertPoint.before(last))
    for op in (product, chain.binary, chain.unary):
        if op is not None:
            _erase_with_dispatch(op)


def _erase_with_dispatch(op: InvokeOp) -> None:
    """Erase a call, and the dispatch if it was its only one."""
    dispatch = op.dispatch_op()
    Rewriter.erase_op(op)
    if dispatch is not None and not dispatch.results[0].uses:
        Rewriter.erase_op(dispatch)


def _fused_dispatch(chain: _Chain, inputs: list[int]) -> FusedBrgemmDispatchOp:
    binary, unary, flag = BinaryKind.NONE, UnaryKind.NONE, BinaryFlag.NONE
    if chain.binary is not None and chain.bias is not None:
        binary, flag = chain.binary.kind.data, chain.bias.flag
        if _has_rows(chain.bias) and chain.bias.leading != inputs[5]:
            inputs = [*inputs, chain.bias.leading]
    if chain.unary is not None:
        unary = UnaryKind.RELU
    return FusedBrgemmDispatchOp(
        inputs,
        (binary, unary),
        chain.dispatch.data_type.data,
        [each.data for each in chain.dispatch.flags],
        [flag],
    )


def _has_rows(bias: _Bias) -> bool:
    """Whether the distance of its rows is of interest."""
    return isinstance(bias.value.type, MemRefType) and bias.flag in (
        BinaryFlag.NONE,
        BinaryFlag.BCAST_ROW_IN0,
    )


# A product of two matrices as a sum over a batch of one.
#
#     xsmm.gemm(%0, %a, %b, %c)
#         -> %1 = memref.expand_shape %a [[0, 1], [2]] ... into memref<1x8x16xf32>
#            %2 = memref.expand_shape %b [[0, 1], [2]] ... into memref<1x16x4xf32>
#            ... %1, %2, %c, and the constant 1
#
# For kernels that only sums have, above all the fused ones.


class Batch(NamedTuple):
    """What a kernel for sums of products works on."""

    a: SSAValue
    b: SSAValue
    size: SSAValue
    inputs: list[int]
    """Of the dispatch of a `brgemm`."""

    new_ops: Sequence[Operation]
    """What defines the values that were not there before."""


def as_batch(product: GemmOp | BrgemmOp, dispatch: ProductDispatchOp) -> Batch:
    """The factors of `product` as batches; those of a `brgemm` are."""
    inputs = list(map(int, dispatch.inputs.get_values()))
    if isinstance(product, BrgemmOp):
        return Batch(product.a, product.b, product.batch, inputs, [])
    one = arith.ConstantOp(IntegerAttr(1, i64))
    a, b = _expanded(product.a), _expanded(product.b)
    distances = [_distance(each.result) for each in (a, b)]
    return Batch(a.result, b.result, one.result, [*inputs, *distances], [one, a, b])


def _expanded(value: SSAValue) -> memref.ExpandShapeOp:
    """A buffer with another dimension in front."""
    type_ = as_buffer(value.type)
    assert type_ is not None
    shape = (1, *type_.get_shape())
    groups = [[0, 1], *([number] for number in range(2, len(shape)))]
    return memref.ExpandShapeOp.create(
        operands=[value],
        result_types=[get_expanded_type(type_, groups, shape)],
        properties={
            "reassociation": reassociation(groups),
            "static_output_shape": DenseArrayBase.from_list(i64, shape),
        },
    )


def _distance(batch: SSAValue) -> int:
    strides = row_strides(batch.type)
    assert strides is not None
    return strides[0]


class CombineXsmmOpOptimizationPass(TensorPass):
    """Fuse products with the binary and unary calls on them."""

    name = "combine-xsmm-op-optimization"
    rewrite = staticmethod(combine_xsmm_ops)
