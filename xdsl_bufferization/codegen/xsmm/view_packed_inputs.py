"""The pass `view-packed-inputs`: blocks of an argument where they are, without a copy.

Runs after bufferization, before ops become calls of kernels.

    %0 = memref.alloc() : memref<8x4x32x32xf32>
    scf.forall (%i, %j) in (8, 4) {
      ...            // block (%i, %j) of %x : memref<256x128xf32> is copied to %0
    }
    ... linalg.batch_reduce_matmul ins(%row_of_blocks_of_0, %b) outs(%c)
        ->
    %0 = memref.reinterpret_cast %x to offset: [0], sizes: [8, 4, 32, 32],
        strides: [4096, 32, 128, 1]
        : memref<256x128xf32> to memref<8x4x32x32xf32, strided<[4096, 32, 128, 1]>>

A kernel reads the left factor of a product one element of a row after the other, and
takes any distance of rows: the copy gains nothing. The copy stays in three cases:

- Something else reads the blocks. Above all this is a product whose right factor they
  are: a kernel reads whole rows of that.
- The function may write to the argument.
- The blocks do not divide the argument.

In bf16 the elements of a row are split in pairs by a `memref.expand_shape`, and AMX
reads 64 bytes of a row at once. Rows that do not start at cache lines take it nearly
twice as long. Arguments need not start at one, so that such a one is copied, row by row
(`cache_lines`); blocks of other sizes than whole cache lines stay copied, too.

Source: none; tpp-mlir packs every factor.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import prod
from operator import mul

from xdsl.dialects import memref
from xdsl.dialects.affine import ApplyOp
from xdsl.dialects.builtin import (
    FixedBitwidthType,
    MemRefType,
    ModuleOp,
    NoneAttr,
)
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.traits import RecursiveMemoryEffect
from xdsl.utils.hints import isa

from xdsl_bufferization.bufferization.interfaces.boxes import Linear
from xdsl_bufferization.bufferization.interfaces.operands import owner_op
from xdsl_bufferization.bufferization.mlir_pass import TensorPass
from xdsl_bufferization.bufferization.models.linear import linear
from xdsl_bufferization.dialects.common.static_values import (
    OpFoldResult,
    mixed_values,
)
from xdsl_bufferization.dialects.linalg.structure import structure_of
from xdsl_bufferization.dialects.memref.layouts import (
    StridedForm,
    get_strided_form,
    with_layout,
)
from xdsl_bufferization.dialects.memref.slices import infer_subview_type
from xdsl_bufferization.dialects.scf.forall import ForallOp
from xdsl_bufferization.support.traversal import ops_inside

from .cache_lines import at_cache_line, fills_lines
from .memory_between import Memory, functions_with_memory
from .product_kernels import left_factor
from .strided_matrices import row_strides

_MOST_SOURCES = 8
"""How many arguments of a function are looked after, so that the cost is linear."""


def view_packed_inputs(module: ModuleOp) -> None:
    """Let products in `module` read blocks of arguments where these are."""
    for function, memory in functions_with_memory(module):
        found = list(_find_packings(function))
        if not found:
            continue
        changed = _find_changed({each.source for each in found}, function, memory)
        order = {op: number for number, op in enumerate(ops_inside(function))}
        for packing in found:
            if packing.source not in changed:
                _view(packing, order)


@dataclass(frozen=True)
class _Packing:
    """A loop that copies an argument block by block, which only products read."""

    source: SSAValue
    loop: ForallOp
    blocks: memref.AllocOp
    pairs: Sequence[memref.ExpandShapeOp]
    """What splits the rows of blocks in pairs."""
    readers: Sequence[memref.SubviewOp]
    """Of the blocks, or of pairs."""
    deallocs: Sequence[memref.DeallocOp]


def _find_packings(function: FuncOp) -> Iterable[_Packing]:
    for op in ops_inside(function):
        if isinstance(op, ForallOp):
            packing = _match_packing(op)
            if packing is not None:
                yield packing


def _match_packing(loop: ForallOp) -> _Packing | None:
    if loop.results or not loop.is_normalized:
        return None
    ops = list(loop.region.block.ops)
    copy = ops[-2] if len(ops) > 1 else None
    if not isinstance(copy, memref.CopyOp):
        return None
    source, target = copy.source.owner, copy.destination.owner
    if (
        not isinstance(source, memref.SubviewOp)
        or not isinstance(target, memref.SubviewOp)
        or target.parent is not loop.region.block
        or any(not isinstance(op, ApplyOp | memref.SubviewOp) for op in ops[:-2])
        or not isinstance(target.source.owner, memref.AllocOp)
        or not isinstance(owner_op(source.source), FuncOp)
        or not _covers(loop, source, target)
    ):
        return None
    return _readers(source.source, loop, target)


def _covers(loop: ForallOp, source: memref.SubviewOp, target: memref.SubviewOp) -> bool:
    """Whether the iterations copy all blocks of the source, each to its place."""
    if not _is_dense(source.source) or not _is_dense(target.source):
        return False
    assert isa(source.source.type, MemRefType) and isa(target.source.type, MemRefType)
    shape, blocks = source.source.type.get_shape(), target.source.type.get_shape()
    rank = len(shape)
    outer, block = blocks[:rank], blocks[rank:]
    if (
        len(blocks) != 2 * rank
        or shape != tuple(n * size for n, size in zip(outer, block, strict=True))
        or source.static_sizes.get_values() != block
        or target.static_sizes.get_values() != (1,) * rank + block
        or any(
            stride != 1
            for op in (source, target)
            for stride in op.static_strides.get_values()
        )
    ):
        return False
    to, from_ = _offsets(target), _offsets(source)
    if any(offset != 0 for offset in to[rank:]):
        return False
    bounds: dict[OpFoldResult, OpFoldResult] = dict(
        zip(loop.induction_variables, loop.upper_bounds, strict=True)
    )
    for dim in range(rank):
        number = linear(to[dim])
        iterations = bounds.pop(to[dim], None)
        if iterations is None and number == Linear(0):
            iterations = 1
        if iterations != outer[dim] or linear(from_[dim]) != number.times(block[dim]):
            return False
    return not bounds


def _is_dense(value: SSAValue) -> bool:
    type_ = value.type
    return (
        isa(type_, MemRefType)
        and isinstance(type_.layout, NoneAttr)
        and row_strides(type_) is not None
    )


def _offsets(op: memref.SubviewOp) -> list[OpFoldResult]:
    static = op.static_offsets.get_values()
    return mixed_values(static, op.offsets)


def _readers(
    source: SSAValue, loop: ForallOp, target: memref.SubviewOp
) -> _Packing | None:
    """The packing, if only products read the blocks."""
    blocks = target.source.owner
    assert isinstance(blocks, memref.AllocOp)
    readers: list[memref.SubviewOp] = []
    pairs: list[memref.ExpandShapeOp] = []
    deallocs: list[memref.DeallocOp] = []
    users = [use.operation for use in blocks.memref.uses]
    while users:
        op = users.pop()
        if op is target:
            continue
        if isinstance(op, memref.DeallocOp):
            deallocs.append(op)
        elif isinstance(op, memref.SubviewOp) and _is_read_by_products(op):
            readers.append(op)
        elif (
            isinstance(op, memref.ExpandShapeOp)
            and op.src is blocks.memref
            and _splits_lines(op, source)
        ):
            pairs.append(op)
            users += [use.operation for use in op.result.uses]
        else:
            return None
    return _Packing(source, loop, blocks, pairs, readers, deallocs) if readers else None


def _splits_lines(op: memref.ExpandShapeOp, source: SSAValue) -> bool:
    """Whether it splits nothing but rows, which are whole cache lines in the source."""
    blocks, pairs = op.src.type, op.result.type
    assert isa(source.type, MemRefType)
    assert isa(blocks, MemRefType) and isa(pairs, MemRefType)
    *outer, length = blocks.get_shape()
    if len(pairs.get_shape()) != len(outer) + 2 or not _is_dense(op.src):
        return False
    *outer_of_pairs, _, size = pairs.get_shape()
    element = source.type.element_type
    return (
        outer_of_pairs == outer
        and length % size == 0
        and isinstance(element, FixedBitwidthType)
        and fills_lines(element, (length, source.type.get_shape()[-1]))
    )


def _is_read_by_products(op: memref.SubviewOp) -> bool:
    """Whether a view leaves out unit dimensions, and is nothing but a left factor."""
    units = op.static_sizes.get_values().count(1)
    assert isa(op.source.type, MemRefType) and isa(op.result.type, MemRefType)
    dropped = op.source.type.get_num_dims() - op.result.type.get_num_dims()
    return units == dropped and all(
        _left_factor(use.operation) is op.result for use in op.result.uses
    )


def _left_factor(op: Operation) -> SSAValue | None:
    structure = structure_of(op) if op.dialect_name() == "linalg" else None
    return None if structure is None else left_factor(structure)


def _find_changed(
    sources: set[SSAValue], function: FuncOp, memory: Memory
) -> set[SSAValue]:
    """The sources that something in the function may write to."""
    # In the order of the arguments, whatever the order of the set.
    looked_after = [each for each in function.args if each in sources][:_MOST_SOURCES]
    changed = sources - {*looked_after}
    if not looked_after:
        return changed
    for op in ops_inside(function):
        if isinstance(op, FuncOp | ReturnOp) or op.has_trait(RecursiveMemoryEffect):
            continue
        for source in looked_after:
            if source not in changed and memory.disturbs(op, [source], ()):
                changed.add(source)
    return changed


def _view(packing: _Packing, order: Mapping[Operation, int]) -> None:
    blocks, source = packing.blocks, packing.source
    if packing.pairs:
        source = at_cache_line(source, blocks, _ends(packing, order))
    views: dict[SSAValue, SSAValue] = {}
    for reader in packing.readers:
        if reader.source not in views:
            view = _view_as(reader.source.type, source)
            Rewriter.insert_op(view, InsertPoint.before(blocks))
            views[reader.source] = view.result
        _read_from(reader, views[reader.source])
    for op in (*packing.deallocs, *packing.pairs, packing.loop, blocks):
        Rewriter.erase_op(op)


def _ends(packing: _Packing, order: Mapping[Operation, int]) -> Sequence[Operation]:
    """What the source is not needed for any more: in front of these a copy is freed."""
    block = packing.blocks.parent
    assert block is not None
    if any(dealloc.parent is not block for dealloc in packing.deallocs):
        return packing.deallocs
    users = [use.operation for each in packing.readers for use in each.result.uses]
    inside = map(block.find_ancestor_op_in_block, [*packing.readers, *users])
    last = max((op for op in inside if op is not None), key=order.__getitem__)
    return [] if last.next_op is None else [last.next_op for _ in packing.deallocs]


def _view_as(type_: Attribute, source: SSAValue) -> memref.ReinterpretCastOp:
    """The elements of the source as blocks, or as these with their rows in pairs."""
    source_type = source.type
    assert isa(type_, MemRefType) and isa(source_type, MemRefType)
    inner = row_strides(source_type)
    assert inner is not None
    sizes, rank = type_.get_shape(), len(inner)
    has_pairs = len(sizes) > 2 * rank
    block = (*sizes[rank : 2 * rank - 1], prod(sizes[2 * rank - 1 :]))
    strides = (*map(mul, inner, block), *inner)
    if has_pairs:
        strides = (*strides[:-1], sizes[-1], 1)
    view_type = with_layout(source_type, sizes, StridedForm(strides, 0))
    return memref.ReinterpretCastOp.from_dynamic(
        source, [0], list(sizes), list(strides), view_type
    )


def _read_from(reader: memref.SubviewOp, view: SSAValue) -> None:
    """Take the same part of the blocks from the view."""
    assert isa(view.type, MemRefType)
    sizes = reader.static_sizes.get_values()
    full = infer_subview_type(
        view.type,
        reader.static_offsets.get_values(),
        sizes,
        reader.static_strides.get_values(),
    )
    form = get_strided_form(full)
    assert form is not None
    kept = [dim for dim, size in enumerate(sizes) if size != 1]
    form = StridedForm(tuple(form.strides[dim] for dim in kept), form.offset)
    type_ = with_layout(full, [sizes[dim] for dim in kept], form)
    new = type(reader).create(
        operands=[view, *reader.operands[1:]],
        result_types=[type_],
        properties=reader.properties,
        attributes=reader.attributes,
    )
    Rewriter.replace_op(reader, new)


class ViewPackedInputsPass(TensorPass):
    """Read blocks of arguments where they are, instead of from a copy."""

    name = "view-packed-inputs"
    rewrite = staticmethod(view_packed_inputs)
