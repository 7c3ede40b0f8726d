"""convert-elementwise-to-linalg: arithmetic on tensors as structured ops on elements.

    %2 = arith.addf %0, %1 : tensor<4xf32>
        ->
    %2 = linalg.generic {indexing_maps = [(d0) -> (d0), (d0) -> (d0), (d0) -> (d0)],
                         iterator_types = ["parallel"]} ins(%0, %1) outs(%0) {
    ^bb0(%a: f32, %b: f32, %out: f32):
      %3 = arith.addf %a, %b : f32
      linalg.yield %3 : f32
    }

Before everything else that is done on tensors: ops of arith and math have no buffers to
write to, structured ops have. Takes all ops of the two dialects that have an operand
which is a tensor with a rank, among them a select with one condition for all elements.

A result is written to the first operand that has its type, or else to a new tensor.
Bufferization copies the operand if it is read later. Two things differ from MLIR's
pass:

- A result is never written to an argument of the function. Its memory is the caller's,
  and it would be copied to return it.
- A constant with one value for all elements is that value in the body. So nothing has
  to be in memory for it.

Source: MLIR's pass of that name.
"""

from collections.abc import Mapping, Sequence

from xdsl.dialects.arith import ConstantOp
from xdsl.dialects.builtin import (
    AffineMapAttr,
    FloatAttr,
    IntegerAttr,
    ModuleOp,
    TensorType,
)
from xdsl.dialects.func import FuncOp
from xdsl.dialects.linalg.attrs import IteratorTypeAttr
from xdsl.dialects.linalg.ops import GenericOp, YieldOp
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.ir.affine import AffineMap
from xdsl.rewriter import Rewriter
from xdsl.utils.type import get_element_type_or_self

from xdsl_bufferization.bufferization.interfaces.operands import (
    is_elementwise_on_tensors,
    owner_op,
)
from xdsl_bufferization.bufferization.mlir_pass import TensorPass
from xdsl_bufferization.dialects.arith.builder import ArithBuilder
from xdsl_bufferization.dialects.tensor.canonicalization.values import (
    dense_constant,
    splat_element,
)
from xdsl_bufferization.dialects.tensor.constraints import ranked_type
from xdsl_bufferization.support.traversal import ops_inside

from ..common.relayout import empty_like


def convert_elementwise_to_linalg(module: ModuleOp) -> None:
    """Make ops of arith and math in `module` that have tensors `linalg.generic`."""
    for op in ops_inside(module):
        if is_elementwise_on_tensors(op):
            _convert(op)


def _convert(op: Operation) -> None:
    builder = ArithBuilder.before(op)
    scalars = {
        number: builder.insert(ConstantOp(value)).result
        for number, operand in enumerate(op.operands)
        if (value := _splat(operand)) is not None
    }
    inputs = [value for n, value in enumerate(op.operands) if n not in scalars]
    outputs = [_find_output(builder, op, inputs, result) for result in op.results]
    rank = ranked_type(op.results[0]).get_num_dims()
    whole, none = AffineMap.identity(rank), AffineMap(rank, 0, ())
    new_op = GenericOp(
        inputs,
        outputs,
        Region(_make_body(op, inputs, scalars)),
        [
            AffineMapAttr(whole if isinstance(value.type, TensorType) else none)
            for value in (*inputs, *op.results)
        ],
        [IteratorTypeAttr.parallel()] * rank,
        op.result_types,
    )
    new_op.location = op.location
    Rewriter.replace_op(op, new_op)


def _splat(value: SSAValue) -> FloatAttr | IntegerAttr | None:
    """The one value that all elements of a constant have."""
    elements = dense_constant(value)
    return None if elements is None else splat_element(elements)


def _find_output(
    builder: ArithBuilder, op: Operation, inputs: Sequence[SSAValue], result: SSAValue
) -> SSAValue:
    """What is as large as a result: an input of its type, or a new tensor."""
    for each in inputs:
        if each.type == result.type and not isinstance(owner_op(each), FuncOp):
            return each
    tensors = (each for each in op.operands if isinstance(each.type, TensorType))
    return empty_like(builder, next(tensors), ranked_type(result))


def _make_body(
    op: Operation, inputs: Sequence[SSAValue], scalars: Mapping[int, SSAValue]
) -> Block:
    """The same op on elements, some of which are not in tensors."""
    values = (*inputs, *op.results)
    types = [get_element_type_or_self(value.type) for value in values]
    block = Block(arg_types=types)
    arguments = iter(block.args)
    new_op = type(op).create(
        operands=[
            scalars[number] if number in scalars else next(arguments)
            for number in range(len(op.operands))
        ],
        result_types=types[len(inputs) :],
        properties=op.properties,
        attributes=op.attributes,
    )
    new_op.location = op.location
    block.add_ops([new_op, YieldOp(*new_op.results)])
    return block


class ConvertElementwiseToLinalgPass(TensorPass):
    """Make arithmetic on tensors structured ops, which bufferize."""

    name = "convert-elementwise-to-linalg"
    rewrite = staticmethod(convert_elementwise_to_linalg)
