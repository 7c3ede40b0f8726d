"""Bufferization of the tensor ops that move or convert elements one by one.

%1 = tensor.gather %0[%indices] gather_dims([0]) : ...

%1 = memref.alloc() : memref<7x8xf32>
linalg.generic outs(%1) { ... memref.load %0[...] ... }
"""

from collections.abc import Sequence

from typing_extensions import override
from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import IndexType
from xdsl.dialects.linalg import ops as linalg
from xdsl.ir import Block, Operation, Region, SSAValue

from xdsl_bufferization.dialects.common.static_values import index_constant
from xdsl_bufferization.dialects.tensor.casts import BitcastOp
from xdsl_bufferization.dialects.tensor.elements import GatherOp, ScatterOp
from xdsl_bufferization.support.traversal import ops_inside

from ...interfaces.bufferizable import BufferizableOpInterface
from ...interfaces.destination_style_bufferization import DestinationStyleBufferization
from ...interfaces.state import BufferizationState
from .. import new_ops
from ..buffer_code import allocate, as_value, buffer_type_of, compute, size_of, sizes_of
from ..slices import static_numbers
from .new_tensors import ElementwiseConversion, NewTensorBufferization, new_buffer_type


class GatherOpBufferization(NewTensorBufferization):
    """`tensor.gather`: each element is loaded from where the indices say."""

    @override
    def bufferize(self, op: Operation, state: BufferizationState) -> None:
        assert isinstance(op, GatherOp)
        source, indices = (state.get_buffer(operand) for operand in op.operands)
        type_ = new_buffer_type(op, state)
        slices = _Slices(
            source, indices, static_numbers(op, "gather_dims"), type_.get_num_dims()
        )
        leading = slices.leading
        sizes = [size_of(indices, dimension, state) for dimension in range(leading)]
        sizes += [size_of(source, dimension, state) for dimension in slices.dimensions]
        body = Block(arg_types=[type_.element_type])
        loops = [linalg.IndexOp(dimension) for dimension in range(len(sizes))]
        body.add_ops(loops)
        position = slices.add_position([loop.result for loop in loops], body)
        load = new_ops.load(source, position)
        body.add_ops([load, linalg.YieldOp(load.res)])
        buffer = allocate(type_, sizes, state)
        compute(buffer, [], body, state)
        state.replace_op(op, [buffer])


class ScatterOpBufferization(DestinationStyleBufferization):
    """`tensor.scatter`: each element is stored to where the indices say."""

    @override
    def bufferize(self, op: Operation, state: BufferizationState) -> None:
        assert isinstance(op, ScatterOp)
        source, destination, indices = map(state.get_buffer, op.operands)
        rank = buffer_type_of(source).get_num_dims()
        slices = _Slices(destination, indices, static_numbers(op, "scatter_dims"), rank)
        zero, one = as_value(0, state), as_value(1, state)
        sizes = [as_value(size, state) for size in sizes_of(source, state)]
        bodies = [Block(arg_types=[IndexType()]) for _ in sizes]
        loops = [
            scf.ForOp(zero, size, one, [], Region(body))
            for size, body in zip(sizes, bodies, strict=True)
        ]
        for body, loop in zip(bodies, loops[1:], strict=False):
            body.add_ops([loop, scf.YieldOp()])
        # A source without dimensions is one element, and needs no loop.
        innermost = bodies[-1] if bodies else Block()
        ivs = [body.args[0] for body in bodies]
        load = new_ops.load(source, ivs)
        innermost.add_op(load)
        position = slices.add_position(ivs, innermost)
        innermost.add_op(new_ops.store(load.res, destination, position))
        if loops:
            innermost.add_op(scf.YieldOp())
            state.insert(loops[0])
            for new in ops_inside(loops[0]):
                new.location = op.location
        else:
            for new in list(innermost.ops):
                new.detach()
                state.insert(new)
        state.replace_op(op, [destination])


class _Slices:
    """Slices of size 1 along some dimensions of a buffer, at positions in another."""

    def __init__(
        self, whole: SSAValue, indices: SSAValue, selected: Sequence[int], rank: int
    ):
        self.indices = indices
        self.selected = selected
        self.rank = buffer_type_of(whole).get_num_dims()
        self.leading = buffer_type_of(indices).get_num_dims() - 1
        everything = range(self.rank)
        self.dimensions = (
            list(everything)
            if rank == self.leading + self.rank
            else [d for d in everything if d not in self.selected]
        )
        """The dimensions of the whole that the slices have."""

    def add_position(self, loops: Sequence[SSAValue], block: Block) -> list[SSAValue]:
        """Where the element of the slices at `loops` is in the whole.

        The ops that find out are added to `block`.
        """
        slice_, within = loops[: self.leading], loops[self.leading :]
        position = dict(zip(self.dimensions, within, strict=True))
        for number, dimension in enumerate(self.selected):
            constant = index_constant(number)
            load = new_ops.load(self.indices, [*slice_, constant.result])
            block.add_ops([constant, load])
            index = load.res
            if index.type != IndexType():
                cast = arith.IndexCastOp(index, IndexType())
                block.add_op(cast)
                index = cast.result
            position[dimension] = index
        return [position[dimension] for dimension in range(self.rank)]


ELEMENTS: dict[type[Operation], BufferizableOpInterface] = {
    BitcastOp: ElementwiseConversion(arith.BitcastOp),
    GatherOp: GatherOpBufferization(),
    ScatterOp: ScatterOpBufferization(),
}
