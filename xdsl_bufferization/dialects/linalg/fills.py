"""A `linalg.fill` of any element type.

    new_fill(%z, %t, [tensor<4xcomplex<f32>>])
        -> linalg.fill ins(%z : complex<f32>) outs(%t : tensor<4xcomplex<f32>>) -> ...

The constructor of xDSL's class takes only floats and integers.
"""

from collections.abc import Sequence

from xdsl.dialects.linalg.ops import FillOp, YieldOp
from xdsl.ir import Attribute, Block, Region, SSAValue

from .named import build_region
from .table import NAMED_OPS


def new_fill(
    value: SSAValue, destination: SSAValue, result_types: Sequence[Attribute] = ()
) -> FillOp:
    """A fill of a destination; on tensors, with the type of its result."""
    region = build_region(NAMED_OPS[FillOp.name], [value], [destination], {})
    return FillOp.build(
        operands=[[value], [destination]],
        result_types=[result_types],
        regions=[region],
    )


def fill_like(op: FillOp, destination: SSAValue) -> FillOp:
    """A fill of another destination of the type of that of `op`, with the same value.

    As `op.clone()`, in fewer steps: a pass may make very many fills.
    """
    old = op.regions[0].block
    end = old.first_op
    arguments = old.args
    if type(end) is not YieldOp or end.operands[0] is not arguments[0]:
        new = op.clone(clone_name_hints=False)
        new.operands[1] = destination
        return new
    body = Block(arg_types=[argument.type for argument in arguments])
    new_arguments = body.args
    for argument, like in zip(new_arguments, arguments, strict=True):
        argument.location = like.location
    body.add_op(
        YieldOp.create(
            operands=[new_arguments[0]],
            properties=end.properties,
            attributes=end.attributes,
            location=end.location,
        )
    )
    return FillOp.create(
        operands=[op.operands[0], destination],
        result_types=op.result_types,
        properties=op.properties,
        attributes=op.attributes,
        location=op.location,
        regions=[Region(body)],
    )
