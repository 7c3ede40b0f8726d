"""The pass `fold-xsmm-flags`: a product that starts from zero instead of reading it.

Runs after `combine-xsmm-op-optimization`.

    %0 = xsmm.brgemm.dispatch [...] flags = (none) data_type = f32
    xsmm.unary zero(data_type = f32, %z, %cst, %c)
    xsmm.brgemm(data_type = f32, %0, %a, %b, %c, %n)
        -> %0 = xsmm.brgemm.dispatch [...] flags = (beta_0) data_type = f32
           xsmm.brgemm(data_type = f32, %0, %a, %b, %c, %n)

For `gemm`, `brgemm` and `fused_brgemm`. Nothing in between reads or writes the zeros,
and no other operand of the product may be their memory: it would not be zero any more.

Source: the document "Pass Analysis" of tpp-mlir, under the zero of a tile.
"""

from collections.abc import Sequence

from xdsl.dialects.builtin import ArrayAttr, ModuleOp
from xdsl.ir import Block, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from xdsl_bufferization.bufferization.mlir_pass import TensorPass
from xdsl_bufferization.dialects.xsmm import (
    BrgemmOp,
    FusedBrgemmDispatchOp,
    FusedBrgemmOp,
    GemmOp,
    UnaryDispatchOp,
    UnaryOp,
)
from xdsl_bufferization.dialects.xsmm.attributes import (
    GemmFlag,
    GemmFlagAttr,
    UnaryKind,
)
from xdsl_bufferization.dialects.xsmm.dispatch import ProductDispatchOp

from .kernel_calls import result_of
from .memory_between import Memory, blocks_of, functions_with_memory

_MOST_PENDING = 8
"""How many matrices of zeros are kept in mind at once, so that the cost is linear."""

_Product = GemmOp | BrgemmOp | FusedBrgemmOp


def fold_xsmm_flags(module: ModuleOp) -> None:
    """Let the products in `module` overwrite zeros that only they read."""
    for function, memory in functions_with_memory(module):
        for block in blocks_of(function):
            for zero, product in _find_pairs(block, memory):
                Rewriter.erase_op(zero)
                _overwrite(product)


def _find_pairs(block: Block, memory: Memory) -> list[tuple[UnaryOp, _Product]]:
    """Products and the zeros they start from, in one go through a block."""
    pairs: list[tuple[UnaryOp, _Product]] = []
    pending: dict[SSAValue, UnaryOp] = {}
    for op in block.ops:
        if not pending and not isinstance(op, UnaryOp):
            continue
        if isinstance(op, _Product) and _starts_from(op, pending, memory):
            pairs.append((pending.pop(result_of(op)), op))
        pending = {
            value: zero
            for value, zero in pending.items()
            if not memory.disturbs(op, (), [value])
        }
        if isinstance(op, UnaryOp) and _is_zero(op):
            if len(pending) == _MOST_PENDING:
                pending.pop(next(iter(pending)))
            pending[op.output] = op
    return pairs


def _is_zero(op: UnaryOp) -> bool:
    """Whether a call writes zeros to all of its output."""
    is_known = isinstance(op.dispatch_op(), UnaryDispatchOp)
    return is_known and op.kind.data is UnaryKind.ZERO


def _starts_from(
    product: _Product, pending: dict[SSAValue, UnaryOp], memory: Memory
) -> bool:
    """Whether a product adds to zeros that none of its other operands is."""
    if result_of(product) not in pending or _flags(product) is None:
        return False
    return not any(memory.may_overlap(o, product.c) for o in _factors(product))


def _factors(product: _Product) -> Sequence[SSAValue]:
    if not isinstance(product, FusedBrgemmOp):
        return (product.a, product.b)
    dispatch = product.dispatch_op()
    assert isinstance(dispatch, FusedBrgemmDispatchOp)
    if dispatch.has_binary:
        return (product.a, product.b, product.d)
    return (product.a, product.b)


def _flags(product: _Product) -> list[GemmFlag] | None:
    """The flags of a product that is added to its output; None if it is not."""
    dispatch = product.dispatch_op()
    if not isinstance(dispatch, ProductDispatchOp | FusedBrgemmDispatchOp):
        return None
    flags = [flag.data for flag in dispatch.flags]
    return None if GemmFlag.BETA_0 in flags else flags


def _overwrite(product: _Product) -> None:
    """Give `product` a dispatch with `beta_0`."""
    flags = _flags(product)
    dispatch = product.dispatch_op()
    assert flags is not None and dispatch is not None
    kept = (flag for flag in flags if flag is not GemmFlag.NONE)
    changed = dispatch.clone()
    changed.properties["flags"] = ArrayAttr(map(GemmFlagAttr, (GemmFlag.BETA_0, *kept)))
    Rewriter.insert_op(changed, InsertPoint.before(product))
    product.operands[0] = changed.results[0]
    if not dispatch.results[0].uses:
        Rewriter.erase_op(dispatch)


class FoldXsmmFlagsPass(TensorPass):
    """Let products overwrite zeros instead of adding to them."""

    name = "fold-xsmm-flags"
    rewrite = staticmethod(fold_xsmm_flags)
