"""A convolution of 1x1 with a stride reads some rows: the others are not packed.

    linalg.conv_2d_nchw_fchw {strides = [2, 2]} ins(%image, ...)    // 1x64x56x56
        ->
    %0 = tensor.extract_slice %image[0, 0, 0, 0] [1, 64, 28, 56] [1, 1, 2, 1]
    linalg.conv_2d_nchw_fchw {strides = [1, 2]} ins(%0, ...)

For an image of known size that is an argument. One that is computed has its channels in
blocks already, and a kernel reads some of its pixels. Neighbours in memory are packed
together: a kernel transposes them faster than a loop picks some of them.
"""

from collections.abc import Sequence
from dataclasses import replace

from xdsl.dialects import tensor
from xdsl.dialects.builtin import TensorType
from xdsl.ir import Block, Operation
from xdsl.ir.affine import AffineDimExpr, AffineExpr, AffineMap

from xdsl_bufferization.dialects.arith.builder import ArithBuilder
from xdsl_bufferization.dialects.linalg.structure import Structure
from xdsl_bufferization.dialects.linalg.trip_counts import trip_counts
from xdsl_bufferization.dialects.tensor.constraints import ranked_type


def with_pixels_that_are_read(op: Operation, structure: Structure) -> Structure:
    """`op`, a convolution with this structure, on an image without other rows."""
    image, map_ = structure.inputs[0], structure.maps[0]
    type_ = ranked_type(image)
    if not isinstance(image.owner, Block) or not type_.has_static_shape():
        return structure
    counts = trip_counts(structure)
    strides = [*(_stride(expr, counts) for expr in map_.results[:-1]), 1]
    if max(strides) == 1:
        return structure
    sizes = [
        size if stride == 1 else -(-size // stride)
        for size, stride in zip(type_.get_shape(), strides, strict=True)
    ]
    slice_ = tensor.ExtractSliceOp(
        image,
        [0] * len(sizes),
        sizes,
        strides,
        TensorType(type_.element_type, sizes, type_.encoding),
    )
    results = tuple(
        expr if stride == 1 else _sum(expr.used_dims())
        for expr, stride in zip(map_.results, strides, strict=True)
    )
    return replace(
        structure,
        inputs=[ArithBuilder.before(op).insert(slice_).result, *structure.inputs[1:]],
        maps=[AffineMap(map_.num_dims, 0, results), *structure.maps[1:]],
    )


def _stride(expr: AffineExpr, counts: Sequence[int]) -> int:
    """How far apart the rows are that are read, if a window has one of them; or 1."""
    moving = [loop for loop in expr.used_dims() if counts[loop] > 1]
    if len(moving) != 1 or len(expr.used_dims()) != 2:
        return 1
    first, second = (
        [at * (loop in moving) for loop in range(len(counts))] for at in (0, 1)
    )
    return expr.eval(second, ()) - expr.eval(first, ())


def _sum(loops: set[int]) -> AffineExpr:
    first, second = sorted(loops)
    return AffineDimExpr(first) + AffineDimExpr(second)
