"""The pass `fuse-loops-over-rows`: a softmax or a norm is computed row by row.

    linalg.generic { maximum }  ins(%x)        scf.parallel (%i) = (0) to (128) {
    linalg.generic { exp(x - m) } ins(%x, %m)    the same ops, on row %i of each buffer
    linalg.generic { sum }      ins(%e)     ->   scf.reduce
    linalg.generic { e / s }    ins(%e, %s)    }

Runs on buffers, before kernels are chosen. A row that one op has written is in the
nearest cache when the next op reads it. Threads can share the rows. A buffer
that no other op uses is replaced by one row on the stack.

Neighbouring ops form a group under these conditions:

- One of them is a reduction along rows. Its outer loops are the rows.
- Each op has these loops as its outermost parallel ones.
- Ops that use one buffer use the same row of it in the same iteration.
- No op of the group writes to a buffer that the body of one loads from.

The ops stay linalg ops, and become loops over vectors later.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import prod
from typing import Final

from xdsl.dialects import arith, memref, scf
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    IndexType,
    MemRefType,
    ModuleOp,
    UnitAttr,
)
from xdsl.dialects.linalg.ops import FillOp, GenericOp, IndexOp, ReduceOp
from xdsl.ir import Block, BlockArgument, Operation, Region, SSAValue
from xdsl.ir.affine import AffineConstantExpr, AffineDimExpr
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.utils.hints import isa

from xdsl_bufferization.bufferization.mlir_pass import LoweringPass
from xdsl_bufferization.dialects.common.elementwise import bit_width
from xdsl_bufferization.dialects.common.static_values import index_constant
from xdsl_bufferization.dialects.linalg.structure import (
    Structure,
    element_type_of,
    structure_of,
)
from xdsl_bufferization.dialects.memref.layouts import has_identity_layout
from xdsl_bufferization.dialects.memref.slices import infer_subview_type
from xdsl_bufferization.support.traversal import ops_inside

from ..common.contractions import contraction_of
from ..common.payloads import buffers_read

ROW_LOOP: Final = "xbuf.rows"
"""The attribute of a loop whose ops become loops over vectors, and not kernels."""

_VIEWS = (memref.ExpandShapeOp, memref.CollapseShapeOp)
_BETWEEN = (*_VIEWS, memref.AllocOp, memref.GetGlobalOp, arith.ConstantOp)
"""Ops between those of a group, which can all be before it."""

_SHORTEST_ROW = 16
"""Shorter rows are not worth a loop of their own."""

_STACK_BYTES = 4096
"""The most that a row of a buffer may need to be on the stack."""

_LONGEST_GROUP = 32

Rows = tuple[int, ...]


def fuse_loops_over_rows(module: ModuleOp) -> None:
    """Make one loop over rows of each group of ops."""
    blocks = [
        block
        for op in ops_inside(module)
        for region in op.regions
        for block in region.blocks
        if structure_of(op) is None
    ]
    for block in blocks:
        for run in _runs(block):
            for rows, group in _groups(run):
                _fuse(rows, group)


# Which ops form a group.


@dataclass(frozen=True)
class _Member:
    """An op of which a group may be made."""

    op: Operation
    structure: Structure
    sizes: Rows
    """The trip count of each loop."""
    loaded: Sequence[SSAValue]
    """The buffers that the body loads from, wherever it likes."""

    def leading(self) -> Rows:
        """The outermost parallel loops but for those of one iteration."""
        found: list[int] = []
        for size, is_parallel in zip(self.sizes, self.structure.parallel, strict=True):
            if not is_parallel:
                break
            if size != 1:
                found.append(size)
        return tuple(found)

    @property
    def is_row_reduction(self) -> bool:
        """Whether outer loops are parallel, and the inner ones reduce long rows."""
        parallel = list(self.structure.parallel)
        count = parallel.count(True)
        inner = self.sizes[count:]
        return (
            0 < count < len(parallel)
            and all(parallel[:count])
            and prod(inner) >= _SHORTEST_ROW
            and len(self.structure.inputs) > 0
        )

    def row_loops(self, rows: Rows) -> list[int] | None:
        """The loops over rows, outermost first; None if the op has others."""
        if self.leading()[: len(rows)] != rows:
            return None
        loops = [loop for loop, size in enumerate(self.sizes) if size != 1]
        return loops[: len(rows)]

    def operands(self) -> Iterator[tuple[SSAValue, Sequence[object]]]:
        """Each operand, and how it is indexed."""
        values = (*self.structure.inputs, *self.structure.outputs)
        for value, map_ in zip(values, self.structure.maps, strict=True):
            yield value, map_.results


def _member(op: Operation) -> _Member | None:
    if not isinstance(op, GenericOp | ReduceOp | FillOp) or op.results:
        return None
    structure = structure_of(op)
    if structure is None or contraction_of(op) is not None:
        return None
    if not all(map(_is_plain, (*structure.inputs, *structure.outputs))):
        return None
    sizes, loaded = _sizes(structure), buffers_read(structure.body)
    if sizes is None or loaded is None:
        return None
    return _Member(op, structure, sizes, loaded)


def _is_plain(value: SSAValue) -> bool:
    """Whether a value is a number, or a whole buffer of known sizes."""
    type_ = value.type
    if not isa(type_, MemRefType):
        return True
    return has_identity_layout(type_) and DYNAMIC_INDEX not in type_.get_shape()


def _sizes(structure: Structure) -> Rows | None:
    """The trip counts, if each index is a constant, or a loop of its own.

    A row of a diagonal, (i) -> (i, i), is no row of the buffer.
    """
    sizes: dict[int, int] = {}
    values = (*structure.inputs, *structure.outputs)
    for value, map_ in zip(values, structure.maps, strict=True):
        if not isa(value.type, MemRefType):
            continue
        loops = [expr for expr in map_.results if isinstance(expr, AffineDimExpr)]
        if len(set(loops)) < len(loops):
            return None
        for expr, size in zip(map_.results, value.type.get_shape(), strict=True):
            if isinstance(expr, AffineDimExpr):
                sizes[expr.position] = size
            elif not isinstance(expr, AffineConstantExpr):
                return None
    count = len(structure.parallel)
    return tuple(sizes[i] for i in range(count)) if len(sizes) == count else None


def _runs(block: Block) -> list[list[_Member]]:
    """Ops that follow each other, but for ops that can be before all of them."""
    runs: list[list[_Member]] = [[]]
    for op in block.ops:
        member = _member(op)
        if member is not None:
            runs[-1].append(member)
        elif not isinstance(op, _BETWEEN):
            runs.append([])
    return [run for run in runs if len(run) > 1]


def _groups(run: list[_Member]) -> Iterator[tuple[Rows, list[_Member]]]:
    """The groups of a run, each with the sizes of its loops over rows."""
    start = 0
    for number, member in enumerate(run):
        if number < start or not member.is_row_reduction:
            continue
        rows = member.leading()
        if not rows:
            continue
        group = [member]
        first, last = number, number + 1
        while first > start and _fits(rows, [run[first - 1], *group]):
            first -= 1
            group.insert(0, run[first])
        while last < len(run) and _fits(rows, [*group, run[last]]):
            group.append(run[last])
            last += 1
        start = last
        group = _without_other_fills(group)
        if len(group) > 1:
            yield rows, group


def _without_other_fills(group: list[_Member]) -> list[_Member]:
    """A group that ends with no fill: such a fill is for an op that follows."""
    while isinstance(group[-1].op, FillOp):
        group = group[:-1]
    return group


def _fits(rows: Rows, group: list[_Member]) -> bool:
    """Whether the ops of a group may be computed row by row."""
    if len(group) > _LONGEST_GROUP:
        return False
    written = {_root(value) for each in group for value in each.structure.outputs}
    steps: dict[SSAValue, Rows] = {}
    roots: set[SSAValue] = set()
    for member in group:
        loops = member.row_loops(rows)
        if loops is None:
            return False
        for value, indices in member.operands():
            if not isa(value.type, MemRefType):
                continue
            root = _root(value)
            roots.add(root)
            if root not in written:
                continue
            found = _row_steps(value, indices, loops)
            if found is None or steps.setdefault(root, found) != found:
                return False
        loaded = {_root(value) for value in member.loaded}
        if not written.isdisjoint(loaded):
            return False
        roots |= loaded
    return all(map(_is_known, roots)) and _are_apart(roots, written)


def _row_steps(
    value: SSAValue, indices: Sequence[object], loops: Sequence[int]
) -> Rows | None:
    """How far apart the rows of a buffer are; None if an iteration has several."""
    assert isa(value.type, MemRefType)
    shape = value.type.get_shape()
    found: list[int] = []
    place = 0
    for loop in loops:
        # The dimensions before and between those of rows have one element.
        while place < len(shape) and indices[place] != AffineDimExpr(loop):
            if shape[place] != 1:
                return None
            place += 1
        if place == len(shape):
            return None
        found.append(prod(shape[place + 1 :]))
        place += 1
    return tuple(found)


def _root(value: SSAValue) -> SSAValue:
    """The buffer that a value is a view of."""
    while isinstance(value.owner, _VIEWS):
        value = value.owner.operands[0]
    return value


def _is_known(root: SSAValue) -> bool:
    return isinstance(root, BlockArgument) or isinstance(
        root.owner, memref.AllocOp | memref.GetGlobalOp
    )


def _are_apart(roots: set[SSAValue], written: set[SSAValue]) -> bool:
    """Whether a written buffer has no memory in common with another one."""
    arguments = [root for root in roots if isinstance(root, BlockArgument)]
    return len(arguments) < 2 or not written.intersection(arguments)


# One loop.


def _fuse(rows: Rows, group: list[_Member]) -> None:
    first = group[0].op
    _move_before(first, group[-1].op, {member.op for member in group})
    constants = [index_constant(n) for n in (0, 1)]
    ends = [index_constant(n) for n in rows]
    zero, one = (each.result for each in constants)
    body = Block(arg_types=[IndexType()] * len(rows))
    stack = _on_stack(rows, group)
    pieces: dict[object, SSAValue] = {}
    for member in group:
        loops = member.row_loops(rows)
        assert loops is not None
        _add_to_body(
            body, member, dict(zip(loops, body.args, strict=True)), stack, pieces
        )
    body.add_op(scf.ReduceOp())
    loop = scf.ParallelOp(
        [zero] * len(rows),
        [each.result for each in ends],
        [one] * len(rows),
        Region(body),
    )
    loop.attributes[ROW_LOOP] = UnitAttr()
    loop.location = first.location
    for op in (*constants, *ends, loop):
        Rewriter.insert_op(op, InsertPoint.before(first))
    for member in group:
        Rewriter.erase_op(member.op)
    for allocation in stack:
        for use in list(allocation.uses):
            assert isinstance(use.operation, memref.DeallocOp)
            Rewriter.erase_op(use.operation)
        assert isinstance(allocation.owner, Operation)
        Rewriter.erase_op(allocation.owner)


def _move_before(first: Operation, last: Operation, members: set[Operation]) -> None:
    """Move the ops between those of a group before it."""
    op = first.next_op
    while op is not None and op is not last:
        following = op.next_op
        if op not in members:
            op.detach()
            Rewriter.insert_op(op, InsertPoint.before(first))
        op = following


def _on_stack(rows: Rows, group: list[_Member]) -> set[SSAValue]:
    """Buffers that the group fills and no other op uses, with a few bytes for each row.

    A buffer that only gives the shape of a window has no rows, and stays.
    """
    members = {member.op for member in group}
    found: set[SSAValue] = set()
    for member in group:
        for value in member.structure.outputs:
            if not isinstance(value.owner, memref.AllocOp):
                continue
            users = [use.operation for use in value.uses]
            is_small = _bytes_of(value) <= _STACK_BYTES * prod(rows)
            if is_small and all(
                op in members or isinstance(op, memref.DeallocOp) for op in users
            ):
                found.add(value)
    return found


def _bytes_of(value: SSAValue) -> int:
    assert isa(value.type, MemRefType)
    bits = bit_width(element_type_of(value.type))
    return prod(value.type.get_shape()) * -(-bits // 8)


def _add_to_body(
    body: Block,
    member: _Member,
    rows: dict[int, SSAValue],
    stack: set[SSAValue],
    pieces: dict[object, SSAValue],
) -> None:
    """Add an op that computes one row; `rows` are the indices of the row by loop."""
    copy = member.op.clone()
    for number, (value, indices) in enumerate(member.operands()):
        if not isa(value.type, MemRefType):
            continue
        offsets = {
            place: rows[expr.position]
            for place, expr in enumerate(indices)
            if isinstance(expr, AffineDimExpr) and expr.position in rows
        }
        if not offsets:
            continue
        key = (value, tuple(offsets.items()))
        if key not in pieces:
            piece = _row_on_stack if value in stack else _row
            op = piece(value, offsets)
            body.add_op(op)
            pieces[key] = op.results[0]
        copy.operands[number] = pieces[key]
    body.add_op(copy)
    for op in ops_inside(copy):
        if isinstance(op, IndexOp) and op.dim.value.data in rows:
            Rewriter.replace_op(op, [], [rows[op.dim.value.data]])


def _row(value: SSAValue, offsets: dict[int, SSAValue]) -> Operation:
    """The view of a row of a buffer."""
    assert isa(value.type, MemRefType)
    shape = value.type.get_shape()
    sizes = [1 if place in offsets else size for place, size in enumerate(shape)]
    starts = [offsets.get(place, 0) for place in range(len(shape))]
    known = [DYNAMIC_INDEX if each in offsets else 0 for each in range(len(shape))]
    ones = [1] * len(shape)
    type_ = infer_subview_type(value.type, known, sizes, ones)
    return memref.SubviewOp.get(value, starts, sizes, ones, type_)


def _row_on_stack(value: SSAValue, offsets: dict[int, SSAValue]) -> Operation:
    """Memory for a row."""
    assert isa(value.type, MemRefType)
    shape = value.type.get_shape()
    sizes = [1 if place in offsets else size for place, size in enumerate(shape)]
    return memref.AllocaOp.get(value.type.element_type, alignment=64, shape=sizes)


class FuseLoopsOverRowsPass(LoweringPass):
    """Compute groups of ops, such as those of a softmax, row by row."""

    name = "fuse-loops-over-rows"
    rewrite = staticmethod(fuse_loops_over_rows)
