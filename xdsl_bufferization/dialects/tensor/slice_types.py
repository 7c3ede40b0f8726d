"""What types and tensors a slice fits.

    tensor.extract_slice %t[0, %n] [1, 4] [1, 2] : tensor<8x8xf32> to tensor<4xf32>

The slice has the type `tensor<1x4xf32>`, of which the op may drop sizes of 1.
"""

from collections.abc import Sequence

from xdsl.dialects.builtin import DYNAMIC_INDEX, TensorType

from ..common.slices import Slice


def out_of_bounds(piece: Slice, shape: Sequence[int]) -> str | None:
    """Why a slice certainly lies outside a tensor of this shape, if it does."""
    for index, (size, offset, count, stride) in enumerate(
        zip(shape, *piece, strict=True)
    ):
        if size == DYNAMIC_INDEX or not isinstance(offset, int):
            continue
        if offset >= size:
            return f"offset {index} is out-of-bounds: {offset} >= {size}"
        if not isinstance(count, int) or not isinstance(stride, int):
            continue
        if (last := offset + (count - 1) * stride) >= size:
            return f"slice along dimension {index} runs out-of-bounds: {last} >= {size}"
    return None


def dropped_dimensions(
    shape: Sequence[int], reduced: Sequence[int]
) -> frozenset[int] | None:
    """The sizes of 1 in `shape` that `reduced` lacks; None if they differ otherwise."""
    dropped: list[int] = []
    kept = 0
    for index, size in enumerate(shape):
        if kept < len(reduced) and size == reduced[kept]:
            kept += 1
        elif size == 1:
            dropped.append(index)
        else:
            return None
    return frozenset(dropped) if kept == len(reduced) else None


def part_type_error(expected: TensorType, part: TensorType) -> str | None:
    """Why `part` is not `expected` with some sizes of 1 dropped, if it is not."""
    if part.get_num_dims() > expected.get_num_dims():
        return (
            f"expected the rank of {part} to be smaller or equal to that of the slice, "
            f"{expected}"
        )
    if dropped_dimensions(expected.get_shape(), part.get_shape()) is None:
        return (
            f"expected type to be '{expected}' or a rank-reduced version. "
            f"(size mismatch), but got '{part}'"
        )
    if expected.element_type != part.element_type:
        return (
            f"expected element type to be '{expected.element_type}', but got '{part}'"
        )
    return None
