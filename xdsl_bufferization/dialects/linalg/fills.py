"""A `linalg.fill` of any element type.

    new_fill(%z, %t, [tensor<4xcomplex<f32>>])
        -> linalg.fill ins(%z : complex<f32>) outs(%t : tensor<4xcomplex<f32>>) -> ...

The constructor of xDSL's class takes only floats and integers.
"""

from collections.abc import Sequence

from xdsl.dialects.linalg.ops import FillOp
from xdsl.ir import Attribute, SSAValue

from xdsl_bufferization.dialects.linalg.named import build_region
from xdsl_bufferization.dialects.linalg.table import NAMED_OPS


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
