"""Whether two bodies are the same program.

    ^bb0(%x: f32, %out: f32):              ^bb0(%x: f32, %out: f32):
      %0 = arith.truncf %x : f32 to bf16     %0 = arith.truncf %x : f32 to f16
      %1 = arith.extf %0 : bf16 to f32       %1 = arith.extf %0 : f16 to f32
      linalg.yield %1 : f32                  linalg.yield %1 : f32

These two are not. `is_structurally_equivalent` of xDSL 0.75 says that they are: the
method compares the types of block arguments, and not those of results.
"""

from typing import TypeVar

from xdsl.ir import Block, IRNode, Operation, Region, SSAValue

_Node = TypeVar("_Node", Operation, Block, Region)


def are_same_programs(
    node: _Node, other: _Node, known: dict[IRNode | SSAValue, IRNode | SSAValue]
) -> bool:
    """Whether `other` is `node` under other names of values.

    `known` has what stands for what outside, and gets what stands for what inside. The
    time is linear in the ops inside.
    """
    return node.is_structurally_equivalent(other, known) and all(
        mine.result_types == its.result_types
        for mine, its in zip(node.walk(), other.walk(), strict=True)
    )
