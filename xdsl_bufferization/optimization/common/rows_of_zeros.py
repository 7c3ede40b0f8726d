"""Which rows of an image are zeros of a border, noted at a sum over a window.

    linalg.generic ins(%image, %filter) outs(%c) {xsmm.image_rows = array<i64: 3, 10>}

Of 13 rows of the image, the first three and the last three are zeros. What computes the
sum may leave them out. Rows are the first dimension of the image that several loops
move in: one over pixels, and one over the window.
"""

from typing import Final

from xdsl.dialects import tensor
from xdsl.dialects.builtin import DenseArrayBase, IntegerType, i64
from xdsl.ir import Operation
from xdsl.utils.hints import isa

from xdsl_bufferization.dialects.linalg.structure import Structure, shape_of

from .pads import border_of
from .zero_fills import is_zeros

IMAGE_ROWS: Final = "xsmm.image_rows"
"""The attribute: the first row that is not of the border, and the first one behind."""

_ENDS: Final = 2


def dimension_of_rows(structure: Structure) -> int | None:
    """The dimension of the image that has its rows; None if it has none."""
    exprs = enumerate(structure.maps[0].results)
    return next((at for at, expr in exprs if len(expr.used_dims()) > 1), None)


def rows_without_zeros(structure: Structure) -> tuple[int, int] | None:
    """The rows between those of zeros; None without such, or if they are unknown."""
    dimension, pad = dimension_of_rows(structure), structure.inputs[0].owner
    border = border_of(pad) if isinstance(pad, tensor.PadOp) else None
    if dimension is None or border is None or not is_zeros(border.value):
        return None
    low, high = border.low[dimension], border.high[dimension]
    size = shape_of(structure.inputs[0].type)[dimension]
    return (low, size - high) if low or high else None


def note_rows(op: Operation, rows: tuple[int, int]) -> None:
    """Note at `op` which rows of its image are not zeros."""
    op.attributes[IMAGE_ROWS] = DenseArrayBase.from_list(i64, rows)


def noted_rows(op: Operation) -> tuple[int, int] | None:
    """What `note_rows` has noted."""
    noted = op.attributes.get(IMAGE_ROWS)
    if not isa(noted, DenseArrayBase[IntegerType]) or len(noted) != _ENDS:
        return None
    first, end = noted.get_values()
    return first, end
