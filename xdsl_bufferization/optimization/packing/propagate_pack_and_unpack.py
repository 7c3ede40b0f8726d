"""Element-wise ops on packed tensors, rather than on what is unpacked for them.

    %0 = linalg.unpack %p ... : tensor<8x8x32x32xf32> -> tensor<256x256xf32>
    %1 = linalg.generic ... ins(%bias) outs(%0)
        ->
    %0 = linalg.unpack %p ...
    %2 = linalg.pack %0 ...                          // the same tiles: %p, after all
    %3 = linalg.pack %bias ...
    %4 = linalg.generic ... ins(%3) outs(%2)         // on tensor<8x8x32x32xf32>
    %1 = linalg.unpack %4 ...

Runs after the passes that pack, and before `simplify-pack`, which removes the pairs of
unpack and pack that this one makes, and with them all but those at the ends. A pack
also goes up through an element-wise op, where that makes no more packs of it, and
through a pad of dimensions that are not cut. A sum over dimensions that are not cut,
such as the mean of an image, adds up packed elements as well. An unpack with several
users stays in front of those that lead to no pack. Only full tiles of static size, as
an op might not be allowed to see what fills up others.

Source: `propagate-pack-and-unpack` of tpp-mlir, and MLIR's data layout propagation.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from xdsl.dialects import tensor
from xdsl.dialects.builtin import IndexType, ModuleOp, TensorType
from xdsl.dialects.linalg.ops import FillOp, GenericOp, IndexOp, ReduceOp
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.ir.affine import AffineExpr
from xdsl.rewriter import Rewriter
from xdsl.traits import ConstantLike

from xdsl_bufferization.bufferization.mlir_pass import TensorPass
from xdsl_bufferization.dialects.arith.builder import ArithBuilder
from xdsl_bufferization.dialects.linalg.pack import PackOp, UnPackOp
from xdsl_bufferization.dialects.linalg.structure import (
    Structure,
    overwrites,
    structure_of,
)
from xdsl_bufferization.dialects.tensor.constraints import ranked_type
from xdsl_bufferization.support.classes import of_classes
from xdsl_bufferization.support.traversal import ops_inside

from ..common.pads import border_of, value_outside
from ..common.relayout import (
    Layout,
    empty_packed,
    erase_dead,
    pack,
    packed_slice,
    unpack,
)
from ..common.slices import insert_slice
from .pack_convolutions import WINDOW_ATTRIBUTE
from .packed_loops import PackedLoops, loop_of, packed_op
from .packed_views import VIEWS, push_below_view


def propagate_pack_and_unpack(module: ModuleOp) -> None:
    """Move unpacks down, and packs up, through the element-wise ops in `module`."""
    ops = ops_inside(module)
    leading = _leading_to_packs(ops)
    for op in ops:
        if op not in leading and _leaves_others_behind(op):
            continue
        if isinstance(op, tensor.InsertSliceOp):
            _insert_into_packed(op)
        elif op.results and not push_below_view(op):
            _push_down(op)
    packs = [op for op in ops_inside(module) if isinstance(op, PackOp)]
    while packs:
        # From the last to the first, and at once those that are new.
        packs += _bubble_up(packs.pop())


def _leading_to_packs(ops: Sequence[Operation]) -> set[Operation]:
    """The packs, and ops on tensors some result of which goes to a pack in the end."""
    leading: set[Operation] = set()
    for op in reversed(ops):
        users = (use.operation for value in op.results for use in value.uses)
        if isinstance(op, PackOp) or (
            _may_be_packed(op) and not leading.isdisjoint(users)
        ):
            leading.add(op)
    return leading


def _may_be_packed(op: Operation) -> bool:
    structure = structure_of(op)
    return _is_view(op) or (
        structure is not None and (all(structure.parallel) or _is_sum(op, structure))
    )


_is_view = of_classes(VIEWS, tensor.PadOp, tensor.InsertSliceOp)


def _is_sum(op: Operation, structure: Structure) -> bool:
    """Whether `op` combines elements of one tensor, such as adding them up."""
    return (
        isinstance(op, GenericOp | ReduceOp)
        and len(structure.inputs) == len(structure.outputs) == 1
        and WINDOW_ATTRIBUTE not in op.attributes
    )


def _leaves_others_behind(op: Operation) -> bool:
    """Whether other ops as well read what is unpacked for `op`.

    If no pack follows, two tensors would be unpacked in place of one: for a layer norm,
    its input and the squares of that.
    """
    return any(
        isinstance(value.owner, UnPackOp) and not value.has_one_use()
        for value in op.operands
    )


# Element-wise ops.


def _elementwise(op: Operation, *, takes_sums: bool = False) -> Structure | None:
    """`op` as a loop nest that may run in tiles; None if it is not one."""
    if isinstance(op, FillOp):
        # `constant-fold-pack` knows better.
        return None
    structure = structure_of(op)
    if structure is None:
        return None
    if not all(structure.parallel) and not (takes_sums and _is_sum(op, structure)):
        return None
    is_on_tensors = all(isinstance(v.type, TensorType) for v in structure.outputs)
    uses_index = any(isinstance(inner, IndexOp) for inner in structure.body.walk())
    return structure if is_on_tensors and not uses_index else None


def _push_down(op: Operation) -> None:
    """Do `op` on the packed side of an operand that was unpacked."""
    drivers = [
        (number, layout)
        for number, value in enumerate(op.operands)
        if isinstance(value.owner, UnPackOp)
        and (layout := Layout.of(value.owner)) is not None
    ]
    structure = _elementwise(op, takes_sums=True) if drivers else None
    if structure is None:
        return
    plans = (_plan(structure, number, layout) for number, layout in drivers)
    packing = next((plan for plan in plans if plan is not None), None)
    if packing is None:
        return
    builder = ArithBuilder.before(op)
    packed = _insert_packed(builder, structure, packing)
    layouts = packing.layouts[len(structure.inputs) :]
    results = [
        unpack(builder, result, layout, init)
        for result, layout, init in zip(
            packed.results, layouts, structure.outputs, strict=True
        )
    ]
    Rewriter.replace_op(op, [], results)


def _insert_into_packed(op: tensor.InsertSliceOp) -> None:
    """Insert the packed side of a part into that of the whole, or into a new tensor."""
    part, whole = op.source.owner, op.dest.owner
    layout = Layout.of(part) if isinstance(part, UnPackOp) else None
    if layout is None or not layout.has_only_full_tiles(ranked_type(op.dest)):
        return
    place = packed_slice(op, layout)
    builder = ArithBuilder.before(op)
    if place is None:
        return
    if isinstance(whole, tensor.EmptyOp):
        dest = empty_packed(builder, op.dest, layout)
    elif isinstance(whole, UnPackOp) and Layout.of(whole) == layout:
        dest = whole.source
    else:
        return
    assert isinstance(part, UnPackOp)
    new = insert_slice(part.source, dest, place.offsets, place.sizes, place.strides)
    packed = builder.insert(new).result
    Rewriter.replace_op(op, [], [unpack(builder, packed, layout, op.dest)])


def _bubble_up(op: PackOp) -> list[PackOp]:
    """Pack what the packed value is computed from instead; returns the new packs."""
    if op.parent is None or op.padding_value is not None or not op.source.has_one_use():
        return []
    source, layout = op.source.owner, Layout.of(op)
    if not isinstance(source, Operation) or layout is None:
        return []
    if isinstance(source, tensor.PadOp):
        return _pack_what_is_padded(op, source, layout)
    structure = _elementwise(source)
    if structure is None or len(source.results) > 1:
        return []
    packing = _plan(structure, len(structure.inputs), layout)
    if packing is None or packing.num_new_packs(structure) > 1:
        return []
    packed = _insert_packed(ArithBuilder.before(source), structure, packing)
    Rewriter.replace_op(op, [], packed.results)
    operands = [value.owner for value in packed.operands]
    erase_dead([source])
    return [owner for owner in operands if isinstance(owner, PackOp)]


def _pack_what_is_padded(op: PackOp, pad: tensor.PadOp, layout: Layout) -> list[PackOp]:
    """Pack the source of a pad instead, if no dimension that is cut has a border."""
    border = border_of(pad)
    if border is None or {*border.padded} & {*layout.dimensions}:
        return []
    if not layout.has_only_full_tiles(ranked_type(pad.source)):
        return []
    constants, value = value_outside(border, pad)
    builder = ArithBuilder.before(pad)
    for constant in constants:
        builder.insert(constant)
    packed = pack(builder, pad.source, layout)
    low, high = (
        [*(widths[d] for d in layout.outer), *[0] * len(layout.dimensions)]
        for widths in (border.low, border.high)
    )
    block = Block([tensor.YieldOp(value)], arg_types=[IndexType()] * len(low))
    new = tensor.PadOp(packed, [], [], Region(block), low, high, op.packed_type)
    builder.insert(new)
    Rewriter.replace_op(op, [], [new.result])
    erase_dead([pad])
    owner = packed.owner
    return [owner] if isinstance(owner, PackOp) else []


# Packing.


@dataclass(frozen=True)
class _Packing:
    """The new loops of an op, and the layouts of its operands."""

    loops: PackedLoops
    layouts: Sequence[Layout]

    def num_new_packs(self, structure: Structure) -> int:
        """How many operands have to be packed at run time."""
        operands = (*structure.inputs, *structure.outputs)
        arguments = structure.body.block.args
        return sum(
            not layout.is_trivial
            and argument.first_use is not None
            and not _is_packed_for_free(value)
            for value, layout, argument in zip(
                operands, self.layouts, arguments, strict=True
            )
        )


def _is_packed_for_free(value: SSAValue) -> bool:
    owner = value.owner
    return isinstance(owner, Operation) and (
        isinstance(owner, UnPackOp | FillOp | tensor.EmptyOp)
        or owner.has_trait(ConstantLike, value_if_unregistered=False)
    )


def _plan(structure: Structure, driver: int, layout: Layout) -> _Packing | None:
    """How to cut the loops so that operand `driver` gets `layout`, if that can be."""
    indices = structure.maps[driver].results
    cut = [loop_of(indices[dimension]) for dimension in layout.dimensions]
    tiles = {
        loop: size
        for loop, size in zip(cut, layout.sizes, strict=True)
        if loop is not None
    }
    order = _outer_order(structure, driver, layout)
    if len(tiles) < len(cut) or order is None:
        return None
    if not all(structure.parallel[loop] for loop in tiles):
        return None
    operands = (*structure.inputs, *structure.outputs)
    if not all(_can_cut(map_.results, tiles) for map_ in structure.maps):
        return None
    first = len(structure.inputs)
    if not all(overwrites(structure, at) for at in range(first, len(operands))):
        return None
    layouts = [
        layout if number == driver else _layout_of(map_.results, tiles, order)
        for number, map_ in enumerate(structure.maps)
    ]
    if not all(map(_fits, operands, layouts)):
        return None
    return _Packing(PackedLoops.tiles_last(order, list(tiles)), layouts)


def _can_cut(indices: Sequence[AffineExpr], tiles: Mapping[int, int]) -> bool:
    """Whether each loop that is cut is no index, or just one, and no part of others."""
    mentions = [d for index in indices for d in index.used_dims() if d in tiles]
    plain = {loop_of(index) for index in indices}
    return len(mentions) == len(set(mentions)) and plain.issuperset(mentions)


def _fits(value: SSAValue, layout: Layout) -> bool:
    if not isinstance(value.type, TensorType):
        return layout.is_trivial
    return layout.has_only_full_tiles(ranked_type(value))


def _outer_order(structure: Structure, driver: int, layout: Layout) -> list[int] | None:
    """The old loops in the order in which the driver's outer dimensions come.

    Other loops keep their places. None if a loop is an index twice.
    """
    indices = structure.maps[driver].results
    loops = [loop_of(indices[dimension]) for dimension in layout.outer]
    wanted = [loop for loop in loops if loop is not None]
    if len(set(wanted)) < len(wanted):
        return None
    rest = iter(wanted)
    places = frozenset(wanted)
    return [
        next(rest) if loop in places else loop
        for loop in range(len(structure.iterator_types))
    ]


def _layout_of(
    indices: Sequence[AffineExpr], tiles: Mapping[int, int], order: Sequence[int]
) -> Layout:
    """The layout of an operand: its dimensions in the order of the loops."""
    loops = [loop_of(index) for index in indices]
    dimension_of = {loop: d for d, loop in enumerate(loops) if loop is not None}
    if len(dimension_of) < len(loops):
        # There are computed indices: all dimensions stay where they are.
        outer = tuple(range(len(loops)))
    else:
        outer = tuple(dimension_of[loop] for loop in order if loop in dimension_of)
    cut = [loop for loop in tiles if loop in dimension_of]
    return Layout(
        tuple(dimension_of[loop] for loop in cut),
        tuple(tiles[loop] for loop in cut),
        outer,
    )


def _insert_packed(
    builder: ArithBuilder, structure: Structure, packing: _Packing
) -> Operation:
    """Insert the packs of all operands, and the op on them."""
    first = len(structure.inputs)
    operands = [
        pack(builder, value, layout)
        for value, layout in zip(structure.inputs, packing.layouts, strict=False)
    ]
    arguments = structure.body.block.args[first:]
    for value, layout, argument in zip(
        structure.outputs, packing.layouts[first:], arguments, strict=True
    ):
        if argument.first_use is None and not layout.is_trivial:
            # What is in it does not matter, as `_plan` has seen to.
            operands.append(empty_packed(builder, value, layout))
        else:
            operands.append(pack(builder, value, layout))
    return builder.insert(
        packed_op(structure, packing.loops, packing.layouts, operands)
    )


class PropagatePackAndUnpackPass(TensorPass):
    """Move packs and unpacks through element-wise ops."""

    name = "propagate-pack-and-unpack"
    rewrite = staticmethod(propagate_pack_and_unpack)
