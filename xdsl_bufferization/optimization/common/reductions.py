"""What pooling does to the elements of a window.

^bb0(%in: f32, %window: f32, %out: f32):
%0 = arith.maximumf %out, %in : f32
linalg.yield %0 : f32                          ->   max
"""

from xdsl.dialects import arith
from xdsl.ir import Block

from xdsl_bufferization.dialects.xsmm.attributes import DataType, WindowKind


def reduction_kind(block: Block) -> WindowKind | None:
    """How a body combines its first argument with the last one, of f32."""
    ops = list(block.ops)
    if len(ops) != 2 or len(block.args) not in (2, 3):
        return None
    combine, yield_ = ops
    operands = {block.args[0], block.args[-1]}
    if {*combine.operands} != operands or yield_.operands[0].owner is not combine:
        return None
    if block.args[0].type != DataType.F32.element_type:
        return None
    if isinstance(combine, arith.AddfOp):
        return WindowKind.ADD
    return WindowKind.MAX if isinstance(combine, arith.MaximumfOp) else None
