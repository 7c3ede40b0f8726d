"""Bufferization of the linalg dialect: the same op on buffers, without results.

%1 = linalg.fill ins(%f : f32) outs(%0 : tensor<4xf32>) -> tensor<4xf32>
linalg.fill ins(%f : f32) outs(%0 : memref<4xf32>)
"""

from collections.abc import Sequence

from typing_extensions import override
from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import IndexType
from xdsl.dialects.linalg.abstract_ops import LinalgStructuredOperation
from xdsl.dialects.linalg.attrs import IteratorType, IteratorTypeAttr
from xdsl.dialects.linalg.ops import BroadcastOp, GenericOp, ReduceOp
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.ir.affine import AffineDimExpr, AffineMap

from xdsl_bufferization.dialects.linalg.aggregates import SoftmaxOp
from xdsl_bufferization.dialects.linalg.fills import new_fill
from xdsl_bufferization.dialects.linalg.mapped import MapOp
from xdsl_bufferization.dialects.linalg.pack import PackOp, RelayoutOp, UnPackOp
from xdsl_bufferization.dialects.linalg.structure import (
    indexing_maps_of,
    iterator_types_of,
    known_structure,
    overwrites,
    structure_of,
)
from xdsl_bufferization.dialects.linalg.tiles import (
    copy_through,
    has_dynamic_tiles,
    tile_maps,
)
from xdsl_bufferization.dialects.linalg.user_maps import ElementwiseOp

from ...interfaces.bufferizable import BufferizableOpInterface
from ...interfaces.destination_style_bufferization import (
    DestinationStyleBufferization,
    get_tensor_inits,
)
from ...interfaces.operands import OpOperand, is_tensor
from ...interfaces.state import AnalysisState, BufferizationState
from .. import new_ops
from ..buffer_code import as_value, size_of
from ..destination_style.linalg import STRUCTURED_OPS


class PayloadOpBufferization(DestinationStyleBufferization):
    """An op whose region has one argument per operand, and computes one element."""

    @override
    def bufferizes_to_memory_read(
        self, operand: OpOperand, state: AnalysisState
    ) -> bool:
        payload = operand.owner.regions[0].blocks[0]
        return payload.args[operand.number].first_use is not None

    @override
    def bufferize(self, op: Operation, state: BufferizationState) -> None:
        buffers = [
            state.get_buffer(value) if is_tensor(value) else value
            for value in op.operands
        ]
        inits = get_tensor_inits(op)
        on_buffers = type(op).create(
            operands=buffers,
            properties=op.properties,
            attributes=op.attributes,
            regions=[op.detach_region(region) for region in tuple(op.regions)],
        )
        state.insert(on_buffers)
        state.replace_op(op, [buffers[init.number] for init in inits])


class StructuredOpBufferization(PayloadOpBufferization):
    """An op with loops, and a payload for one iteration."""

    @override
    def bufferizes_to_memory_read(
        self, operand: OpOperand, state: AnalysisState
    ) -> bool:
        """Also true of an output of which some elements are not written.

        The result has these elements of the init. MLIR's answer is that of the payload
        alone, and the elements are lost.
        """
        return super().bufferizes_to_memory_read(operand, state) or not (
            _overwrites(operand)
        )

    @override
    def bufferizes_to_elementwise_access(
        self, op: Operation, operands: Sequence[OpOperand], state: AnalysisState
    ) -> bool:
        if isinstance(op, LinalgStructuredOperation):
            # The whole structure of a named op takes long to compute.
            if not all(map(_is_parallel, iterator_types_of(op))):
                return False
            maps = indexing_maps_of(op)
        else:
            structure = structure_of(op)
            if structure is None or not all(structure.parallel):
                return False
            maps = structure.maps
        return all(_is_identity(maps[operand.number]) for operand in operands)


class SoftmaxOpBufferization(PayloadOpBufferization):
    """`linalg.softmax`: it overwrites its output."""

    @override
    def bufferizes_to_memory_read(
        self, operand: OpOperand, state: AnalysisState
    ) -> bool:
        return operand.number == 0


class RelayoutOpBufferization(DestinationStyleBufferization):
    """`linalg.pack` and `linalg.unpack`: a loop nest that copies every element.

    MLIR 22 has no bufferization of these ops, and no buffers in them.
    """

    @override
    def bufferizes_to_memory_read(
        self, operand: OpOperand, state: AnalysisState
    ) -> bool:
        return operand.number == 0

    @override
    def bufferize(self, op: Operation, state: BufferizationState) -> None:
        assert isinstance(op, RelayoutOp)
        source, dest = (state.get_buffer(value) for value in op.operands[:2])
        padding = op.padding_value if isinstance(op, PackOp) else None
        if padding is not None and not op.has_only_full_tiles():
            state.insert(new_fill(padding, dest))
        if has_dynamic_tiles(op):
            copy_in_tiles(op, source, dest, state)
        else:
            maps = tile_maps(op)
            from_map, to_map = (
                (maps.unpacked, maps.packed)
                if isinstance(op, PackOp)
                else (maps.packed, maps.unpacked)
            )
            state.insert(copy_through((source, from_map), (dest, to_map)))
        state.replace_op(op, [dest])


def _is_parallel(iterator: IteratorTypeAttr) -> bool:
    return iterator.data is IteratorType.PARALLEL


def _overwrites(operand: OpOperand) -> bool:
    """Whether an operand is an input, or an output of which all elements are written.

    A named op writes all of its output, or reads its output in its payload.
    """
    op = operand.owner
    if not isinstance(op, GenericOp | ElementwiseOp | ReduceOp):
        return True
    structure = known_structure(op)
    number = operand.number
    return number < len(structure.inputs) or overwrites(structure, number)


def _is_identity(map_: AffineMap) -> bool:
    return map_.num_dims == len(map_.results) and all(
        isinstance(result, AffineDimExpr) and result.position == dimension
        for dimension, result in enumerate(map_.results)
    )


# --- packs with tile sizes that are values ------------------------------------------


def copy_in_tiles(
    op: RelayoutOp, source: SSAValue, dest: SSAValue, state: BufferizationState
) -> None:
    """Copy the elements of a pack or an unpack from one buffer to the other.

        %0 = linalg.pack %a inner_dims_pos = [0] inner_tiles = [%t] into %b
            : tensor<?xf32> -> tensor<?x?xf32>

        scf.parallel (%i) = (%c0) to (%size) step (%c1) {
          %number, %place = arith.divui %i, %t, arith.remui %i, %t
          %x = memref.load %a[%i]
          memref.store %x, %b[%number, %place]
        }

    No affine map divides by a value, so that there is no `linalg.generic` for these.
    The loops go over the unpacked side. So nothing beyond it is read or written.
    """
    unpacked = source if isinstance(op, PackOp) else dest
    rank = op.unpacked_type.get_num_dims()
    bounds = [as_value(size_of(unpacked, at, state), state) for at in range(rank)]
    tiles = _tile_sizes(op, state)
    zero, one = as_value(0, state), as_value(1, state)
    body = Block(arg_types=[IndexType()] * rank)
    indices = _packed_indices(op, body, tiles)
    at_source, at_dest = (
        (body.args, indices) if isinstance(op, PackOp) else (indices, body.args)
    )
    load = new_ops.load(source, at_source)
    body.add_ops([load, new_ops.store(load.results[0], dest, at_dest), scf.ReduceOp()])
    for inner in body.ops:
        inner.location = op.location
    steps = [zero] * rank, bounds, [one] * rank
    state.insert(scf.ParallelOp(*steps, Region(body)))


def _tile_sizes(op: RelayoutOp, state: BufferizationState) -> dict[int, SSAValue]:
    """From dimensions to the sizes of their tiles, in the order of the tiles."""
    values = iter(op.tile_operands)
    return {
        dimension: next(values) if size < 0 else as_value(size, state)
        for dimension, size in op.tiles_by_dimension.items()
    }


def _packed_indices(
    op: RelayoutOp, body: Block, tiles: dict[int, SSAValue]
) -> Sequence[SSAValue]:
    """Where an element is in the packed tensor, whose place in the other is known."""
    numbers = list[SSAValue](body.args)
    places: list[SSAValue] = []
    for dimension, tile in tiles.items():
        index = body.args[dimension]
        number, place = arith.DivUIOp(index, tile), arith.RemUIOp(index, tile)
        body.add_ops([number, place])
        numbers[dimension] = number.result
        places.append(place.result)
    return [*(numbers[dimension] for dimension in op.outer_permutation), *places]


MODELS: dict[type[Operation], BufferizableOpInterface] = {
    **dict.fromkeys(STRUCTURED_OPS, StructuredOpBufferization()),
    **dict.fromkeys((BroadcastOp, MapOp, ReduceOp), StructuredOpBufferization()),
    SoftmaxOp: SoftmaxOpBufferization(),
    PackOp: RelayoutOpBufferization(),
    UnPackOp: RelayoutOpBufferization(),
}
