"""How `linalg.softmax` on buffers becomes loops.

    for every other index:
        m = max(x[i] for i);  out[i] = exp(x[i] - m), s = their sum;  out[i] /= s

Subtracting the maximum keeps the exponentials finite. Source:
https://mlir.llvm.org/docs/Dialects/Linalg/#linalgsoftmax-linalgsoftmaxop
"""

from collections.abc import Callable

from xdsl.builder import ImplicitBuilder
from xdsl.dialects import arith, math, memref, scf
from xdsl.dialects.builtin import AnyFloat, FloatAttr, IndexType
from xdsl.dialects.linalg.ops import YieldOp
from xdsl.ir import Block, Region, SSAValue

from xdsl_bufferization.dialects.common.static_values import index_constant
from xdsl_bufferization.dialects.linalg.aggregates import SoftmaxOp
from xdsl_bufferization.dialects.linalg.structure import element_type_of, rank_of
from xdsl_bufferization.support.errors import fail_at

from ..emission.function import FunctionLowering


def lower_softmax(op: SoftmaxOp, f: FunctionLowering) -> None:
    """Lower the op by way of the loops that it stands for."""
    if op.results:
        fail_at(op, f"'{op.name}' on tensors must be bufferized first")
    loops = softmax_loops(op)
    f.lower_ops(loops)
    loops.erase(safe_erase=False)


def softmax_loops(op: SoftmaxOp) -> Block:
    """The loops of a softmax on buffers, as a block of ops."""
    block = Block()
    with ImplicitBuilder(block):
        _Loops(op).emit([])
        YieldOp()
    return block


class _Loops:
    """The loops of one op, built where the implicit builder stands."""

    def __init__(self, op: SoftmaxOp):
        element = element_type_of(op.input.type)
        assert isinstance(element, AnyFloat)
        self.op = op
        self.element: AnyFloat = element
        self.rank = rank_of(op.input.type)
        self.zero, self.one = _index(0), _index(1)

    def emit(self, indices: list[SSAValue]) -> None:
        """Emit the loops inside those over `indices`."""
        if len(indices) == self.rank:
            self._normalize(indices)
        elif len(indices) == self.op.reduced:
            self.emit([*indices, self.zero])
        else:
            self._loop(len(indices), lambda index: self.emit([*indices, index]))

    def _normalize(self, indices: list[SSAValue]) -> None:
        """Emit what happens to the elements of one row."""
        op, reduced = self.op, self.op.reduced

        def at(buffer: SSAValue, index: SSAValue) -> SSAValue:
            return memref.LoadOp.get(
                buffer, [*indices[:reduced], index, *indices[reduced + 1 :]]
            ).res

        def put(value: SSAValue, index: SSAValue) -> None:
            memref.StoreOp.get(
                value, op.output, [*indices[:reduced], index, *indices[reduced + 1 :]]
            )

        def exponential(index: SSAValue, total: SSAValue) -> SSAValue:
            difference = arith.SubfOp(at(op.input, index), maximum).result
            value = math.ExpOp(difference).result
            put(value, index)
            return arith.AddfOp(total, value).result

        maximum = self._reduce(
            float("-inf"),
            lambda index, largest: (
                arith.MaximumfOp(largest, at(op.input, index)).result
            ),
        )
        total = self._reduce(0.0, exponential)
        self._loop(
            reduced,
            lambda index: put(arith.DivfOp(at(op.output, index), total).result, index),
        )

    def _size(self, dimension: int) -> SSAValue:
        return memref.DimOp(self.op.input, _index(dimension)).result

    def _loop(self, dimension: int, body: Callable[[SSAValue], None]) -> None:
        block = Block(arg_types=[IndexType()])
        bound = self._size(dimension)
        with ImplicitBuilder(block):
            body(block.args[0])
            scf.YieldOp()
        scf.ForOp(self.zero, bound, self.one, [], Region(block))

    def _reduce(
        self, start: float, combine: Callable[[SSAValue, SSAValue], SSAValue]
    ) -> SSAValue:
        block = Block(arg_types=[IndexType(), self.element])
        bound = self._size(self.op.reduced)
        init = arith.ConstantOp(FloatAttr(start, self.element)).result
        with ImplicitBuilder(block):
            scf.YieldOp(combine(*block.args))
        loop = scf.ForOp(self.zero, bound, self.one, [init], Region(block))
        return loop.results[0]


def _index(value: int) -> SSAValue:
    return index_constant(value).result
