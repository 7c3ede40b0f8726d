"""decompose-aggregated-ops: `linalg.softmax` as four structured ops.

    %r = linalg.softmax dimension(1) ins(%x) outs(%o) : 4x8

    %max = linalg.generic { max(out, x) } ins(%x) outs(-inf) : 4
    %exp = linalg.generic { exp(x - max) } ins(%x, %max) outs(%o) : 4x8
    %sum = linalg.generic { out + x } ins(%exp) outs(0) : 4
    %r = linalg.generic { out / sum } ins(%sum) outs(%exp) : 4x8

After tiling, which takes a softmax as one op. Source of the steps: MLIR's
`SoftmaxOp::decomposeOperation`.
"""

from collections.abc import Callable, Sequence
from math import inf

from xdsl.dialects import arith, math, tensor
from xdsl.dialects.builtin import (
    AffineMapAttr,
    ModuleOp,
    TensorType,
)
from xdsl.dialects.linalg.attrs import IteratorTypeAttr
from xdsl.dialects.linalg.ops import GenericOp
from xdsl.ir import Operation, SSAValue
from xdsl.ir.affine import AffineMap
from xdsl.rewriter import InsertPoint, Rewriter

from xdsl_bufferization.bufferization.interfaces.tile_builder import TileBuilder
from xdsl_bufferization.bufferization.mlir_pass import TensorPass
from xdsl_bufferization.bufferization.models import attach_all
from xdsl_bufferization.dialects.common.static_values import decompose_mixed_values
from xdsl_bufferization.dialects.linalg.aggregates import SoftmaxOp
from xdsl_bufferization.dialects.linalg.scalars import PayloadBuilder, build_payload
from xdsl_bufferization.dialects.linalg.structure import element_type_of, projection
from xdsl_bufferization.dialects.tensor.constraints import ranked_type
from xdsl_bufferization.support.traversal import ops_inside

from ..common.zero_fills import insert_fill, new_number

_Payload = Callable[[PayloadBuilder, Sequence[SSAValue]], SSAValue]


def decompose_aggregated_ops(module: ModuleOp) -> None:
    """Decompose every `linalg.softmax` of `module` that is on tensors.

    One on buffers stays as it is: the lowering makes loops of it.
    """
    attach_all()
    for op in ops_inside(module):
        if isinstance(op, SoftmaxOp) and op.results:
            _Decomposition(op).run()


class _Decomposition:
    def __init__(self, op: SoftmaxOp):
        self._op = op
        self._builder = TileBuilder(InsertPoint.before(op))
        rank = ranked_type(op.input).get_num_dims()
        self._whole = AffineMap.identity(rank)
        self._rows = projection(rank, [op.reduced])

    def run(self) -> None:
        source, output = self._op.input, self._op.output
        largest = self._reduce(source, -inf, _maximum)
        shifted = self._compute([source, largest], output, _exp_of_difference)
        total = self._reduce(shifted, 0.0, _sum)
        result = self._compute([total], shifted, _quotient)
        Rewriter.replace_op(self._op, [], [result])

    def _insert(self, op: Operation) -> None:
        op.location = self._op.location
        self._builder.insert(op)

    def _reduce(self, source: SSAValue, start: float, payload: _Payload) -> SSAValue:
        """Combine the numbers along the dimension, from `start` on."""
        element = element_type_of(source.type)
        number = new_number(start, element, self._insert)
        assert number is not None, "the numbers of a softmax are floating-point"
        init = insert_fill(number, self._new_rows(), self._insert)
        kinds = [
            IteratorTypeAttr.reduction()
            if loop == self._op.reduced
            else IteratorTypeAttr.parallel()
            for loop in range(self._whole.num_dims)
        ]
        op = GenericOp(
            [source],
            [init],
            build_payload(payload, [element, element]),
            [AffineMapAttr(self._whole), AffineMapAttr(self._rows)],
            kinds,
            [init.type],
        )
        self._insert(op)
        return op.results[0]

    def _new_rows(self) -> SSAValue:
        """A tensor without the dimension."""
        type_ = ranked_type(self._op.input)
        kept = [d for d in range(type_.get_num_dims()) if d != self._op.reduced]
        sizes = [self._builder.size_of(self._op.input, d) for d in kept]
        shape, dynamic = decompose_mixed_values(sizes)
        op = tensor.EmptyOp(dynamic, TensorType(type_.element_type, shape))
        self._insert(op)
        return op.tensor

    def _compute(
        self, inputs: Sequence[SSAValue], output: SSAValue, payload: _Payload
    ) -> SSAValue:
        """Compute every number; of rows there is one for each."""
        rank = self._whole.num_dims
        maps = [
            self._whole if ranked_type(value).get_num_dims() == rank else self._rows
            for value in (*inputs, output)
        ]
        op = GenericOp(
            inputs,
            [output],
            build_payload(payload, [element_type_of(output.type)] * len(maps)),
            [AffineMapAttr(map_) for map_ in maps],
            [IteratorTypeAttr.parallel()] * rank,
            [output.type],
        )
        self._insert(op)
        return op.results[0]


def _maximum(b: PayloadBuilder, elements: Sequence[SSAValue]) -> SSAValue:
    return b.insert(arith.MaximumfOp(elements[0], elements[1]))


def _sum(b: PayloadBuilder, elements: Sequence[SSAValue]) -> SSAValue:
    return b.insert(arith.AddfOp(elements[0], elements[1]))


def _exp_of_difference(b: PayloadBuilder, elements: Sequence[SSAValue]) -> SSAValue:
    difference = b.insert(arith.SubfOp(elements[0], elements[1]))
    return b.insert(math.ExpOp(difference))


def _quotient(b: PayloadBuilder, elements: Sequence[SSAValue]) -> SSAValue:
    return b.insert(arith.DivfOp(elements[1], elements[0]))


class DecomposeAggregatedOpsPass(TensorPass):
    """Turn `linalg.softmax` into structured ops."""

    name = "decompose-aggregated-ops"
    rewrite = staticmethod(decompose_aggregated_ops)
