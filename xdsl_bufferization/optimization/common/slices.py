"""Putting a tile into a tensor, at offsets that are numbers or values, and parts.

%0 = tensor.insert_slice %tile into %out[%i, 0] [32, 8] [1, 1]
"""

from collections.abc import Sequence
from itertools import accumulate

from xdsl.dialects import tensor
from xdsl.dialects.builtin import DenseArrayBase, i64
from xdsl.ir import SSAValue

from xdsl_bufferization.dialects.common.static_values import (
    OpFoldResult,
    decompose_mixed_values,
)
from xdsl_bufferization.dialects.tensor.constraints import ranked_type


def insert_slice(
    source: SSAValue,
    target: SSAValue,
    offsets: Sequence[OpFoldResult],
    sizes: Sequence[OpFoldResult],
    strides: Sequence[int] | None = None,
) -> tensor.InsertSliceOp:
    """Put `source` into `target`, by default at neighbouring elements.

    Nothing holds the op yet.
    """
    starts, dynamic_starts = decompose_mixed_values(offsets)
    counts, dynamic_counts = decompose_mixed_values(sizes)
    return tensor.InsertSliceOp.build(
        operands=[source, target, dynamic_starts, dynamic_counts, []],
        result_types=[target.type],
        properties={
            "static_offsets": DenseArrayBase.from_list(i64, starts),
            "static_sizes": DenseArrayBase.from_list(i64, counts),
            "static_strides": DenseArrayBase.from_list(
                i64, strides or [1] * len(counts)
            ),
        },
    )


def part_offsets(concat: tensor.ConcatOp) -> list[int]:
    """Where the parts of a concatenation start in it; their sizes have to be known."""
    dim = concat.dim.value.data
    sizes = [ranked_type(value).get_shape()[dim] for value in concat.inputs]
    return list(accumulate(sizes[:-1], initial=0))
