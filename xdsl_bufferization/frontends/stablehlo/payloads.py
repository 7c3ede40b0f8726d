"""Regions of reductions, sorts and scatters: from elements to elements.

    ^bb0(%a: tensor<f32>, %b: tensor<f32>):        (%a: f32, %b: f32)
      %0 = stablehlo.add %a, %b : tensor<f32>   ->   arith.addf
      stablehlo.return %0 : tensor<f32>

Every value of such a region is a tensor of rank 0, which is its element here.
"""

from collections.abc import Sequence

from xdsl.ir import Block, Operation, SSAValue

from xdsl_bufferization.dialects.stablehlo.control import ReturnOp
from xdsl_bufferization.dialects.stablehlo.other_words import MapOp
from xdsl_bufferization.dialects.stablehlo.shapes import (
    BroadcastInDimOp,
    ConstantOp,
    ReshapeOp,
)
from xdsl_bufferization.dialects.stablehlo.syntax import StableHLOOp, tensor_type
from xdsl_bufferization.support.errors import fail_at

from .element_builder import ElementBuilder
from .elementwise import SCALARS
from .types import signless
from .writer import Value, Values, Writer, check_static, result_type


def write_elementwise(op: StableHLOOp, writer: Writer) -> Sequence[Value]:
    """A structured op, or ops on elements where the tensors have rank 0."""
    write = SCALARS[op.name]
    inputs = [writer[operand] for operand in op.operands]
    type_ = result_type(op)

    def body(code: ElementBuilder, arguments: Values) -> Values:
        return [write(op, code, arguments)]

    if not type_.get_shape():
        elements = [value.as_scalar(writer.code) for value in inputs]
        (result,) = body(writer.code, elements)
        return [writer.of_scalar(result)]
    (result,) = writer.elementwise(inputs, [type_], body)
    return [writer.of_tensor(result)]


def write_map(op: MapOp, writer: Writer) -> Sequence[Value]:
    """A structured op with the ops of the region."""

    def body(code: ElementBuilder, arguments: Values) -> Values:
        return write_payload(writer, code, op.computation.block, arguments)

    inputs = [writer[operand] for operand in op.values]
    (result,) = writer.elementwise(inputs, [result_type(op)], body)
    return [writer.of_tensor(result)]


def write_payload(
    writer: Writer, code: ElementBuilder, block: Block, elements: Values
) -> list[SSAValue]:
    """The ops of a region, at the end of `code`; returns what the region gives."""
    inner = writer.child(code)
    for argument, element in zip(block.args, elements, strict=True):
        inner[argument] = inner.of_scalar(element)
    for op in block.ops:
        if isinstance(op, ReturnOp):
            return [inner[value].as_scalar(code) for value in op.values]
        for old, new in zip(op.results, _write(op, inner), strict=True):
            inner[old] = new
    raise AssertionError("a region that its verifier accepts has an end")


def _write(op: Operation, writer: Writer) -> Sequence[Value]:
    if not isinstance(op, StableHLOOp) or not _is_of_elements(op):
        fail_at(
            op,
            f"'{op.name}' in a region that combines elements is not lowered; compute "
            "its result outside of the region",
        )
    if isinstance(op, ConstantOp):
        return [writer.of_constant(signless(op.value))]
    if isinstance(op, BroadcastInDimOp | ReshapeOp):
        return [writer[op.values[0]]]
    return write_elementwise(op, writer)


def _is_of_elements(op: StableHLOOp) -> bool:
    """Whether an op takes and gives tensors of rank 0, and there is a rule for it."""
    check_static(op)
    if any(tensor_type(value).get_shape() for value in (*op.values, *op.outputs)):
        return False
    return op.name in SCALARS or isinstance(
        op, ConstantOp | BroadcastInDimOp | ReshapeOp
    )
