"""Turn the ops of the bufferization dialect that are about memrefs into memref ops.

The last step of deallocation. `dealloc` is lowered as `lower-deallocations` does it,
`clone` becomes an allocation and a copy. What is about tensors has to be gone already.

    %c = bufferization.clone %a : memref<4xf32> to memref<4xf32>

    %c = memref.alloc() : memref<4xf32>
    memref.copy %a, %c : memref<4xf32> to memref<4xf32>
"""

import operator
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from typing_extensions import override
from xdsl.builder import Builder
from xdsl.context import Context
from xdsl.dialects import arith, bufferization, memref, scf
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    IndexType,
    MemRefType,
    ModuleOp,
    NoneAttr,
    ShapedType,
    UnrankedMemRefType,
)
from xdsl.ir import Block, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint

from xdsl_bufferization.dialects.common.static_values import (
    OpFoldResult,
    dynamic_values,
    index_constant,
    static_values,
)
from xdsl_bufferization.dialects.memref.views import ReshapeOp
from xdsl_bufferization.support.errors import fail_at, op_name

from .lower_deallocations import lower_deallocations

_INDEX = IndexType()


def convert_bufferization_to_memref(module: ModuleOp) -> None:
    """Lower all ops of the bufferization dialect inside `module`."""
    lower_deallocations(module)
    lower_clones(module)
    for op in module.walk():
        if op.name.startswith("bufferization."):
            fail_at(
                op,
                f"'{op_name(op)}' is about tensors and cannot become memref ops; "
                "run one-shot-bufferize with bufferize-function-boundaries before",
            )


def lower_clones(module: ModuleOp) -> None:
    """Turn all `bufferization.clone` ops inside `module` into alloc and copy."""
    for op in tuple(module.walk()):
        if isinstance(op, bufferization.CloneOp):
            lower_clone(op)


def lower_clone(
    op: bufferization.CloneOp,
    build_copy: Callable[[SSAValue, SSAValue], Operation] = memref.CopyOp,
) -> None:
    """Turn a `bufferization.clone` into an alloc and a copy by `build_copy`.

    Raises an `OperationError` where there is no memory of the layout asked for.
    """
    source, type_ = op.input, op.output.type
    builder = Builder(InsertPoint.before(op))
    if not isinstance(type_, MemRefType):
        clone = _alloc_unranked(builder, source, type_)
    elif _accepts_identity_layout(type_):
        sizes = _sizes(builder, source, type_.get_shape())
        clone = _alloc(builder, type_, sizes)
        if clone.type != type_:
            clone = builder.insert(memref.CastOp.get(clone, type_)).dest
    else:
        sizes = _sizes(builder, source, type_.get_shape())
        clone = _alloc_strided(builder, op, sizes, type_)
    builder.insert(build_copy(source, clone))
    clone.name_hint = op.output.name_hint
    op.output.replace_all_uses_with(clone)
    op.detach()
    op.erase()


def _alloc_unranked(
    builder: Builder, source: SSAValue, type_: UnrankedMemRefType
) -> SSAValue:
    """Memory like `source`, whose rank is known when the program runs.

    A loop collects the sizes on the stack and multiplies them.
    """
    rank = builder.insert(
        memref.RankOp.create(operands=[source], result_types=[_INDEX])
    )
    shape = builder.insert(
        memref.AllocaOp.get(_INDEX, shape=[DYNAMIC_INDEX], dynamic_sizes=[rank.rank])
    ).memref
    body = Block(arg_types=[_INDEX, _INDEX])
    dimension, product = body.args
    inside = Builder(InsertPoint.at_end(body))
    size = inside.insert(
        memref.DimOp.create(operands=[source, dimension], result_types=[_INDEX])
    ).result
    inside.insert(memref.StoreOp.get(size, shape, [dimension]))
    inside.insert(scf.YieldOp(inside.insert(arith.MuliOp(product, size))))
    start, step = _value(builder, 0), _value(builder, 1)
    count = builder.insert(scf.ForOp(start, rank, step, [step], body)).results[0]
    flat = builder.insert(
        memref.AllocOp.get(
            type_.element_type,
            shape=[DYNAMIC_INDEX],
            dynamic_sizes=[count],
            memory_space=type_.memory_space,
        )
    ).memref
    return builder.insert(ReshapeOp(flat, shape, type_)).result


def _accepts_identity_layout(type_: MemRefType) -> bool:
    """Whether a memref with the identity layout can be cast to `type_`."""
    strides = type_.get_strides()
    identity = ShapedType.strides_for_shape(type_.get_shape())
    if strides is None or type_.get_offset() not in (0, None):
        return isinstance(type_.layout, NoneAttr)
    return all(
        wanted in (None, given) for wanted, given in zip(strides, identity, strict=True)
    )


def _alloc_strided(
    builder: Builder, op: Operation, sizes: Sequence[OpFoldResult], type_: MemRefType
) -> SSAValue:
    """Memory from the start of a static strided layout to its last element."""
    strides = [stride for stride in type_.get_strides() or () if stride is not None]
    if len(strides) != len(sizes) or min(strides, default=0) < 0:
        fail_at(
            op,
            f"'bufferization.clone' cannot lay out new memory as {type_.layout}; cast "
            "to a layout with static positive strides, or with dynamic ones only",
        )
    offset = type_.get_offset() or 0
    extent: OpFoldResult = offset + 1
    for size, stride in zip(sizes, strides, strict=True):
        steps = _arith(builder, arith.SubiOp, size, 1)
        extent = _arith(
            builder, arith.AddiOp, extent, _arith(builder, arith.MuliOp, steps, stride)
        )
    # Without elements, the sum can be negative.
    flat = _alloc(builder, type_, [_arith(builder, arith.MaxSIOp, extent, 0)])
    place = offset if type_.get_offset() is not None else _value(builder, offset)
    return builder.insert(
        memref.ReinterpretCastOp.from_dynamic(flat, [place], sizes, strides, type_)
    ).result


def _sizes(
    builder: Builder, source: SSAValue, shape: Sequence[int]
) -> list[OpFoldResult]:
    return [
        builder.insert(memref.DimOp(source, _value(builder, number))).result
        if size == DYNAMIC_INDEX
        else size
        for number, size in enumerate(shape)
    ]


def _alloc(
    builder: Builder, type_: MemRefType, sizes: Sequence[OpFoldResult]
) -> SSAValue:
    """New memory of the given sizes, otherwise like `type_`."""
    return builder.insert(
        memref.AllocOp.get(
            type_.element_type,
            shape=static_values(sizes),
            dynamic_sizes=dynamic_values(sizes),
            memory_space=type_.memory_space,
        )
    ).memref


_STATIC: dict[type[arith.SignlessIntegerBinaryOperation], Callable[[int, int], int]] = {
    arith.AddiOp: operator.add,
    arith.MaxSIOp: max,
    arith.MuliOp: operator.mul,
    arith.SubiOp: operator.sub,
}


def _arith(
    builder: Builder,
    op_type: type[arith.SignlessIntegerBinaryOperation],
    first: OpFoldResult,
    second: OpFoldResult,
) -> OpFoldResult:
    """The result of an op on index values, computed here if both are known."""
    if isinstance(first, int) and isinstance(second, int):
        return _STATIC[op_type](first, second)
    return builder.insert(
        op_type(_value(builder, first), _value(builder, second))
    ).result


def _value(builder: Builder, size: OpFoldResult) -> SSAValue:
    if not isinstance(size, int):
        return size
    constant = index_constant(size)
    return builder.insert(constant).result


@dataclass(frozen=True)
class ConvertBufferizationToMemRefPass(ModulePass):
    """Turn the ops of the bufferization dialect into memref ops."""

    name = "convert-bufferization-to-memref"

    @override
    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Run on everything inside the module."""
        convert_bufferization_to_memref(op)
